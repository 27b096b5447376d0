package script

import "go.starlark.net/syntax"

// Bound returns the names that a part of a program binds: the targets of an assignment or a loop,
// the parameters of a function. It does not include the name of a function.
func Bound(n syntax.Node) []*syntax.Ident {
	switch n := n.(type) {
	case *syntax.AssignStmt:
		return Targets(n.LHS)
	case *syntax.DefStmt:
		return targetsOf(n.Params)
	case *syntax.LambdaExpr:
		return targetsOf(n.Params)
	case *syntax.ForStmt:
		return Targets(n.Vars)
	case *syntax.ForClause:
		return Targets(n.Vars)
	case *syntax.LoadStmt:
		return n.To
	}
	return nil
}

// Targets returns the variables in the target of an assignment, or the name of a parameter.
func Targets(e syntax.Expr) []*syntax.Ident {
	switch e := e.(type) {
	case *syntax.Ident:
		return []*syntax.Ident{e}
	case *syntax.ParenExpr:
		return Targets(e.X)
	case *syntax.TupleExpr:
		return targetsOf(e.List)
	case *syntax.ListExpr:
		return targetsOf(e.List)
	case *syntax.BinaryExpr: // a parameter with a default
		return Targets(e.X)
	case *syntax.UnaryExpr: // *args; a lone * has no name
		return Targets(e.X)
	}
	return nil
}

func targetsOf(list []syntax.Expr) []*syntax.Ident {
	var ids []*syntax.Ident
	for _, x := range list {
		ids = append(ids, Targets(x)...)
	}
	return ids
}
