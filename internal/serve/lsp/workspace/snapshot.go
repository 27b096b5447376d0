package workspace

import (
	"context"
	"path/filepath"
	"sync"

	"weft/internal/engine/compile"
	"weft/internal/lang/source"
	"weft/internal/project"
	"weft/internal/project/fleet"
	"weft/internal/rewrite/format"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
)

// Snapshot is a folder after an edit and before the next. It never changes.
type Snapshot struct {
	ID        int // grows with each edit
	folder    *Folder
	structure int                // of the folder
	open      map[string]*buffer // by their paths
	files     *Files

	ctx       context.Context // ends with the next edit
	supersede context.CancelCauseFunc

	mu     sync.Mutex
	closed map[string]*buffer // what was read from disk for a feature
	keys   map[string]string  // of the projects that folders belong to, if no one says so

	indexing sync.Mutex
	indexes  map[string]*index.Index // by the keys of projects
}

// freeze makes the file system of a snapshot whose buffers are settled.
func (s *Snapshot) freeze() {
	texts := make(map[string][]byte, len(s.open))
	for p, b := range s.open {
		texts[p] = b.file.Data()
	}
	s.files = &Files{disk: s.folder.disk, open: texts}
}

// Files returns the files of the folder, with the open buffers over what is on disk.
func (s *Snapshot) Files() *Files {
	if s.files == nil { // the first one, in which nothing is open
		return &Files{disk: s.folder.disk}
	}
	return s.files
}

// Folder returns the folder that the snapshot is of.
func (s *Snapshot) Folder() *Folder { return s.folder }

// URI returns the URI of a file of the folder.
func (s *Snapshot) URI(path string) protocol.DocumentURI { return s.folder.uri(s, path) }

