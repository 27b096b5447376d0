package feature

import (
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// definitionOf returns the place where a name is defined first in its file, or nil if the file does not
// define it.
func definitionOf(id *syntax.Ident) *syntax.Ident {
	b, ok := id.Binding.(*resolve.Binding)
	if !ok || b.Scope == resolve.Universal || b.Scope == resolve.Predeclared ||
		b.Scope == resolve.Undefined {
		return nil
	}
	return b.First
}

// isAuthored reports whether a name was written by the author, as opposed to the compiler.
func isAuthored(id *syntax.Ident) bool {
	return id.NamePos.Line > 0 && !strings.ContainsAny(id.Name, "·$@ ")
}
