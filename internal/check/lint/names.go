package lint

import (
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"weft/internal/lang/script"
)

// names records which names of a program are read.
type names struct {
	used map[*resolve.Binding]bool
	defs map[*syntax.Ident]bool // where a name is assigned
}

// readNames collects all names of a program.
func readNames(code *syntax.File) *names {
	n := &names{used: map[*resolve.Binding]bool{}, defs: map[*syntax.Ident]bool{}}
	syntax.Walk(code, func(x syntax.Node) bool {
		if set, ok := x.(*syntax.AssignStmt); !ok || set.Op == syntax.EQ { // += reads too
			for _, id := range script.Bound(x) {
				n.defs[id] = true
			}
		}
		switch x := x.(type) {
		case *syntax.DefStmt:
			n.defs[x.Name] = true
			n.captured(x.Function)
		case *syntax.LambdaExpr:
			n.captured(x.Function)
		case *syntax.Ident:
			if b, ok := x.Binding.(*resolve.Binding); ok && !n.defs[x] {
				n.used[b] = true
			}
		}
		return true
	})
	return n
}

// captured records the variables of enclosing functions that a function reads.
func (n *names) captured(f any) {
	if f, ok := f.(*resolve.Function); ok {
		for _, b := range f.FreeVars {
			n.used[b] = true
		}
	}
}

// read reports whether a variable is read.
func (n *names) read(id *syntax.Ident) bool {
	b, ok := id.Binding.(*resolve.Binding)
	return !ok || n.used[b]
}

// isPath reports whether an expression is the path want, such as data.values.
func isPath(e syntax.Expr, want string) bool { return strings.Join(script.PathOf(e), ".") == want }

// isValue reports whether an expression is a data value.
func isValue(e syntax.Expr) bool {
	p := script.PathOf(e)
	return len(p) > 2 && p[0] == "data" && p[1] == "values"
}