// Document returns a file of the folder by its path: an open one, or one on disk; nil if there is
// none.
func (s *Snapshot) Document(path string) *TextDocument {
	if b := s.open[path]; b != nil {
		return &TextDocument{buffer: b, snap: s}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.closed[path]
	if !ok {
		if data, err := s.Files().ReadFile(path); err == nil {
			b, _ = newBuffer(s.URI(path), path, 0, data) // what is too large has no features
		}
		if s.closed == nil {
			s.closed = map[string]*buffer{}
		}
		s.closed[path] = b
	}
	if b == nil {
		return nil
	}
	return &TextDocument{buffer: b, snap: s}
}

// Settings returns what the user has set.
func (s *Snapshot) Settings() Settings { return s.folder.session.currentSettings() }

// OpenText returns the text of an open document, by its path; nil if it is not open.
func (s *Snapshot) OpenText(path string) *source.File {
	if b := s.open[path]; b != nil {
		return b.file
	}
	return nil
}

// OpenDocuments returns the open documents that belong to the folder.
func (s *Snapshot) OpenDocuments() []*TextDocument {
	var list []*TextDocument
	for _, b := range s.open {
		if !b.guest {
			list = append(list, &TextDocument{buffer: b, snap: s})
		}
	}
	return list
}

// TextDocument is a file in a snapshot: all that a feature is given.
type TextDocument struct {
	*buffer
	snap *Snapshot
}

// Snapshot returns the folder that the document is in.
func (d *TextDocument) Snapshot() *Snapshot { return d.snap }

// URI names the document.
func (d *TextDocument) URI() protocol.DocumentURI { return d.uri }

// Path returns the path in the folder, with forward slashes.
func (d *TextDocument) Path() string { return d.path }

// Version returns the version of an open document.
func (d *TextDocument) Version() int { return d.version }

// File returns the text.
func (d *TextDocument) File() *source.File { return d.file }

// Context ends when the document is edited.
func (d *TextDocument) Context() context.Context { return d.ctx }

// Mapper converts positions.
func (d *TextDocument) Mapper() protocol.Mapper { return d.snap.MapperOf(d.file) }

// MapperOf converts positions of any file.
func (s *Snapshot) MapperOf(f *source.File) protocol.Mapper {
	return protocol.Mapper{File: f, Encoding: s.folder.session.opt.Encoding}
}

// Is reports whether a file of an evaluation is the document.
func (d *TextDocument) Is(f *source.File) bool {
	return !f.Argument() && filepath.ToSlash(f.Shown()) == d.path
}

// LinesNow tells for offsets of a file, as it was evaluated, on which line they are in the text that
// the client has, from 0. It reports false for what has gone.
func (s *Snapshot) LinesNow(path string, f *source.File) func(off int) (line int, ok bool) {
	b := s.open[path]
	if b == nil || b.file.SameText(f) {
		return func(off int) (int, bool) { return f.Line(off) - 1, true }
	}
	shift := NewShift(f.Data(), b.file.Data())
	return func(off int) (int, bool) {
		now, ok := shift.Now(off)
		return b.file.Line(now) - 1, ok
	}
}

// Kind returns what the document is read as. It is PlainText for what weft does not read.
func (d *TextDocument) Kind() compile.Kind {
	kind, _ := d.snap.folder.reading(d.snap, d.buffer)
	return kind
}

// Settings returns what the user has set.
func (d *TextDocument) Settings() Settings { return d.snap.folder.session.currentSettings() }

// IsForeign reports whether the client has opened the document in a language that is not weft's:
// another server is there for it. Clients that say nothing mean weft's.
func (d *TextDocument) IsForeign() bool { return d.isForeign() }

// Look returns what the document says if it is what its name and text look like, whatever the
// client takes it for.
func (d *TextDocument) Look() *compile.Analysis {
	return compile.Analyse(d.file, d.snap.folder.look(d.buffer), compile.Options{})
}

// ReadAs returns what the project of the document reads it as. It reports false for files that the
// project does not read, and without a project that someone has named: a folder may hold anything.
func (d *TextDocument) ReadAs(ctx context.Context) (compile.Kind, bool) {
	p := d.Project()
	if p == nil || p.active() == nil {
		return 0, false
	}
	v := p.active()
	if v.layers[d.path] {
		return compile.PlainYAML, true
	}
	if p.file == "" && p.key != settingsKey {
		return 0, false
	}
	if _, err := v.Session(ctx, d.snap); err != nil {
		return 0, false
	}
	return v.KindOf(d.path)
}

// Analysis returns what the document says, as far as it is right: its tree, its marks, its code
// with the bindings of names, its errors.
func (d *TextDocument) Analysis() *compile.Analysis {
	kind, opt := d.snap.folder.reading(d.snap, d.buffer)
	return d.analyse(kind, opt)
}

// Analyse returns what a text would say as the document.
func (d *TextDocument) Analyse(f *source.File) *compile.Analysis {
	kind, opt := d.snap.folder.reading(d.snap, d.buffer)
	return compile.Analyse(f, kind, opt)
}

// Good returns what the document said when it was right, and how positions have moved since. It is
// the analysis of now if there are no errors, and nil if the document has never been right.
func (d *TextDocument) Good() (*compile.Analysis, Shift) {
	now := d.Analysis()
	if len(now.Errors) == 0 {
		return now, Shift{}
	}
	if d.good == nil {
		return nil, Shift{}
	}
	return d.good, NewShift(d.good.File.Data(), d.file.Data())
}

// Project returns the project of the document, or nil if it belongs to none.
func (d *TextDocument) Project() *Configuration { return d.snap.folder.projectOf(d.snap, d.path) }

// View returns the project of the document with its active environment. It is nil if the document
// belongs to none, as in a workspace that is not trusted.
func (d *TextDocument) View() *View {
	p := d.Project()
	if p == nil {
		return nil
	}
	return p.active()
}

// Formatting returns how `weft fmt` lays out the document, as its project says.
func (d *TextDocument) Formatting(ctx context.Context) format.Options {
	p := d.Project()
	if p == nil || p.file == "" {
		return fleet.Formatting(project.Empty())
	}
	made, err := openFile(ctx, p.file, d.snap.Files())
	if err != nil {
		made = project.Empty()
	}
	return fleet.Formatting(made)
}
