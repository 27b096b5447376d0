package workspace

import (
	"bytes"
	"path/filepath"
	"slices"

	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
)

// Edits are edits of files, by their paths.
type Edits map[string][]protocol.TextEdit

// Add adds an edit of a file as it was evaluated, at the place where its text is now. It reports
// false if that has changed.
func (e Edits) Add(s *Snapshot, f *source.File, start, end int, text string) bool {
	path := filepath.ToSlash(f.Shown())
	if b := s.open[path]; b != nil && !b.file.SameText(f) {
		shift := NewShift(f.Data(), b.file.Data())
		from, okFrom := shift.Now(start)
		to, okTo := shift.Now(end)
		if start == end {
			to, okTo = from, okFrom
		}
		if !okFrom || !okTo || !bytes.Equal(b.file.Data()[from:to], f.Data()[start:end]) {
			return false
		}
		f, start, end = b.file, from, to
	}
	e[path] = append(e[path], protocol.TextEdit{Range: s.MapperOf(f).Range(start, end), NewText: text})
	return true
}

// Workspace returns the edits as clients take them: with the versions that they are about, if the
// client can take these.
func (e Edits) Workspace(s *Snapshot) *protocol.WorkspaceEdit {
	w := &protocol.WorkspaceEdit{}
	paths := make([]string, 0, len(e))
	for p := range e {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		if s.folder.session.opt.NoVersions {
			if w.Changes == nil {
				w.Changes = map[protocol.DocumentURI][]protocol.TextEdit{}
			}
			w.Changes[s.URI(p)] = e[p]
			continue
		}
		doc := protocol.TextDocumentEdit{Edits: e[p]}
		doc.TextDocument.URI = s.URI(p)
		if b := s.open[p]; b != nil {
			doc.TextDocument.Version = &b.version
		}
		w.DocumentChanges = append(w.DocumentChanges, doc)
	}
	return w
}
