package trace

import (
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// contents records what each element of a collection that code created was computed from.
type contents struct {
	list []tree.Slice          // for a list or a tuple, by index
	dict map[string]tree.Slice // for a dict, by key
	// what decided that an element exists, by index and by key; for a key, what the key itself was
	// computed from
	early []tree.Slice
	keys  map[string]tree.Slice

	rest  tree.Slice // what else went into it, at an unknown place, or decided what did
	place tree.Slice // what decided which of its elements were set
	pairs bool       // each item of the list is a pair, and list describes the second half of each

	tuples [][]tree.Slice // for a list of tuples, by index: what each of their elements was computed from

	mixed bool // the places of its elements are no longer known
}

// part is an element of a collection under construction: its index, or -1 for the next.
type part struct {
	i     int
	from  tree.Slice
	early tree.Slice // what precedes the element: its key, or a condition
	next  bool       // its index was not given
	every bool       // early applies to every element that follows
}

// change is a collection that is about to change.
type change struct {
	x      starlark.Value
	length int
	method string           // the method that changes it, or "" for an assignment
	before []starlark.Value // the elements of a list before an insertion

	at starlark.Value // the index or key that is set, if known, or the list that extends it
	by tree.Slice     // what decided it
}

// key returns x as a key of Tracer.contents, or nil if x is not a collection.
func key(x starlark.Value) any {
	switch x := x.(type) {
	case starlark.Tuple:
		if len(x) > 0 {
			return tree.TupleKey(x)
		}
	case *starlark.List, *starlark.Dict, *starlark.Set, *tree.Map, *tree.Array, *tree.DocumentSet:
		return x
	}
	return nil
}

// contentsOf returns the contents of a collection for modification, creating them if necessary.
func (tr *Tracer) contentsOf(x starlark.Value) *contents {
	tr.forget()
	c := tr.contents[key(x)]
	if c == nil {
		c = &contents{}
		tr.contents[key(x)] = c
	}
	return c
}

// all returns everything that x was computed from, including its elements.
func (tr *Tracer) all(x starlark.Value) tree.Slice {
	if key(x) == nil {
		return 0
	}
	if s, ok := tr.whole[key(x)]; ok {
		return s
	}
	s := tr.allIn(x, map[any]bool{})
	tr.whole[key(x)] = s
	return s
}

// allIn is like all. It skips the collections in through, because a collection may contain itself.
func (tr *Tracer) allIn(x starlark.Value, through map[any]bool) (s tree.Slice) {
	if key(x) == nil || through[key(x)] {
		return 0
	}
	through[key(x)] = true
	if c := tr.contents[key(x)]; c != nil {
		s = tr.Union(c.rest, c.place)
		for _, part := range c.list {
			s = tr.Union(s, part)
		}
		for _, part := range c.dict {
			s = tr.Union(s, part)
		}
		for _, part := range c.early {
			s = tr.Union(s, part)
		}
		for _, part := range c.keys {
			s = tr.Union(s, part)
		}
	}
	switch x := x.(type) {
	case starlark.Tuple:
		for _, e := range x {
			s = tr.Union(s, tr.allIn(e, through))
		}
	case *starlark.List:
		if r := tr.Data(x); r != nil {
			s = tr.Union(s, r.Slice(tree.Whole))
		}
		for i := range x.Len() {
			s = tr.Union(s, tr.allIn(x.Index(i), through))
		}
	case *starlark.Dict:
		for _, pair := range x.Items() {
			s = tr.Union(s, tr.allIn(pair[1], through))
		}
	case *tree.Map, *tree.Array, *tree.DocumentSet:
		s = tr.Union(s, tr.Inside(x))
	}
	return s
}

// forget drops the cached results of all: a collection is about to change.
func (tr *Tracer) forget() {
	if len(tr.whole) > 0 {
		clear(tr.whole)
	}
}

// elements describes a collection for which the origin of each item is known.
type elements struct {
	shape tree.Slice // what decided how many items there are
}

func (tr *Tracer) elements(x starlark.Value) *elements {
	c := tr.contents[key(x)]
	if c != nil && c.mixed {
		return nil
	}
	var e elements
	if c != nil {
		e.shape = c.rest
	}
	switch x := x.(type) {
	case *starlark.List:
		if r := tr.Data(x); r != nil {
			e.shape = tr.Union(e.shape, r.Slice(tree.Shape))
		} else if c == nil {
			return nil
		}
		return &e
	case starlark.Tuple, *starlark.Dict: // a loop over a dict visits its keys
		if c != nil {
			return &e
		}
	case *tree.Map: // the same for a map
		e.shape = tr.Union(e.shape, tr.Presence(x))
		return &e
	case *tree.Array:
		return &e
	}
	return nil
}

// element returns what an element of x was computed from and what decided that it exists. The
// element is the one with key k, or with index i if k is nil.
func (tr *Tracer) element(x, k starlark.Value, i int) tree.Slice {
	return tr.Union(tr.elementValue(x, k, i), tr.keyOf(x, k, i))
}

// elementValue is like element, without what decided that the element exists.
func (tr *Tracer) elementValue(x, k starlark.Value, i int) tree.Slice {
	c := tr.contents[key(x)]
	switch x := x.(type) {
	case starlark.Tuple:
		if c != nil && i >= 0 && i < len(c.list) {
			return c.list[i]
		}
	case *starlark.List:
		if c != nil && c.mixed {
			return tr.all(x)
		}
		if c != nil && c.place != 0 && i >= 0 && i < len(c.list) {
			return tr.Union(c.list[i], c.place)
		}
		if c != nil && i < len(c.list) && c.list[i] != 0 {
			return c.list[i]
		}
		if r := tr.Data(x); r != nil && i >= 0 && i < x.Len() {
			return r.Item(i, x.Index(i))
		}
	case *starlark.Dict:
		if s, ok := k.(starlark.String); ok && c != nil {
			return tr.Union(c.dict[string(s)], c.mixture())
		}
	case *tree.Struct:
		if s, ok := k.(starlark.String); ok {
			return x.Part(string(s))
		}
	case *tree.Map:
		if k == nil && i >= 0 && i < x.Len() {
			return tr.Deep(x.Entries()[i].Key)
		}
		if i := x.Find(k); k != nil && i >= 0 {
			return tr.scalar(x.Entries()[i].Value)
		}
	case *tree.Array:
		if i >= 0 && i < x.Len() {
			return tr.scalar(x.Entries()[i].Value)
		}
	}
	return 0
}

// mixture returns what any of the elements may have been computed from.
func (c *contents) mixture() tree.Slice {
	if c.mixed {
		return c.rest
	}
	return 0
}

// keyOf returns what decided that an element of x exists: for a dict, what its key was computed
// from.
func (tr *Tracer) keyOf(x, k starlark.Value, i int) tree.Slice {
	c := tr.contents[key(x)]
	switch {
	case c == nil:
	case k == nil && i >= 0 && i < len(c.early):
		return c.early[i]
	case k != nil && c.keys != nil:
		if s, ok := k.(starlark.String); ok {
			return c.keys[string(s)]
		}
	}
	return 0
}

// scalar returns what v was computed from, unless it is a collection, which records that itself.
func (tr *Tracer) scalar(v tree.Value) tree.Slice {
	if v.Kind() != tree.ScalarKind {
		return 0
	}
	return tr.Deep(v)
}

// indexed records that code reads the item of x with a key or an index.
func (tr *Tracer) indexed(x, k starlark.Value) {
	c := tr.contents[key(x)]
	var item starlark.Value
	i := -1
	switch x := x.(type) {
	case *starlark.List:
		if tr.elements(x) == nil {
			tr.reached(x)
			return
		}
		if i = index(k, x.Len()); i >= 0 {
			item = x.Index(i)
		}
	case starlark.Tuple:
		if tr.elements(x) == nil {
			tr.reached(x)
			return
		}
		if i = index(k, x.Len()); i >= 0 {
			item = x.Index(i)
		}
	case *tree.Array:
		if i = index(k, x.Len()); i >= 0 {
			item = x.Index(i)
		}
	case starlark.Mapping: // a dict or a fragment
		if key(x) == nil {
			return // a struct, which records its own reads
		}
		tr.Pause()
		item, _, _ = x.Get(k)
		tr.ResumeAt(tr.PauseLevel() - 1)
	default:
		return
	}
	if c != nil {
		tr.Read(c.rest)
	}
	tr.Read(tr.element(x, k, i))
	if item != nil {
		tr.reached(item)
	}
}

// index returns k as an index of a list of n items, or -1 if it is not one.
func index(k starlark.Value, n int) int {
	i, err := starlark.AsInt32(k)
	if i < 0 {
		i += n
	}
	if err != nil || i < 0 || i >= n {
		return -1
	}
	return i
}

// counted records that code asks how many items x has.
func (tr *Tracer) counted(x starlark.Value) {
	if e := tr.elements(x); e != nil {
		tr.Unread(x)
		tr.Read(e.shape)
	} else if r := tr.Data(x); r != nil {
		tr.Read(r.Slice(tree.Shape))
	}
}

// tested records that code tests whether x is present. For a map of data values that is all it
// reads; scalars and lists were read when code reached them.
func (tr *Tracer) tested(x starlark.Value) {
	if m, ok := x.(*tree.Struct); ok {
		if r := tr.Data(m); r != nil {
			tr.Read(r.Slice(tree.Shape))
		}
	}
}

// has records that code tests whether x contains a key or an item. For a map, the values of its
// keys do not matter.
func (tr *Tracer) has(x starlark.Value) {
	c := tr.contents[key(x)]
	switch m := x.(type) {
	case *tree.Map:
		tr.Unread(x)
		tr.Read(tr.Presence(m))
	case *starlark.Dict:
		tr.Unread(x)
		if c != nil {
			for _, s := range c.keys {
				tr.Read(s)
			}
		}
	default:
		return
	}
	if c != nil {
		tr.Read(c.rest)
	}
}

// hold records that x is about to be changed by a method, or by an assignment if the name is empty.
func (tr *Tracer) hold(x, method starlark.Value) {
	if key(x) == nil {
		return
	}
	tr.Unread(x)
	a := tr.top()
	name, _ := starlark.AsString(method)
	c := change{x: x, length: starlark.Len(x), method: name}
	if list, ok := x.(*starlark.List); ok && name == "insert" {
		for i := range list.Len() {
			c.before = append(c.before, list.Index(i))
		}
	}
	a.changed = append(a.changed, c)
}

// changesAt records the index that is about to be set in the collection held last, or the list that
// extends it. s is what decided x.
func (tr *Tracer) changesAt(x starlark.Value, s tree.Slice) {
	held := tr.top().changed
	for i := len(held) - 1; i >= 0; i-- {
		if c := &held[i]; c.at == nil && (c.method == "" || c.method == "extend") {
			c.at, c.by = x, s
			return
		}
	}
}

// change records that a collection was changed. s is what the change was computed from.
func (tr *Tracer) change(ch change, s tree.Slice) {
	c := tr.contentsOf(ch.x)
	grown := starlark.Len(ch.x) == ch.length+1
	switch x := ch.x.(type) {
	case *starlark.List:
		if !c.mixed && tr.changeList(c, x, ch, s) {
			return
		}
		c.mixed = true
	case *starlark.Dict:
		if name, ok := ch.at.(starlark.String); ok && !grown {
			c.put(string(name), s)
			c.rest = tr.Union(c.rest, ch.by)
			return
		}
		if keys := x.Keys(); grown {
			if name, ok := keys[len(keys)-1].(starlark.String); ok {
				c.put(string(name), s)
				return
			}
		}
		if ch.method == "pop" && !c.mixed {
			maps.DeleteFunc(c.dict, func(name string, _ tree.Slice) bool {
				_, found, _ := x.Get(starlark.String(name))
				return !found
			})
			break
		}
		c.mixed = true
	}
	c.rest = tr.Union(c.rest, s)
}

// changeList records a change of a list. It returns false if it is unknown which elements were set.
func (tr *Tracer) changeList(c *contents, x *starlark.List, ch change, s tree.Slice) bool {
	had := min(ch.length, x.Len())
	for len(c.list) < had {
		c.list = append(c.list, 0)
	}
	if i := index(orNone(ch.at), x.Len()); i >= 0 && ch.method == "" {
		c.list[i], c.place = s, tr.Union(c.place, ch.by)
		return true
	}
	switch ch.method {
	case "append":
		c.list = append(c.list, s)
		return true
	case "extend":
		if tr.elements(ch.at) == nil {
			s = tr.Union(s, tr.everything(orNone(ch.at)))
		}
		for i := 0; len(c.list) < x.Len(); i++ {
			c.list = append(c.list, tr.Union(s, tr.element(ch.at, nil, i)))
		}
		c.rest = tr.Union(c.rest, tr.Union(s, tr.shapeOf(orNone(ch.at))))
		return true
	case "insert":
		i := 0
		for i < had && same(ch.before[i], x.Index(i)) {
			i++
		}
		if c.early == nil && x.Len() == had+1 {
			c.list = slices.Insert(c.list, min(i, len(c.list)), s)
			return true
		}
	}
	return false
}

// same reports whether two values are the same object, or equal scalars.
func same(a, b starlark.Value) bool {
	if k := key(a); k != nil {
		return k == key(b)
	}
	equal, err := starlark.Equal(a, b)
	return equal && err == nil
}

// grow records that an operator added something to the variable x: by, if known.
func (tr *Tracer) grow(x, by starlark.Value, s tree.Slice) {
	list, _ := x.(*starlark.List)
	more, ok := by.(*starlark.List)
	if ok && list != nil && list != more {
		if c := tr.contentsOf(list); !c.mixed {
			for len(c.list) < list.Len()-more.Len() {
				c.list = append(c.list, 0)
			}
			for _, part := range tr.partsOf(more) {
				c.list = append(c.list, tr.Union(part, s))
			}
			return
		}
	}
	if by != nil {
		s = tr.Union(s, tr.all(by))
	}
	switch x.(type) {
	case *starlark.List, *starlark.Dict, *starlark.Set:
		c := tr.contentsOf(x)
		c.mixed = true
		c.rest = tr.Union(c.rest, s)
	}
}

// term records that x is about to become part of a list.
func (tr *Tracer) term(x starlark.Value) {
	if l, ok := x.(*starlark.List); ok {
		tr.UseWithoutContent(l)
	}
	tr.bases = append(tr.bases, x)
}

// popTerm removes and returns the last term. How many items a list has is read in any case.
func (tr *Tracer) popTerm() starlark.Value {
	last := len(tr.bases) - 1
	x := tr.bases[last]
	tr.bases = tr.bases[:last]
	if e := tr.elements(x); e != nil {
		tr.Read(e.shape)
	}
	return x
}

// partsOf returns what each item of a list was computed from. If code did not create the list item
// by item, it has already been read.
func (tr *Tracer) partsOf(x *starlark.List) []tree.Slice {
	parts := make([]tree.Slice, x.Len())
	for i := range parts {
		parts[i] = tr.element(x, nil, i)
	}
	return parts
}

// sum records that x is the sum of the last two terms. Each item of a sum of lists keeps its
// origin.
func (tr *Tracer) sum(x starlark.Value) starlark.Value {
	b, a := tr.popTerm(), tr.popTerm()
	if array, ok := x.(*tree.Array); ok {
		return tr.sumOf(array, a, b)
	}
	all, ok := x.(*starlark.List)
	left, _ := a.(*starlark.List)
	right, _ := b.(*starlark.List)
	if !ok || left == nil || right == nil {
		return x // any other value that can be added has been read
	}
	c := tr.contentsOf(all)
	c.list = append(tr.partsOf(left), tr.partsOf(right)...)
	tr.reached(all)
	return x
}

// sumOf returns the sum of two terms, one of which is an array. Items from a list keep their
// origins.
func (tr *Tracer) sumOf(sum *tree.Array, a, b starlark.Value) starlark.Value {
	items := slices.Clone(sum.Entries())
	take := func(term starlark.Value, items []tree.Item) {
		list, ok := term.(*starlark.List)
		if !ok {
			return
		}
		if v, err := tr.Convert(list); err == nil {
			copy(items, v.Entries())
		}
	}
	take(a, items)
	take(b, items[len(items)-starlark.Len(b):])
	return tree.NewArray(items, sum.Pos)
}

// zipped records that x is the result of zip for the last n terms.
func (tr *Tracer) zipped(n int, x starlark.Value) {
	terms := slices.Clone(tr.bases[len(tr.bases)-n:])
	for range n {
		tr.popTerm()
	}
	all, ok := x.(*starlark.List)
	if !ok {
		return
	}
	c := tr.contentsOf(all)
	c.list = make([]tree.Slice, all.Len())
	c.tuples = make([][]tree.Slice, all.Len())
	for i := range c.tuples {
		c.tuples[i] = make([]tree.Slice, n)
		for j, term := range terms {
			if l, ok := term.(*starlark.List); ok {
				c.tuples[i][j] = tr.element(l, nil, i)
				c.list[i] = tr.Union(c.list[i], c.tuples[i][j])
			}
		}
	}
	tr.reached(all)
}

// unpacked records what the elements of a tuple that is unpacked into variables were computed from.
func (tr *Tracer) unpacked(x starlark.Tuple) {
	from := tr.marks[len(tr.marks)-1].parts
	shares := make([]tree.Slice, len(x))
	for _, p := range tr.parts[from:] {
		shares[p.i] = tr.Union(shares[p.i], p.from)
	}
	tr.parts = tr.parts[:from]
	tr.Read(tr.unmark())
	tr.shares = shares
}

// shared returns the shades of the variables that the last tuple was unpacked into.
func (tr *Tracer) shared() starlark.Value {
	s := tr.Union(tr.EndStatement(), tr.top().around().reads)
	out := make(starlark.Tuple, len(tr.shares))
	for i, share := range tr.shares {
		out[i] = asShade(tr.Union(s, share))
	}
	return out
}

func (c *contents) put(name string, s tree.Slice) {
	if c.dict == nil {
		c.dict = map[string]tree.Slice{}
	}
	c.dict[name] = s
}

// created records the parts of the new collection x.
func (tr *Tracer) created(x starlark.Value) {
	from := tr.marks[len(tr.marks)-1].parts
	parts := tr.numbered(tr.parts[from:])
	tr.Read(tr.unmark())
	tr.parts = tr.parts[:from]
	if len(parts) == 0 {
		return
	}
	if s, ok := x.(*tree.Struct); ok {
		tr.recordStruct(s, parts)
		return
	}
	c := tr.contentsOf(x)
	switch x := x.(type) {
	case *starlark.List, starlark.Tuple:
		c.list = make([]tree.Slice, starlark.Len(x))
		for _, p := range parts {
			if p.i < len(c.list) {
				c.list[p.i] = tr.Union(c.list[p.i], p.from)
				c.decided(p)
			}
		}
	case *starlark.Dict:
		tr.recordDict(c, x.Keys(), parts)
	default:
		for _, p := range parts {
			c.rest = tr.Union(c.rest, tr.Union(p.from, p.early))
		}
	}
	tr.reached(x)
}

// decided records what decided that an element of a list exists.
func (c *contents) decided(p part) {
	if p.early == 0 {
		return
	}
	if c.early == nil {
		c.early = make([]tree.Slice, len(c.list))
	}
	c.early[p.i] = p.early
}

// recordDict records the parts of a dict with the given keys.
func (tr *Tracer) recordDict(c *contents, keys []starlark.Value, parts []part) {
	for _, p := range parts {
		name, ok := starlark.String(""), false
		if p.i < len(keys) {
			name, ok = keys[p.i].(starlark.String)
		}
		if !ok || p.next && parts[len(parts)-1].i != len(keys)-1 { // a key occurs twice
			c.mixed = true
			c.rest = tr.Union(c.rest, tr.Union(p.from, p.early))
			continue
		}
		if p.early != 0 {
			if c.keys == nil {
				c.keys = map[string]tree.Slice{}
			}
			c.keys[string(name)] = p.early
		}
		c.put(string(name), tr.Union(c.dict[string(name)], p.from))
	}
}

// numbered assigns an index to each part. Whatever precedes an element of a comprehension (its key,
// the conditions that let it through) belongs to that element.
func (tr *Tracer) numbered(parts []part) []part {
	var out []part
	var early, every tree.Slice
	n := 0
	for _, p := range parts {
		switch {
		case p.i >= 0:
		case p.every:
			every = tr.Union(every, p.early)
			continue
		case p.early != 0:
			early = tr.Union(early, p.early)
			continue
		default:
			p = part{i: n, from: p.from, early: tr.Union(early, every), next: true}
			early, n = 0, n+1
		}
		out = append(out, p)
	}
	return out
}
