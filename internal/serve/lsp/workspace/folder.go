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

	opening sync.Mutex // whoever opens a project holds it

	mu         sync.Mutex
	snap       *Snapshot
	structure  int                       // grows when projects may have other files or settings
	changes    map[string]int            // the snapshot in which each file changed last, by its ID
	categories map[string]categorized    // of files, by their paths
	projects   map[string]*Configuration // by their keys

	environments map[string]string // chosen by the user, by the keys of projects
	fileIndexes  fileIndexes
	schemas      lint.SchemaCache // of Kubernetes, for the linter
	closed       bool
	observer     Observer
}

// Observer follows a folder. Its functions are called without locks, and may be called at the same
// time.
type Observer struct {
	Changed func() // there is another snapshot
	Closed  func() // there will be no other one
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

// update makes the next snapshot, which change may change before it is used, and cancels the work on
// the last one.
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
	next.structure = f.structure
	next.freeze()
	f.snap.supersede(wire.ErrModified)
	f.snap = next
	return nil
}

// changed notes that files have another text in the next snapshot. The caller holds f.mu.
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

// diskChanged makes the next snapshot after files on disk were created, changed or deleted.
func (f *Folder) diskChanged(paths []string) {
	f.disk.forget()
	_ = f.update(func(next *Snapshot) error { // it cannot fail
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

// uri returns the URI of a file, as the client writes it if it has opened the file before.
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
