package compile

import (
	"bytes"
	"iter"

	"weft/internal/lang/script"
)

// Blocks returns the places where code in the comments of a template begins and ends blocks, in
// order.
func (a *Analysis) Blocks() []script.Mark { return script.Outline(a.File, a.CodeComments()) }

// CodeComments returns the code in comments, in order, each with the node that it belongs to.
func (a *Analysis) CodeComments() iter.Seq2[int, script.Fragment] {
	return func(yield func(int, script.Fragment) bool) {
		for _, m := range a.Marks {
			if m.Kind != CodeMark {
				continue
			}
			text := a.File.Data()[m.At.Offset():m.At.End()]
			_, text, _ = bytes.Cut(text, []byte(" ")) // after `#@` or `#@template/code`
			if !yield(int(m.Owner), script.Fragment{Text: text, Off: m.At.End() - len(text)}) {
				return
			}
		}
	}
}
