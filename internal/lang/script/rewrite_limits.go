package script

import "go.starlark.net/syntax"

// This file finds the places where Rewrite needs no helper, because the code itself shows that
// nothing can become large. Most code in templates is like that, and it must cost nothing.

// isScalar reports whether e, as written, is not a collection: comparing it takes one step, and
// arithmetic with it makes nothing large.
func isScalar(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal:
		return true
	case *syntax.Ident:
		return e.Name == "None" || e.Name == "True" || e.Name == "False"
	case *syntax.ParenExpr:
		return isScalar(e.X)
	case *syntax.UnaryExpr:
		return isScalar(e.X) || e.Op == syntax.NOT
	case *syntax.CallExpr:
		id, ok := e.Fn.(*syntax.Ident)
		return ok && (id.Name == "len" || id.Name == "type" || id.Name == "str")
	}
	return false
}

// isPlain reports whether e is a collection literal that contains only scalars.
func isPlain(e syntax.Expr) bool {
	var list []syntax.Expr
	switch e := e.(type) {
	case *syntax.ListExpr:
		list = e.List
	case *syntax.TupleExpr:
		list = e.List
	case *syntax.ParenExpr:
		return isPlain(e.X)
	default:
		return isScalar(e)
	}
	for _, x := range list {
		if !isScalar(x) {
			return false
		}
	}
	return true
}

// nestable returns how many elements of a tuple may be tuples themselves.
func nestable(t *syntax.TupleExpr) (n int) {
	for _, e := range t.List {
		if mayBeTuple(e) {
			n++
		}
	}
	return n
}

// mayBeTuple reports whether e may be a nonempty tuple.
func mayBeTuple(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.ListExpr, *syntax.DictExpr, *syntax.Comprehension, *syntax.LambdaExpr:
		return false
	case *syntax.TupleExpr:
		return len(e.List) > 0
	case *syntax.ParenExpr:
		return mayBeTuple(e.X)
	}
	return !isScalar(e)
}

// unpacks reports whether an assignment to the target unpacks the value, so that no variable holds
// the tuple.
func unpacks(target syntax.Expr) bool {
	switch e := target.(type) {
	case *syntax.ParenExpr:
		return unpacks(e.X)
	case *syntax.TupleExpr, *syntax.ListExpr:
		return true
	}
	return false
}

// taken rewrites an expression that is unpacked or formatted immediately: if it is a tuple, no
// variable holds it.
func (w *rewriter) taken(e syntax.Expr) syntax.Expr {
	switch x := e.(type) {
	case *syntax.ParenExpr:
		x.X = w.taken(x.X)
		return x
	case *syntax.TupleExpr:
		w.list(x.List)
		return x
	}
	return w.expr(e)
}

// iterated rewrites what a loop iterates over. The pairs of a dict that are unpacked immediately need
// no check.
func (w *rewriter) iterated(vars, e syntax.Expr) syntax.Expr {
	if c, ok := e.(*syntax.CallExpr); ok && unpacks(vars) && len(c.Args) == 0 {
		if dot, ok := c.Fn.(*syntax.DotExpr); ok && dot.Name.Name == "items" {
			dot.X = w.expr(dot.X)
			return c
		}
	}
	return w.expr(e)
}

// varargs returns the name of the parameter *args, or nil.
func varargs(params []syntax.Expr) *syntax.Ident {
	for _, p := range params {
		if u, ok := p.(*syntax.UnaryExpr); ok && u.Op == syntax.STAR {
			id, _ := u.X.(*syntax.Ident) // nil after a lone star
			return id
		}
	}
	return nil
}

// checkVarargs returns the call that checks *args.
func (w *rewriter) checkVarargs(id *syntax.Ident) syntax.Expr {
	return call(w.h.Varargs, id.NamePos, id.NamePos, &syntax.Ident{NamePos: id.NamePos, Name: id.Name})
}
