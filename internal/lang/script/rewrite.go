package script

import (
	"strings"

	"go.starlark.net/syntax"
)

// Helpers names the builtins that Rewrite puts into a tree. They must be predeclared when the tree is
// resolved, under names that no one writes by accident. An empty name disables its part of the
// dialect.
type Helpers struct {
	// Load is called as Load("module", "name", …) for a load under an if outside functions. It
	// returns the tuple of the named values.
	Load string
	// Percent is called as Percent(x, y) for `x % y` where it may format a float.
	Percent string
	// Format is called as Format(x, args…) for `x.format(args…)`, whatever x is.
	Format string
	// Plus and Times are called as Plus(x, y) for `x + y` and Times(x, y) for `x * y` where the
	// result may be large. `x += y` becomes `x += Adding(x, y)`, which returns y.
	Plus, Times, Adding string
	// Operator returns the helper for another operator, or "". The helper is called as Helper(x, y)
	// for `x op y` where that may take more than one step. Operand returns the helper for the
	// assignment `x op= y`, which becomes `x op= Helper(x, y)`; that helper returns y.
	Operator, Operand func(syntax.Token) string
	// Tuple is called as Tuple(x, y) for `(x, y)` where two or more elements may be tuples, and
	// Varargs as Varargs(args) in functions that take *args.
	Tuple, Varargs string
	// Spread is called as Spread(x) for the x of `f(*x)`, and returns x.
	Spread string
	// Method returns the helper of a method, or "". It is called as Helper(x, args…) for
	// `x.name(args…)`, whatever x is; Bound is called as Bound(x, "name") where such a method is used
	// without calling it.
	Method func(name string) string
	Bound  string
	// IsSink reports whether name is a builtin of the compiler that consumes its arguments, so that
	// no code sees them again: a sum in its arguments needs no check.
	IsSink func(name string) bool
	// Values is called as Values(x) for `x.values` where x is a name that DataModule's load binds.
	// The name may be bound to something else too, such as a parameter of a function: the helper
	// checks that.
	Values string
	// DataModule is the name of the module whose `values` are meant, as in load.
	DataModule string
	// Tested, if not nil, is called for each data value that the program tests: in a condition, or
	// in a comparison with True or False. path is the path of the value below `values`.
	Tested func(path []string, at syntax.Position, compared bool)
	// Copied, if not nil, is called for each call of a sink whose last argument is a data
	// value, with the path of that value.
	Copied func(sink *syntax.CallExpr, path []string)
}

// Rewrite changes stmts, a whole program, in place, where the dialect has a meaning that the
// Starlark resolver rejects or the interpreter implements differently:
//
//   - a load under an if outside functions becomes an assignment from a call of h.Load; the names
//     become globals
//   - keyword arguments after *args move before it
//   - `%`, `.format` and `.values` become calls of their helpers
//   - so do operators, methods and tuples that may use much memory or many steps at once
//
// Call it once, when the program is complete.
func Rewrite(stmts []syntax.Stmt, h Helpers) {
	w := rewriter{h: h.complete(), data: dataNames(stmts, h.DataModule), modules: standardNames(stmts)}
	if h.Load != "" {
		if bound := conditionalNames(stmts); len(bound) > 0 {
			w.loads(stmts, bound, false)
		}
	}
	w.stmts(stmts)
}

// complete returns h with every nil function replaced by one that finds no helper.
func (h Helpers) complete() Helpers {
	if h.Method == nil {
		h.Method = func(string) string { return "" }
	}
	if h.Operator == nil {
		h.Operator = func(syntax.Token) string { return "" }
	}
	if h.Operand == nil {
		h.Operand = func(syntax.Token) string { return "" }
	}
	if h.IsSink == nil {
		h.IsSink = func(string) bool { return false }
	}
	return h
}

type rewriter struct {
	h       Helpers
	data    map[string]bool // the names that a load of h.DataModule binds
	modules map[string]bool // the names that loads of the standard library bind

	named map[string][]string // variables that hold data values, and the paths of these values
}

// loadedNames returns the local names that the loads selected by keep bind. It looks outside
// functions only: a load cannot be elsewhere. It returns nil if there are none.
func loadedNames(
	stmts []syntax.Stmt,
	keep func(module string, conditional bool) bool,
) map[string]bool {
	var names map[string]bool
	topLoads(stmts, false, func(l *syntax.LoadStmt, conditional bool) {
		if !keep(l.ModuleName(), conditional) {
			return
		}
		if names == nil {
			names = map[string]bool{}
		}
		for _, id := range l.To {
			names[id.Name] = true
		}
	})
	return names
}

