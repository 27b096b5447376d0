// Package workspace has the files that a client works on, and the projects that they belong to.
//
// A Session has the open documents of a client and its workspace folders. Each Folder has a Snapshot:
// the files of the folder after the last edit, with the open buffers over what is on disk. Each file
// belongs to a Project, and a View is a project with one of its environments. Snapshots, buffers and
// pipeline sessions never change, so requests and package report can use them at the same time; an
// edit creates the next snapshot and cancels the work on the last one.
//
//	session.go       folders, and messages that go to some of them
//	documents.go     open documents, and which folders contain them
//	large.go         texts that are too large to be analysed
//	settings.go      what a user can set
//	folder.go        a folder: edits → snapshots
//	snapshot.go      files as features see them
//	buffer.go        one version of an open document
//	memory.go        a folder in memory, for the playground
//	unsaved.go       documents that have not been saved, each in a folder in memory
//	files.go         buffers over the disk, as a file system
//	watch.go         changes on disk, for clients that do not watch
//	find_project.go  which project a file belongs to
//	project.go       weft.yml or a folder → views
//	view.go          project × environment → pipeline sessions, outcomes
//	undone.go        the output without the overlay that is being written
//	traced.go        evaluations that record where everything comes from
//	values.go        what is known about data values
//	values_outline.go  what schemas say about data values
//	kubernetes.go, kubernetes_playground.go  schemas and objects of Kubernetes; none in a browser
//	uses.go          what a project uses a document for
//	tests.go         the files that weft test runs
//	runtime.go       what has read data values, in an evaluation
//	diagnostics.go   errors of the pipeline, and as the command line prints them
//	indexes.go       the indexes of projects, kept across snapshots
//	neighbors.go     files that may be rendered with those of a project
//	shift.go         positions in an earlier text → positions now
//	edits.go         edits of files in the form that clients accept
//	draft.go         a first weft.yml
//	suggest.go       changes of the sources that give another output
//	chart_values.go, chart_values_playground.go  data values of charts; none in a browser
//	literal.go       documents of templates as they are written
//	background.go    work that goes on when a request gives up
//	generators.go    charts and kustomizations, rendered one after another
//	proof.go         whether a rename changes the output
package workspace

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"weft/internal/project/engines"
	"weft/internal/serve/lsp/protocol"
)

// Options says how a session works.
type Options struct {
	Encoding protocol.PositionEncoding

	// Trusted means that code of the workspace may run. Otherwise only open documents are read.
	Trusted bool

	// Env are the environment variables that data values may come from, AllowEnv the prefixes of
	// those that projects may read.
	Env, AllowEnv []string

	// Engines render charts and kustomizations; nil if nothing does.
	Engines *engines.Engines

	// MaxWait is how long a feature waits for an evaluation that it does not really need.
	MaxWait time.Duration

	// MaxKeptTrace limits the number of documents of an evaluation with origins that is kept before
	// anything needs it; 0 means 500, and -1 that none is kept. A document takes some 30 kB.
	MaxKeptTrace int

	// Observe is called with each folder before anything in it changes. It may be nil.
	Observe func(*Folder) Observer

	// NoVersions means that the client accepts edits of documents only without their versions.
	NoVersions bool

	// Snippets means that the client completes texts with places to fill in.
	Snippets bool

	// MakesFiles means that the client accepts edits that create files.
	MakesFiles bool

	// RunsTests means that the client has a command that runs tests.
	RunsTests bool

	// Warn is called with a warning for the user. It may be nil.
	Warn func(text string)

	// NoSchemas is called once with a document that has Kubernetes objects, and whose project names no
	// schemas. It may be nil.
	NoSchemas func(*TextDocument)

	// Panicked is called with a panic that the server survived. It may be nil.
	Panicked func(what string, v any, stack []byte)

	// Log receives lines for people who look for a problem.
	Log func(format string, args ...any)
}

// Session is the workspace of a client. Its methods may be called from several goroutines.
type Session struct {
	opt     Options
	warnEnv sync.Once // see withoutRefusedEnv
	schemas sync.Once // see ReportMissingSchemas
	ctx     context.Context
	end     context.CancelFunc

	editing   sync.Mutex // held while documents or folders change
	documents map[protocol.DocumentURI]*document

	mu       sync.Mutex
	settings Settings
	folders  []*Folder
	watching bool    // the client does not watch files
	outside  *Folder // documents that are in no folder
	unsaved  map[protocol.DocumentURI]placement
	written  map[string]protocol.DocumentURI // paths on disk, in the form that the client last used
}

const defaultKeptTrace = 500

// NewSession returns a session without folders.
func NewSession(opt Options) *Session {
	opt.MaxKeptTrace = cmp.Or(opt.MaxKeptTrace, defaultKeptTrace)
	s := &Session{
		opt: opt, settings: DefaultSettings(), documents: map[protocol.DocumentURI]*document{},
		written: map[string]protocol.DocumentURI{}, unsaved: map[protocol.DocumentURI]placement{},
	}
	s.ctx, s.end = context.WithCancel(context.Background())
	s.outside = newFolder(s, "", nil)
	return s
}

// Close cancels all work.
func (s *Session) Close() {
	s.end()
	for _, f := range s.all() {
		f.close()
	}
}

// all returns the folders, including those for documents that are in no folder.
func (s *Session) all() []*Folder {
	list := append(s.list(), s.outside)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.unsaved {
		list = append(list, x.folder)
	}
	return list
}

func (s *Session) list() []*Folder {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Folder(nil), s.folders...)
}

// AddFolder adds a workspace folder. If it cannot be opened, its documents are in no folder.
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

// Configure sets the settings of the user.
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

// Document returns the newest version of a document, open or on disk. It is nil if there is none;
// files outside all folders are never read.
func (s *Session) Document(uri protocol.DocumentURI) *TextDocument {
	f, path := s.folderOf(uri)
	return f.Snapshot().Document(path)
}

// FilesChanged tells the session that files on disk were created, changed or deleted.
func (s *Session) FilesChanged(uris []protocol.DocumentURI) {
	paths := map[*Folder][]string{}
	for _, uri := range uris {
		for _, x := range s.placements(uri) {
			if x.folder.disk != nil {
				paths[x.folder] = append(paths[x.folder], x.path)
			}
		}
	}
	for f, list := range paths {
		f.diskChanged(list)
	}
}

// SetEnvironment makes an environment the active one of the document's project.
func (s *Session) SetEnvironment(uri protocol.DocumentURI, env string) error {
	f, path := s.folderOf(uri)
	return f.setEnvironment(path, env)
}

// Snapshots returns the newest snapshots of all folders.
func (s *Session) Snapshots() []*Snapshot {
	var list []*Snapshot
	for _, f := range s.all() {
		list = append(list, f.Snapshot())
	}
	return list
}

// Move is a file or folder that is moved to another path in its workspace folder.
type Move struct{ Old, New string }

// Moves groups renames of files by folder. It leaves out moves from one folder to another, and files
// that are in no folder.
func (s *Session) Moves(files []protocol.FileRename) map[*Snapshot][]Move {
	moves := map[*Snapshot][]Move{}
	for _, x := range files {
		f, old := s.folderOf(x.OldURI)
		g, now := s.folderOf(x.NewURI)
		if f == g && f.disk != nil {
			snap := f.Snapshot()
			moves[snap] = append(moves[snap], Move{old, now})
		}
	}
	return moves
}

// shownPath returns a path of a folder as the operating system writes it.
func shownPath(root, path string) string {
	return strings.TrimSuffix(root, string(os.PathSeparator)) + string(os.PathSeparator) +
		filepath.FromSlash(path)
}
