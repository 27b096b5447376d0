package workspace

import (
	"context"
	"errors"
	"maps"
	"path"
	"sync"

	"weft/internal/check/lint"
	"weft/internal/project"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
)

// errNotOpen is the error of edits of documents that are not open.
var errNotOpen = errors.New("the document is not open")

// Folder is a workspace folder.
type Folder struct {
	session *Session
	ctx     context.Context // ends with the folder
	end     context.CancelFunc
	root    string // its path on disk; "" for documents that are in no folder
	disk    *disk  // nil if nothing is read from disk

	opening sync.Mutex // whoever opens a project holds it

	mu        sync.Mutex
	snap      *Snapshot
	structure int                 // grows if other files may belong to projects
	changes   map[string]int      // the snapshot in which each file has changed last
	natures   map[string]natured  // of files, by their paths
	projects  map[string]*Project // by their keys
	linted    map[string]linted   // by the keys of projects
	unread    string              // data values that were unread when clients were told last

	environments map[string]string // that the user has chosen, by the keys of projects
	reports      reports
	sayings      sayings
	schemas      lint.SchemaCache // of Kubernetes, that the linter has read
	work         work
	closed       bool
	wondered     bool // the client was told that it is not known which files belong together
	rest         rest
}

// rest is the last snapshot of which all was told.
type rest struct {
	id     int
	wrong  map[string]bool // files that were evaluated as they were before since they had errors
	broken map[string]bool // projects whose files said nothing, by their keys
}

func newFolder(s *Session, root string, d *disk) *Folder {
	f := &Folder{
		session: s, root: root, disk: d, projects: map[string]*Project{}, linted: map[string]linted{},
		reports: newReports(),
		work:    newWork(), changes: map[string]int{}, natures: map[string]natured{},
		environments: map[string]string{},
	}
	f.ctx, f.end = context.WithCancel(s.ctx)
	f.snap = f.newSnapshot(1, map[string]*buffer{})
	if s.opt.OnDemand {
		return f
	}
	go f.quickly()
	if d != nil {
		go f.deeply()
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
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	f.closed = true
	f.end()
	f.snap.supersede(wire.ErrModified)
	close(f.work.quick)
	close(f.work.deep)
	if f.disk != nil {
		f.disk.close()
	}
}

// current returns the snapshot of now.
func (f *Folder) current() *Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.snap
}

// update makes the next snapshot, which change is given before anybody else sees it, and ends the
// work on the last.
func (f *Folder) update(change func(next *Snapshot) error) error {
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
	f.work.begin()
	return nil
}

// changed notes that a file has other content in the next snapshot. The caller holds the lock.
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

// diskChanged takes note of files that have come, changed or gone.
func (f *Folder) diskChanged(paths []string) {
	f.disk.forget()
	_ = f.update(func(next *Snapshot) error { // which cannot fail
		f.structure++
		f.changed(next, paths...)
		return nil
	})
}

// uri returns the URI of a file, as the client writes it if it has ever opened the file.
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
