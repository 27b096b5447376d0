package feature

import (
	"context"
	"strings"

	"weft/internal/lang/unified"
	"weft/internal/rewrite/format"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// Format returns the edits that format a document as `weft fmt` does. There are none for a document
// with errors: its diagnostics say why.
func Format(
	ctx context.Context, doc *workspace.TextDocument, _ protocol.FormattingParams,
) ([]protocol.TextEdit, error) {
	old := doc.File().Data()
	now, err := format.File(doc.File(), format.KindOf(doc.Path()), doc.Formatting(ctx))
	if err != nil {
		return []protocol.TextEdit{}, nil
	}
	return edits(doc.Mapper(), string(old), string(now)), nil
}

// edits returns the edits of whole lines that turn one text into another, so that cursors on other
// lines stay where they are.
func edits(to protocol.Mapper, old, now string) []protocol.TextEdit {
	a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(now, "\n")
	offsets := make([]int, len(a)+1)
	for i, line := range a {
		offsets[i+1] = offsets[i] + len(line)
	}
	list := []protocol.TextEdit{}
	for _, e := range unified.CompareLines(a, b) {
		list = append(list, protocol.TextEdit{
			Range:   to.Range(offsets[e.A0], offsets[e.A1]),
			NewText: strings.Join(b[e.B0:e.B1], ""),
		})
	}
	return list
}
