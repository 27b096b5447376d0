package trace

import (
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"weft/internal/lang/lazy"
	"weft/internal/lang/script"
)

// This file instruments a program for a traced run, to record where its values come from.
//
// Starlark's scalars cannot carry a mark. So each variable gets a second variable, its shade, which
// records what the value was computed from. The two are bound in the same places, and closures,
// loops and functions treat them alike. After each complete expression, a call to a builtin
// collects what was read since the last such call, with the shades of the variables involved. Other
// calls mark where conditions and loops begin and end.

// Prefix starts the names of the builtins that Instrument inserts. Like the names in
// script.Helpers, they cannot be written in a template.
const Prefix = "·track "

// The builtins, with their arguments. A site is an index into the sites that Instrument returns.
const (
	opUse    = Prefix + "use"    // (x, shade): x is read
	opAssign = Prefix + "assign" // (site, x): x is assigned; returns its shade
	opMore   = Prefix + "more"   // (site, x, shade): an operator changed x; returns its shade
	opDone   = Prefix + "done"   // (): ends a statement whose value is not used

	opIf   = Prefix + "if"   // (site, x): a condition with the value x
	opPop  = Prefix + "pop"  // (site, shades...): it ends; returns the shades of what it may have changed
	opFor  = Prefix + "for"  // (site, x): a loop iterates over x; each item comes with its shades
	opEach = Prefix + "each" // (site, mark, x): the same in a comprehension

	opEnter = Prefix + "enter" // (site): a function begins; returns the shades of its parameters
	opInto  = Prefix + "into"  // (site): the same, as an expression
	opLeave = Prefix + "leave" // (x): the function returns x; in an expression, after the result of opInto
	opDef   = Prefix + "def"   // (f): a function with default parameters was created; returns f

	opMark = Prefix + "mark" // (): an argument begins
	opArg  = Prefix + "arg"  // (site, name, mark, x): it ends, with the value x; name may be an index
	opName = Prefix + "name" // (site, name, x, shade): an argument that is a variable

	opPart = Prefix + "part" // (index, mark, x): an element of a new collection; index -1 means the next one;
	// with True after x, what precedes the element: its key, or a condition
	opNamed    = Prefix + "named"    // (index, x, shade): the same for a variable
	opComplete = Prefix + "complete" // (mark, x): the new collection is complete

	opHold    = Prefix + "hold"    // (x, method): a method is about to change x; "" is an assignment
	opBase    = Prefix + "base"    // (x): x is about to be indexed
	opKey     = Prefix + "key"     // (x): the index is x
	opCount   = Prefix + "count"   // (x): the argument of len or dir
	opHas     = Prefix + "has"     // (x): the right side of `in`
	opTested  = Prefix + "tested"  // (x): code tests whether x is present, that is, not None
	opDerived = Prefix + "derived" // (when, mark, x): x is the result of an operator or a function, or a
	// condition; if when is True or False, only if x has that truth value

	opTerm    = Prefix + "term"    // (x): x is about to become part of a list; also (x, list)
	opSum     = Prefix + "sum"     // (x): x is the sum of the last two terms
	opZip     = Prefix + "zip"     // (n, x): x is the result of zip for the last n terms
	opShallow = Prefix + "shallow" // (x): if x is a dict, the operation reads none of its values
	// (mark, x): the index that is about to be set, or the list that extends one
	opAt = Prefix + "at"

	opUnpack = Prefix + "unpack" // (mark, x): a tuple that is unpacked into variables
	opShares = Prefix + "shares" // (): returns the shades of these variables

	opCopying = Prefix + "copying" // (x): x is about to be copied
	opCopied  = Prefix + "copied"  // (how, x): x has the elements of what was copied: how is a Copy

	opLoaded = Prefix + "loaded" // (module, names...): returns the shades of what load has bound
)

