// Package lsp is the language server: it receives the messages of a client (wire, protocol), keeps
// the files that the client works on (workspace), publishes diagnostics (report) and answers requests
// (feature).
//
//	server.go      a connection from its beginning to its end
//	lifecycle.go   initialize, shutdown, settings, folders, watched files
//	methods.go     the table of requests: a line for each feature
//	documents.go   open, change, save, close
//	workspace.go   requests that are not about one document
//	tokens.go      semantic tokens; only changes are sent
package lsp

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"weft/internal/project/engines"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/report"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
)

// Options says how a server works.
type Options struct {
	Version  string        // the version of weft
	Log      wire.Log      // receives lines for people who look for a problem
	Debounce time.Duration // how long nothing must change before everything is evaluated

	// MaxWait is how long an answer waits for an evaluation that it does not really need.
	MaxWait time.Duration

	// MaxKeptTrace is workspace.Options.MaxKeptTrace.
	MaxKeptTrace int

	AllowEnv []string // prefixes of environment variables that projects may read

	Engines *engines.Engines // what renders charts and kustomizations; nil if nothing does
}

// DefaultDebounce is longer than the time between two keys, and shorter than users notice.
const DefaultDebounce = 150 * time.Millisecond

// DefaultMaxWait keeps answers within a time that users do not notice.
const DefaultMaxWait = 50 * time.Millisecond

// Server is one connection with a client.
type Server struct {
	opt      Options
	conn     *wire.Conn
	reporter *report.Reporter
	ctx      context.Context
	end      context.CancelFunc

	mu       sync.Mutex
	client   protocol.ClientCapabilities
	session  *workspace.Session // nil before initialize
	shutdown bool               // the client has sent the request shutdown

	tokens tokenAnswers
}

// Serve serves a client until the connection or ctx ends. It reports whether the client has sent the
// request shutdown.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opt Options) (bool, error) {
	s := &Server{opt: opt, conn: wire.LSP.NewConn(in, out, opt.Log)}
	s.ctx, s.end = context.WithCancel(ctx)
	defer s.end()
	s.reporter = report.New(report.Options{
		Debounce: opt.Debounce,
		Publish: func(p protocol.PublishDiagnosticsParams) {
			s.conn.Notify("textDocument/publishDiagnostics", p)
		},
		Refresh: s.refresh,
		Unknown: func(d *workspace.TextDocument) { go s.offerProject(d) },
		Log:     opt.Log,
	})
	err := s.conn.Serve(s.ctx, wire.Handler{Notify: s.notify, Request: s.request})
	s.reporter.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		s.session.Close()
	}
	return s.shutdown, err
}

func (s *Server) notify(method string, params json.RawMessage) error {
	if method == "exit" {
		s.end()
		return nil
	}
	session := s.current()
	if session == nil {
		return wire.Errorf(wire.ServerNotInitialized, "the server is not initialized")
	}
	take, ok := notifications.Get()[method]
	if !ok {
		return nil // unknown notifications are ignored
	}
	return take(s, session, params)
}

// request prepares the answer to a request.
func (s *Server) request(method string, params json.RawMessage) (wire.Answer, error) {
	switch method {
	case "initialize":
		return s.initialize(params)
	case "shutdown":
		s.mu.Lock()
		defer s.mu.Unlock()
		s.shutdown = true
		return func(context.Context) (any, error) { return nil, nil }, nil
	}
	s.mu.Lock()
	session, down := s.session, s.shutdown
	s.mu.Unlock()
	switch {
	case session == nil:
		return nil, wire.Errorf(wire.ServerNotInitialized, "the server is not initialized")
	case down:
		return nil, wire.Errorf(wire.InvalidRequest, "the server is shutting down")
	}
	prepare, ok := requests.Get()[method]
	if !ok {
		return nil, wire.Errorf(wire.MethodNotFound, "weft does not know the method %s", method)
	}
	return prepare(s, session, params)
}

func (s *Server) current() *workspace.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session
}
