//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
)

// answerTimeout is how long the editor waits for anything.
const answerTimeout = 5 * time.Minute

// editor is a client with its own server.
type editor struct {
	process
	cmd     *exec.Cmd
	stdin   *input
	conn    *wire.Conn
	root    string
	began   time.Time // when the server was started
	texts   map[string]string
	version map[string]int
	news    chan protocol.PublishDiagnosticsParams
	calls   int // how many requests were sent: their ids count from 1
}

// input is the standard input of a server.
type input struct {
	io.WriteCloser
	sent chan struct{} // gets a token after each message, unless it has one
}

func (w *input) Write(message []byte) (int, error) {
	n, err := w.WriteCloser.Write(message)
	select {
	case w.sent <- struct{}{}:
	default:
	}
	return n, err
}

// forget takes the token of earlier messages.
func (w *input) forget() {
	select {
	case <-w.sent:
	default:
	}
}

// start starts a server in a folder.
func start(program, root string) (*editor, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	e := &editor{
		root: root, texts: map[string]string{}, version: map[string]int{}, began: time.Now(),
		news: make(chan protocol.PublishDiagnosticsParams, 10_000),
	}
	e.cmd = exec.Command(program, "lsp")
	e.cmd.Stderr = os.Stderr
	in, err := e.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := e.cmd.Start(); err != nil {
		return nil, err
	}
	e.stdin, e.pid = &input{in, make(chan struct{}, 1)}, e.cmd.Process.Pid
	e.conn = wire.LSP.NewConn(out, e.stdin, func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
	})
	go func() { _ = e.conn.Serve(context.Background(), wire.Handler{Notify: e.notify, Request: ok}) }()
	var p protocol.InitializeParams
	p.WorkspaceFolders = []protocol.WorkspaceFolder{{URI: protocol.URIOf(root)}}
	p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration = true
	p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges = true
	if err := e.call("initialize", p, nil); err != nil {
		return nil, err
	}
	e.conn.Notify("initialized", struct{}{})
	return e, nil
}

// stop ends the server.
func (e *editor) stop() {
	_ = e.call("shutdown", nil, nil) // it is stopped in any case
	e.conn.Notify("exit", nil)
	e.stdin.Close()
	_ = e.cmd.Wait()
}

// ok answers every request of the server with null.
func ok(string, json.RawMessage) (wire.Answer, error) {
	return func(context.Context) (any, error) { return nil, nil }, nil
}

// notify handles notifications of the server.
func (e *editor) notify(method string, params json.RawMessage) error {
	if method != "textDocument/publishDiagnostics" {
		return nil
	}
	var p protocol.PublishDiagnosticsParams
	if err := wire.Decode(params, &p); err != nil {
		return err
	}
	e.news <- p
	return nil
}

func (e *editor) call(method string, params, result any) error {
	e.calls++
	ctx, cancel := context.WithTimeout(context.Background(), answerTimeout)
	defer cancel()
	return e.conn.Call(ctx, method, params, result)
}

// settle waits until the server has nothing left to do.
func (e *editor) settle() error { return e.call("weft/settled", nil, nil) }

func (e *editor) uri(path string) protocol.DocumentURI {
	return protocol.URIOf(filepath.Join(e.root, filepath.FromSlash(path)))
}

// open opens a file from disk, with old replaced by text.
func (e *editor) open(path, old, text string) error {
	data, err := os.ReadFile(filepath.Join(e.root, filepath.FromSlash(path)))
	if err != nil {
		return err
	}
	e.texts[path], e.version[path] = strings.Replace(string(data), old, text, 1), 1
	var p protocol.DidOpenParams
	p.TextDocument.URI, p.TextDocument.LanguageID = e.uri(path), "weft-yaml"
	p.TextDocument.Version, p.TextDocument.Text = 1, e.texts[path]
	e.conn.Notify("textDocument/didOpen", p)
	return nil
}

// position returns the position of the first occurrence of text in a file, moved by into bytes.
func (e *editor) position(path, text string, into int) (protocol.Position, error) {
	before, _, ok := strings.Cut(e.texts[path], text)
	if !ok {
		return protocol.Position{}, fmt.Errorf("%s has no %q", path, text)
	}
	before += text[:into]
	return protocol.Position{
		Line: strings.Count(before, "\n"), Character: len(before) - strings.LastIndex(before, "\n") - 1,
	}, nil
}

// edit replaces old with text.
func (e *editor) edit(path, old, text string) error {
	start, err := e.position(path, old, 0)
	if err != nil {
		return err
	}
	end, _ := e.position(path, old, len(old))
	e.texts[path] = strings.Replace(e.texts[path], old, text, 1)
	e.version[path]++
	e.conn.Notify("textDocument/didChange", protocol.DidChangeParams{
		TextDocument: protocol.VersionedDocument{URI: e.uri(path), Version: e.version[path]},
		ContentChanges: []protocol.ContentChange{{
			Range: &protocol.Range{Start: start, End: end}, Text: text,
		}},
	})
	return nil
}

// await waits until the diagnostics of the newest version of a file are as wanted.
func (e *editor) await(
	path string, wanted func([]protocol.Diagnostic) bool,
) ([]protocol.Diagnostic, error) {
	limit := time.After(answerTimeout)
	for {
		select {
		case p := <-e.news:
			if p.URI == e.uri(path) && p.Version != nil && *p.Version == e.version[path] &&
				wanted(p.Diagnostics) {
				return p.Diagnostics, nil
			}
		case <-limit:
			return nil, errors.New("no such diagnostics came")
		}
	}
}

// anything accepts all diagnostics.
func anything([]protocol.Diagnostic) bool { return true }

// says accepts diagnostics if one of their messages contains text.
func says(text string) func([]protocol.Diagnostic) bool {
	return func(list []protocol.Diagnostic) bool {
		for _, d := range list {
			if strings.Contains(d.Message, text) {
				return true
			}
		}
		return false
	}
}
