package workspace

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"

	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
)

// Edits are edits of files, by their paths.
type Edits map[string][]protocol.TextEdit

// Add adds an edit of a file as it was evaluated, at the place where the edited text is now. It
// returns false if that text has changed.
func (e Edits) Add(s *Snapshot, f *source.File, start, end int, text string) bool {
	path := filepath.ToSlash(f.Shown())
	now, shift := s.TextNow(path, f)
	from, okFrom := shift.Now(start)
	to, okTo := shift.Now(end)
	if start == end {
		to, okTo = from, okFrom
	}
	if !okFrom || !okTo || !bytes.Equal(now.Data()[from:to], f.Data()[start:end]) {
		return false
	}
	e[path] = append(e[path], protocol.TextEdit{Range: s.MapperOf(now).Range(from, to), NewText: text})
	return true
}

// Workspace returns the edits in the form that the client accepts: with the versions of open
// documents, if it supports that.
func (e Edits) Workspace(s *Snapshot) *protocol.WorkspaceEdit {
	w := &protocol.WorkspaceEdit{}
	for _, p := range slices.Sorted(maps.Keys(e)) {
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
