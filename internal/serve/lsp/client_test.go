package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"weft/internal/serve/lsp"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
)

// client is an editor, for tests.
type client struct {
	t    testing.TB
	conn *wire.Conn
	root string // of the workspace
	done chan struct{}

	detailed bool // compare hints and related places of warnings, too

	mu       sync.Mutex
	found    map[protocol.DocumentURI]protocol.PublishDiagnosticsParams
	observe  func(protocol.PublishDiagnosticsParams) // is called with what is found; may be nil
	versions map[protocol.DocumentURI]int
	asked    []string // requests of the server
	logged   []string
	sentLog  []string // messages for the log of the client
	shown    []string // messages for the user

	answers map[string]func(json.RawMessage) any // to requests of the server; others get null
}

// dial starts a server with a workspace in root. Change may change what the client says at the
// beginning; it may be nil.
func dial(t testing.TB, root string, change func(*protocol.InitializeParams)) *client {
	t.Helper()
	return dialWith(t, root, lsp.Options{MaxWait: time.Minute}, change)
}

// dialWith is dial with options of the server.
func dialWith(
	t testing.TB, root string, opt lsp.Options, change func(*protocol.InitializeParams),
) *client {
	t.Helper()
	fromServer, toClient := io.Pipe()
	fromClient, toServer := io.Pipe()
	c := &client{
		t: t, root: root, done: make(chan struct{}),
		found:    map[protocol.DocumentURI]protocol.PublishDiagnosticsParams{},
		versions: map[protocol.DocumentURI]int{},
	}
	log := func(format string, args ...any) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.logged = append(c.logged, fmt.Sprintf(format, args...))
	}
	opt.Version, opt.Log = "test", log
	if opt.Debounce == 0 {
		opt.Debounce = time.Millisecond
	}
	go func() {
		defer close(c.done)
		_, _ = lsp.Serve(context.Background(), fromClient, toClient, opt)
		toClient.Close()
	}()
	c.conn = wire.LSP.NewConn(fromServer, toServer, log)
	go func() {
		_ = c.conn.Serve(context.Background(), wire.Handler{Notify: c.notified, Request: c.requested})
	}()
	t.Cleanup(func() {
		c.call("shutdown", nil, nil)
		c.conn.Notify("exit", nil)
		toServer.Close()
		<-c.done
	})
	p := protocol.InitializeParams{}
	if root != "" {
		p.WorkspaceFolders = []protocol.WorkspaceFolder{{URI: protocol.URIOf(root)}}
	}
	p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration = true
	p.Capabilities.General.PositionEncodings = []protocol.PositionEncoding{protocol.UTF16}
	if change != nil {
		change(&p)
	}
	c.call("initialize", p, nil)
	c.conn.Notify("initialized", struct{}{})
	return c
}

// notified takes notifications of the server.
func (c *client) notified(method string, params json.RawMessage) error {
	if method == "window/logMessage" {
		var p protocol.LogMessageParams
		if err := wire.Decode(params, &p); err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.logged, c.sentLog = append(c.logged, p.Message), append(c.sentLog, p.Message)
		return nil
	}
	if method == "window/showMessage" {
		var p protocol.LogMessageParams
		if err := wire.Decode(params, &p); err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.shown = append(c.shown, p.Message)
	}
	if method != "textDocument/publishDiagnostics" {
		return nil
	}
	var p protocol.PublishDiagnosticsParams
	if err := wire.Decode(params, &p); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found[p.URI] = p
	if c.observe != nil {
		c.observe(p)
	}
	return nil
}

// requested answers requests of the server.
func (c *client) requested(method string, params json.RawMessage) (wire.Answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, method)
	if answer := c.answers[method]; answer != nil {
		return func(context.Context) (any, error) { return answer(params), nil }, nil
	}
	return func(context.Context) (any, error) { return nil, nil }, nil
}

// call sends a request that must succeed.
func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.try(method, params, result); err != nil {
		c.t.Errorf("%s: %v", method, err)
	}
}

// try sends a request.
func (c *client) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return c.conn.Call(ctx, method, params, result)
}

// uri is the URI of a file of the workspace.
func (c *client) uri(path string) protocol.DocumentURI {
	return protocol.URIOf(filepath.Join(c.root, filepath.FromSlash(path)))
}

// open opens a document.
func (c *client) open(path, text string) {
	var p protocol.DidOpenParams
	p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text = c.uri(path), 1, text
	c.versions[c.uri(path)] = 1
	c.conn.Notify("textDocument/didOpen", p)
}

// change edits a document: no range is all of it.
func (c *client) change(path string, changes ...protocol.ContentChange) {
	uri := c.uri(path)
	c.versions[uri]++
	c.conn.Notify("textDocument/didChange", protocol.DidChangeParams{
		TextDocument:   protocol.VersionedDocument{URI: uri, Version: c.versions[uri]},
		ContentChanges: changes,
	})
}

// document are parameters that name a document.
func (c *client) document(path string) protocol.DocumentParams {
	return protocol.DocumentParams{TextDocument: protocol.DocumentIdentifier{URI: c.uri(path)}}
}

// settle waits until the server has nothing left to say.
func (c *client) settle() { c.t.Helper(); c.call("weft/settled", nil, nil) }

// diagnostics are the diagnostics of a file.
func (c *client) diagnostics(path string) []protocol.Diagnostic {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.found[c.uri(path)].Diagnostics
}

// files are the files with diagnostics, by their paths in the workspace.
func (c *client) files() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []string
	for _, uri := range slices.Sorted(maps.Keys(c.found)) {
		if rel, err := filepath.Rel(c.root, uri.Path()); err == nil && len(c.found[uri].Diagnostics) > 0 {
			list = append(list, filepath.ToSlash(rel))
		}
	}
	return list
}

// write writes files into a directory.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
