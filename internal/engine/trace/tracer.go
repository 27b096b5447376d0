// Package trace follows a run: which data values each value was computed from, which calls led to
// it, and which conditions it depends on.
//
// It has two parts. Instrument rewrites a compiled program so that it reports what it does: each
// variable gets a second one, its shade, and calls to builtins mark where expressions, arguments,
// conditions, loops and functions begin and end. A Tracer receives these reports while the program
// runs, and records its findings in the tables of tree.Origins, which values refer to.
//
// A program that is not traced has none of these calls, so a normal run pays nothing. A traced run
// takes about twice as long as a normal one.
//
//	instrument.go    statements of a program, rewritten
//	expressions.go   expressions of a program, rewritten
//	site.go          the places of conditions and loops in files
//	builtins.go      the builtins that programs report with
//	tracer.go        Tracer: windows, calls, conditions, loops; the settings of values
//	arguments.go     which argument goes to which parameter
//	contents.go      what each element of a collection was computed from
//	copied.go        collections that builtins copy
//	structs.go       structs that code creates
//	lines.go         texts, line by line
package trace

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Tracer follows a traced run: what each expression reads, and which calls and conditions surround
// it. Programs report to it through the builtins that Instrument inserts. Each evaluation has its
// own tracer, and evaluates its files one after another.
//
// The shade of a variable, a second variable, records what its value was computed from: the number
// of a tree.Slice.
type Tracer struct {
	*tree.Trace
	active  []activation // active functions, innermost last
	marks   []mark
	pending []argument
	bases   []starlark.Value // values that are being indexed or copied
	parts   []part           // parts of collections under construction
	shares  []tree.Slice     // shades of the values in an assignment to several variables

	contents map[any]*contents                // contents of lists, tuples, dicts and fragments, by key
	whole    map[any]tree.Slice               // results of all, until a collection changes
	defaults map[starlark.Callable]tree.Slice // what default values of parameters were computed from
	fixed    map[[2]uint32]tree.Origin        // origins of constant nodes, by calls and conditions
	places   map[syntax.Position]source.Span  // places of calls
	shades   map[any]map[string]tree.Slice    // shades of the globals of modules
	host     Host
}

// Host is what a tracer needs from the evaluation that it follows.
type Host struct {
	// Here returns where a thread is.
	Here func(t *starlark.Thread) source.Span
	// Around returns where omitted nodes would have been: the document and the node around them.
	// For text, offset is the length of the text so far, or -1.
	Around func(t *starlark.Thread, left LeftOut) (document, parent source.Pos, offset int)
	// Module returns the module that a load statement names, or nil.
	Module func(t *starlark.Thread, name string) any
}

// New returns a tracer that fills o.
func New(o *tree.Origins, h Host) *Tracer {
	tr := &Tracer{
		Trace:    tree.NewTrace(o),
		active:   []activation{{}},
		contents: map[any]*contents{},
		whole:    map[any]tree.Slice{},
		defaults: map[starlark.Callable]tree.Slice{},
		fixed:    map[[2]uint32]tree.Origin{},
		places:   map[syntax.Position]source.Span{},
		shades:   map[any]map[string]tree.Slice{},
		host:     h,
	}
	tr.All = tr.all
	tr.Convert = func(x starlark.Value) (tree.Value, error) {
		return tr.FromCode(x, tree.MaxNodes, tree.Setting{By: tree.ByTemplate})
	}
	return tr
}

// activation is a function that is being called, or a file that is being evaluated.
type activation struct {
	file   *source.File
	thread *starlark.Thread

	window tree.Slice // the caller's window, to continue with
	marks  int        // the caller's marks
	args   int

	calls   tree.Calls
	base    control   // the state around the whole function
	control []control // the open conditions and loops, innermost last

	decided tree.Slice  // what decided all conditions so far
	text    tree.Slice  // what the text so far was computed from
	texts   []outerText // the texts around nested texts under construction
	changed []change
	bases   int // the caller's bases
}

// outerText is the state to restore after a text that is part of a value.
type outerText struct{ text, decided, window tree.Slice }

// control is an open condition or loop.
type control struct {
	when  tree.When
	reads tree.Slice // what decided it and the ones around it in the function
}

// mark is the state where an argument begins.
type mark struct {
	window  tree.Slice
	pending int
	parts   int
}

// argument is an argument of a call that has not happened yet.
type argument struct {
	call *PlacedSite
	name starlark.Value // or its index; -1 if it expands to any number of arguments
	from tree.Slice
	x    starlark.Value
}

