package lint

import (
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// names tells which names of a program are read.
type names struct {
	used map[*resolve.Binding]bool
	defs map[*syntax.Ident]bool // where a name is given a value
}

// readNames looks at all names of a program.
func readNames(code *syntax.File) *names {
	n := &names{used: map[*resolve.Binding]bool{}, defs: map[*syntax.Ident]bool{}}
	syntax.Walk(code, func(x syntax.Node) bool {
		switch x := x.(type) {
		case *syntax.AssignStmt:
			if x.Op == syntax.EQ {
				n.target(x.LHS)
			}
		case *syntax.DefStmt:
			n.defs[x.Name] = true
			n.captured(x.Function)
			n.parameters(x.Params)
		case *syntax.LambdaExpr:
			n.captured(x.Function)
			n.parameters(x.Params)
		case *syntax.ForStmt:
			n.target(x.Vars)
		case *syntax.ForClause:
			n.target(x.Vars)
		case *syntax.LoadStmt:
			for _, to := range x.To {
				n.defs[to] = true
			}
		case *syntax.Ident:
			if b, ok := x.Binding.(*resolve.Binding); ok && !n.defs[x] {
				n.used[b] = true
			}
		}
		return true
	})
	return n
}

// captured notes the variables of others that a function reads.
func (n *names) captured(f any) {
	if f, ok := f.(*resolve.Function); ok {
		for _, b := range f.FreeVars {
			n.used[b] = true
		}
	}
}

// target notes the names that an assignment or a loop gives values.
func (n *names) target(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Ident:
		n.defs[e] = true
	case *syntax.TupleExpr:
		for _, x := range e.List {
			n.target(x)
		}
	case *syntax.ListExpr:
		for _, x := range e.List {
			n.target(x)
		}
	case *syntax.ParenExpr:
		n.target(e.X)
	}
}

func (n *names) parameters(list []syntax.Expr) {
	for _, p := range list {
		switch p := p.(type) {
		case *syntax.Ident:
			n.defs[p] = true
		case *syntax.BinaryExpr: // with a default
			n.target(p.X)
		case *syntax.UnaryExpr: // *args
			if p.X != nil {
				n.target(p.X)
			}
		}
	}
}

// read reports whether somebody reads what a name stands for.
func (n *names) read(id *syntax.Ident) bool {
	b, ok := id.Binding.(*resolve.Binding)
	return !ok || n.used[b]
}

// pathOf is the names of an expression such as data.values.a.b, or nil.
func pathOf(e syntax.Expr) []string {
	switch e := e.(type) {
	case *syntax.Ident:
		return []string{e.Name}
	case *syntax.DotExpr:
		if p := pathOf(e.X); p != nil {
			return append(p, e.Name.Name)
		}
	case *syntax.IndexExpr:
		if s, ok := stringOf(e.Y); ok {
			if p := pathOf(e.X); p != nil {
				return append(p, s)
			}
		}
	case *syntax.ParenExpr:
		return pathOf(e.X)
	}
	return nil
}

// isPath reports whether an expression is such a path: dots separate the names.
func isPath(e syntax.Expr, want string) bool { return strings.Join(pathOf(e), ".") == want }

// isValue reports whether an expression is a data value.
func isValue(e syntax.Expr) bool {
	p := pathOf(e)
	return len(p) > 2 && p[0] == "data" && p[1] == "values"
}

// stringOf is the text of a string in code.
func stringOf(e syntax.Expr) (string, bool) {
	lit, ok := e.(*syntax.Literal)
	if !ok || lit.Token != syntax.STRING {
		return "", false
	}
	return lit.Value.(string), true
}
