package workspace

import (
	"context"
	"errors"
	"maps"
	"path"
	"runtime/debug"
	"sync"

	"weft/internal/check/lint"
	"weft/internal/project"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
)

var errNotOpen = errors.New("the document is not open")

// Folder is a workspace folder.
type Folder struct {
	session *Session
	ctx     context.Context // ends with the folder
	end     context.CancelFunc
	root    string // its path on disk; "" for documents that are in no folder
	disk    *disk  // nil if nothing is read from disk

	opening sync.Mutex // held while a project is opened

	mu         sync.Mutex
	snap       *Snapshot
	structure  int                       // incremented when projects may have other files or settings
	content    int                       // see Snapshot.Content
	changes    map[string]int            // the ID of the snapshot in which each file last changed
	categories map[string]categorized    // categories of files, by path
	projects   map[string]*Configuration // by key

	environments map[string]string // the environments that the user chose, by key of the project
	fileIndexes  fileIndexes
	schemas      lint.SchemaCache // Kubernetes schemas, for the linter
	charts       chartCache
	literals     literals
	closed       bool
	observer     Observer
}

// Observer follows a folder. Its functions are called without locks, perhaps concurrently.
type Observer struct {
	Changed func() // there is a new snapshot
	Closed  func() // there will be no more snapshots
}

func newFolder(s *Session, root string, d *disk) *Folder {
	f := &Folder{
		session: s, root: root, disk: d, projects: map[string]*Configuration{},
		changes: map[string]int{}, categories: map[string]categorized{}, environments: map[string]string{},
		observer: Observer{Changed: func() {}, Closed: func() {}},
	}
	f.ctx, f.end = context.WithCancel(s.ctx)
	f.snap = f.newSnapshot(1, map[string]*buffer{})
	if s.opt.Observe != nil {
		f.observer = s.opt.Observe(f)
	}
	return f
}

// Root returns the path of the folder on disk, or "" if it has none.
func (f *Folder) Root() string { return f.root }

func (f *Folder) newSnapshot(id int, open map[string]*buffer) *Snapshot {
	s := &Snapshot{ID: id, folder: f, open: open}
	s.ctx, s.supersede = context.WithCancelCause(f.ctx)
	return s
}

func (f *Folder) close() {
	f.mu.Lock()
	defer f.observer.Closed()
	defer f.mu.Unlock()
	f.closed = true
	f.end()
	f.snap.supersede(wire.ErrModified)
	if f.disk != nil {
		f.disk.close()
	}
}

// ReadsDisk reports whether the files of the folder are read from disk, and its code may run. It is
// false for documents that are in no folder, and in workspaces that are not trusted.
func (f *Folder) ReadsDisk() bool { return f.disk != nil }

// Snapshot returns the newest snapshot.
func (f *Folder) Snapshot() *Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.snap
}

// update creates the next snapshot, which change may modify before it is used, and cancels the work
// on the last one.
func (f *Folder) update(change func(next *Snapshot) error) error {
	err := f.advance(change)
	if err == nil {
		f.observer.Changed()
	}
	return err
}

func (f *Folder) advance(change func(next *Snapshot) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	next := f.newSnapshot(f.snap.ID+1, maps.Clone(f.snap.open))
	if err := change(next); err != nil {
		next.supersede(err)
		return err
	}
	if !next.same {
		f.content++
	}
	next.structure, next.Content = f.structure, f.content
	next.freeze()
	f.snap.supersede(wire.ErrModified)
	f.snap = next
	return nil
}

// changed records that the text of files has changed in the next snapshot. The caller holds f.mu.
func (f *Folder) changed(next *Snapshot, paths ...string) {
	for _, p := range paths {
		f.changes[p] = next.ID
		if path.Base(p) == project.FileName {
			f.structure++
		}
		for _, pr := range f.projects {
			if pr.sources[p] {
				f.structure++
			}
		}
	}
}

// diskChanged creates the next snapshot after files on disk were created, changed or deleted.
func (f *Folder) diskChanged(paths []string) {
	f.disk.forget()
	_ = f.update(func(next *Snapshot) error { // this cannot fail
		f.structure++
		f.changed(next, paths...)
		return nil
	})
}

// Guard calls do. If that panics, the bug is logged and the server stays alive.
func (f *Folder) Guard(what string, do func()) {
	defer func() {
		if v := recover(); v != nil && f.session.opt.Panicked != nil {
			f.session.opt.Panicked(what, v, debug.Stack())
		}
	}()
	do()
}

// uri returns the URI of a file, in the form that the client used if it has opened the file before.
func (f *Folder) uri(s *Snapshot, path string) protocol.DocumentURI {
	if b := s.open[path]; b != nil {
		return b.uri
	}
	if f.root == "" {
		return protocol.DocumentURI(path)
	}
	name := shownPath(f.root, path)
	f.session.mu.Lock()
	defer f.session.mu.Unlock()
	if uri, ok := f.session.written[name]; ok {
		return uri
	}
	return protocol.URIOf(name)
}