// top returns the innermost activation.
func (tr *Tracer) top() *activation { return &tr.active[len(tr.active)-1] }

// around returns the innermost condition or loop of a.
func (a *activation) around() *control {
	if n := len(a.control); n > 0 {
		return &a.control[n-1]
	}
	return &a.base
}

// at returns the condition or loop at a depth.
func (a *activation) at(depth int) *control {
	if depth > 0 && depth <= len(a.control) {
		return &a.control[depth-1]
	}
	return &a.base
}

// cut ends the conditions and loops deeper than depth.
func (a *activation) cut(depth int) { a.control = a.control[:min(depth, len(a.control))] }

// Calls returns the current chain of calls.
func (tr *Tracer) Calls() tree.Calls {
	a := tr.top()
	if a.thread == nil {
		return a.calls
	}
	return tr.Call(tr.host.Here(a.thread), a.calls)
}

// File begins the evaluation of a file, and returns the function that ends it. The files of a library
// continue the chain of calls that evaluates it, unless afresh is set. Modules start a new chain,
// because it does not matter which file loads them first. So do data values, because they are
// evaluated once. The receiver may be nil.
func (tr *Tracer) File(f *source.File, t *starlark.Thread, afresh bool) (end func()) {
	if tr == nil {
		return func() {}
	}
	t.SetLocal(local, tr)
	next := activation{file: f, thread: t}
	if outer := tr.top(); outer.thread != nil && !afresh {
		next.calls = tr.Calls()
		next.base.when = outer.around().when
	}
	return tr.push(next)
}

// push begins an activation, and returns the function that ends it even if code has failed.
func (tr *Tracer) push(a activation) (end func()) {
	depth := len(tr.active)
	a.window = tr.Open()
	a.marks, a.args, a.bases = len(tr.marks), len(tr.pending), len(tr.bases)
	tr.active = append(tr.active, a)
	return func() { tr.unwind(depth, false) }
}

// unwind ends all activations from depth on. With keep, whatever they read counts as read by the
// activation before them.
func (tr *Tracer) unwind(depth int, keep bool) {
	for len(tr.active) > depth {
		a := tr.top()
		tr.flush(a.args)
		s := tr.Close(a.window)
		if keep {
			tr.Read(s)
		}
		tr.marks, tr.bases = tr.marks[:a.marks], tr.bases[:a.bases]
		tr.active = tr.active[:len(tr.active)-1]
	}
}

// Position returns a function that restores the current state of the tracer after code has failed
// inside try. The receiver may be nil.
func (tr *Tracer) Position() (back func()) {
	if tr == nil {
		return func() {}
	}
	depth, bases, marks, hushed := len(tr.active), len(tr.bases), len(tr.marks), tr.PauseLevel()
	return func() {
		tr.unwind(depth, true)
		tr.bases, tr.marks = tr.bases[:bases], tr.marks[:min(marks, len(tr.marks))]
		tr.ResumeAt(hushed)
	}
}

// ForOverlays returns the part of tr that overlays need. The receiver may be nil.
func (tr *Tracer) ForOverlays() *tree.Trace {
	if tr == nil {
		return nil
	}
	return tr.Trace
}

// flush assumes that the arguments from the given one on went to builtins, which read them.
func (tr *Tracer) flush(from int) {
	for _, a := range tr.pending[from:] {
		tr.Read(a.from)
		tr.reached(a.x)
	}
	tr.pending = tr.pending[:from]
}

// EndStatement ends a statement, and returns what it read.
func (tr *Tracer) EndStatement() tree.Slice {
	a := tr.top()
	tr.flush(a.args)
	tr.marks = tr.marks[:a.marks]
	s := tr.Take()
	if len(a.changed) > 0 {
		all := tr.Union(s, a.around().reads)
		for _, c := range a.changed {
			tr.change(c, all)
		}
		a.changed = a.changed[:0]
	}
	return s
}

// sliceOf returns the slice that a shade refers to.
func sliceOf(x starlark.Value) tree.Slice {
	if i, ok := x.(starlark.Int); ok {
		return tree.Slice(small(i))
	}
	return 0
}

// asShade returns a slice as the value of a shade.
func asShade(s tree.Slice) starlark.Value {
	if s == 0 {
		return starlark.None
	}
	return starlark.MakeInt(int(s))
}

// use records that code reads x, a variable with a shade.
func (tr *Tracer) use(x, shade starlark.Value) {
	tr.Read(sliceOf(shade))
	tr.reached(x)
}

