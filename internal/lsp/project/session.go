// Package project is what the language server knows of the files that a client works on.
//
// A Session has the workspace folders of a client. Each Folder has a Snapshot: the files of the
// folder after the last edit, with the open buffers over what is on disk. Each file belongs to a
// Project, and a View is a project with one of its environments. Snapshots, buffers and what
// pipeline sessions are made of never change, so that requests and the three tiers of diagnostics
// work beside each other; an edit makes the next snapshot and ends the work on the last.
//
//	session.go    folders, and messages that go to one of them
//	settings.go   what a user can set
//	folder.go     a folder: edits → snapshots
//	snapshot.go   what a feature may ask
//	buffer.go     one version of an open document
//	memory.go     a folder in memory, for the playground
//	files.go      buffers over the disk, as a file system
//	inputs.go     which inputs belong to a file
//	view.go       project × environment → pipeline sessions, outcomes
//	tiers.go      when what is looked at
//	asked.go      requests that are being answered: tier 3 lets them go first
//	report.go     what the tiers have found → diagnostics of files
//	lint.go       what the linter finds, at the end of tier 3
//	traced.go     evaluations that tell where everything comes from
//	findings.go   diagnostics for who wants to resolve them; edits
//	failure.go    errors as the command line prints them
//	shift.go      positions in an earlier text
package project

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"weft/internal/lsp/protocol"
)

// Options says how a session works.
type Options struct {
	Encoding protocol.PositionEncoding

	// Trusted says that code of the workspace may run. Else nothing but open documents is looked at.
	Trusted bool

	// Env are the environment variables that data values may come from.
	Env []string

	// OnDemand says that nobody waits for diagnostics: nothing is looked at before a feature asks.
	OnDemand bool

	// Debounce is how long nothing must change before all is evaluated.
	Debounce time.Duration

	// Patience is how long a feature waits for what it can do without.
	Patience time.Duration

	// Publish is called with the diagnostics of a file, one call after another.
	Publish func(protocol.PublishDiagnosticsParams)

	// NoVersions says that the client does not take edits of versions of documents.
	NoVersions bool

	// Refresh is called when clients would get another answer though they have edited nothing. It may
	// be nil.
	Refresh func(Refresh)

	// AllowEnv are the prefixes of Env that projects may read.
	AllowEnv []string

	// Warn is called with what the user should know, once. It may be nil.
	Warn func(text string)

	// Log is called with lines for those who look for a problem.
	Log func(format string, args ...any)
}

// Session is the workspace of a client. Its methods may be called from several goroutines.
type Session struct {
	opt     Options
	refused sync.Once // see withoutRefusedEnv
	ctx     context.Context
	end     context.CancelFunc

	asked asked

	mu       sync.Mutex
	settings Settings
	folders  []*Folder
	watching bool    // for the client
	outside  *Folder // documents that are in no folder
}

// NewSession makes a session without folders.
func NewSession(opt Options) *Session {
	s := &Session{opt: opt, settings: DefaultSettings()}
	s.ctx, s.end = context.WithCancel(context.Background())
	s.outside = newFolder(s, "", nil)
	return s
}

// Close ends all work.
func (s *Session) Close() {
	s.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.folders {
		f.close()
	}
	s.folders = nil
	s.outside.close()
}

