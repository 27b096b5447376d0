package trace

import (
	"slices"

	"go.starlark.net/syntax"

	"weft/internal/lang/script"
)

// expr returns e instrumented, or nil for nil.
func (w *instrumenter) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		if w.isVariable(e) {
			return trackCall(opUse, e.NamePos, e, ident(e.NamePos, shade(e.Name)))
		}
	case *syntax.BinaryExpr:
		lists := e.Op == syntax.PLUS && !isText(e)
		e.X, e.Y = w.expr(e.X), w.expr(e.Y)
		switch e.Op {
		case syntax.IN, syntax.NOT_IN:
			e.Y = trackCall(opHas, syntax.Start(e.Y), e.Y)
		case syntax.EQL, syntax.NEQ:
			e.X, e.Y = w.tested(e.X), w.tested(e.Y)
		case syntax.AND:
			e.X = w.derived("True", w.tested(e.X))
			return e
		case syntax.OR:
			e.X = w.derived("False", w.tested(e.X))
			return e
		}
		if lists {
			e.X, e.Y = w.term(e.X), w.term(e.Y)
			return w.derived("None", trackCall(opSum, e.OpPos, e))
		}
		return w.derived("None", e)
	case *syntax.CallExpr:
		return w.called(e)
	case *syntax.Comprehension:
		return w.comprehension(e)
	case *syntax.CondExpr:
		e.Cond = w.derived("None", w.tested(w.expr(e.Cond)))
		e.True, e.False = w.expr(e.True), w.expr(e.False)
	case *syntax.DictEntry:
		e.Key, e.Value = w.expr(e.Key), w.expr(e.Value)
	case *syntax.DictExpr:
		return w.literal(e, e.List)
	case *syntax.DotExpr:
		e.X = w.expr(e.X)
	case *syntax.IndexExpr:
		return w.index(e)
	case *syntax.LambdaExpr:
		return w.lambda(e)
	case *syntax.ListExpr:
		return w.literal(e, e.List)
	case *syntax.ParenExpr:
		e.X = w.expr(e.X)
	case *syntax.SliceExpr:
		e.X, e.Lo, e.Hi, e.Step = w.expr(e.X), w.expr(e.Lo), w.expr(e.Hi), w.expr(e.Step)
	case *syntax.TupleExpr:
		return w.literal(e, e.List)
	case *syntax.UnaryExpr:
		if e.X = w.expr(e.X); e.Op == syntax.NOT {
			e.X = w.tested(e.X)
		}
		if e.Op == syntax.STAR || e.Op == syntax.STARSTAR {
			return e // arguments of a call, not a value
		}
		return w.derived("None", e)
	}
	return e
}

// derived instruments an expression whose value was computed from data values without being one of
// them, or that only decides something. For the left side of `and` and `or`, when is the truth
// value for which that holds.
func (w *instrumenter) derived(when string, e syntax.Expr) syntax.Expr {
	if isConstant(script.Unparen(e)) {
		return e
	}
	at := syntax.Start(e)
	return trackCall(opDerived, at, ident(at, when), trackCall(opMark, at), e)
}

// tested instruments an expression that code tests for presence. Only a value that comes from data
// values can be a map that does not record that itself.
func (w *instrumenter) tested(e syntax.Expr) syntax.Expr {
	switch script.Unparen(e).(type) {
	case *syntax.DotExpr, *syntax.IndexExpr, *syntax.CallExpr:
		return trackCall(opTested, syntax.Start(e), e)
	}
	return e
}

// term instruments an expression whose value becomes part of a list.
func (w *instrumenter) term(e syntax.Expr) syntax.Expr { return trackCall(opTerm, syntax.Start(e), e) }

// isText reports whether e is an operand of `+` that is certainly not a list: text or a number.
func isText(e syntax.Expr) bool {
	switch e := script.Unparen(e).(type) {
	case *syntax.Literal:
		return true
	case *syntax.BinaryExpr:
		return e.Op == syntax.PLUS && (isText(e.X) || isText(e.Y)) || e.Op == syntax.PERCENT
	case *syntax.CallExpr:
		fn, ok := e.Fn.(*syntax.Ident)
		return ok && (fn.Name == "str" || fn.Name == "len" || fn.Name == "int")
	}
	return false
}

