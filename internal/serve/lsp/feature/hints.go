package feature

import (
	"context"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// maxHinted limits the values of code in a loop: if there are more, none is shown.
const maxHinted = 3

// Hints returns the values of code in the active environment, to show after the code. They come from
// the last evaluation; after the next one, clients are asked to refresh them.
func Hints(
	_ context.Context, doc *workspace.TextDocument, p protocol.InlayHintParams,
) ([]protocol.InlayHint, error) {
	list := []protocol.InlayHint{}
	a := doc.Analysis()
	if !doc.Settings().InlayHints || a.Tree == nil || doc.View() == nil {
		return list, nil
	}
	values := valuesIn(doc, maxHinted, brief)
	if values == nil {
		return list, nil
	}
	values.addReplaced(doc.View().LatestSteps())
	shift := workspace.NewShift(values.file.Data(), doc.File().Data())
	from, to := doc.Mapper().Offsets(p.Range)
	for _, m := range a.Marks {
		if m.Kind != compile.ValueMark || m.At.Offset() < from || m.At.Offset() > to ||
			!a.Tree.More(m.Owner) {
			continue
		}
		at, ok := shift.Then(a.Tree.Start(m.Owner).Offset())
		if _, same := shift.Then(m.At.Offset()); !ok || !same {
			continue // the code has changed since
		}
		if label := values.label(at); label != "" {
			list = append(list, protocol.InlayHint{
				Position: doc.Mapper().Position(m.At.End()), PaddingLeft: true, Label: "= " + label,
			})
		}
	}
	return list, nil
}

// label returns the values of a node, those that overlays change with what they become. It returns
// "" if there is none, or too many.
func (c *codeValues) label(at int) string {
	parts := slices.Clone(c.output[at])
	for _, v := range c.before[at] {
		last := v.then[len(v.then)-1]
		parts = append(parts, v.old+" → "+last.new+" ("+strings.Trim(last.by, "`")+")")
	}
	if len(parts) > maxHinted {
		return ""
	}
	return strings.Join(parts, " · ")
}

// brief returns a shortened value.
func brief(v tree.Value) string {
	const maxRunes = 40
	text := []rune(short(v))
	if len(text) > maxRunes {
		return string(text[:maxRunes]) + "…"
	}
	return string(text)
}
