package workspace

import (
	"bytes"
	"path/filepath"

	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
)

// document is a version of an open document. The folders that contain it have buffers of it, and may be
// added and removed while it is open.
type document struct {
	uri      protocol.DocumentURI // in the form that the client uses
	version  int
	language string // the language that the client named, or ""
	text     *source.File
}

// placement is a document in a folder that contains it.
type placement struct {
	folder *Folder
	path   string // the path of the document in the folder
	nested bool   // the document belongs to another folder inside this one
}

// Open opens a document.
func (s *Session) Open(p protocol.DidOpenParams) error {
	d := p.TextDocument
	text, err := newText(string(d.URI), []byte(d.Text))
	if err != nil {
		return err
	}
	s.editing.Lock()
	defer s.editing.Unlock()
	if name := d.URI.Path(); name != "" {
		s.mu.Lock()
		s.written[name] = d.URI
		s.mu.Unlock()
	}
	s.placeUnsaved(d.URI, d.LanguageID)
	return s.edit(&document{d.URI, d.Version, d.LanguageID, text})
}

// Change edits an open document.
func (s *Session) Change(p protocol.DidChangeParams) error {
	s.editing.Lock()
	defer s.editing.Unlock()
	was := s.documents[p.TextDocument.URI]
	if was == nil {
		return errNotOpen
	}
	text, err := edited(was.text, p.ContentChanges, s.opt.Encoding)
	if err != nil {
		return err
	}
	return s.edit(&document{was.uri, p.TextDocument.Version, was.language, text})
}

// edit makes a version of a document the newest. The caller holds s.editing.
func (s *Session) edit(d *document) error {
	s.documents[d.uri] = d
	for _, x := range s.placements(d.uri) {
		if err := x.folder.show(x, d); err != nil {
			return err
		}
	}
	return nil
}

// CloseDocument closes a document: from now on, the text on disk counts.
func (s *Session) CloseDocument(uri protocol.DocumentURI) error {
	s.editing.Lock()
	defer s.editing.Unlock()
	if s.documents[uri] == nil {
		return errNotOpen
	}
	delete(s.documents, uri)
	for _, x := range s.placements(uri) {
		x.folder.hide(x.path)
	}
	s.dropUnsaved(uri)
	return nil
}

// placeAll shows the open documents to the folders that contain them, after a folder was added or
// removed. The caller holds s.editing.
func (s *Session) placeAll() {
	for uri, d := range s.documents {
		in := s.placements(uri)
		for _, x := range in {
			if b := x.folder.Snapshot().open[x.path]; b == nil || b.nested != x.nested {
				_ = x.folder.show(x, d) // it was not too large before
			}
		}
		if in[0].folder != s.outside && s.outside.Snapshot().open[string(uri)] != nil {
			s.outside.hide(string(uri))
		}
	}
}

// placements returns the folders that contain a document, or s.outside if there are none. The first is
// the innermost, which the document belongs to.
func (s *Session) placements(uri protocol.DocumentURI) []placement {
	if x, ok := s.unsavedAt(uri); ok {
		return []placement{x}
	}
	var list []placement
	if name := uri.Path(); name != "" {
		for _, f := range s.list() {
			if rel, err := filepath.Rel(f.root, name); err == nil && filepath.IsLocal(rel) {
				list = append(list, placement{f, filepath.ToSlash(rel), true})
			}
		}
	}
	if list == nil {
		return []placement{{folder: s.outside, path: string(uri)}}
	}
	for i := range list {
		if len(list[i].folder.root) > len(list[0].folder.root) {
			list[0], list[i] = list[i], list[0]
		}
	}
	list[0].nested = false
	return list
}

// folderOf returns the folder that a document belongs to, and the path in it.
func (s *Session) folderOf(uri protocol.DocumentURI) (*Folder, string) {
	in := s.placements(uri)[0]
	return in.folder, in.path
}

// show adds a version of a document to the folder.
func (f *Folder) show(x placement, d *document) error {
	f.readFirst(x.path)
	return f.update(func(next *Snapshot) error {
		b, err := newBuffer(d.uri, x.path, d.version, d.text.Data())
		if err != nil {
			return err
		}
		b.language, b.nested = d.language, x.nested
		if was := next.open[x.path]; was == nil || was.nested != b.nested {
			next.same = f.reads(x.path, d.text.Data())
			f.structure++
		} else {
			b.good = was.lastGood()
		}
		f.replace(next, x.path, b)
		return nil
	})
}

// readFirst analyses the text that is open at a path if no version of it was analysed yet. A version without
// errors is needed when a later one has some, but a client may edit a document before anything reads it.
func (f *Folder) readFirst(path string) {
	s := f.Snapshot()
	b := s.open[path]
	if b == nil || b.lastGood() != nil {
		return
	}
	kind, opt := f.reading(s, b)
	if kind == compile.PlainText && load.Named(path).Type == load.YAML { // perhaps a project reads it soon
		kind = compile.PlainYAML
	}
	b.analyse(kind, opt)
}

// hide removes a document from the folder, so that the text on disk counts.
func (f *Folder) hide(path string) {
	_ = f.update(func(next *Snapshot) error { // this cannot fail
		if was := next.open[path]; was != nil && f.disk != nil {
			text, err := (&Files{disk: f.disk}).ReadFile(path)
			next.same = err == nil && bytes.Equal(text, was.file.Data())
		}
		f.structure++
		f.replace(next, path, nil)
		return nil
	})
}

// reads reports whether the newest snapshot reads a text at a path. The caller holds f.mu.
func (f *Folder) reads(path string, text []byte) bool {
	if f.disk == nil {
		return false
	}
	now, err := f.snap.Files().ReadFile(path)
	return err == nil && bytes.Equal(now, text)
}

// replace replaces the buffer at a path, or removes it if b is nil. The caller holds f.mu.
func (f *Folder) replace(next *Snapshot, path string, b *buffer) {
	if was := next.open[path]; was != nil {
		was.supersede()
	}
	if b == nil {
		delete(next.open, path)
	} else {
		next.open[path] = b
	}
	f.changed(next, path)
}
