// Package local serves the page of the playground to the user's browser, and renders the user's files
// for it. It is for one user on one machine.
//
// Every page that the browser has open can send requests to this machine. So the server listens on
// the loopback address only, answers only under its own name, and does nothing without the token,
// which is only in the link that it prints. See docs/security.md.
package local

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"weft"
	"weft/internal/engine/eval"
	"weft/internal/lang/lazy"
	"weft/internal/project/watch"
	"weft/internal/serve/playground"
	"weft/internal/serve/playground/assist"
)

const (
	largestBody = 8 << 20
	waitTime    = 20 * time.Second // how long a page waits for changes before it asks again
)

// limits are higher here, since these are the user's files and machine.
var limits = playground.Limits{Steps: eval.DefaultMaxSteps, Time: 10 * time.Second, Memory: 2 << 30}

// assistLimits are for requests that the user waits for while typing.
var assistLimits = playground.Limits{Time: 3 * time.Second, Memory: limits.Memory}

// Server is the server of one page.
type Server struct {
	Disk    *Disk
	Page    fs.FS  // the files of the page
	Index   string // the file to show first
	Write   bool   // files may be saved
	Version string // the version of weft

	token   string
	running chan struct{} // has room for one run

	assistant *assist.Assistant // answers one request at a time

	mu       sync.Mutex
	ticket   ticket
	revision int
	changed  chan struct{} // closed when the revision changes
}

// Token creates and returns the token: 128 random bits.
func (s *Server) Token() string {
	if s.token == "" {
		s.token = secret()
		s.running = make(chan struct{}, 1)
		s.assistant = assist.New()
		s.changed = make(chan struct{})
	}
	return s.token
}

func secret() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // this never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Serve answers until the context ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	s.Token()
	server := &http.Server{
		Handler:           s.Handler(l.Addr().String()),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      time.Minute,
		MaxHeaderBytes:    16 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	go s.follow(ctx)
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	err := server.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		return ctx.Err()
	}
	return err
}

// follow counts the changes of files.
func (s *Server) follow(ctx context.Context) {
	w := watch.New(false)
	defer w.Close()
	for _, m := range s.Disk.mounts {
		w.Add(m.path)
	}
	for {
		if _, err := w.Next(ctx); err != nil {
			return
		}
		s.mu.Lock()
		s.revision++
		close(s.changed)
		s.changed = make(chan struct{})
		s.mu.Unlock()
	}
}

// Handler answers requests to an address such as 127.0.0.1:8080.
func (s *Server) Handler(addr string) http.Handler {
	s.Token()
	_, port, _ := net.SplitHostPort(addr)
	hosts := map[string]bool{"127.0.0.1:" + port: true, "localhost:" + port: true}
	mux := http.NewServeMux()
	mux.HandleFunc("/", s.page)
	mux.HandleFunc("/open/", s.open)
	mux.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "there is no such function")
	})
	mux.Handle("/api/files", s.api(s.files))
	mux.Handle("/api/run", s.api(s.run))
	mux.Handle("/api/assist", s.api(s.assist))
	mux.Handle("/api/wait", s.api(s.wait))
	mux.Handle("/api/save", s.api(s.save))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protect(w.Header())
		switch origin := r.Header.Get("Origin"); {
		case !hosts[r.Host]: // another name may have been made to point here
			refuse(w, http.StatusForbidden, "this server answers to 127.0.0.1 only")
		case origin != "" && origin != "http://"+r.Host:
			refuse(w, http.StatusForbidden, "requests from other pages are refused")
		case strings.HasPrefix(r.Header.Get("Sec-Fetch-Site"), "cross"):
			refuse(w, http.StatusForbidden, "requests from other pages are refused")
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// policy is the Content-Security-Policy of the page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func protect(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cache-Control", "no-store")
}

// page answers with a file of the page.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "pages are read with GET")
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = s.Index
	}
	kind, ok := kinds.Get()[name[strings.LastIndexByte(name, '.')+1:]]
	data, err := fs.ReadFile(s.Page, name)
	if err != nil || !ok {
		refuse(w, http.StatusNotFound, "there is no such page")
		return
	}
	if name == "index.html" {
		// The page is the same as on the web site, where it renders in the browser.
		data = []byte(strings.Replace(string(data), `name="weft-engine" content="wasm"`,
			`name="weft-engine" content="local"`, 1))
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(data)
}