// reached records that code has reached x, which itself records what it was computed from.
func (tr *Tracer) reached(x starlark.Value) {
	if key(x) != nil {
		tr.Maybe(x)
	}
}

// Unread records that the current operation does not read the contents of x.
func (tr *Tracer) Unread(x starlark.Value) {
	if key(x) != nil {
		tr.UseWithoutContent(x)
	}
}

// derived records that x, which is complete, was computed from data values without being one of them,
// or only decides something. when is the truth value of x for which that holds, or None.
// Collections record their own content.
func (tr *Tracer) derived(when, x starlark.Value) {
	tr.Unread(x)
	s := tr.unmark()
	if when == starlark.None && key(x) == nil || when == starlark.Value(x.Truth()) {
		tr.Use(s)
		s = tr.Derived(s)
	}
	tr.Read(s)
	tr.reached(x)
}

// decide begins a condition with the value x.
func (tr *Tracer) decide(site *PlacedSite, x starlark.Value) {
	tr.counted(x)
	a := tr.top()
	s := tr.EndStatement()
	a.cut(site.Depth)
	held := bool(x.Truth())
	kind := tree.Else
	if held {
		kind = tree.If
	}
	c := tree.Condition{Kind: kind, At: site.At, Reads: s}
	left := site.True
	if held {
		left = site.False
	}
	if left.What.IsValid() {
		tr.leftOut(c, left)
	}
	outer := a.around()
	decided := tr.Derived(s)
	a.decided = tr.Union(a.decided, decided)
	if site.Leaves && site.Loop >= 0 {
		loop := a.at(site.Loop + 1)
		loop.reads = tr.Union(loop.reads, decided)
	}
	a.control = append(a.control, control{
		when:  tr.Condition(c, outer.when),
		reads: tr.Union(outer.reads, decided),
	})
}

// leftOut records that a condition has left out nodes or text.
func (tr *Tracer) leftOut(c tree.Condition, left LeftOut) {
	a := tr.top()
	absence := tree.Absence{
		Condition: c, What: left.What, Calls: a.calls, When: a.around().when,
	}
	absence.Document, absence.Parent, absence.Offset = tr.host.Around(a.thread, left)
	tr.Absent(absence)
}

// over ends a condition or a loop, and returns the shades of what it may have changed.
func (tr *Tracer) over(site *PlacedSite, shades starlark.Tuple) starlark.Value {
	a := tr.top()
	tr.EndStatement()
	ended := a.control[site.Depth]
	a.cut(site.Depth)
	if site.Leaves {
		outer := a.around()
		outer.reads = tr.Union(outer.reads, ended.reads)
		outer.when = ended.when
	}
	if len(shades) == 0 {
		return starlark.None
	}
	out := make(starlark.Tuple, len(shades))
	for i, s := range shades {
		out[i] = asShade(tr.Union(sliceOf(s), ended.reads))
	}
	return out
}

// call begins the call of a function, and returns the shades of its parameters.
func (tr *Tracer) call(t *starlark.Thread, f *source.File, site *PlacedSite) starlark.Tuple {
	outer := tr.top()
	next := activation{file: f, thread: t, calls: outer.calls}
	next.base.when = outer.around().when
	shades := make(starlark.Tuple, len(site.Params))
	if t.CallStackDepth() > 2 {
		caller := t.CallFrame(2)
		next.calls = tr.Call(tr.place(outer, caller.Pos), outer.calls)
		if caller.Pos.Filename() == "<builtin>" {
			tr.flush(tr.level())
			// any parameter may come from any argument of the builtin
			s := asShade(tr.Open())
			for i := range shades {
				shades[i] = s
			}
			tr.Read(sliceOf(s))
		} else {
			tr.parameters(t, site, caller.Pos, shades)
		}
	}
	for i := range shades {
		if shades[i] == nil {
			shades[i] = starlark.None
		}
	}
	tr.push(next)
	return shades
}

// level returns the index of the first argument recorded since the innermost mark.
func (tr *Tracer) level() int {
	if n := len(tr.marks); n > tr.top().marks {
		return tr.marks[n-1].pending
	}
	return tr.top().args
}

// place returns the location of a call in the code of an activation.
func (tr *Tracer) place(a *activation, pos syntax.Position) source.Span {
	at, ok := tr.places[pos]
	if !ok && a.file != nil && pos.Filename() == a.file.Name() {
		at = script.Span(a.file, pos)
		tr.places[pos] = at
	}
	return at
}

