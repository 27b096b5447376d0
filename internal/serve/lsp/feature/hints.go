package feature

import (
	"context"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
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
	values, shift := outputValues(doc)
	if values == nil {
		return list, nil
	}
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
		if found := values[at]; len(found) > 0 && len(found) <= maxHinted {
			list = append(list, protocol.InlayHint{
				Position: doc.Mapper().Position(m.At.End()), PaddingLeft: true,
				Label: "= " + strings.Join(found, " · "),
			})
		}
	}
	return list, nil
}

// outputValues returns the output values of a document, by the offsets of their items in the text
// that was evaluated, and a function that converts these offsets to the current text. Secrets are
// hidden.
func outputValues(doc *workspace.TextDocument) (map[int][]string, workspace.Shift) {
	out := doc.View().Latest()
	if out == nil || out.Result == nil {
		return nil, workspace.Shift{}
	}
	in, ok := out.Input(doc.Path())
	i := outputOf(out.Result.Outputs, doc.Path())
	if !ok || i < 0 {
		return nil, workspace.Shift{}
	}
	var rules secret.Rules
	rules.Hide(out.Result.Secrets)
	w := valueWalk{file: in.File, files: out.Diagnostics.Files, values: map[int][]string{}}
	for _, d := range out.Result.Outputs[i].Docs {
		w.walk(rules.Mask(d.Value, nil, nil))
	}
	return w.values, workspace.NewShift(in.File.Data(), doc.File().Data())
}

// valueWalk collects the values of a file.
type valueWalk struct {
	file   *source.File
	files  *source.Set
	values map[int][]string
}

func (w *valueWalk) walk(v tree.Value) {
	if k := v.Kind(); k != tree.MapKind && k != tree.ArrayKind {
		return
	}
	for _, it := range v.Entries() {
		if it.Pos.IsValid() && w.file.Holds(it.Pos) {
			at := it.Pos.Offset()
			if len(w.values[at]) <= maxHinted {
				w.values[at] = append(w.values[at], w.files.Concealed(brief(it.Value)))
			}
		}
		w.walk(it.Value)
	}
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
