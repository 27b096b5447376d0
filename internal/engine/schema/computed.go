package schema

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// CodeComputed is the code of errors about values that cannot be computed.
const CodeComputed diag.Code = "schema/computed"

// computed is what @schema/computed says: how the default of a value is computed.
type computed struct {
	fn    starlark.Callable
	at    source.Span // of the annotation
	inner bool        // the function also gets the map that holds the key
}

// computed reads @schema/computed.
func (b *builder) computed(t *Type, n node) {
	a := n.notes.Get(noteComputed)
	if a == nil {
		return
	}
	const hint = "write a function of the data values: `#@schema/computed lambda v: \"www.\" + v.domain`"
	if n.what != tree.MapItem {
		b.refuse(n, a, "@schema/computed not supported on "+diag.Article(n.what.String())).
			WithHint("compute single keys")
		return
	}
	for _, other := range []string{noteDefault, noteRequired} {
		if x := n.notes.Get(other); x != nil {
			relate(b.refuse(n, a, "@schema/computed does not go with @"+other), noteSpan(x), "it is here").
				WithHint("the default of a computed value is computed: remove one of the two")
			return
		}
	}
	if t.computes || t.requires {
		b.refuse(n, a, "a computed value cannot contain values that are computed or required themselves").
			WithHint("annotate the keys inside, or the map, but not both")
		return
	}
	x, ok := b.one(n, a, "a function", hint)
	if !ok {
		return
	}
	fn, ok := x.(starlark.Callable)
	if !ok {
		b.bad(n, a, diag.Article(x.Type()), "a function").WithHint(hint)
		return
	}
	c := &computed{fn: fn, at: noteSpan(a)}
	if f, ok := fn.(*starlark.Function); ok {
		if params := f.NumParams(); params != 1 && params != 2 || f.HasVarargs() || f.HasKwargs() {
			b.bad(n, a, fmt.Sprintf("a function with %d parameters", params), "one or two").
				WithHint("the first is the data values, the second is the map that holds the key")
			return
		}
		c.inner = f.NumParams() == 2
	}
	if err := tree.Freeze(fn); err != nil { // goroutines share it from now on
		b.refuse(n, a, fmt.Sprintf("@%s: %s", a.Name, err))
		return
	}
	t.computed, t.def = c, tree.Value{}
}

// Computes reports whether some data values are computed from others.
func (t *Type) Computes() bool { return t.computes }

// Computing is what Compute needs to call functions, and to record what they read.
type Computing struct {
	Call    Call
	Reads   *tree.Reads   // records reads; may be nil
	Origins *tree.Origins // records what is computed; may be nil
	Trace   *tree.Trace   // of a traced run; may be nil
}

// Compute fills in the computed data values that nothing sets. doc must be a result of Assign in which no
// required value is missing. A function may read other computed values: these are computed first. If there
// are errors, Compute returns doc unchanged, and all of them.
func (t *Type) Compute(doc tree.Doc, how Computing) (tree.Doc, diag.List) {
	c := &computer{Computing: how}
	root := c.promise(t, doc.Value, how.Reads)
	c.root = how.Reads.StructOf(root)
	c.root.Freeze()
	for _, k := range c.tasks {
		c.compute(k)
		if c.ended != nil {
			return doc, c.ended
		}
	}
	if c.list != nil {
		return doc, c.list
	}
	doc.Value = kept(t, root)
	return doc, nil
}

// computer is one run of Compute.
type computer struct {
	Computing
	root    starlark.Value // the data values, with promises
	tasks   []*task        // in the order of the data values
	running []*task        // those whose functions run, the outermost first
	path    path
	list    diag.List
	ended   diag.List // what ended the run: see Call
}

// task is a value that is computed.
type task struct {
	*field
	path  path
	in    tree.Value // the map that holds the key
	reads *tree.Reads
	state uint8
	value tree.Value
}

// The states of a task.
const (
	waiting uint8 = iota
	running
	done
	failed // its error has been reported, or that of a value that it needs
)

// promise returns a value with a promise for each value below it that is to be computed.
func (c *computer) promise(t *Type, v tree.Value, reads *tree.Reads) tree.Value {
	if t = t.chosen(v); t == nil || !t.computes {
		return v
	}
	switch x := v.Starlark().(type) {
	case *tree.Map:
		edit := edits{from: x.Entries()}
		for i, it := range x.Entries() {
			s := step{key: it.Key, index: -1}
			edit.set(i, c.promiseBelow(t.ofKey(it.Key, i), it.Value, reads, s))
		}
		var tasks []*task
		for i := range t.fields {
			f := &t.fields[i]
			if f.typ.computed == nil || x.Find(f.key.Starlark()) >= 0 {
				continue
			}
			k := &task{field: f, path: slices.Concat(c.path, path{{key: f.key, index: -1}}), reads: reads}
			tasks = append(tasks, k)
			promise := &tree.Promise{Compute: func() tree.Value { return c.compute(k) }}
			edit.add(tree.Item{Key: f.key, Value: tree.Of(promise), Pos: f.typ.at.Pos})
		}
		if edit.items != nil {
			v = tree.Of(tree.NewMap(edit.items, x.Pos)).WithOrigin(v.Origin())
		}
		for _, k := range tasks {
			k.in = v
		}
		c.tasks = append(c.tasks, tasks...)
	case *tree.Array:
		edit := edits{from: x.Entries()}
		for i, it := range x.Entries() {
			edit.set(i, c.promiseBelow(t.item, it.Value, reads, step{index: i}))
		}
		if edit.items != nil {
			v = tree.Of(tree.NewArray(edit.items, x.Pos)).WithOrigin(v.Origin())
		}
	}
	return v
}