// standardNames returns the names that loads of the standard library bind.
func standardNames(stmts []syntax.Stmt) map[string]bool {
	return loadedNames(
		stmts,
		func(module string, _ bool) bool { return strings.HasPrefix(module, "@ytt:") },
	)
}

// dataNames returns the names that loads of one module bind.
func dataNames(stmts []syntax.Stmt, module string) map[string]bool {
	return loadedNames(stmts, func(m string, _ bool) bool { return m == module })
}

// conditionalNames returns the names that loads under an if bind.
func conditionalNames(stmts []syntax.Stmt) map[string]bool {
	return loadedNames(stmts, func(_ string, conditional bool) bool { return conditional })
}

// topLoads calls f for every load outside functions and loops.
func topLoads(stmts []syntax.Stmt, conditional bool, f func(l *syntax.LoadStmt, conditional bool)) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.LoadStmt:
			f(s, conditional)
		case *syntax.IfStmt:
			topLoads(s.True, true, f)
			topLoads(s.False, true, f)
		}
	}
}

// loads turns every load under an if into an assignment. An unconditional load of the same name
// must become one too, because a name cannot be bound both ways.
func (w *rewriter) loads(stmts []syntax.Stmt, bound map[string]bool, conditional bool) {
	for i, s := range stmts {
		switch s := s.(type) {
		case *syntax.LoadStmt:
			clash := false
			for _, id := range s.To {
				clash = clash || bound[id.Name]
			}
			if conditional || clash {
				stmts[i] = w.assignLoad(s)
			}
		case *syntax.IfStmt:
			w.loads(s.True, bound, true)
			w.loads(s.False, bound, true)
		}
	}
}

func (w *rewriter) assignLoad(s *syntax.LoadStmt) syntax.Stmt {
	to := &syntax.TupleExpr{Lparen: s.Load, Rparen: s.Rparen}
	args := []syntax.Expr{s.Module}
	for i, id := range s.To {
		from := s.From[i]
		to.List = append(to.List, &syntax.Ident{NamePos: id.NamePos, Name: id.Name})
		args = append(args, &syntax.Literal{
			Token: syntax.STRING, TokenPos: from.NamePos, Raw: syntax.Quote(from.Name, false), Value: from.Name,
		})
	}
	return &syntax.AssignStmt{
		OpPos: s.Load, Op: syntax.EQ, LHS: to,
		RHS: call(w.h.Load, s.Load, s.Rparen, args...),
	}
}

// call returns a call of a helper at the place of the code that it replaces.
func call(name string, at, end syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{
		Fn:     &syntax.Ident{NamePos: at, Name: name},
		Lparen: at,
		Args:   args,
		Rparen: end,
	}
}

func (w *rewriter) stmts(stmts []syntax.Stmt) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.AssignStmt:
			w.name(s)
			w.target(s.LHS)
			if unpacks(s.LHS) && s.Op == syntax.EQ {
				s.RHS = w.taken(s.RHS)
			} else {
				s.RHS = w.expr(s.RHS)
			}
			w.augmented(s)
		case *syntax.DefStmt:
			w.params(s.Params)
			w.stmts(s.Body)
			if id := varargs(s.Params); id != nil && w.h.Varargs != "" {
				s.Body = append([]syntax.Stmt{&syntax.ExprStmt{X: w.checkVarargs(id)}}, s.Body...)
			}
		case *syntax.ExprStmt:
			s.X = w.expr(s.X)
		case *syntax.ForStmt:
			w.target(s.Vars)
			s.X = w.iterated(s.Vars, s.X)
			w.stmts(s.Body)
		case *syntax.IfStmt:
			w.test(s.Cond)
			s.Cond = w.expr(s.Cond)
			w.stmts(s.True)
			w.stmts(s.False)
		case *syntax.ReturnStmt:
			s.Result = w.expr(s.Result)
		case *syntax.WhileStmt:
			w.test(s.Cond)
			s.Cond = w.expr(s.Cond)
			w.stmts(s.Body)
		case *syntax.BranchStmt, *syntax.LoadStmt:
		}
	}
}

// target rewrites the subexpressions of an assignment target, but not the target itself, which
// cannot become a call.
func (w *rewriter) target(e syntax.Expr) {
	EachTarget(e, func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.IndexExpr:
			e.X, e.Y = w.expr(e.X), w.expr(e.Y)
		case *syntax.DotExpr:
			e.X = w.expr(e.X)
		}
	})
}

