package lsp_test

import (
	"slices"

	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
)

// applyEdits is a text after edits that do not overlap, with positions in UTF-16.
func applyEdits(text string, list []protocol.TextEdit) string {
	var set source.Set
	f, err := set.Add("text", []byte(text))
	if err != nil {
		panic(err)
	}
	to := protocol.Mapper{File: f, Encoding: protocol.UTF16}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b protocol.TextEdit) int {
		x, _ := to.Offsets(a.Range)
		y, _ := to.Offsets(b.Range)
		return y - x
	})
	for _, e := range list {
		start, end := to.Offsets(e.Range)
		text = text[:start] + e.NewText + text[end:]
	}
	return text
}
