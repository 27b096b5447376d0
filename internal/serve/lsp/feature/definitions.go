package feature

import (
	"weft/internal/engine/compile"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/workspace"
)

// def is a function or a variable, for people.
type def struct {
	name   string
	at     index.Range
	isFunc bool
	params string // of a function, with parentheses; of another name, where it comes from
	doc    string
}

// defsOf returns the functions and variables of a file that others may load.
func defsOf(f *index.File) (list []def) {
	f.Exports(func(b *index.Binding, fn *index.Function) {
		d := def{name: b.Name, at: b.At}
		if fn != nil {
			d.isFunc, d.params, d.doc = true, fn.Signature, fn.Doc
		}
		list = append(list, d)
	})
	return list
}

func defsIn(doc *workspace.TextDocument, a *compile.Analysis) []def { return defsOf(doc.FileIndex(a)) }
