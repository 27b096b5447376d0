package script

import (
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// This file makes a program tell where its values come from, for a traced run.
//
// Starlark's scalars cannot carry a mark. So beside each variable there is another, its shade, which
// says what the value was made of: the two are bound in the same places, and whatever the language
// does with the one, in closures, loops and functions, it does with the other. Where an expression
// is complete a call of a builtin takes what was read since the last one, with the shades of the
// variables that it names; conditions and loops tell when they begin and end.

// Trackers names the builtins that Track puts into a tree: as with Helpers, no author can write
// them. A site is the number of one of the sites that Track gives.
type Trackers struct {
	Use  string // (x, shade): x is read
	Shut string // (site, x): x has got a value; gives its shade
	More string // (site, x, shade): x was changed by an operator; gives its shade
	Done string // (): a statement is done whose value no one takes

	If   string // (site, x): a condition, which is x
	Pop  string // (site, shades...): it is over; gives the shades of what it may have changed
	For  string // (site, x): what a loop goes over; each item comes with its shades
	Each string // (site, mark, x): the same in a comprehension

	Enter string // (site): a function begins; gives the shades of its parameters
	Into  string // (site): the same, as an expression
	Leave string // (x): it returns x; as an expression, with what Enter gives before x
	Def   string // (f): a function whose parameters have defaults has been made; gives f

	Mark string // (): an argument begins
	Arg  string // (site, name, mark, x): it is over, and is x; the name is a number if it has none
	Name string // (site, name, x, shade): an argument that is a variable

	Part string // (index, mark, x): an element of a collection that is being made, or -1 and the next;
	//              with True after x, what comes before the element: its key, or a condition
	Named string // (index, x, shade): the same, if it is a variable
	Made  string // (mark, x): the collection is made

	Hold  string // (x, method): x is about to be changed by a method, or by an assignment if it is ""
	Base  string // (x): x is about to be indexed
	Key   string // (x): with x
	Count string // (x): the argument of len or dir
	Has   string // (x): what `in` looks for a key or an item in
	Asked string // (x): whether x is there at all, as None is not
	Aside string // (when, mark, x): x is what an operator or a function has made, or a condition; if
	//              when is True or False, only if that is what x is taken for

	Term string // (x): x is about to become part of a list
	Sum  string // (x): x is the sum of the last two terms
	Zip  string // (n, x): x is what zip gives for the last n terms
	Soft string // (x): what is done with x, if it is a dict, reads nothing of what is in it
	At   string // (mark, x): the index at which what is held is about to be set

	Apart  string // (mark, x): a tuple whose elements are assigned to one variable each
	Shares string // (): the shades of these variables

	Lend string // (x): x is about to be copied
	Like string // (pairs, x): x has the elements of what was lent, or pairs with these

	Loaded string // (module, names...): the shades of what load has bound

	Load    string // Helpers.Load
	Dropped string // a variable of the compiler, which needs no shade

	Makes func(builtin string) bool // whether a builtin computes a scalar

	Sinks map[string]bool // builtins that end a statement as Done does
	Keeps map[string]bool // builtins whose statement leaves what was read to the next
}

// Site is a place in a program that Track has put builtins at.
type Site struct {
	At, End syntax.Position // of the code that it is about; End only of a condition or a loop

	Depth int // how many conditions and loops of the function are around it

	// Of a condition: what is left out if it does not hold, and if it does: the branch, and what
	// follows if the other branch leaves it out by a jump. Of a loop, True is its body.
	True, False []syntax.Stmt
	Else        syntax.Position // where the False begins
	// Leaves says that a branch leaves the function or the loop, so that what follows depends on
	// the condition, too. Loop is the depth of the loop, if there is one, or -1.
	Leaves, Returns bool
	Loop            int

	// Of a loop: for each of its variables, which element of an item it gets. -1 if it is all of it.
	Vars []int

	// Of a function: its parameters, in the order of their shades; how many of them arguments
	// without names go to; and which of them are *args and **kwargs, or -1.
	Params       []string
	Positional   int
	Rest, Kwargs int
}

// Track changes stmts, a whole program that Rewrite is done with and that has been resolved, in
// place; the program is the result. It has to be resolved again.
func Track(stmts []syntax.Stmt, t Trackers) ([]syntax.Stmt, []Site) {
	w := tracker{
		t: t, fromFiles: map[*syntax.Ident]bool{}, modules: map[*syntax.Ident]string{}, fn: &function{},
	}
	w.fixed = w.fixedNames(stmts)
	stmts = w.block(stmts)
	return w.begin(stmts), w.sites
}

// tracker rewrites a program.
type tracker struct {
	t     Trackers
	sites []Site
	// names that have one value, which is not data, by their first use; and those that are loaded
	// from other files, most of which are functions
	fixed, fromFiles map[*syntax.Ident]bool
	modules          map[*syntax.Ident]string // the modules of weft that names are loaded from
	fn               *function
}

// function is the function, or the file, whose body is being rewritten.
type function struct {
	depth int
	loops []int           // the depths of the loops around
	rest  [][]syntax.Stmt // what follows in the blocks around, up to the loop or the function
	names []string        // whose shades need a value before the first statement
}

// shadeMark begins the name of a shade.
const shadeMark = "·of "

// shade returns the name of the shade of a variable.
func shade(name string) string { return shadeMark + name }

// ShadeOf returns the variable that a name is the shade of, if it is one.
func ShadeOf(name string) (string, bool) { return strings.CutPrefix(name, shadeMark) }

// fixedNames finds the names that are bound once, outside of conditions, by a def or by a load of the
// standard library.
func (w *tracker) fixedNames(stmts []syntax.Stmt) map[*syntax.Ident]bool {
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
				for _, id := range targets(s.LHS) {
					bind(id, false)
				}
			case *syntax.ForStmt:
				for _, id := range targets(s.Vars) {
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

// isStandard reports whether a module is one of weft's own.
func isStandard(module string) bool { return len(module) > 5 && module[:5] == "@ytt:" }

// firstOf stands for the variable that id is.
func firstOf(id *syntax.Ident) *syntax.Ident {
	if b, ok := id.Binding.(*resolve.Binding); ok && b.First != nil {
		return b.First
	}
	return id
}

// isVariable reports whether id is a variable with a shade.
func (w *tracker) isVariable(id *syntax.Ident) bool {
	b, ok := id.Binding.(*resolve.Binding)
	if !ok || b.Scope == resolve.Predeclared || b.Scope == resolve.Universal ||
		b.Scope == resolve.Undefined {
		return false
	}
	return !w.fixed[firstOf(id)]
}

// site keeps a site and gives its number.
func (w *tracker) site(s Site) int {
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

// trackedCall is a call with all that it is made of: there are many.
type trackedCall struct {
	call syntax.CallExpr
	fn   syntax.Ident
	args [4]syntax.Expr
}

// tell returns a call of a builtin at a place.
func tell(name string, at syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	t := &trackedCall{fn: syntax.Ident{NamePos: at, Name: name}}
	t.call = syntax.CallExpr{Fn: &t.fn, Lparen: at, Args: append(t.args[:0], args...), Rparen: at}
	return &t.call
}

// assign returns the statement that gives variables what an expression gives, which is a tuple
// unless there is one.
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

// begin puts what gives shades their first value before the statements of a function.
func (w *tracker) begin(stmts []syntax.Stmt) []syntax.Stmt {
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

// block returns statements rewritten.
func (w *tracker) block(stmts []syntax.Stmt) []syntax.Stmt {
	out := make([]syntax.Stmt, 0, len(stmts)*2)
	around := len(w.fn.rest)
	for i, s := range stmts {
		w.fn.rest = append(w.fn.rest[:around], stmts[i+1:])
		out = w.stmt(out, s)
	}
	w.fn.rest = w.fn.rest[:around]
	return out
}

// stmt adds a statement to those that are done.
func (w *tracker) stmt(out []syntax.Stmt, s syntax.Stmt) []syntax.Stmt {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return w.assignment(out, s)
	case *syntax.DefStmt:
		return w.def(out, s)
	case *syntax.ExprStmt:
		s.X = w.expr(s.X)
		out = append(out, s)
		if c, ok := s.X.(*syntax.CallExpr); ok {
			if fn, ok := c.Fn.(*syntax.Ident); ok && (w.t.Sinks[fn.Name] || w.t.Keeps[fn.Name]) {
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
		s.Result = tell(w.t.Leave, s.Return, result)
	case *syntax.LoadStmt:
		return w.load(append(out, s), s)
	}
	return append(out, s)
}

// done ends a statement whose value no one takes.
func (w *tracker) done(out []syntax.Stmt, at syntax.Position) []syntax.Stmt {
	return append(out, &syntax.ExprStmt{X: tell(w.t.Done, at)})
}

// load gives the names that a load binds their shades.
func (w *tracker) load(out []syntax.Stmt, s *syntax.LoadStmt) []syntax.Stmt {
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

// loaded binds shades to those of what a load has bound.
func (w *tracker) loaded(at syntax.Position, names []string, args []syntax.Expr) syntax.Stmt {
	e := syntax.Expr(tell(w.t.Loaded, at, args...))
	if len(names) == 1 {
		e = &syntax.IndexExpr{X: e, Lbrack: at, Y: intLit(at, 0), Rbrack: at}
	}
	return assign(at, names, e)
}

// assignment adds an assignment, and that of the shades.
func (w *tracker) assignment(out []syntax.Stmt, s *syntax.AssignStmt) []syntax.Stmt {
	ids := targets(s.LHS)
	if c, ok := s.RHS.(*syntax.CallExpr); ok && w.isCall(c, w.t.Load) {
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
		s.RHS = w.term(s.RHS)
	}
	out = append(out, s)
	if len(ids) == 0 || w.isDropped(s.LHS) {
		return w.done(out, s.OpPos)
	}
	at := s.OpPos
	first := ids[0]
	here := intLit(at, w.site(Site{At: at}))
	if s.Op != syntax.EQ {
		e := tell(w.t.More, at, here, ident(at, first.Name), ident(at, shade(first.Name)))
		if grows {
			e.Args = append(e.Args, ident(at, "True"))
		}
		return append(out, assign(at, []string{shade(first.Name)}, e))
	}
	var x syntax.Expr = ident(at, "None") // what is taken apart is read
	if _, ok := s.LHS.(*syntax.Ident); ok {
		x = ident(at, first.Name)
	}
	out = append(out, assign(at, []string{shade(first.Name)}, tell(w.t.Shut, at, here, x)))
	for _, id := range ids[1:] {
		if id.Name != first.Name {
			out = append(out,
				assign(at, []string{shade(id.Name)}, ident(at, shade(first.Name))))
		}
	}
	return out
}

// isParallel reports whether an assignment gives each of several variables a value of its own.
func (w *tracker) isParallel(s *syntax.AssignStmt) bool {
	left, ok := Unparen(s.LHS).(*syntax.TupleExpr)
	right, same := Unparen(s.RHS).(*syntax.TupleExpr)
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

// parallel adds such an assignment: each shade is that of one value.
func (w *tracker) parallel(
	out []syntax.Stmt, s *syntax.AssignStmt, ids []*syntax.Ident,
) []syntax.Stmt {
	at := s.OpPos
	right := Unparen(s.RHS).(*syntax.TupleExpr)
	for i, x := range right.List {
		right.List[i] = w.part(i, x)
	}
	start := syntax.Start(s.RHS)
	s.RHS = tell(w.t.Apart, start, tell(w.t.Mark, start), s.RHS)
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = shade(id.Name)
	}
	return append(out, s, assign(at, names, tell(w.t.Shares, at)))
}

// isDropped reports whether e is the variable of the compiler.
func (w *tracker) isDropped(e syntax.Expr) bool {
	id, ok := e.(*syntax.Ident)
	return ok && id.Name == w.t.Dropped
}

// isCall reports whether a call is one of the builtin of that name.
func (w *tracker) isCall(c *syntax.CallExpr, name string) bool {
	fn, ok := c.Fn.(*syntax.Ident)
	return ok && name != "" && fn.Name == name
}

// target rewrites what is evaluated to find out where to assign. Sets says that what is there before
// does not matter.
func (w *tracker) target(e syntax.Expr, sets bool) {
	eachTarget(e, func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.IndexExpr:
			at, plain := e.Lbrack, isQuiet(e.Y)
			e.X, e.Y = w.held(e.X, ""), w.expr(e.Y)
			if sets && plain {
				e.Y = tell(w.t.At, at, tell(w.t.Mark, at), e.Y)
			}
		case *syntax.DotExpr:
			e.X = w.held(e.X, "")
		}
	})
}

// held rewrites an expression whose value is about to be changed by a method, or by an assignment.
func (w *tracker) held(e syntax.Expr, method string) syntax.Expr {
	at := syntax.Start(e)
	return tell(w.t.Hold, at, w.expr(e), text(at, method))
}

// condition adds an if.
func (w *tracker) condition(out []syntax.Stmt, s *syntax.IfStmt) []syntax.Stmt {
	if b, ok := s.Cond.(*syntax.BinaryExpr); ok && w.isDropped(b.X) {
		return append(out, s)
	}
	start, end := s.Cond.Span()
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
	s.Cond = tell(w.t.If, start, intLit(start, id), cond)
	w.fn.depth++
	s.True = w.block(s.True)
	if s.False != nil {
		s.False = w.block(s.False)
	}
	w.fn.depth--
	return w.over(append(out, s), s.If, id, changed)
}

// following returns statements, and all that would follow them up to the end of the loop or
// function.
func (w *tracker) following(stmts []syntax.Stmt) []syntax.Stmt {
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

// over ends a condition or a loop. What it may have changed depends on it, even if it has not.
func (w *tracker) over(
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
		return append(out, &syntax.ExprStmt{X: tell(w.t.Pop, at, args...)})
	}
	w.fn.names = append(w.fn.names, names...)
	e := syntax.Expr(tell(w.t.Pop, at, args...))
	if len(names) == 1 {
		e = &syntax.IndexExpr{X: e, Lbrack: at, Y: intLit(at, 0), Rbrack: at}
	}
	return append(out, assign(at, names, e))
}

// leaves notes whether statements leave the function or the loop around them.
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

// returns notes whether statements leave the function.
func returns(stmts []syntax.Stmt, site *Site) {
	Returns(stmts, func(*syntax.ReturnStmt) { site.Leaves, site.Returns = true, true })
}

// changedNames returns the variables that statements assign to, or change by a method.
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
			found := targets(s.LHS)
			if ids = append(ids, found...); len(found) == 0 {
				base(s.LHS)
			}
			called(s.RHS)
		case *syntax.ExprStmt:
			called(s.X)
		case *syntax.ForStmt:
			ids = append(append(ids, targets(s.Vars)...), changedNames(s.Body)...)
		case *syntax.WhileStmt:
			ids = append(ids, changedNames(s.Body)...)
		case *syntax.IfStmt:
			ids = append(append(ids, changedNames(s.True)...), changedNames(s.False)...)
		}
	}
	return ids
}

// mutators are the methods that change what they are called on.
var mutators = map[string]bool{
	"add": true, "append": true, "clear": true, "discard": true, "extend": true, "insert": true,
	"pop": true, "popitem": true, "remove": true, "setdefault": true, "update": true,
}

// mutated returns what a call changes, if its method is one that does.
func mutated(c *syntax.CallExpr) (syntax.Expr, bool) {
	switch fn := c.Fn.(type) {
	case *syntax.DotExpr:
		return fn.X, mutators[fn.Name.Name]
	case *syntax.Ident:
		// a helper of a method, which is called with it
		if i := len(fn.Name) - len(methodOf(fn.Name)); i > 0 && len(c.Args) > 0 {
			return c.Args[0], mutators[fn.Name[i:]]
		}
	}
	return nil, false
}

// methodOf returns the method that a helper of Helpers.Methods is for, or "".
func methodOf(helper string) string {
	for i := range len(helper) {
		if helper[i] == ' ' {
			return helper[i+1:]
		}
	}
	return ""
}

// loop adds a for.
func (w *tracker) loop(out []syntax.Stmt, s *syntax.ForStmt) []syntax.Stmt {
	changed := changedNames(s.Body)
	start, end := s.X.Span()
	site := Site{At: start, End: end, True: s.Body, Loop: -1}
	returns(s.Body, &site)
	x := w.expr(s.X)
	w.target(s.Vars, false)
	s.Vars, site.Vars = w.vars(s.Vars)
	id := w.site(site)
	s.X = tell(w.t.For, start, intLit(start, id), x)
	s.Body = w.body(s.Body)
	return w.over(append(out, s), s.For, id, changed)
}

// body returns the body of a loop, rewritten.
func (w *tracker) body(stmts []syntax.Stmt) []syntax.Stmt {
	loops, rest := w.fn.loops, w.fn.rest
	w.fn.loops, w.fn.rest = append(loops, w.fn.depth), nil
	w.fn.depth++
	stmts = w.block(stmts)
	w.fn.depth--
	w.fn.loops, w.fn.rest = loops, rest
	return stmts
}

// while adds a while. Its condition is asked before each turn.
func (w *tracker) while(out []syntax.Stmt, s *syntax.WhileStmt) []syntax.Stmt {
	changed := changedNames(s.Body)
	start, end := s.Cond.Span()
	site := Site{At: start, End: end, True: s.Body, Loop: w.fn.depth}
	returns(s.Body, &site)
	cond := w.expr(s.Cond)
	id := w.site(site)
	s.Cond = tell(w.t.If, start, intLit(start, id), cond)
	s.Body = w.body(s.Body)
	return w.over(append(out, s), s.While, id, changed)
}

// vars returns the variables of a loop with their shades after them, and which element of an item
// each of them gets.
func (w *tracker) vars(vars syntax.Expr) (syntax.Expr, []int) {
	at := syntax.Start(vars)
	var elements []int
	shades := &syntax.TupleExpr{Lparen: at, Rparen: at}
	add := func(e syntax.Expr, element int) {
		for _, id := range targets(e) {
			shades.List = append(shades.List, ident(at, shade(id.Name)))
			elements = append(elements, element)
		}
	}
	inner := Unparen(vars)
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

// def adds a function.
func (w *tracker) def(out []syntax.Stmt, s *syntax.DefStmt) []syntax.Stmt {
	defaults := w.defaults(s.Params)
	site, shades := w.params(s.Params)
	outer := w.fn
	w.fn = &function{}
	id := w.site(site)
	at, end := firstCode(s.Body[0]), syntax.End(s.Body[len(s.Body)-1])
	body := w.begin(w.block(s.Body))
	w.fn = outer
	enter := syntax.Expr(tell(w.t.Enter, at, intLit(at, id)))
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
			&syntax.ReturnStmt{Return: end, Result: tell(w.t.Leave, end, ident(end, "None"))})
	}
	out = append(out, s)
	if defaults {
		out = append(out, &syntax.ExprStmt{X: tell(w.t.Def, s.Def, ident(s.Def, s.Name.Name))})
		if !w.isVariable(s.Name) {
			out = w.done(out, s.Def)
		}
	}
	if w.isVariable(s.Name) {
		here := intLit(s.Def, w.site(Site{At: s.Def}))
		e := tell(w.t.Shut, s.Def, here, ident(s.Def, s.Name.Name))
		out = append(out, assign(s.Def, []string{shade(s.Name.Name)}, e))
	}
	return out
}

// firstCode returns where the code of a statement begins, for Starlark: what fails before it is
// shown there.
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

// ends reports whether the last of statements returns.
func ends(stmts []syntax.Stmt) bool {
	_, ok := stmts[len(stmts)-1].(*syntax.ReturnStmt)
	return ok
}

// defaults rewrites the default values of parameters, and tells whether there are any that are
// computed.
func (w *tracker) defaults(params []syntax.Expr) (computed bool) {
	for _, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			if b.Y = w.expr(b.Y); !isConstant(b.Y) {
				computed = true
			}
		}
	}
	return computed
}

// isConstant reports whether e is written out.
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
func (w *tracker) params(params []syntax.Expr) (Site, []string) {
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
