package feature

import (
	"weft/internal/engine/compile"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/workspace"
)

// def describes a function or a variable.
type def struct {
	name   string
	at     index.Range
	isFunc bool
	params string // for a function, its parameters in parentheses; for another name, where it comes from
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