// parameters assigns the shades of arguments to their parameters.
func (tr *Tracer) parameters(
	t *starlark.Thread, site *PlacedSite, pos syntax.Position, shades starlark.Tuple,
) {
	from, first := tr.level(), len(tr.pending)
	for first > from && samePlace(tr.pending[first-1].call.Site.At, pos) {
		first--
	}
	args := arguments{Tracer: tr, site: site, shades: shades, frame: t.DebugFrame(1)}
	for _, a := range tr.pending[first:] {
		args.assign(a)
	}
	tr.pending = tr.pending[:first]
	if fn, ok := args.frame.Callable().(*starlark.Function); ok && len(tr.defaults) > 0 {
		args.defaults = tr.defaults[fn]
	}
	args.end()
}

func samePlace(a, b syntax.Position) bool {
	return a.Line == b.Line && a.Col == b.Col && a.Filename() == b.Filename()
}

func orNone(x starlark.Value) starlark.Value {
	if x == nil {
		return starlark.None
	}
	return x
}

// returned ends the call of a function that returns x.
func (tr *Tracer) returned(x starlark.Value) {
	tr.Unread(x)
	a := tr.top()
	s := tr.Union(tr.EndStatement(), a.around().reads)
	decided := a.decided
	tr.unwind(len(tr.active)-1, false)
	tr.Read(s)
	switch x.(type) {
	case *tree.Map, *tree.Array, *tree.DocumentSet:
		if decided != 0 {
			c := tr.contentsOf(x)
			c.rest = tr.Union(c.rest, decided)
		}
	case tree.Nothing:
		tr.Read(decided)
	}
	tr.reached(x)
}

// iteration wraps the value that a loop iterates over. Each item comes with the shades of its
// variables.
type iteration struct {
	starlark.Iterable
	tr   *Tracer
	site *PlacedSite
	from tree.Slice // what the whole value was computed from
	when *tree.Condition

	precise bool // the origin of each item is known
}

// Iterate implements starlark.Iterable.
func (it *iteration) Iterate() starlark.Iterator {
	return &iterationIterator{Iterator: it.Iterable.Iterate(), iteration: it}
}

// iterationIterator iterates over the items of an iteration.
type iterationIterator struct {
	starlark.Iterator
	*iteration
	i int
}

// Next implements starlark.Iterator.
func (n *iterationIterator) Next(p *starlark.Value) bool {
	var x starlark.Value
	if n.when != nil {
		n.tr.EndStatement()
	}
	if !n.Iterator.Next(&x) {
		return false
	}
	if n.when != nil {
		n.begin(n.i)
	}
	shades := make(starlark.Tuple, len(n.site.Vars))
	for j, element := range n.site.Vars {
		shades[j] = asShade(n.shade(x, element))
	}
	*p = starlark.Tuple{x, shades}
	n.i++
	return true
}

// begin begins iteration i of a loop.
func (it *iteration) begin(i int) {
	a := it.tr.top()
	a.cut(it.site.Depth)
	outer := a.around()
	c := *it.when
	c.Index = i
	reads := it.tr.Union(outer.reads, it.tr.Derived(c.Reads))
	a.control = append(a.control, control{when: it.tr.Condition(c, outer.when), reads: reads})
}

// shade returns what an element of the item x was computed from, or all of x.
func (n *iterationIterator) shade(x starlark.Value, element int) tree.Slice {
	tr := n.tr
	if !n.precise {
		s := tr.Derived(n.from)
		if fields, ok := n.Iterable.(*tree.Struct); ok {
			s = tr.Union(s, tr.KeyOf(fields, n.i))
		}
		return s
	}
	if element < 0 || tr.elements(x) == nil {
		pairs := tr.contents[key(n.Iterable)]
		if element == 0 && pairs != nil && pairs.pairs {
			return 0 // the key or the index
		}
		if pairs != nil && n.i < len(pairs.tuples) && 0 <= element && element < len(pairs.tuples[n.i]) {
			return pairs.tuples[n.i][element]
		}
		return tr.element(n.Iterable, nil, n.i)
	}
	return tr.element(x, nil, element)
}

// loop wraps x for a loop, to record what each item was computed from.
func (tr *Tracer) loop(site *PlacedSite, x starlark.Value) starlark.Value {
	it, s := tr.items(site, x, tr.EndStatement)
	if it == nil {
		return x
	}
	a := tr.top()
	a.cut(site.Depth)
	a.decided = tr.Union(a.decided, tr.Derived(s))
	it.when = &tree.Condition{Kind: tree.For, At: site.At, Reads: s, Index: -1}
	if starlark.Len(x) == 0 && site.True.What.IsValid() {
		tr.leftOut(*it.when, site.True)
	}
	it.begin(-1)
	return it
}