// Language is what Instrument needs to know about the programs that the compiler produces.
type Language struct {
	Load           string // script.Helpers.Load
	Tuple, Varargs string // the names of these helpers in script.Helpers
	Dropped        string // a variable of the compiler that has no shade

	Makes func(builtin string) bool // reports whether a builtin computes a scalar

	Sinks map[string]bool // builtins that end a statement as opDone does
	Keeps map[string]bool // builtins whose statement leaves its reads to the next one
}

// Site is a place in a program where Instrument has inserted builtins.
type Site struct {
	At, End syntax.Position // of the code at the site; End only for a condition or a loop

	Depth int // the number of conditions and loops around it, within the function

	// For a condition: the statements skipped if it is false, and if it is true. They include what
	// follows the if when the other branch jumps. For a loop, True is its body.
	True, False []syntax.Stmt
	Else        syntax.Position // where False begins
	// Leaves means that a branch leaves the function or the loop, so that what follows depends on
	// the condition too. Loop is the depth of the loop, or -1 if there is none.
	Leaves, Returns bool
	Loop            int

	// For a loop: for each variable, the index of the element that it gets, or -1 for the whole
	// item.
	Vars []int

	// For a function: its parameters, in the order of their shades; how many of them are
	// positional; and the indexes of *args and **kwargs, or -1.
	Params       []string
	Positional   int
	Rest, Kwargs int
}

// Instrument instruments a whole program in place, after Rewrite and resolution. It returns the new
// program, which must be resolved again, and its sites.
func Instrument(stmts []syntax.Stmt, l Language) ([]syntax.Stmt, []Site) {
	w := instrumenter{
		lang: l, fromFiles: map[*syntax.Ident]bool{}, modules: map[*syntax.Ident]string{}, fn: &function{},
	}
	w.fixed = w.fixedNames(stmts)
	stmts = w.block(stmts)
	return w.begin(stmts), w.sites
}

type instrumenter struct {
	lang  Language
	sites []Site
	// names with a single value that is not data, by their first use; and names loaded from other
	// files, most of which are functions
	fixed, fromFiles map[*syntax.Ident]bool
	modules          map[*syntax.Ident]string // weft's modules from which names are loaded
	fn               *function
}

// function is the function, or the file, whose body is being instrumented.
type function struct {
	depth int
	loops []int           // the depths of the enclosing loops
	rest  [][]syntax.Stmt // what follows in the enclosing blocks, up to the loop or the function
	names []string        // variables whose shades need a value before the first statement
}

// shadeMark starts the name of a shade.
const shadeMark = "·of "

// shade returns the name of the shade of a variable.
func shade(name string) string { return shadeMark + name }

// shadeOf returns the variable whose shade has this name, if it is a shade.
func shadeOf(name string) (string, bool) { return strings.CutPrefix(name, shadeMark) }

// fixedNames finds the names that are bound once, unconditionally, by a def or by a load of the
// standard library.
func (w *instrumenter) fixedNames(stmts []syntax.Stmt) map[*syntax.Ident]bool {
	fixed, other := map[*syntax.Ident]bool{}, map[*syntax.Ident]bool{}
	bind := func(id *syntax.Ident, once bool) {
		first := firstOf(id)
		if once && !fixed[first] && !other[first] {
			fixed[first] = true
		} else {
			other[first] = true
		}
	}
	var walk func(stmts []syntax.Stmt, under bool)
	walk = func(stmts []syntax.Stmt, under bool) {
		for _, s := range stmts {
			switch s := s.(type) {
			case *syntax.DefStmt:
				bind(s.Name, !under)
				walk(s.Body, false)
			case *syntax.LoadStmt:
				for _, id := range s.To {
					bind(id, isStandard(s.ModuleName()))
					if isStandard(s.ModuleName()) {
						w.modules[firstOf(id)] = s.ModuleName()
					} else {
						w.fromFiles[firstOf(id)] = true
					}
				}
			case *syntax.AssignStmt:
				for _, id := range script.Targets(s.LHS) {
					bind(id, false)
				}
			case *syntax.ForStmt:
				for _, id := range script.Targets(s.Vars) {
					bind(id, false)
				}
				walk(s.Body, true)
			case *syntax.WhileStmt:
				walk(s.Body, true)
			case *syntax.IfStmt:
				walk(s.True, true)
				walk(s.False, true)
			}
		}
	}
	walk(stmts, false)
	for id := range other {
		delete(fixed, id)
	}
	return fixed
}