// isQuiet reports whether evaluating e calls nothing and changes nothing.
func isQuiet(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal, *syntax.Ident:
		return true
	case *syntax.DotExpr:
		return isQuiet(e.X)
	case *syntax.ParenExpr:
		return isQuiet(e.X)
	case *syntax.UnaryExpr:
		return isQuiet(e.X)
	case *syntax.BinaryExpr:
		return isQuiet(e.X) && isQuiet(e.Y)
	case *syntax.CondExpr:
		return isQuiet(e.Cond) && isQuiet(e.True) && isQuiet(e.False)
	case *syntax.IndexExpr:
		return isQuiet(e.X) && isQuiet(e.Y)
	}
	return false
}

// literal instruments a list or dict literal, to record what each element was computed from.
func (w *instrumenter) literal(e syntax.Expr, list []syntax.Expr) syntax.Expr {
	computed := false
	for i, x := range list {
		entry, ok := x.(*syntax.DictEntry)
		if !ok {
			list[i] = w.part(i, x)
			computed = computed || list[i] != x
			continue
		}
		k, v := w.early(i, entry.Key), w.part(i, entry.Value)
		computed = computed || v != entry.Value || k != entry.Key
		entry.Key = k
		entry.Value = v
	}
	if !computed {
		return e
	}
	return w.created(e)
}

// created returns a collection whose elements are recorded.
func (w *instrumenter) created(e syntax.Expr) syntax.Expr {
	at := syntax.Start(e)
	return trackCall(opComplete, at, trackCall(opMark, at), e)
}

// part instruments element i of a collection.
func (w *instrumenter) part(i int, x syntax.Expr) syntax.Expr {
	if isConstant(x) {
		return x
	}
	at := syntax.Start(x)
	if id, ok := x.(*syntax.Ident); ok {
		if !w.isVariable(id) {
			return x
		}
		return trackCall(opNamed, at, intLit(at, i), id, ident(at, shade(id.Name)))
	}
	return trackCall(opPart, at, intLit(at, i), trackCall(opMark, at), w.expr(x))
}

// early instruments what precedes element i of a collection: its key, or a condition.
func (w *instrumenter) early(i int, x syntax.Expr) syntax.Expr {
	if isConstant(x) {
		return x
	}
	at := syntax.Start(x)
	return trackCall(opPart, at, intLit(at, i), trackCall(opMark, at), w.expr(x), ident(at, "True"))
}

// index instruments x[y]: for an array, it reads one item.
func (w *instrumenter) index(e *syntax.IndexExpr) syntax.Expr {
	at := e.Lbrack
	e.X = trackCall(opBase, syntax.Start(e.X), w.expr(e.X))
	e.Y = trackCall(opKey, at, w.expr(e.Y))
	return e
}

// comprehension instruments a comprehension. The clauses come before the body because they are
// evaluated first.
func (w *instrumenter) comprehension(e *syntax.Comprehension) syntax.Expr {
	const next = -1
	for _, c := range e.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			start, end := script.Extent(c.X)
			site := Site{At: start, End: end, Loop: -1}
			x := w.expr(c.X)
			w.target(c.Vars, false)
			c.Vars, site.Vars = w.vars(c.Vars)
			c.X = trackCall(opEach, start, intLit(start, w.site(site)), trackCall(opMark, start), x)
		case *syntax.IfClause:
			c.Cond = w.early(next, c.Cond)
			if part, ok := c.Cond.(*syntax.CallExpr); ok && w.isCall(part, opPart) {
				part.Args[2] = w.tested(part.Args[2])
			}
		}
	}
	if entry, ok := e.Body.(*syntax.DictEntry); ok {
		entry.Key, entry.Value = w.early(next, entry.Key), w.part(next, entry.Value)
	} else {
		e.Body = w.part(next, e.Body)
	}
	return w.created(e)
}