// EachTarget calls f for each single target of an assignment: `a`, `b[0]` and `c` of `a, (b[0], c)`.
func EachTarget(e syntax.Expr, f func(syntax.Expr)) {
	var list []syntax.Expr
	switch e := e.(type) {
	case *syntax.ParenExpr:
		list = []syntax.Expr{e.X}
	case *syntax.TupleExpr:
		list = e.List
	case *syntax.ListExpr:
		list = e.List
	default:
		f(e)
	}
	for _, x := range list {
		EachTarget(x, f)
	}
}

// augmented turns `x %= y` and `x *= y` into `x = helper(x, y)`, and `x += y` into `x += helper(x,
// y)`, if evaluating the target twice makes no difference. Other targets keep the operator, and
// with it the newer format of floats.
func (w *rewriter) augmented(s *syntax.AssignStmt) {
	x := again(s.LHS)
	if x == nil {
		return
	}
	if _, ok := x.(*syntax.Ident); !ok && (s.Op == syntax.PERCENT_EQ || s.Op == syntax.STAR_EQ) {
		return
	}
	switch {
	case s.Op == syntax.PERCENT_EQ && w.h.Percent != "" && makesText(nil, s.RHS):
		s.Op, s.RHS = syntax.EQ, call(w.h.Percent, s.OpPos, syntax.End(s.RHS), x, s.RHS)
	case s.Op == syntax.STAR_EQ && w.h.Times != "":
		s.Op, s.RHS = syntax.EQ, call(w.h.Times, s.OpPos, syntax.End(s.RHS), x, s.RHS)
	case s.Op == syntax.PLUS_EQ && w.h.Adding != "" && !isShort(s.RHS) && !isNumber(s.RHS):
		s.RHS = call(w.h.Adding, s.OpPos, syntax.End(s.RHS), x, s.RHS)
	case s.Op == syntax.LTLT_EQ || !isScalar(s.RHS):
		if helper := w.h.Operand(s.Op); helper != "" {
			s.RHS = call(helper, s.OpPos, syntax.End(s.RHS), x, s.RHS)
		}
	}
}

// again returns e for a second evaluation if that makes no difference: for a name, or an element
// selected by names and literals. Otherwise it returns nil.
func again(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		return &syntax.Ident{NamePos: e.NamePos, Name: e.Name}
	case *syntax.Literal:
		return e
	case *syntax.IndexExpr:
		if x, y := again(e.X), again(e.Y); x != nil && y != nil {
			return &syntax.IndexExpr{X: x, Lbrack: e.Lbrack, Y: y, Rbrack: e.Rbrack}
		}
	}
	return nil
}

// isShort reports whether e, as written, is a literal or a short collection, which makes no sum much
// larger.
func isShort(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal, *syntax.ListExpr, *syntax.DictExpr:
		return true
	case *syntax.TupleExpr:
		return nestable(e) == 0
	case *syntax.ParenExpr:
		return isShort(e.X)
	}
	return false
}

// isNumber reports whether e, as written, can only be a number. What it is added to must then be a
// number too. If code redefines a name such as len, only an early error is lost.
func isNumber(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal:
		return e.Token == syntax.INT || e.Token == syntax.FLOAT
	case *syntax.ParenExpr:
		return isNumber(e.X)
	case *syntax.UnaryExpr:
		return e.Op == syntax.MINUS
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.SLASH, syntax.SLASHSLASH:
			return true
		case syntax.PLUS, syntax.MINUS:
			return isNumber(e.X) || isNumber(e.Y)
		case syntax.STAR:
			return isNumber(e.X) && isNumber(e.Y)
		case syntax.PERCENT:
			return isNumber(e.X)
		}
	case *syntax.CallExpr:
		id, ok := e.Fn.(*syntax.Ident)
		return ok && (id.Name == "len" || id.Name == "int" || id.Name == "float")
	}
	return false
}

// isFloat reports whether e is written as a number with a decimal point. A product with it is never
// large.
func isFloat(e syntax.Expr) bool {
	lit, ok := e.(*syntax.Literal)
	return ok && lit.Token == syntax.FLOAT
}

// sink rewrites an argument of a sink: see Helpers.IsSink. Its sums can only double in size, and only
// once.
func (w *rewriter) sink(e syntax.Expr) syntax.Expr {
	if b, ok := e.(*syntax.BinaryExpr); ok && b.Op == syntax.PLUS {
		b.X, b.Y = w.sink(b.X), w.sink(b.Y)
		return b
	}
	return w.expr(e)
}

