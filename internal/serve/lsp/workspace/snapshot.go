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

// Snapshot is a folder after one edit and before the next. It never changes.
type Snapshot struct {
	ID        int // incremented with each edit
	Content   int // the same in snapshots whose files all have the same text and settings
	folder    *Folder
	structure int                // the structure of the folder
	same      bool               // the files have the same text as in the last snapshot
	open      map[string]*buffer // by path
	files     *Files

	ctx       context.Context // ends with the next edit
	supersede context.CancelCauseFunc

	mu     sync.Mutex
	closed map[string]*buffer // files that were read from disk for a feature
	keys   map[string]string  // see folderKeyOf

	indexes map[string]*index.Index // by key of the project
	looked  map[string]bool         // projects whose files were loaded for an index

	indexing sync.Mutex // held while an index is computed
}

// freeze creates the file system of a snapshot from its buffers, which no longer change.
func (s *Snapshot) freeze() {
	texts := make(map[string][]byte, len(s.open))
	for p, b := range s.open {
		texts[p] = b.file.Data()
	}
	s.files = &Files{disk: s.folder.disk, open: texts}
}

// Files returns the files of the folder, with the open buffers over what is on disk.
func (s *Snapshot) Files() *Files {
	if s.files == nil { // in the first snapshot, no document is open
		return &Files{disk: s.folder.disk}
	}
	return s.files
}

// Folder returns the folder that the snapshot is of.
func (s *Snapshot) Folder() *Folder { return s.folder }

// URI returns the URI of a file of the folder.
func (s *Snapshot) URI(path string) protocol.DocumentURI { return s.folder.uri(s, path) }

// Document returns a file of the folder by its path, open or on disk. It is nil if there is none.
func (s *Snapshot) Document(path string) *TextDocument {
	if b := s.open[path]; b != nil {
		return &TextDocument{buffer: b, snap: s}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.closed[path]
	if !ok {
		if data, err := s.Files().ReadFile(path); err == nil {
			b, _ = newBuffer(s.URI(path), path, 0, data) // a file that is too large has no features
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

// Context ends with the next edit.
func (s *Snapshot) Context() context.Context { return s.ctx }

// Settings returns the settings of the user.
func (s *Snapshot) Settings() Settings { return s.folder.session.currentSettings() }

// OpenText returns the text of an open document by its path, or nil if it is not open.
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
		if !b.nested {
			list = append(list, &TextDocument{buffer: b, snap: s})
		}
	}
	return list
}

// TextDocument is a file in a snapshot. Features receive one, and get everything else from it.
type TextDocument struct {
	*buffer
	snap *Snapshot
}

// Snapshot returns the snapshot that the document is in.
func (d *TextDocument) Snapshot() *Snapshot { return d.snap }

// URI returns the URI of the document.
func (d *TextDocument) URI() protocol.DocumentURI { return d.uri }

// Path returns the path in the folder, with forward slashes.
func (d *TextDocument) Path() string { return d.path }

// Version returns the client's version number of an open document.
func (d *TextDocument) Version() int { return d.version }

// File returns the text.
func (d *TextDocument) File() *source.File { return d.file }

// Context ends when the document is edited.
func (d *TextDocument) Context() context.Context { return d.ctx }

// Mapper returns a converter of positions in the document.
func (d *TextDocument) Mapper() protocol.Mapper { return d.snap.MapperOf(d.file) }

// MapperOf returns a converter of positions in a file.
func (s *Snapshot) MapperOf(f *source.File) protocol.Mapper {
	return protocol.Mapper{File: f, Encoding: s.folder.session.opt.Encoding}
}

// Is reports whether a file of an evaluation is the document.
func (d *TextDocument) Is(f *source.File) bool {
	return !f.Argument() && filepath.ToSlash(f.Shown()) == d.path
}

// Kind returns how the document is read: PlainText if it is not for weft.
func (d *TextDocument) Kind() compile.Kind {
	kind, _ := d.snap.folder.reading(d.snap, d.buffer)
	return kind
}

// LoadNew loads the active environment if it has not read the document yet: the project decides how a
// document is read.
func (d *TextDocument) LoadNew(ctx context.Context) {
	v := d.View()
	if v == nil {
		return
	}
	if _, known := v.KindOf(d.path); !known {
		_, _ = v.Session(ctx, d.snap) // tier 3 reports the error
	}
}

// Settings returns the settings of the user.
func (d *TextDocument) Settings() Settings { return d.snap.folder.session.currentSettings() }

// TakesSnippets reports whether the client completes texts with places to fill in.
func (d *TextDocument) TakesSnippets() bool { return d.snap.folder.session.opt.Snippets }

// IsForeign reports whether the client opened the document in a language of another server. Clients
// that do not name a language mean weft's.
func (d *TextDocument) IsForeign() bool { return d.isForeign() }

// Guess analyses the document as its name and text suggest, whatever language the client opened it
// in.
func (d *TextDocument) Guess() *compile.Analysis {
	return Analyse(d.file, d.snap.folder.guessKind(d.buffer), compile.Options{})
}

// ReadAs returns how the project of the document reads it. It returns false for files that the
// project does not read, and for projects that neither weft.yml nor the settings describe: a folder
// may contain anything.
func (d *TextDocument) ReadAs(ctx context.Context) (compile.Kind, bool) {
	p := d.Project()
	if p == nil || p.active() == nil {
		return 0, false
	}
	v := p.active()
	if v.layers[d.path] {
		return compile.PlainYAML, true
	}
	if kind, _, ok := v.chartValues(d.path, d.file.Data()); ok {
		return kind, true
	}
	if p.file == "" && p.key != settingsKey {
		return 0, false
	}
	if _, err := v.Session(ctx, d.snap); err != nil {
		return 0, false
	}
	return v.KindOf(d.path)
}

// Analysis returns the analysis of the document: its tree, its marks, its code with the bindings of
// names, and its errors. With errors, the rest is incomplete.
func (d *TextDocument) Analysis() *compile.Analysis {
	kind, opt := d.snap.folder.reading(d.snap, d.buffer)
	return d.analyse(kind, opt)
}

// Analyse returns the analysis of another text of the document.
func (d *TextDocument) Analyse(f *source.File) *compile.Analysis {
	kind, opt := d.snap.folder.reading(d.snap, d.buffer)
	return Analyse(f, kind, opt)
}

// LastGood returns the analysis of the newest version without errors, and a Shift from that version
// to the current one. It is nil if there was no such version.
func (d *TextDocument) LastGood() (*compile.Analysis, Shift) {
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

// View returns the view of the document's project with the active environment. It returns nil if the
// document belongs to no project, as in a workspace that is not trusted.
func (d *TextDocument) View() *View {
	p := d.Project()
	if p == nil {
		return nil
	}
	return p.active()
}

// Formatting returns the options of `weft fmt` for the document.
func (d *TextDocument) Formatting(ctx context.Context) format.Options {
	p := d.Project()
	if p == nil || p.file == "" {
		return fleet.Formatting(project.Empty())
	}
	opened, err := p.folder.session.openFile(ctx, p.file, d.snap.Files())
	if err != nil {
		opened = project.Empty()
	}
	return fleet.Formatting(opened)
}
