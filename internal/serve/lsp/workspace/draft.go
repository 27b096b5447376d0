package workspace

import (
	"path"
	"strings"

	"weft/internal/project"
	"weft/internal/project/scaffold"
	"weft/internal/serve/lsp/protocol"
)

// Draft returns an edit that creates a weft.yml, as `weft init` does, for the workspace folder of the
// document or for the project below it that the document belongs to. It returns nil if the client
// cannot create files, or the folder has none to render.
func (d *TextDocument) Draft() *protocol.WorkspaceEdit {
	s := d.snap
	if !s.folder.session.opt.MakesFiles || s.folder.disk == nil {
		return nil
	}
	drafts, err := scaffold.FromFiles(s.Files())
	if err != nil {
		return nil
	}
	draft := drafts[0]
	for _, x := range drafts {
		if strings.HasPrefix(d.path, x.Dir+"/") {
			draft = x
		}
	}
	uri := protocol.URIOf(shownPath(s.folder.root, path.Join(draft.Dir, project.FileName)))
	text := protocol.TextDocumentEdit{Edits: []protocol.TextEdit{{NewText: draft.Text}}}
	text.TextDocument.URI = uri
	return &protocol.WorkspaceEdit{Create: uri, DocumentChanges: []protocol.TextDocumentEdit{text}}
}

// NeedsProject reports whether the document is a template or declares data values, and it is unknown
// which files are rendered together with it.
func (d *TextDocument) NeedsProject() bool {
	p := d.Project()
	return p != nil && p.IsUnknown() && d.snap.categoryOf(d.path) != isOther
}
