// Package workspace has the files that a client works on, and the projects that they belong to.
//
// A Session has the open documents of a client and its workspace folders. Each Folder has a Snapshot:
// the files of the folder after the last edit, with the open buffers over what is on disk. Each file
// belongs to a Project, and a View is a project with one of its environments. Snapshots, buffers and
// pipeline sessions never change, so requests and package report can use them at the same time; an
// edit makes the next snapshot and cancels the work on the last one.
//
//	session.go    folders, and messages that go to some of them
//	documents.go  open documents, and which folders look at them
//	settings.go   what a user can set
//	folder.go     a folder: edits → snapshots
//	snapshot.go   what a feature may ask
//	buffer.go     one version of an open document
//	memory.go     a folder in memory, for the playground
//	files.go      buffers over the disk, as a file system
//	belonging.go  which project a file belongs to
//	inputs.go     what a project says of its inputs
//	view.go       project × environment → pipeline sessions, outcomes
//	traced.go     evaluations that tell where everything comes from
//	beside.go     files that may be rendered with those of a project
//	draft.go      a first weft.yml
//	edits.go      edits of files as clients take them
//	diagnostics.go  errors of the pipeline, and as the command line prints them
//	shift.go      positions in an earlier text
//	explain.go    what evaluations say of places, as the files are now
//	navigation.go what files say about each other, across snapshots
//	values.go     what is known of data values
//	runtime.go    what has read data values, in an evaluation
//	proof.go      whether a rename changes what is rendered
//	refused.go    variables that the user does not allow
//	watch.go      changes on disk, for clients that do not watch
//	workspace.go  folders together: moved files
package workspace

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"weft/internal/serve/lsp/protocol"
)

// Options says how a session works.
type Options struct {
	Encoding protocol.PositionEncoding

	// Trusted says that code of the workspace may run. Else nothing but open documents is looked at.
	Trusted bool

	// Env are the environment variables that data values may come from.
	Env []string

	// Patience is how long a feature waits for what it can do without.
	Patience time.Duration

	// Observe is called with each folder before anything in it changes. It may be nil.
	Observe func(*Folder) Observer

	// NoVersions says that the client does not take edits of versions of documents.
	NoVersions bool

	// MakesFiles says that the client takes edits that make files.
	MakesFiles bool

	// AllowEnv are the prefixes of Env that projects may read.
	AllowEnv []string

	// Warn is called with what the user should know, once. It may be nil.
	Warn func(text string)

	// Panicked is called with a bug of the server that was survived. It may be nil.
	Panicked func(what string, v any, stack []byte)

	// Log is called with lines for those who look for a problem.
	Log func(format string, args ...any)
}

// Session is the workspace of a client. Its methods may be called from several goroutines.
type Session struct {
	opt     Options
	refused sync.Once // see withoutRefusedEnv
	ctx     context.Context
	end     context.CancelFunc

	editing   sync.Mutex // whoever changes documents or folders holds it
	documents map[protocol.DocumentURI]*document

	mu       sync.Mutex
	settings Settings
	folders  []*Folder
	watching bool                            // for the client
	outside  *Folder                         // documents that are in no folder
	written  map[string]protocol.DocumentURI // paths on disk, as the client has written them last
}

// NewSession makes a session without folders.
func NewSession(opt Options) *Session {
	s := &Session{
		opt: opt, settings: DefaultSettings(), documents: map[protocol.DocumentURI]*document{},
		written: map[string]protocol.DocumentURI{},
	}
	s.ctx, s.end = context.WithCancel(context.Background())
	s.outside = newFolder(s, "", nil)
	return s
}

// Close ends all work.
func (s *Session) Close() {
	s.end()
	for _, f := range s.all() {
		f.close()
	}
}

// all returns the folders, and what is in none.
func (s *Session) all() []*Folder { return append(s.list(), s.outside) }

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
	s.editing.Lock()
	defer s.editing.Unlock()
	if s.folderAt(root) >= 0 {
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
	s.placeAll()
	if watching {
		f.watch()
	}
}

// RemoveFolder removes a workspace folder. Its open documents stay open.
func (s *Session) RemoveFolder(uri protocol.DocumentURI) {
	s.editing.Lock()
	defer s.editing.Unlock()
	i := s.folderAt(uri.Path())
	if i < 0 {
		return
	}
	s.mu.Lock()
	f := s.folders[i]
	s.folders = append(s.folders[:i:i], s.folders[i+1:]...)
	s.mu.Unlock()
	f.close()
	s.placeAll()
}

// folderAt returns the index of the folder at a path on disk, or -1.
func (s *Session) folderAt(root string) int {
	return slices.IndexFunc(s.list(), func(f *Folder) bool { return f.root == root })
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

func (s *Session) currentSettings() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settings
}

// Document returns a document in the state of now: an open one, or one that a folder has on disk.
// It is nil if there is none; what is outside of all folders is never read.
func (s *Session) Document(uri protocol.DocumentURI) *TextDocument {
	f, path := s.folderOf(uri)
	return f.Snapshot().Document(path)
}

// FilesChanged says that files on disk have come, changed or gone.
func (s *Session) FilesChanged(uris []protocol.DocumentURI) {
	paths := map[*Folder][]string{}
	for _, uri := range uris {
		for _, x := range s.lookers(uri) {
			if x.folder.disk != nil {
				paths[x.folder] = append(paths[x.folder], x.path)
			}
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

// shownPath returns a path of a folder as the operating system writes it.
func shownPath(root, path string) string {
	return strings.TrimSuffix(root, string(os.PathSeparator)) + string(os.PathSeparator) +
		filepath.FromSlash(path)
}