// lambda instruments a lambda. It has no statements that could bind the shades of its parameters,
// so a comprehension with a single iteration does.
func (w *instrumenter) lambda(e *syntax.LambdaExpr) syntax.Expr {
	var fn syntax.Expr = e
	if w.defaults(e.Params) {
		fn = trackCall(opDef, e.Lambda, e)
	}
	site, shades := w.params(e.Params)
	outer := w.fn
	w.fn = &function{}
	id := w.site(site)
	at, end := e.Body.Span()
	body := w.expr(e.Body)
	w.fn = outer
	enter := trackCall(opInto, at, intLit(at, id))
	if len(shades) == 0 {
		e.Body = trackCall(opLeave, at, enter, body)
		return fn
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
	e.Body = trackCall(opLeave, at, first)
	return fn
}

// called instruments a call.
func (w *instrumenter) called(e *syntax.CallExpr) syntax.Expr {
	if x, ok := mutated(e); ok {
		return w.mutates(e, x)
	}
	if x, how := w.copied(e); x != nil {
		at := syntax.Start(*x)
		*x = trackCall(opCopying, at, w.expr(*x))
		return trackCall(opCopied, e.Lparen, intLit(at, int(how)), e)
	}
	switch fn := e.Fn.(type) {
	case *syntax.Ident:
		switch {
		case w.fromFiles[firstOf(fn)]:
		case w.isVariable(fn):
			e.Fn = w.expr(fn)
		case !w.fixed[firstOf(fn)]: // a function other than a builtin
			return w.builtin(fn.Name, e)
		}
	case *syntax.DotExpr:
		fn.X = w.expr(fn.X)
		if id, ok := fn.X.(*syntax.Ident); ok && w.fixed[firstOf(id)] { // a function of a module
			if fn.Name.Name == "make" && w.isStruct(id) && allNamed(e.Args) {
				return w.fields(e)
			}
			w.plainArgs(e)
			if fn.Name.Name == "replace" && len(e.Args) == 1 {
				e.Args[0] = trackCall(opShallow, syntax.Start(e.Args[0]), e.Args[0])
				return e
			}
			return w.derived("None", e)
		}
	default:
		e.Fn = w.expr(fn)
	}
	w.arguments(e)
	if dot, ok := e.Fn.(*syntax.DotExpr); ok && dot.Name.Name == "eval" {
		// the documents of a library, which record their own origins
		return trackCall(opUse, e.Lparen, e, ident(e.Lparen, "None"))
	} else if ok && isMethodOfText(dot.Name.Name) {
		return w.derived("None", e)
	}
	return e
}

// isMethodOfText reports whether strings have a method of that name and collections do not.
func isMethodOfText(name string) bool {
	switch name {
	case "capitalize", "count", "endswith", "find", "format", "isalnum", "isalpha", "isdigit", "islower",
		"isspace", "istitle", "isupper", "join", "lower", "lstrip", "removeprefix", "removesuffix", "replace",
		"rfind", "rindex", "rstrip", "startswith", "strip", "title", "upper":
		return true
	}
	return false
}

// builtin instruments the call of a builtin.
func (w *instrumenter) builtin(name string, e *syntax.CallExpr) syntax.Expr {
	named := slices.ContainsFunc(e.Args, func(a syntax.Expr) bool {
		switch a := a.(type) {
		case *syntax.UnaryExpr:
			return a.Op == syntax.STAR || a.Op == syntax.STARSTAR
		case *syntax.BinaryExpr:
			return a.Op == syntax.EQ
		}
		return false
	})
	switch {
	case name == w.lang.Varargs:
		return e // it reads nothing that matters
	case name == w.lang.Tuple:
		return w.literal(e, e.Args)
	case name == "dict" && allNamed(e.Args):
		return w.fields(e)
	}
	w.plainArgs(e)
	switch {
	case name == "bool" && len(e.Args) == 1:
		e.Args[0] = w.tested(e.Args[0])
	case (name == "len" || name == "dir") && len(e.Args) == 1:
		e.Args[0] = trackCall(opCount, syntax.Start(e.Args[0]), e.Args[0])
	case (methodOf(name) == "in" || methodOf(name) == "not in") && len(e.Args) == 2:
		e.Args[1] = trackCall(opHas, syntax.Start(e.Args[1]), e.Args[1])
	case name == "zip" && !named:
		for i, a := range e.Args {
			e.Args[i] = w.term(a)
		}
		return trackCall(opZip, e.Lparen, intLit(e.Lparen, len(e.Args)), e)
	}
	if w.lang.Makes(name) {
		return w.derived("None", e)
	}
	return e
}

// Copy is how the elements of one collection become those of another.
type Copy int

// The ways to copy a collection.
const (
	Elements Copy = iota // in the same order
	Pairs                // as the second half of a pair, after an index or a key
	Keys                 // the keys of a dict instead of its values
	Reversed             // in the opposite order
)

// copied returns the expression whose elements a call copies, and how; nil if the call copies none.
func (w *instrumenter) copied(e *syntax.CallExpr) (x *syntax.Expr, how Copy) {
	switch fn := e.Fn.(type) {
	case *syntax.Ident:
		if w.isVariable(fn) || w.fixed[firstOf(fn)] || len(e.Args) != 1 {
			return nil, 0
		}
		switch a := e.Args[0].(type) {
		case *syntax.UnaryExpr:
			if a.Op == syntax.STARSTAR && fn.Name == "dict" {
				return &a.X, 0
			}
			return nil, 0 // possibly *args
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ { // a keyword argument
				return nil, 0
			}
		}
		switch {
		case fn.Name == "list", fn.Name == "dict":
			return &e.Args[0], Elements
		case fn.Name == "enumerate", methodOf(fn.Name) == "items":
			return &e.Args[0], Pairs
		case fn.Name == "reversed":
			return &e.Args[0], Reversed
		}
	case *syntax.DotExpr:
		id, ok := fn.X.(*syntax.Ident)
		module := ok && w.fixed[firstOf(id)]
		switch {
		case module && fn.Name.Name == "decode" && len(e.Args) == 1,
			module && fn.Name.Name == "encode" && len(e.Args) == 1 && w.isStruct(id):
			return &e.Args[0], 0
		case !module && fn.Name.Name == "values" && len(e.Args) == 0:
			return &fn.X, Elements
		case !module && fn.Name.Name == "items" && len(e.Args) == 0:
			return &fn.X, Pairs
		case !module && fn.Name.Name == "keys" && len(e.Args) == 0:
			return &fn.X, Keys
		}
	}
	return nil, 0
}

// isStruct reports whether a name refers to the module struct.
func (w *instrumenter) isStruct(id *syntax.Ident) bool {
	return w.modules[firstOf(id)] == "@ytt:struct"
}

// allNamed reports whether there are arguments and each has a name.
func allNamed(args []syntax.Expr) bool {
	return len(args) > 0 && !slices.ContainsFunc(args, func(a syntax.Expr) bool {
		b, ok := a.(*syntax.BinaryExpr)
		return !ok || b.Op != syntax.EQ
	})
}

// fields instruments a call that creates a dict or a struct from its arguments, which are all
// named.
func (w *instrumenter) fields(e *syntax.CallExpr) syntax.Expr {
	for i, a := range e.Args {
		b := a.(*syntax.BinaryExpr)
		b.Y = w.part(i, b.Y)
	}
	return w.created(e)
}

// plainArgs instruments the arguments of a builtin, which reads them.
func (w *instrumenter) plainArgs(e *syntax.CallExpr) {
	for i, a := range e.Args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			b.Y = w.expr(b.Y)
			continue
		}
		e.Args[i] = w.expr(a)
	}
}

// mutates instruments the call of a method that changes x.
func (w *instrumenter) mutates(e *syntax.CallExpr, x syntax.Expr) syntax.Expr {
	rest, method := *e, ""
	if fn, ok := e.Fn.(*syntax.DotExpr); ok {
		method = fn.Name.Name
		fn.X = w.changing(x, method)
	} else {
		method = methodOf(e.Fn.(*syntax.Ident).Name)
		e.Args[0] = w.changing(x, method)
		rest.Args = e.Args[1:]
	}
	w.plainArgs(&rest)
	if method == "extend" && len(rest.Args) == 1 {
		at := syntax.Start(rest.Args[0])
		rest.Args[0] = trackCall(opAt, at, trackCall(opMark, at), rest.Args[0])
	}
	return e
}

// arguments instruments the arguments of a function that may be defined in the program: the origin
// of each is recorded for its parameter.
func (w *instrumenter) arguments(e *syntax.CallExpr) {
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
			return trackCall(opName, start, here, param, id, ident(start, shade(id.Name)))
		}
		return trackCall(opArg, start, here, param, trackCall(opMark, start), w.expr(x))
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