// isStandard reports whether a module is part of the standard library.
func isStandard(module string) bool { return len(module) > 5 && module[:5] == "@ytt:" }

// firstOf returns the first use of the variable id, which identifies it.
func firstOf(id *syntax.Ident) *syntax.Ident {
	if b, ok := id.Binding.(*resolve.Binding); ok && b.First != nil {
		return b.First
	}
	return id
}

// isVariable reports whether id is a variable with a shade.
func (w *instrumenter) isVariable(id *syntax.Ident) bool {
	b, ok := id.Binding.(*resolve.Binding)
	if !ok || b.Scope == resolve.Predeclared || b.Scope == resolve.Universal ||
		b.Scope == resolve.Undefined {
		return false
	}
	return !w.fixed[firstOf(id)]
}

// site adds a site and returns its index.
func (w *instrumenter) site(s Site) int {
	s.Depth = w.fn.depth
	w.sites = append(w.sites, s)
	return len(w.sites) - 1
}

func intLit(at syntax.Position, n int) syntax.Expr {
	return &syntax.Literal{Token: syntax.INT, TokenPos: at, Value: int64(n)}
}

func text(at syntax.Position, s string) syntax.Expr {
	return &syntax.Literal{
		Token: syntax.STRING, TokenPos: at, Raw: syntax.Quote(s, false), Value: s,
	}
}

func ident(at syntax.Position, name string) *syntax.Ident {
	return &syntax.Ident{NamePos: at, Name: name}
}

// trackedCall is a call with all its parts in one allocation, because there are many.
type trackedCall struct {
	call syntax.CallExpr
	fn   syntax.Ident
	args [4]syntax.Expr
}

func trackCall(name string, at syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	t := &trackedCall{fn: syntax.Ident{NamePos: at, Name: name}}
	t.call = syntax.CallExpr{Fn: &t.fn, Lparen: at, Args: append(t.args[:0], args...), Rparen: at}
	return &t.call
}

// assign returns a statement that assigns an expression to variables. If there are several, the
// expression is a tuple.
func assign(at syntax.Position, names []string, e syntax.Expr) syntax.Stmt {
	var to syntax.Expr
	if len(names) == 1 {
		to = ident(at, names[0])
	} else {
		list := make([]syntax.Expr, len(names))
		for i, n := range names {
			list[i] = ident(at, n)
		}
		to = &syntax.TupleExpr{Lparen: at, List: list, Rparen: at}
	}
	return &syntax.AssignStmt{OpPos: at, Op: syntax.EQ, LHS: to, RHS: e}
}

// begin inserts the initial assignments of shades before the statements of a function.
func (w *instrumenter) begin(stmts []syntax.Stmt) []syntax.Stmt {
	if len(w.fn.names) == 0 || len(stmts) == 0 {
		return stmts
	}
	slices.Sort(w.fn.names)
	names := slices.Compact(w.fn.names)
	at := syntax.Start(stmts[0])
	none := &syntax.TupleExpr{Lparen: at, Rparen: at}
	for range names {
		none.List = append(none.List, ident(at, "None"))
	}
	var e syntax.Expr = none
	if len(names) == 1 {
		e = none.List[0]
	}
	return append([]syntax.Stmt{assign(at, names, e)}, stmts...)
}

// block returns instrumented statements.
func (w *instrumenter) block(stmts []syntax.Stmt) []syntax.Stmt {
	out := make([]syntax.Stmt, 0, len(stmts)*2)
	around := len(w.fn.rest)
	for i, s := range stmts {
		w.fn.rest = append(w.fn.rest[:around], stmts[i+1:])
		out = w.stmt(out, s)
	}
	w.fn.rest = w.fn.rest[:around]
	return out
}

