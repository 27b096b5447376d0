package script

import "go.starlark.net/syntax"

// This file finds the data values that a program tests. It finds only values that are written as
// paths, or were assigned to a variable before. That is enough for a warning.

// test reports the data values that e, a condition, tests. Operands of `not` are found when they
// are rewritten.
func (w *rewriter) test(e syntax.Expr) {
	if w.data == nil || w.h.Tested == nil {
		return
	}
	switch e := e.(type) {
	case *syntax.ParenExpr:
		w.test(e.X)
	case *syntax.BinaryExpr:
		if e.Op == syntax.AND || e.Op == syntax.OR {
			w.test(e.X)
			w.test(e.Y)
		}
	default:
		if path, ok := w.path(e); ok && len(path) > 0 {
			start, _ := e.Span()
			w.h.Tested(path, start, false)
		}
	}
}

// compare reports a data value that e compares with True or False.
func (w *rewriter) compare(e *syntax.BinaryExpr) {
	if w.data == nil || w.h.Tested == nil || e.Op != syntax.EQL && e.Op != syntax.NEQ {
		return
	}
	for _, pair := range [][2]syntax.Expr{{e.X, e.Y}, {e.Y, e.X}} {
		if id, ok := pair[1].(*syntax.Ident); ok && (id.Name == "True" || id.Name == "False") {
			if path, ok := w.path(pair[0]); ok && len(path) > 0 {
				start, _ := pair[0].Span()
				w.h.Tested(path, start, true)
			}
		}
	}
}

// copy reports a data value that a sink gets unchanged.
func (w *rewriter) copy(sink *syntax.CallExpr) {
	if w.data == nil || w.h.Copied == nil || len(sink.Args) == 0 {
		return
	}
	if path, ok := w.path(sink.Args[len(sink.Args)-1]); ok && len(path) > 0 {
		w.h.Copied(sink, path)
	}
}

// name records a variable that is assigned a data value.
func (w *rewriter) name(s *syntax.AssignStmt) {
	id, ok := s.LHS.(*syntax.Ident)
	if !ok || w.data == nil || w.h.Tested == nil {
		return
	}
	path, ok := w.path(s.RHS)
	switch {
	case !ok || s.Op != syntax.EQ:
		delete(w.named, id.Name)
	case w.named == nil:
		w.named = map[string][]string{id.Name: path}
	default:
		w.named[id.Name] = path
	}
}

// path returns the path of the data value that e reads: `data.values.a["b"]`.
func (w *rewriter) path(e syntax.Expr) ([]string, bool) {
	p := PathOf(e)
	switch {
	case len(p) == 0:
		return nil, false
	case len(p) > 1 && w.data[p[0]]:
		return p[2:], p[1] == "values"
	}
	path, ok := w.named[p[0]]
	return append(path[:len(path):len(path)], p[1:]...), ok
}
