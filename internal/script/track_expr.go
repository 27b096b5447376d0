package script

import "go.starlark.net/syntax"

// expr is e rewritten; nil for nil.
func (w *tracker) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		if w.isVariable(e) {
			return tell(w.t.Use, e.NamePos, e, ident(e.NamePos, shade(e.Name)))
		}
	case *syntax.BinaryExpr:
		e.X, e.Y = w.expr(e.X), w.expr(e.Y)
	case *syntax.CallExpr:
		return w.called(e)
	case *syntax.Comprehension:
		w.comprehension(e)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = w.expr(e.Cond), w.expr(e.True), w.expr(e.False)
	case *syntax.DictEntry:
		e.Key, e.Value = w.expr(e.Key), w.expr(e.Value)
	case *syntax.DictExpr:
		w.list(e.List)
	case *syntax.DotExpr:
		e.X = w.expr(e.X)
	case *syntax.IndexExpr:
		return w.index(e)
	case *syntax.LambdaExpr:
		return w.lambda(e)
	case *syntax.ListExpr:
		w.list(e.List)
	case *syntax.ParenExpr:
		e.X = w.expr(e.X)
	case *syntax.SliceExpr:
		e.X, e.Lo, e.Hi, e.Step = w.expr(e.X), w.expr(e.Lo), w.expr(e.Hi), w.expr(e.Step)
	case *syntax.TupleExpr:
		w.list(e.List)
	case *syntax.UnaryExpr:
		e.X = w.expr(e.X)
	}
	return e
}

func (w *tracker) list(l []syntax.Expr) {
	for i, x := range l {
		l[i] = w.expr(x)
	}
}

// index rewrites x[y]: of an array, one item is read.
func (w *tracker) index(e *syntax.IndexExpr) syntax.Expr {
	at := e.Lbrack
	e.X = tell(w.t.Base, syntax.Start(e.X), w.expr(e.X))
	e.Y = tell(w.t.Key, at, w.expr(e.Y))
	return e
}

// comprehension rewrites a comprehension. The clauses come before the body, as they are evaluated.
func (w *tracker) comprehension(e *syntax.Comprehension) {
	for _, c := range e.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			start, end := c.X.Span()
			site := Site{At: start, End: end, Loop: -1}
			x := w.expr(c.X)
			w.target(c.Vars)
			c.Vars, site.Vars = w.vars(c.Vars)
			c.X = tell(w.t.Each, start, intLit(start, w.site(site)), tell(w.t.Mark, start), x)
		case *syntax.IfClause:
			c.Cond = w.expr(c.Cond)
		}
	}
	e.Body = w.expr(e.Body)
}

// lambda rewrites a lambda. It has no statements that could bind the shades of its parameters, so a
// comprehension of one turn does.
func (w *tracker) lambda(e *syntax.LambdaExpr) syntax.Expr {
	var made syntax.Expr = e
	if w.defaults(e.Params) {
		made = tell(w.t.Def, e.Lambda, e)
	}
	site, shades := w.params(e.Params)
	outer := w.fn
	w.fn = &function{}
	id := w.site(site)
	at, end := e.Body.Span()
	body := w.expr(e.Body)
	w.fn = outer
	enter := tell(w.t.Into, at, intLit(at, id))
	if len(shades) == 0 {
		e.Body = tell(w.t.Leave, at, enter, body)
		return made
	}
	vars := &syntax.TupleExpr{Lparen: at, Rparen: at}
	for _, s := range shades {
		vars.List = append(vars.List, ident(at, s))
	}
	once := &syntax.Comprehension{
		Lbrack: at, Body: body, Rbrack: end,
		Clauses: []syntax.Node{&syntax.ForClause{For: at, Vars: vars, In: at, X: enter}},
	}
	first := &syntax.IndexExpr{X: once, Lbrack: at, Y: intLit(at, 0), Rbrack: at}
	e.Body = tell(w.t.Leave, at, first)
	return made
}

// called rewrites a call.
func (w *tracker) called(e *syntax.CallExpr) syntax.Expr {
	if x, ok := mutated(e); ok {
		return w.mutates(e, x)
	}
	switch fn := e.Fn.(type) {
	case *syntax.Ident:
		switch {
		case w.fromFiles[firstOf(fn)]:
		case w.isVariable(fn):
			e.Fn = w.expr(fn)
		case !w.fixed[firstOf(fn)]: // a builtin
			w.plainArgs(e)
			if fn.Name == "len" && len(e.Args) == 1 {
				e.Args[0] = tell(w.t.Count, syntax.Start(e.Args[0]), e.Args[0])
			}
			return e
		}
	case *syntax.DotExpr:
		fn.X = w.expr(fn.X)
		if id, ok := fn.X.(*syntax.Ident); ok && w.fixed[firstOf(id)] { // of a module
			w.plainArgs(e)
			return e
		}
	default:
		e.Fn = w.expr(fn)
	}
	w.arguments(e)
	if dot, ok := e.Fn.(*syntax.DotExpr); ok && dot.Name.Name == "eval" {
		// the documents of a library, which say themselves what they were made of
		return tell(w.t.Use, e.Lparen, e, ident(e.Lparen, "None"))
	}
	return e
}

// plainArgs rewrites the arguments of a builtin, which reads them.
func (w *tracker) plainArgs(e *syntax.CallExpr) {
	for i, a := range e.Args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			b.Y = w.expr(b.Y)
			continue
		}
		e.Args[i] = w.expr(a)
	}
}

// mutates rewrites the call of a method that changes x.
func (w *tracker) mutates(e *syntax.CallExpr, x syntax.Expr) syntax.Expr {
	if fn, ok := e.Fn.(*syntax.DotExpr); ok {
		fn.X = w.held(x)
		w.plainArgs(e)
		return e
	}
	rest := *e
	rest.Args = e.Args[1:]
	e.Args[0] = w.held(x)
	w.plainArgs(&rest)
	return e
}

// arguments rewrites the arguments of a function that may be one of the program: each has what it
// was made of noted, for the parameter.
func (w *tracker) arguments(e *syntax.CallExpr) {
	at := e.Lparen
	site := -1
	note := func(param, x syntax.Expr) syntax.Expr {
		if isConstant(x) {
			return x
		}
		if site < 0 {
			site = w.site(Site{At: at})
		}
		start := syntax.Start(x)
		here := intLit(start, site)
		if id, ok := x.(*syntax.Ident); ok {
			if !w.isVariable(id) {
				return x
			}
			return tell(w.t.Name, start, here, param, id, ident(start, shade(id.Name)))
		}
		return tell(w.t.Arg, start, here, param, tell(w.t.Mark, start), w.expr(x))
	}
	for i, a := range e.Args {
		switch x := a.(type) {
		case *syntax.BinaryExpr:
			if x.Op == syntax.EQ {
				x.Y = note(text(at, x.X.(*syntax.Ident).Name), x.Y)
				continue
			}
		case *syntax.UnaryExpr:
			if x.Op == syntax.STAR || x.Op == syntax.STARSTAR {
				x.X = note(intLit(at, -1), x.X)
				continue
			}
		}
		e.Args[i] = note(intLit(at, i), a)
	}
}