// stmt appends an instrumented statement to out.
func (w *instrumenter) stmt(out []syntax.Stmt, s syntax.Stmt) []syntax.Stmt {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return w.assignment(out, s)
	case *syntax.DefStmt:
		return w.def(out, s)
	case *syntax.ExprStmt:
		s.X = w.expr(s.X)
		out = append(out, s)
		if c, ok := s.X.(*syntax.CallExpr); ok {
			if fn, ok := c.Fn.(*syntax.Ident); ok && (w.lang.Sinks[fn.Name] || w.lang.Keeps[fn.Name]) {
				return out
			}
		}
		return w.done(out, syntax.Start(s))
	case *syntax.ForStmt:
		return w.loop(out, s)
	case *syntax.WhileStmt:
		return w.while(out, s)
	case *syntax.IfStmt:
		return w.condition(out, s)
	case *syntax.ReturnStmt:
		result := w.expr(s.Result)
		if result == nil {
			result = ident(s.Return, "None")
		}
		s.Result = trackCall(opLeave, s.Return, result)
	case *syntax.LoadStmt:
		return w.load(append(out, s), s)
	}
	return append(out, s)
}

// done ends a statement whose value is not used.
func (w *instrumenter) done(out []syntax.Stmt, at syntax.Position) []syntax.Stmt {
	return append(out, &syntax.ExprStmt{X: trackCall(opDone, at)})
}

// load appends a load, and assigns the shades of the names that it binds.
func (w *instrumenter) load(out []syntax.Stmt, s *syntax.LoadStmt) []syntax.Stmt {
	if isStandard(s.ModuleName()) && !slices.ContainsFunc(s.To, w.isVariable) {
		return out
	}
	var names []string
	args := []syntax.Expr{text(s.Load, s.ModuleName())}
	for i, id := range s.To {
		names = append(names, shade(id.Name))
		args = append(args, text(s.Load, s.From[i].Name))
	}
	return append(out, w.loaded(s.Load, names, args))
}

// loaded returns the assignment of the shades of what a load has bound.
func (w *instrumenter) loaded(at syntax.Position, names []string, args []syntax.Expr) syntax.Stmt {
	e := syntax.Expr(trackCall(opLoaded, at, args...))
	if len(names) == 1 {
		e = &syntax.IndexExpr{X: e, Lbrack: at, Y: intLit(at, 0), Rbrack: at}
	}
	return assign(at, names, e)
}

// assignment appends an assignment, followed by the assignment of the shades.
func (w *instrumenter) assignment(out []syntax.Stmt, s *syntax.AssignStmt) []syntax.Stmt {
	ids := script.Targets(s.LHS)
	if c, ok := s.RHS.(*syntax.CallExpr); ok && w.isCall(c, w.lang.Load) {
		var names []string
		for _, id := range ids {
			names = append(names, shade(id.Name))
		}
		return append(out, s, w.loaded(s.OpPos, names, slices.Clone(c.Args)))
	}
	if w.isParallel(s) {
		return w.parallel(out, s, ids)
	}
	w.target(s.LHS, s.Op == syntax.EQ)
	grows := s.Op == syntax.PLUS_EQ && len(ids) == 1 && !isText(s.RHS)
	if s.RHS = w.expr(s.RHS); grows {
		s.RHS = trackCall(opTerm, syntax.Start(s.RHS), s.RHS, ident(s.OpPos, ids[0].Name))
	}
	out = append(out, s)
	if len(ids) == 0 || w.isDropped(s.LHS) {
		return w.done(out, s.OpPos)
	}
	at := s.OpPos
	first := ids[0]
	here := intLit(at, w.site(Site{At: at}))
	if s.Op != syntax.EQ {
		e := trackCall(opMore, at, here, ident(at, first.Name), ident(at, shade(first.Name)))
		if grows {
			e.Args = append(e.Args, ident(at, "True"))
		}
		return append(out, assign(at, []string{shade(first.Name)}, e))
	}
	var x syntax.Expr = ident(at, "None") // unpacking has already read the value
	if _, ok := s.LHS.(*syntax.Ident); ok {
		x = ident(at, first.Name)
	}
	out = append(out, assign(at, []string{shade(first.Name)}, trackCall(opAssign, at, here, x)))
	for _, id := range ids[1:] {
		if id.Name != first.Name {
			out = append(out,
				assign(at, []string{shade(id.Name)}, ident(at, shade(first.Name))))
		}
	}
	return out
}