// method returns the helper of a method, or "". A function of that name in a module of the standard
// library is something else.
func (w *rewriter) method(dot *syntax.DotExpr) string {
	helper := w.h.Method(dot.Name.Name)
	if id, ok := dot.X.(*syntax.Ident); ok && w.modules[id.Name] {
		return ""
	}
	return helper
}

// called rewrites a call.
func (w *rewriter) called(e *syntax.CallExpr) syntax.Expr {
	if id, ok := e.Fn.(*syntax.Ident); ok && w.h.IsSink(id.Name) {
		w.copy(e)
		for i, a := range e.Args {
			e.Args[i] = w.sink(a)
		}
		return e
	}
	dot, ok := e.Fn.(*syntax.DotExpr)
	helper := ""
	switch {
	case !ok:
		e.Fn = w.expr(e.Fn)
	case dot.Name.Name == "format" && w.h.Format != "":
		helper = w.h.Format
	default:
		helper = w.method(dot)
	}
	if ok && helper == "" {
		e.Fn = w.expr(dot)
	}
	w.args(e.Args)
	namedBeforeStar(e.Args)
	if helper != "" {
		e.Fn = &syntax.Ident{NamePos: dot.NamePos, Name: helper}
		e.Args = append([]syntax.Expr{w.expr(dot.X)}, e.Args...)
	}
	return e
}

// params rewrites the default values of parameters.
func (w *rewriter) params(params []syntax.Expr) {
	for _, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			b.Y = w.expr(b.Y)
		}
	}
}

func (w *rewriter) list(l []syntax.Expr) {
	for i, x := range l {
		l[i] = w.expr(x)
	}
}

// expr returns e rewritten, or nil for nil.
func (w *rewriter) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		w.compare(e)
		e.X = w.expr(e.X)
		if e.Op == syntax.PERCENT {
			e.Y = w.taken(e.Y)
		} else {
			e.Y = w.expr(e.Y)
		}
		if helper := w.operator(e); helper != "" {
			c := call(helper, e.OpPos, syntax.End(e.Y), e.X, e.Y)
			c.Fn.(*syntax.Ident).NamePos = syntax.Start(e.X) // where Starlark says that the code begins
			return c
		}
	case *syntax.CallExpr:
		return w.called(e)
	case *syntax.Comprehension:
		e.Body = w.expr(e.Body)
		for _, c := range e.Clauses {
			switch c := c.(type) {
			case *syntax.ForClause:
				w.target(c.Vars)
				c.X = w.iterated(c.Vars, c.X)
			case *syntax.IfClause:
				w.test(c.Cond)
				c.Cond = w.expr(c.Cond)
			}
		}
	case *syntax.CondExpr:
		w.test(e.Cond)
		e.Cond, e.True, e.False = w.expr(e.Cond), w.expr(e.True), w.expr(e.False)
	case *syntax.DictEntry:
		e.Key, e.Value = w.expr(e.Key), w.expr(e.Value)
	case *syntax.DictExpr:
		w.list(e.List)
	case *syntax.DotExpr:
		return w.attribute(e)
	case *syntax.IndexExpr:
		e.X, e.Y = w.expr(e.X), w.expr(e.Y)
	case *syntax.LambdaExpr:
		w.params(e.Params)
		e.Body = w.expr(e.Body)
		if id := varargs(e.Params); id != nil && w.h.Varargs != "" {
			// the check returns a false value
			e.Body = &syntax.BinaryExpr{X: w.checkVarargs(id), OpPos: id.NamePos, Op: syntax.OR, Y: e.Body}
		}
	case *syntax.ListExpr:
		w.list(e.List)
	case *syntax.ParenExpr:
		e.X = w.expr(e.X)
	case *syntax.SliceExpr:
		e.X, e.Lo, e.Hi, e.Step = w.expr(e.X), w.expr(e.Lo), w.expr(e.Hi), w.expr(e.Step)
	case *syntax.TupleExpr:
		w.list(e.List)
		if w.h.Tuple != "" && nestable(e) > 1 {
			return call(w.h.Tuple, syntax.Start(e), syntax.End(e), e.List...)
		}
	case *syntax.UnaryExpr:
		if e.Op == syntax.NOT {
			w.test(e.X)
		}
		e.X = w.expr(e.X)
	case *syntax.Ident, *syntax.Literal, nil:
	}
	return e
}

