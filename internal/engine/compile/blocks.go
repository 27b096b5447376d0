package compile

import (
	"bytes"
	"iter"
	"maps"

	"weft/internal/lang/script"
	"weft/internal/lang/text"
)

// Blocks returns the places where code begins and ends blocks, in order.
func (a *Analysis) Blocks() []script.Mark {
	switch a.Kind {
	case Starlark:
		return script.Outline(a.File, maps.All(map[int]script.Fragment{0: {Text: a.File.Data()}}))
	case Text:
		return script.Outline(a.File, a.statements())
	}
	return script.Outline(a.File, a.CodeComments())
}

// statements returns the statements of a text template, in order, as those of one node.
func (a *Analysis) statements() iter.Seq2[int, script.Fragment] {
	parts, _ := text.Parse(a.File.Data(), a.File.Span) // those before an error
	return func(yield func(int, script.Fragment) bool) {
		for _, p := range parts {
			code := a.File.Data()[p.Body.Start:p.Body.End]
			if p.Kind == text.Statement && !yield(0, script.Fragment{Text: code, Off: p.Body.Start}) {
				return
			}
		}
	}
}

// CodeComments returns the code in comments, in order, each with the node that it belongs to.
func (a *Analysis) CodeComments() iter.Seq2[int, script.Fragment] {
	return func(yield func(int, script.Fragment) bool) {
		for _, m := range a.Marks {
			if m.Kind != CodeMark {
				continue
			}
			code := a.File.Data()[m.At.Offset():m.At.End()]
			_, code, _ = bytes.Cut(code, []byte(" ")) // after `#@` or `#@template/code`
			if !yield(int(m.Owner), script.Fragment{Text: code, Off: m.At.End() - len(code)}) {
				return
			}
		}
	}
}