// isParallel reports whether an assignment has a separate value for each of several variables.
func (w *instrumenter) isParallel(s *syntax.AssignStmt) bool {
	left, ok := script.Unparen(s.LHS).(*syntax.TupleExpr)
	right, same := script.Unparen(s.RHS).(*syntax.TupleExpr)
	if !ok || !same || s.Op != syntax.EQ || len(left.List) != len(right.List) || len(left.List) < 2 {
		return false
	}
	seen := map[string]bool{}
	for _, x := range left.List {
		id, ok := x.(*syntax.Ident)
		if !ok || w.isDropped(id) || seen[id.Name] {
			return false
		}
		seen[id.Name] = true
	}
	return true
}

// parallel appends an assignment for which isParallel holds. Each variable gets the shade of its
// value.
func (w *instrumenter) parallel(
	out []syntax.Stmt, s *syntax.AssignStmt, ids []*syntax.Ident,
) []syntax.Stmt {
	at := s.OpPos
	right := script.Unparen(s.RHS).(*syntax.TupleExpr)
	for i, x := range right.List {
		right.List[i] = w.part(i, x)
	}
	start := syntax.Start(s.RHS)
	s.RHS = trackCall(opUnpack, start, trackCall(opMark, start), s.RHS)
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = shade(id.Name)
	}
	return append(out, s, assign(at, names, trackCall(opShares, at)))
}

// isDropped reports whether e is the variable without a shade.
func (w *instrumenter) isDropped(e syntax.Expr) bool {
	id, ok := e.(*syntax.Ident)
	return ok && id.Name == w.lang.Dropped
}

// isCall reports whether c calls the builtin of that name.
func (w *instrumenter) isCall(c *syntax.CallExpr, name string) bool {
	fn, ok := c.Fn.(*syntax.Ident)
	return ok && name != "" && fn.Name == name
}

// target instruments the subexpressions of an assignment target. sets means that the old value does
// not matter.
func (w *instrumenter) target(e syntax.Expr, sets bool) {
	script.EachTarget(e, func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.IndexExpr:
			at, plain := e.Lbrack, isQuiet(e.Y)
			e.X, e.Y = w.changing(e.X, ""), w.expr(e.Y)
			if sets && plain {
				e.Y = trackCall(opAt, at, trackCall(opMark, at), e.Y)
			}
		case *syntax.DotExpr:
			e.X = w.changing(e.X, "")
		}
	})
}

// changing instruments an expression whose value a method or an assignment is about to change.
func (w *instrumenter) changing(e syntax.Expr, method string) syntax.Expr {
	at := syntax.Start(e)
	return trackCall(opHold, at, w.expr(e), text(at, method))
}

// condition appends an if statement.
func (w *instrumenter) condition(out []syntax.Stmt, s *syntax.IfStmt) []syntax.Stmt {
	if b, ok := s.Cond.(*syntax.BinaryExpr); ok && w.isDropped(b.X) {
		return append(out, s)
	}
	start, end := script.Extent(s.Cond)
	site := Site{At: start, End: end, True: s.True, False: s.False, Else: s.ElsePos, Loop: -1}
	leaves(s.True, &site)
	leaves(s.False, &site)
	if jumps(s.True) {
		site.False = w.following(s.False)
	} else if jumps(s.False) {
		site.True = w.following(s.True)
	}
	if n := len(w.fn.loops); n > 0 {
		site.Loop = w.fn.loops[n-1]
	}
	changed := changedNames(s.True)
	changed = append(changed, changedNames(s.False)...)
	cond := w.expr(s.Cond)
	id := w.site(site)
	s.Cond = trackCall(opIf, start, intLit(start, id), cond)
	w.fn.depth++
	s.True = w.block(s.True)
	if s.False != nil {
		s.False = w.block(s.False)
	}
	w.fn.depth--
	return w.over(append(out, s), s.If, id, changed)
}