var kinds = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
		"css": "text/css; charset=utf-8", "svg": "image/svg+xml", "json": "application/json",
		"txt": "text/plain; charset=utf-8",
	}
}}

// api accepts only requests of the page, and decodes them for a function.
func (s *Server) api(answer func(context.Context, *json.Decoder) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", "POST")
			refuse(w, http.StatusMethodNotAllowed, "functions are called with POST")
			return
		}
		token := r.Header.Get("X-Weft-Token")
		if subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
			refuse(w, http.StatusForbidden, "the token is missing or wrong")
			return
		}
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil ||
			kind != "application/json" {
			refuse(w, http.StatusUnsupportedMediaType, "functions take application/json")
			return
		}
		body := json.NewDecoder(http.MaxBytesReader(w, r.Body, largestBody))
		res, err := answer(r.Context(), body)
		if err != nil {
			refuse(w, statusOf(err), err.Error())
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(res) // the page may be gone
	})
}

// badRequest is an error in a request.
type badRequest struct{ error }

func statusOf(err error) int {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge
	}
	if _, ok := errors.AsType[badRequest](err); ok {
		return http.StatusBadRequest
	}
	if errors.Is(err, errNoFile) || errors.Is(err, errReadOnly) {
		return http.StatusForbidden
	}
	return http.StatusConflict
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": message})
}

func read(body *json.Decoder, v any) error {
	if err := body.Decode(v); err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return err
		}
		return badRequest{fmt.Errorf("reading the request: %w", err)}
	}
	return nil
}

// listing is what the page shows first, and again after changes.
type listing struct {
	Files    []playground.File `json:"files"`
	Inputs   []string          `json:"inputs,omitempty"`
	Write    bool              `json:"write"`
	Version  string            `json:"version"`
	Revision int               `json:"revision"`
}

func (s *Server) files(context.Context, *json.Decoder) (any, error) {
	s.mu.Lock()
	revision := s.revision
	s.mu.Unlock()
	files, err := s.Disk.Read()
	if err != nil {
		return nil, weft.ErrorOf(err)
	}
	if len(files) == 0 {
		files = []playground.File{{Path: "app.yml", Data: ""}}
	}
	return listing{files, s.Disk.Inputs(), s.Write, s.Version, revision}, nil
}

// run renders. One run at a time keeps the machine usable.
func (s *Server) run(ctx context.Context, body *json.Decoder) (any, error) {
	var req playground.Request
	if err := read(body, &req); err != nil {
		return nil, err
	}
	select {
	case s.running <- struct{}{}:
		defer func() { <-s.running }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return playground.Run(ctx, req, limits), nil
}

// assist answers the editor: completions and hovers.
func (s *Server) assist(ctx context.Context, body *json.Decoder) (any, error) {
	var req assist.Request
	if err := read(body, &req); err != nil {
		return nil, err
	}
	return s.assistant.Answer(ctx, req, assistLimits), nil
}

// wait answers when files have changed, or after a while.
func (s *Server) wait(ctx context.Context, body *json.Decoder) (any, error) {
	var req struct{ Revision int }
	if err := read(body, &req); err != nil {
		return nil, err
	}
	s.mu.Lock()
	revision, changed := s.revision, s.changed
	s.mu.Unlock()
	if revision == req.Revision {
		select {
		case <-changed:
		case <-time.After(waitTime):
			return listing{Revision: revision}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return s.files(ctx, nil)
}

// errReadOnly is the error for saving without --write.
var errReadOnly = errors.New("files are saved only with weft playground --write")

func (s *Server) save(ctx context.Context, body *json.Decoder) (any, error) {
	var req struct {
		Path, Data string
		Old        *string
	}
	if err := read(body, &req); err != nil {
		return nil, err
	}
	if !s.Write {
		return nil, errReadOnly
	}
	write := func() error { return s.Disk.Create(ctx, req.Path, req.Data) }
	if req.Old != nil {
		write = func() error { return s.Disk.Save(ctx, req.Path, *req.Old, req.Data) }
	}
	if err := write(); err != nil {
		if errors.Is(err, errNoFile) {
			return nil, err
		}
		return nil, weft.ErrorOf(err)
	}
	return struct{}{}, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