// attribute rewrites `x.name`.
func (w *rewriter) attribute(e *syntax.DotExpr) syntax.Expr {
	e.X = w.expr(e.X)
	id, ok := e.X.(*syntax.Ident)
	switch {
	case ok && e.Name.Name == "values" && w.h.Values != "" && w.data[id.Name]:
		return call(w.h.Values, e.Dot, syntax.End(e), id)
	case w.h.Bound != "" && w.method(e) != "":
		name := &syntax.Literal{
			Token: syntax.STRING, TokenPos: e.NamePos,
			Raw: syntax.Quote(e.Name.Name, false), Value: e.Name.Name,
		}
		return call(w.h.Bound, e.Dot, syntax.End(e), e.X, name)
	}
	return e
}

// operator returns the helper of an operator if it needs one, or "".
func (w *rewriter) operator(e *syntax.BinaryExpr) string {
	switch e.Op {
	case syntax.PERCENT:
		if makesText(e.X, e.Y) {
			return w.h.Percent
		}
	case syntax.PLUS:
		if !isShort(e.X) && !isShort(e.Y) && !isNumber(e.X) && !isNumber(e.Y) {
			return w.h.Plus
		}
	case syntax.STAR:
		if !isFloat(e.X) && !isFloat(e.Y) {
			return w.h.Times
		}
	case syntax.LTLT:
		if _, ok := e.X.(*syntax.Literal); !ok {
			return w.h.Operator(e.Op)
		}
	case syntax.IN, syntax.NOT_IN:
		if !isScalar(e.X) && !isPlain(e.Y) {
			return w.h.Operator(e.Op)
		}
	default:
		if !isScalar(e.X) && !isScalar(e.Y) {
			return w.h.Operator(e.Op)
		}
	}
	return ""
}

// args rewrites the arguments of a call. The name of a keyword argument is not an expression.
func (w *rewriter) args(args []syntax.Expr) {
	for i, a := range args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			b.Y = w.expr(b.Y)
			continue
		}
		args[i] = w.expr(a)
		if u, ok := a.(*syntax.UnaryExpr); ok && u.Op == syntax.STAR && w.h.Spread != "" &&
			!isShort(u.X) {
			u.X = call(w.h.Spread, u.OpPos, syntax.End(u.X), u.X)
		}
	}
}

// namedBeforeStar moves keyword arguments that directly follow *args before it, as the resolver
// requires. The resolver still rejects all other wrong orders.
func namedBeforeStar(args []syntax.Expr) {
	star := 0
	for star < len(args) && !isStar(args[star]) {
		star++
	}
	for i := star + 1; i < len(args); i++ {
		if b, ok := args[i].(*syntax.BinaryExpr); !ok || b.Op != syntax.EQ {
			return
		}
		args[i-1], args[i] = args[i], args[i-1]
	}
}

func isStar(e syntax.Expr) bool {
	u, ok := e.(*syntax.UnaryExpr)
	return ok && u.Op == syntax.STAR
}

// makesText reports whether `x % y` may format a float or a large integer. It may not if either side
// is visibly a number, or if the format has no verb for one. x is nil if it is unknown.
func makesText(x, y syntax.Expr) bool {
	if lit, ok := x.(*syntax.Literal); ok {
		format, ok := lit.Value.(string)
		if !ok || lit.Token != syntax.STRING || !showsNumbers(format) {
			return false
		}
	}
	switch y := y.(type) {
	case *syntax.Literal:
		return y.Token == syntax.FLOAT
	case *syntax.UnaryExpr:
		lit, ok := y.X.(*syntax.Literal)
		return !ok || lit.Token == syntax.FLOAT
	case *syntax.TupleExpr:
		return anyMakesText(y.List)
	case *syntax.ParenExpr:
		return makesText(nil, y.X)
	}
	return true
}

func anyMakesText(list []syntax.Expr) bool {
	for _, e := range list {
		if makesText(nil, e) {
			return true
		}
	}
	return false
}

// showsNumbers reports whether format has a verb that prints a number: all but %c and %%, with or
// without a key.
func showsNumbers(format string) bool {
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			return false
		}
		format = format[i+1:]
		if strings.HasPrefix(format, "(") {
			end := strings.IndexByte(format, ')')
			if end < 0 {
				return true
			}
			format = format[end+1:]
		}
		if format == "" || strings.IndexByte("c%", format[0]) < 0 {
			return true
		}
		format = format[1:]
	}
}

// Returns calls f for every return statement of the function with this body, but not for those of
// nested functions.
func Returns(body []syntax.Stmt, f func(*syntax.ReturnStmt)) {
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.ReturnStmt:
			f(s)
		case *syntax.IfStmt:
			Returns(s.True, f)
			Returns(s.False, f)
		case *syntax.ForStmt:
			Returns(s.Body, f)
		case *syntax.WhileStmt:
			Returns(s.Body, f)
		}
	}
}