// following returns statements and everything that follows them up to the end of the loop or
// function.
func (w *instrumenter) following(stmts []syntax.Stmt) []syntax.Stmt {
	all := slices.Clone(stmts)
	for _, rest := range slices.Backward(w.fn.rest) {
		all = append(all, rest...)
	}
	return all
}

// jumps reports whether statements end by leaving the loop or the function.
func jumps(stmts []syntax.Stmt) bool {
	if len(stmts) == 0 {
		return false
	}
	switch s := stmts[len(stmts)-1].(type) {
	case *syntax.ReturnStmt:
		return true
	case *syntax.BranchStmt:
		return s.Token != syntax.PASS
	}
	return false
}

// over ends a condition or a loop. Variables that it may have changed depend on it, even if it did
// not change them.
func (w *instrumenter) over(
	out []syntax.Stmt, at syntax.Position, site int, changed []*syntax.Ident,
) []syntax.Stmt {
	args := []syntax.Expr{intLit(at, site)}
	var names []string
	for _, id := range changed {
		name := shade(id.Name)
		if w.isVariable(id) && !w.isDropped(id) && !slices.Contains(names, name) {
			names = append(names, name)
			args = append(args, ident(at, name))
		}
	}
	if len(names) == 0 {
		return append(out, &syntax.ExprStmt{X: trackCall(opPop, at, args...)})
	}
	w.fn.names = append(w.fn.names, names...)
	e := syntax.Expr(trackCall(opPop, at, args...))
	if len(names) == 1 {
		e = &syntax.IndexExpr{X: e, Lbrack: at, Y: intLit(at, 0), Rbrack: at}
	}
	return append(out, assign(at, names, e))
}

// leaves records whether statements leave the function or the loop around them.
func leaves(stmts []syntax.Stmt, site *Site) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.ReturnStmt:
			site.Leaves, site.Returns = true, true
		case *syntax.BranchStmt:
			site.Leaves = site.Leaves || s.Token != syntax.PASS
		case *syntax.IfStmt:
			leaves(s.True, site)
			leaves(s.False, site)
		case *syntax.ForStmt:
			returns(s.Body, site)
		case *syntax.WhileStmt:
			returns(s.Body, site)
		}
	}
}

// returns records whether statements leave the function.
func returns(stmts []syntax.Stmt, site *Site) {
	script.Returns(stmts, func(*syntax.ReturnStmt) { site.Leaves, site.Returns = true, true })
}

// changedNames returns the variables that statements assign to or change through a method.
func changedNames(stmts []syntax.Stmt) []*syntax.Ident {
	var ids []*syntax.Ident
	base := func(e syntax.Expr) {
		for {
			switch x := e.(type) {
			case *syntax.IndexExpr:
				e = x.X
				continue
			case *syntax.DotExpr:
				e = x.X
				continue
			case *syntax.Ident:
				ids = append(ids, x)
			}
			return
		}
	}
	called := func(e syntax.Expr) {
		if c, ok := e.(*syntax.CallExpr); ok {
			if x, ok := mutated(c); ok {
				base(x)
			}
		}
	}
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.AssignStmt:
			found := script.Targets(s.LHS)
			if ids = append(ids, found...); len(found) == 0 {
				base(s.LHS)
			}
			called(s.RHS)
		case *syntax.ExprStmt:
			called(s.X)
		case *syntax.ForStmt:
			ids = append(append(ids, script.Targets(s.Vars)...), changedNames(s.Body)...)
		case *syntax.WhileStmt:
			ids = append(ids, changedNames(s.Body)...)
		case *syntax.IfStmt:
			ids = append(append(ids, changedNames(s.True)...), changedNames(s.False)...)
		}
	}
	return ids
}

