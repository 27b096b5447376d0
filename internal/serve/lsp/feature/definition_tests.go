package feature

import (
	"context"
	"path"
	"slices"

	"weft/internal/lang/selector"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// testDefinitions returns where the documents are that a test selects, or the function that it calls.
func testDefinitions(ctx context.Context, doc *workspace.TextDocument, off int) []protocol.Location {
	at := outline.Over(doc.File().Data(), off, doc.Syntax())
	if at == nil || at.Key {
		return []protocol.Location{}
	}
	text := string(at.Tree.Text(at.Node))
	switch keys := keysOf(at); {
	case isAt(keys, "tests", "expect", "select"):
		return selectedPlaces(doc, text)
	case isAt(keys, "tests", "star", "call"):
		d := described{ctx: ctx, doc: doc}
		return functionPlaces(d.called(at), text)
	}
	return []protocol.Location{}
}

// selectedPlaces returns where the templates have the documents of the last output that a selector matches.
func selectedPlaces(doc *workspace.TextDocument, text string) []protocol.Location {
	list := []protocol.Location{}
	by, err := selector.Parse("select", text)
	v := doc.View()
	if err != nil || v == nil {
		return list
	}
	out := v.Latest()
	if out == nil || out.Result == nil {
		out = v.LastGood()
	}
	if out == nil || out.Result == nil {
		return list
	}
	for i, d := range selector.Of(out.Result.Docs, out.Result.Files) {
		at := out.Result.Docs[i].Pos
		if !at.IsValid() || !by.Matches(d) || len(list) == maxFolderFiles {
			continue
		}
		l, ok := doc.Snapshot().LocationNow(out.Result.Files, at.To(at.Offset()))
		if ok && !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	return list
}

// called returns the file with the function that a test calls, or nil if there is none.
func (d *described) called(c *outline.Cursor) *workspace.TextDocument {
	name := scalarAt(c.Tree, c.Path[len(c.Path)-1].In, "file")
	return d.doc.Snapshot().Document(path.Join(path.Dir(d.doc.Path()), name))
}

// functionPlaces returns where a file defines a function.
func functionPlaces(doc *workspace.TextDocument, name string) []protocol.Location {
	list := []protocol.Location{}
	if doc == nil {
		return list
	}
	for _, f := range defsIn(doc, doc.Analysis()) {
		if f.name == name {
			list = append(list, protocol.Location{URI: doc.URI(), Range: doc.Mapper().Range(f.at.Start, f.at.End)})
		}
	}
	return list
}
