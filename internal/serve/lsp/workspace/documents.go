package workspace

import (
	"path/filepath"

	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
)

// document is an open document. It is the session's: folders have buffers of it, and may come and go
// while it is open. It never changes.
type document struct {
	uri      protocol.DocumentURI // as the client writes it
	version  int
	language string // as the client says, or ""
	text     *source.File
}

// looker is a folder that looks at a document.
type looker struct {
	folder *Folder
	path   string // of the document in it
	guest  bool   // the document belongs to a folder inside of this one
}

// Open says that a document is open from now on.
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

// edit makes a version of a document the newest. The caller holds the lock of edits.
func (s *Session) edit(d *document) error {
	s.documents[d.uri] = d
	for _, x := range s.lookers(d.uri) {
		if err := x.folder.show(x, d); err != nil {
			return err
		}
	}
	return nil
}

// CloseDocument says that a document is not open any more: what is on disk counts.
func (s *Session) CloseDocument(uri protocol.DocumentURI) error {
	s.editing.Lock()
	defer s.editing.Unlock()
	if s.documents[uri] == nil {
		return errNotOpen
	}
	delete(s.documents, uri)
	for _, x := range s.lookers(uri) {
		x.folder.hide(x.path)
	}
	return nil
}

// placeAll makes the folders look at the open documents, after a folder has come or gone. The caller
// holds the lock of edits.
func (s *Session) placeAll() {
	for uri, d := range s.documents {
		in := s.lookers(uri)
		for _, x := range in {
			if b := x.folder.Snapshot().open[x.path]; b == nil || b.guest != x.guest {
				_ = x.folder.show(x, d) // it was not too large before
			}
		}
		if in[0].folder != s.outside && s.outside.Snapshot().open[string(uri)] != nil {
			s.outside.hide(string(uri))
		}
	}
}

// lookers returns the folders that a document is in, first the one that it belongs to: the
// innermost. A document that is in none has the one of such documents.
func (s *Session) lookers(uri protocol.DocumentURI) []looker {
	var list []looker
	if name := uri.Path(); name != "" {
		for _, f := range s.list() {
			if rel, err := filepath.Rel(f.root, name); err == nil && filepath.IsLocal(rel) {
				list = append(list, looker{f, filepath.ToSlash(rel), true})
			}
		}
	}
	if list == nil {
		return []looker{{folder: s.outside, path: string(uri)}}
	}
	for i := range list {
		if len(list[i].folder.root) > len(list[0].folder.root) {
			list[0], list[i] = list[i], list[0]
		}
	}
	list[0].guest = false
	return list
}

// folderOf returns the folder that a document belongs to, and its path in it.
func (s *Session) folderOf(uri protocol.DocumentURI) (*Folder, string) {
	in := s.lookers(uri)[0]
	return in.folder, in.path
}

// show makes a version of a document the newest that the folder looks at.
func (f *Folder) show(x looker, d *document) error {
	return f.update(func(next *Snapshot) error {
		b, err := newBuffer(d.uri, x.path, d.version, d.text.Data())
		if err != nil {
			return err
		}
		b.language, b.guest = d.language, x.guest
		if was := next.open[x.path]; was == nil || was.guest != b.guest {
			f.structure++
		} else {
			b.good = was.lastGood()
		}
		f.replace(next, x.path, b)
		return nil
	})
}

// hide makes what is on disk count instead of a document.
func (f *Folder) hide(path string) {
	_ = f.update(func(next *Snapshot) error { // which cannot fail
		f.structure++
		f.replace(next, path, nil)
		return nil
	})
}

// replace puts a buffer in the place of another one, nil for none. The caller holds the lock.
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