// mutators are the methods that change their receiver.
var mutators = lazy.Value[map[string]bool]{New: func() map[string]bool {
	return map[string]bool{
		"add": true, "append": true, "clear": true, "discard": true, "extend": true, "insert": true,
		"pop": true, "popitem": true, "remove": true, "setdefault": true, "update": true,
	}
}}

// mutated returns the receiver of a call if the method changes it.
func mutated(c *syntax.CallExpr) (syntax.Expr, bool) {
	switch fn := c.Fn.(type) {
	case *syntax.DotExpr:
		return fn.X, mutators.Get()[fn.Name.Name]
	case *syntax.Ident:
		// a helper of a method, whose first argument is the receiver
		if i := len(fn.Name) - len(methodOf(fn.Name)); i > 0 && len(c.Args) > 0 {
			return c.Args[0], mutators.Get()[fn.Name[i:]]
		}
	}
	return nil, false
}

// methodOf returns the name of the method that Helpers.Method replaces, or "".
func methodOf(helper string) string {
	for i := range len(helper) {
		if helper[i] == ' ' {
			return helper[i+1:]
		}
	}
	return ""
}

// loop appends a for statement.
func (w *instrumenter) loop(out []syntax.Stmt, s *syntax.ForStmt) []syntax.Stmt {
	changed := changedNames(s.Body)
	start, end := script.Extent(s.X)
	site := Site{At: start, End: end, True: s.Body, Loop: -1}
	returns(s.Body, &site)
	x := w.expr(s.X)
	w.target(s.Vars, false)
	s.Vars, site.Vars = w.vars(s.Vars)
	id := w.site(site)
	s.X = trackCall(opFor, start, intLit(start, id), x)
	s.Body = w.body(s.Body)
	return w.over(append(out, s), s.For, id, changed)
}

// body returns the instrumented body of a loop.
func (w *instrumenter) body(stmts []syntax.Stmt) []syntax.Stmt {
	loops, rest := w.fn.loops, w.fn.rest
	w.fn.loops, w.fn.rest = append(loops, w.fn.depth), nil
	w.fn.depth++
	stmts = w.block(stmts)
	w.fn.depth--
	w.fn.loops, w.fn.rest = loops, rest
	return stmts
}

// while appends a while statement. Its condition is evaluated before each iteration.
func (w *instrumenter) while(out []syntax.Stmt, s *syntax.WhileStmt) []syntax.Stmt {
	changed := changedNames(s.Body)
	start, end := script.Extent(s.Cond)
	site := Site{At: start, End: end, True: s.Body, Loop: w.fn.depth}
	returns(s.Body, &site)
	cond := w.expr(s.Cond)
	id := w.site(site)
	s.Cond = trackCall(opIf, start, intLit(start, id), cond)
	s.Body = w.body(s.Body)
	return w.over(append(out, s), s.While, id, changed)
}

// vars returns the variables of a loop followed by their shades, and the index of the element that
// each of them gets.
func (w *instrumenter) vars(vars syntax.Expr) (syntax.Expr, []int) {
	at := syntax.Start(vars)
	var elements []int
	shades := &syntax.TupleExpr{Lparen: at, Rparen: at}
	add := func(e syntax.Expr, element int) {
		for _, id := range script.Targets(e) {
			shades.List = append(shades.List, ident(at, shade(id.Name)))
			elements = append(elements, element)
		}
	}
	inner := script.Unparen(vars)
	switch e := inner.(type) {
	case *syntax.TupleExpr:
		for i, x := range e.List {
			add(x, i)
		}
	case *syntax.ListExpr:
		for i, x := range e.List {
			add(x, i)
		}
	default:
		add(inner, -1)
	}
	return &syntax.TupleExpr{Lparen: at, List: []syntax.Expr{vars, shades}, Rparen: at}, elements
}