// Settle waits until nothing is left to do: all diagnostics have been published. The error is that
// of ctx.
func (s *Session) Settle(ctx context.Context) error {
	for _, f := range append(s.list(), s.outside) {
		if err := f.settle(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) list() []*Folder {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Folder(nil), s.folders...)
}

// AddFolder adds a workspace folder. What cannot be opened is left out, and documents in it are
// looked at one by one.
func (s *Session) AddFolder(uri protocol.DocumentURI) {
	root := uri.Path()
	if root == "" {
		s.opt.Log("the folder %s is not on disk", uri)
		return
	}
	var d *disk
	if s.opt.Trusted {
		var err error
		if d, err = openDisk(root); err != nil {
			s.opt.Log("opening the folder %s: %s", root, err)
			return
		}
	}
	f := newFolder(s, root, d)
	s.mu.Lock()
	s.folders = append(s.folders, f)
	watching := s.watching
	s.mu.Unlock()
	if watching {
		f.watch()
	}
}

// RemoveFolder removes a workspace folder.
func (s *Session) RemoveFolder(uri protocol.DocumentURI) {
	root := uri.Path()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.folders {
		if f.root == root {
			s.folders = append(s.folders[:i:i], s.folders[i+1:]...)
			f.close()
			return
		}
	}
}

// Configure sets the settings.
func (s *Session) Configure(settings Settings) {
	s.mu.Lock()
	s.settings = settings
	s.mu.Unlock()
	for _, f := range s.list() {
		f.update(func(*Snapshot) error { f.structure++; return nil })
	}
}

// Refresh is what clients would get another answer to.
type Refresh uint8

// What may have to be asked again.
const (
	RefreshHints Refresh = 1 << iota
	RefreshLenses
	RefreshTokens
)

// refresh tells that answers have changed, except for those that the user does not want.
func (s *Session) refresh(what Refresh) {
	settings := s.currentSettings()
	if !settings.InlayHints {
		what &^= RefreshHints
	}
	if !settings.CodeLenses {
		what &^= RefreshLenses
	}
	if s.opt.Refresh != nil && what != 0 {
		s.opt.Refresh(what)
	}
}

func (s *Session) currentSettings() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settings
}

// folderOf is the folder that a document is in, the innermost one, and its path in it.
func (s *Session) folderOf(uri protocol.DocumentURI) (*Folder, string) {
	name := uri.Path()
	best, path := s.outside, string(uri)
	if name == "" {
		return best, path
	}
	for _, f := range s.list() {
		rel, err := filepath.Rel(f.root, name)
		if err == nil && filepath.IsLocal(rel) && len(f.root) > len(best.root) {
			best, path = f, filepath.ToSlash(rel)
		}
	}
	return best, path
}

// Document is a document in the state of now: an open one, or one that a folder has on disk. It is
// nil if there is none; what is outside of all folders is never read.
func (s *Session) Document(uri protocol.DocumentURI) *Document {
	f, path := s.folderOf(uri)
	return f.current().Document(path)
}

// Open says that a document is open from now on.
func (s *Session) Open(p protocol.DidOpenParams) error {
	f, path := s.folderOf(p.TextDocument.URI)
	b, err := newBuffer(p.TextDocument.URI, path, p.TextDocument.Version, []byte(p.TextDocument.Text))
	if err != nil {
		return err
	}
	b.language = p.TextDocument.LanguageID
	return f.update(func(next *Snapshot) error {
		f.structure++
		next.open[path] = b
		f.changed(next, path)
		return nil
	})
}

// Change edits an open document.
func (s *Session) Change(p protocol.DidChangeParams) error {
	f, path := s.folderOf(p.TextDocument.URI)
	return f.update(func(next *Snapshot) error {
		was := next.open[path]
		if was == nil {
			return errNotOpen
		}
		b, err := was.edited(p.TextDocument.Version, p.ContentChanges, s.opt.Encoding)
		if err != nil {
			return err
		}
		was.supersede()
		next.open[path] = b
		f.changed(next, path)
		return nil
	})
}

// CloseDocument says that a document is not open any more: what is on disk counts.
func (s *Session) CloseDocument(uri protocol.DocumentURI) error {
	f, path := s.folderOf(uri)
	return f.update(func(next *Snapshot) error {
		was := next.open[path]
		if was == nil {
			return errNotOpen
		}
		was.supersede()
		delete(next.open, path)
		f.structure++
		f.changed(next, path)
		return nil
	})
}

// FilesChanged says that files on disk have come, changed or gone.
func (s *Session) FilesChanged(uris []protocol.DocumentURI) {
	paths := map[*Folder][]string{}
	for _, uri := range uris {
		f, path := s.folderOf(uri)
		if f.disk != nil {
			paths[f] = append(paths[f], path)
		}
	}
	for f, list := range paths {
		f.diskChanged(list)
	}
}

// SetEnvironment makes an environment the active one of the project that a document belongs to.
func (s *Session) SetEnvironment(uri protocol.DocumentURI, env string) error {
	f, path := s.folderOf(uri)
	return f.setEnvironment(path, env)
}

// shownPath is a path of a folder as the operating system writes it.
func shownPath(root, path string) string {
	return strings.TrimSuffix(root, string(os.PathSeparator)) + string(os.PathSeparator) +
		filepath.FromSlash(path)
}