// each wraps x for a comprehension, which leaves the window of its statement open.
func (tr *Tracer) each(site *PlacedSite, x starlark.Value) starlark.Value {
	it, s := tr.items(site, x, tr.unmark)
	tr.Read(s)
	if s != 0 {
		tr.parts = append(tr.parts, part{i: -1, early: s, every: true})
	}
	if it == nil {
		return x
	}
	return it
}

// items returns an iteration over x, and what x was computed from, in the form that Take returns. The
// iteration is nil if x cannot be iterated, which is an error.
func (tr *Tracer) items(
	site *PlacedSite, x starlark.Value, take func() tree.Slice,
) (*iteration, tree.Slice) {
	e := tr.elements(x)
	tr.counted(x)
	s := take()
	all, ok := x.(starlark.Iterable)
	if !ok {
		return nil, s
	}
	return &iteration{Iterable: all, tr: tr, site: site, precise: e != nil, from: s}, s
}

// mark begins an argument; unmark ends it, and returns what it was computed from.
func (tr *Tracer) mark() {
	m := mark{pending: len(tr.pending), parts: len(tr.parts)}
	m.window = tr.Open()
	tr.marks = append(tr.marks, m)
}

func (tr *Tracer) unmark() tree.Slice {
	m := tr.marks[len(tr.marks)-1]
	tr.marks = tr.marks[:len(tr.marks)-1]
	tr.flush(m.pending)
	return tr.Close(m.window)
}

// Setting returns a setting for a node that the program creates now from these reads.
func (tr *Tracer) Setting(at source.Span, reads tree.Slice) tree.Setting {
	a := tr.top()
	return tree.Setting{
		By: tree.ByTemplate, At: at, Reads: reads, Calls: a.calls, When: a.around().when,
	}
}

// Constant returns the origin of constant nodes: 0 outside of calls and conditions if the key is
// not computed. The receiver may be nil.
func (tr *Tracer) Constant(key tree.Slice) tree.Origin {
	if tr == nil {
		return 0
	}
	a := tr.top()
	when := a.around().when
	if reads := tr.Union(tr.EndStatement(), key); reads != 0 {
		s := tr.Setting(source.Span{}, reads)
		s.Key = key
		return tr.Set(tree.Value{}, s).Origin()
	}
	if a.calls == 0 && when == 0 {
		return 0
	}
	at := [2]uint32{uint32(a.calls), uint32(when)}
	o, ok := tr.fixed[at]
	if !ok {
		o = tr.Set(tree.Value{}, tr.Setting(source.Span{}, 0)).Origin()
		tr.fixed[at] = o
	}
	return o
}

// FromCode converts x to a value whose setting is s.
func (tr *Tracer) FromCode(x starlark.Value, maxNodes int, s tree.Setting) (tree.Value, error) {
	switch x.(type) {
	case starlark.String, starlark.Int, starlark.Bool, starlark.NoneType, *tree.Map, *tree.Array:
		v, err := tr.Literals.FromStarlarkWithin(x, maxNodes)
		s.Copied = tr.CopyOf(x, s.Reads)
		return tr.Set(v, s), err
	}
	v, err := tr.FromStarlark(x, maxNodes, tree.Parts{
		Of: tr.elementValue, Key: tr.keyOf,
		From: func(reads, key tree.Slice, x starlark.Value) tree.Origin {
			part := s
			part.Reads, part.Key, part.Copied = reads, key, tr.CopyOf(x, reads)
			return tr.Set(tree.Value{}, part).Origin()
		},
	})
	if err != nil {
		return v, err
	}
	if c := tr.contents[key(x)]; c != nil {
		s.Reads = tr.Union(s.Reads, c.rest)
	}
	if r := tr.Data(x); r != nil && s.Reads == 0 {
		s.Reads = r.Slice(tree.Whole)
	}
	s.Copied = tr.CopyOf(x, s.Reads)
	return tr.Set(v, s), nil
}

// Given returns what an argument of the current call was computed from.
func (tr *Tracer) Given(x starlark.Value) tree.Slice {
	if n := len(tr.pending); n > tr.top().args {
		switch x.(type) {
		case *starlark.Dict, *starlark.List, *tree.Struct, *tree.Map:
			if last := tr.pending[n-1]; last.x == x {
				tr.pending = tr.pending[:n-1] // each part records its own origin
				return last.from
			}
		}
	}
	tr.Unread(x)
	return tr.Peek()
}