// def appends a function definition.
func (w *instrumenter) def(out []syntax.Stmt, s *syntax.DefStmt) []syntax.Stmt {
	defaults := w.defaults(s.Params)
	site, shades := w.params(s.Params)
	outer := w.fn
	w.fn = &function{}
	id := w.site(site)
	at, end := firstCode(s.Body[0]), syntax.End(s.Body[len(s.Body)-1])
	body := w.begin(w.block(s.Body))
	w.fn = outer
	enter := syntax.Expr(trackCall(opEnter, at, intLit(at, id)))
	begin := syntax.Stmt(&syntax.ExprStmt{X: enter})
	switch len(shades) {
	case 0:
	case 1:
		enter = &syntax.IndexExpr{X: enter, Lbrack: at, Y: intLit(at, 0), Rbrack: at}
		fallthrough
	default:
		begin = assign(at, shades, enter)
	}
	s.Body = append([]syntax.Stmt{begin}, body...)
	if !ends(s.Body) {
		s.Body = append(s.Body,
			&syntax.ReturnStmt{Return: end, Result: trackCall(opLeave, end, ident(end, "None"))})
	}
	out = append(out, s)
	if defaults {
		out = append(out, &syntax.ExprStmt{X: trackCall(opDef, s.Def, ident(s.Def, s.Name.Name))})
		if !w.isVariable(s.Name) {
			out = w.done(out, s.Def)
		}
	}
	if w.isVariable(s.Name) {
		here := intLit(s.Def, w.site(Site{At: s.Def}))
		e := trackCall(opAssign, s.Def, here, ident(s.Def, s.Name.Name))
		out = append(out, assign(s.Def, []string{shade(s.Name.Name)}, e))
	}
	return out
}

// firstCode returns where Starlark considers the code of a statement to begin: errors before it are
// reported there.
func firstCode(s syntax.Stmt) syntax.Position {
	switch s := s.(type) {
	case *syntax.ReturnStmt:
		if s.Result != nil {
			return syntax.Start(s.Result)
		}
	case *syntax.AssignStmt:
		return syntax.Start(s.RHS)
	case *syntax.IfStmt:
		return syntax.Start(s.Cond)
	case *syntax.ForStmt:
		return syntax.Start(s.X)
	}
	return syntax.Start(s)
}

// ends reports whether the last statement is a return.
func ends(stmts []syntax.Stmt) bool {
	_, ok := stmts[len(stmts)-1].(*syntax.ReturnStmt)
	return ok
}

// defaults instruments the default values of parameters, and reports whether any of them is
// computed.
func (w *instrumenter) defaults(params []syntax.Expr) (computed bool) {
	for _, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			if b.Y = w.expr(b.Y); !isConstant(b.Y) {
				computed = true
			}
		}
	}
	return computed
}

// isConstant reports whether e is a literal.
func isConstant(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal:
		return true
	case *syntax.Ident:
		return e.Name == "None" || e.Name == "True" || e.Name == "False"
	case *syntax.UnaryExpr:
		return isConstant(e.X)
	case *syntax.ParenExpr:
		return isConstant(e.X)
	}
	return false
}

// params returns the site of a function, and the shades of its parameters.
func (w *instrumenter) params(params []syntax.Expr) (Site, []string) {
	site := Site{Rest: -1, Kwargs: -1}
	var shades []string
	named := false
	add := func(name string) {
		site.Params = append(site.Params, name)
		shades = append(shades, shade(name))
	}
	for _, p := range params {
		switch p := p.(type) {
		case *syntax.Ident:
			add(p.Name)
		case *syntax.BinaryExpr:
			add(p.X.(*syntax.Ident).Name)
		case *syntax.UnaryExpr:
			named = true
			id, ok := p.X.(*syntax.Ident)
			if !ok {
				continue
			}
			if p.Op == syntax.STAR {
				site.Rest = len(shades)
			} else {
				site.Kwargs = len(shades)
			}
			add(id.Name)
			continue
		}
		if !named {
			site.Positional++
		}
	}
	return site, shades
}
