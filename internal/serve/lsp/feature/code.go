package feature

import (
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/lang/source"
)

// loadStmt is a load statement.
type loadStmt struct {
	Module string
	At     source.Span // the name of the module, with its quotes
	Names  []loadedName
}

// loadedName is a name in a module, and its name in this file.
type loadedName struct {
	From, To string
	At       source.Span // the place of To; if the name stays the same, of the text in quotes
}

// loadsIn returns the load statements of an analysis, as far as its code has no errors.
func loadsIn(a *compile.Analysis) (list []loadStmt) {
	if a.Code == nil {
		return nil
	}
	syntax.Walk(a.Code, func(n syntax.Node) bool {
		l, ok := n.(*syntax.LoadStmt)
		if !ok {
			return true
		}
		stmt := loadStmt{Module: l.ModuleName()}
		if l.Module.TokenPos.Line > 0 {
			off := offsetOf(a.File, l.Module.TokenPos)
			stmt.At = a.File.Span(off, off+len(l.Module.Raw))
		}
		for i, from := range l.From {
			to := l.To[i]
			off := offsetOf(a.File, to.NamePos)
			stmt.Names = append(stmt.Names,
				loadedName{from.Name, to.Name, a.File.Span(off, off+len(to.Name))})
		}
		list = append(list, stmt)
		return false
	})
	return list
}

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