func (c *computer) promiseBelow(t *Type, v tree.Value, reads *tree.Reads, s step) tree.Value {
	if t == nil || !t.computes {
		return v
	}
	if c.path = append(c.path, s); reads != nil {
		at := tree.Step{Index: s.index}
		if s.index < 0 {
			at.Key = tree.KeyText(s.key)
		}
		reads = reads.Below(at)
	}
	v = c.promise(t, v, reads)
	c.path = c.path[:len(c.path)-1]
	return v
}

// compute returns the value of a task, or null if it cannot be computed.
func (c *computer) compute(k *task) tree.Value {
	switch {
	case k.state == running:
		c.cycle(k)
		fallthrough
	case k.state == failed || c.ended != nil:
		for _, outer := range c.running { // their functions read null now, so their results are wrong
			outer.state = failed
		}
		return tree.Null
	case k.state == done:
		return k.value
	}
	k.state = running
	c.running = append(c.running, k)
	v, err := c.call(k)
	c.running = c.running[:len(c.running)-1]
	if k.state != failed {
		k.value, k.state = c.result(k, v, err)
	}
	if k.state == failed {
		return tree.Null
	}
	return k.value
}

// call calls the function of a task.
func (c *computer) call(k *task) (tree.Value, error) {
	args := []starlark.Value{c.root}
	if k.typ.computed.inner {
		in := k.reads.StructOf(k.in)
		in.Freeze()
		args = append(args, in)
	}
	var outer, reads tree.Slice
	if c.Trace != nil {
		outer = c.Trace.Open()
	}
	x, err := c.Call(k.typ.computed.fn, args...)
	v := tree.Null
	if err == nil {
		v, err = tree.FromStarlark(x)
	}
	if c.Trace != nil {
		reads = c.Trace.Close(outer)
	}
	if err != nil {
		return v, err
	}
	v = tree.Doc{Value: v, Pos: k.typ.at.Pos}.Placed().Value
	v = c.Origins.Set(v, tree.Setting{By: tree.ByTemplate, At: k.typ.computed.at, Reads: reads})
	return c.Origins.Set(v, tree.Setting{By: tree.ByDefault, At: k.typ.at, From: v.Origin()}), nil
}

// result checks what the function of a task has returned.
func (c *computer) result(k *task, v tree.Value, err error) (tree.Value, uint8) {
	if err != nil {
		if list, ends := endsRun(err); ends {
			c.ended = list
		} else {
			c.report(k, diag.Errorf(k.typ.computed.at, CodeComputed, "cannot compute data value '%s': %s",
				k.path, reason(err)))
		}
		if strings.Contains(err.Error(), "computation cancelled") { // no other function would run
			c.ended = c.list
		}
		return tree.Null, failed
	}
	check := checker{Steps: &Steps{Origins: c.Origins}, path: k.path}
	n := node{key: k.key, value: v, pos: k.typ.at.Pos, what: tree.MapItem}
	v = check.assign(k.typ, n, tree.Value{})
	for _, d := range check.list {
		d.At, d.Hint = k.typ.computed.at, "the function returns a value of another type than the example has"
		d.Message = "computed data value: " + d.Message
		c.list = append(c.list, d)
	}
	if check.list != nil {
		return tree.Null, failed
	}
	return v, done
}

// cycle reports a value that is computed from itself, with the whole chain.
func (c *computer) cycle(k *task) {
	chain := c.running[slices.Index(c.running, k):]
	var names []string
	for _, x := range chain {
		names = append(names, x.path.String())
	}
	d := diag.Errorf(k.typ.computed.at, CodeComputed, "data value '%s' is computed from itself: %s → %s",
		k.path, strings.Join(names, " → "), k.path)
	for _, x := range chain[1:] {
		relate(d, x.typ.computed.at, "'"+x.path.String()+"' is computed here")
	}
	c.report(k, d.WithHint("compute one of them from values that users set"))
}

func (c *computer) report(k *task, d *diag.Diagnostic) {
	d.Path = k.path.String()
	c.list = append(c.list, relate(d, k.typ.at, "it is the default of this value"))
}

// kept returns a value with the computed values instead of promises. All of them have been computed.
func kept(t *Type, v tree.Value) tree.Value {
	if t == nil || !t.computes {
		return v
	}
	edit := edits{from: v.Entries()}
	switch x := v.Starlark().(type) {
	case *tree.Map:
		for i, it := range x.Entries() {
			if p := tree.PromiseIn(it.Value); p != nil {
				edit.set(i, p.Compute())
			} else {
				edit.set(i, kept(t.ofKey(it.Key, i), it.Value))
			}
		}
		if edit.items != nil {
			return tree.Of(tree.NewMap(edit.items, x.Pos)).WithOrigin(v.Origin())
		}
	case *tree.Array:
		for i, it := range x.Entries() {
			edit.set(i, kept(t.item, it.Value))
		}
		if edit.items != nil {
			return tree.Of(tree.NewArray(edit.items, x.Pos)).WithOrigin(v.Origin())
		}
	}
	return v
}
