package tree

import (
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"
)

// Reads records which data values are read, by any number of threads. The Reads of a map records
// which fields are read. The zero Reads has recorded nothing.
//
// It answers only whether a value is read at all, so nothing is ever removed, and copies of the
// values may share one Reads.
//
// In a traced run it also reports each read to the Trace.
type Reads struct {
	fields sync.Map    // from the name of a field that was read, or looked for, to its *Reads
	shape  atomic.Bool // code may know which fields there are, or how many

	trace  *Trace
	at     leaf               // the path to the value, in a traced run
	known  [Missing + 1]Slice // the sets of its leaves, by kind
	whole  Leaf
	items  []*Reads // the items of an array
	length int      // the length of an array
	twin   *Reads   // also records each read, to find data values that nothing reads

	last   starlark.Value // the last result of StructOf, in a traced run
	lastOf Value
}

// StructOf is like the function of that name, and records what is read. The receiver may be nil. In a traced
// run, the same value gives the same result: a copy of a text is known by its address.
func (r *Reads) StructOf(v Value) starlark.Value {
	traced := r != nil && r.trace != nil
	if traced && r.last != nil && r.lastOf == v {
		return r.last
	}
	x := structOf(v, r)
	r.hold(x)
	if traced {
		r.last, r.lastOf = x, v
	}
	return x
}

// Traced returns Reads that report reads of data values to t, and to twin if it is not nil.
func (t *Trace) Traced(d DataValues, twin *Reads) *Reads {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Origins.values = append(t.Origins.values, d)
	return &Reads{
		trace: t, twin: twin,
		at: leaf{values: int32(len(t.Origins.values) - 1), step: Step{Index: -1}},
	}
}

// of records that a field is read, and returns its Reads.
func (r *Reads) of(name string) *Reads {
	if f, ok := r.fields.Load(name); ok {
		return f.(*Reads)
	}
	next := &Reads{}
	if r.trace != nil {
		next = r.below(Step{Key: name, Index: -1})
	}
	if r.twin != nil {
		next.twin = r.twin.of(name)
	}
	f, _ := r.fields.LoadOrStore(name, next)
	return f.(*Reads)
}

// item returns the Reads of an array item.
func (r *Reads) item(i int) *Reads {
	if r == nil || r.trace == nil {
		return nil
	}
	for len(r.items) <= i {
		r.items = append(r.items, nil)
	}
	if r.items[i] == nil {
		r.items[i] = r.below(Step{Index: i})
	}
	return r.items[i]
}

// below returns the Reads of a value inside this one.
func (r *Reads) below(s Step) *Reads {
	r.Slice(Whole)
	return &Reads{
		trace: r.trace,
		at:    leaf{parent: r.whole, values: r.at.values, step: s},
	}
}

// Slice returns the set that contains only this value.
func (r *Reads) Slice(k LeafKind) Slice {
	if r.known[k] == 0 {
		x := r.at
		x.kind = k
		var l Leaf
		l, r.known[k] = r.trace.addLeaf(x)
		if k == Whole {
			r.whole = l
		}
	}
	return r.known[k]
}

// got records that code has reached the value, which is x.
func (r *Reads) got(x starlark.Value) {
	if r == nil || r.trace == nil {
		return
	}
	r.hold(x) // even if weft reads, to tell apart the lists in a map
	if r.trace.quiet > 0 {
		return
	}
	switch x := x.(type) {
	case *Struct: // a Struct records its own reads
	case *starlark.List:
		r.trace.Maybe(x)
	default:
		r.trace.Read(r.scalar(x))
	}
}

// scalar returns the set of the value, given that it is the scalar x.
func (r *Reads) scalar(x starlark.Value) Slice {
	known := r.known[Scalar] != 0
	s := r.Slice(Scalar)
	if !known {
		r.trace.values[r.trace.leafOf(s)] = x
	}
	return s
}

// missed records that code looked for a field that does not exist.
func (r *Reads) missed(name string) {
	if r == nil {
		return
	}
	field := r.of(name)
	if r.trace != nil && r.trace.quiet == 0 {
		r.trace.Read(field.Slice(Missing))
	}
}

// sawShape records that code may know the names of the fields, or their number.
func (r *Reads) sawShape() {
	for ; r != nil; r = r.twin {
		r.shape.Store(true)
	}
}

// readShape records that code reads the names of the fields or the number of items.
func (r *Reads) readShape() {
	if r != nil && r.trace != nil {
		r.trace.Read(r.Slice(Shape))
	}
}

// hold records which data value the list x is, because the list itself cannot.
func (r *Reads) hold(x starlark.Value) {
	if r == nil || r.trace == nil {
		return
	}
	if l, ok := x.(*starlark.List); ok && r.trace.held[l] == nil {
		r.trace.held[l] = r
		r.length = l.Len()
	}
}

// Data returns the Reads of the map or array of data values that x is, or nil.
func (t *Trace) Data(x starlark.Value) *Reads {
	switch x := x.(type) {
	case *starlark.List:
		return t.held[x]
	case *Struct:
		if x.reads != nil && x.reads.trace != nil {
			return x.reads
		}
	}
	return nil
}

// Item returns the set of item i of an array of data values, which is x. Maps and arrays in it do not
// count as read yet. Items after the last one were added by code.
func (r *Reads) Item(i int, x starlark.Value) Slice {
	if i >= r.length {
		return 0
	}
	switch x.(type) {
	case *Struct, *starlark.List, *Map, *Array:
		return 0
	}
	return r.item(i).scalar(x)
}

// Field returns the Reads of a map's field, whether or not code has read it.
func (r *Reads) Field(name string) *Reads { return r.of(name) }

// Element returns the Reads of an array item.
func (r *Reads) Element(i int) *Reads { return r.item(i) }

// Of returns the set of the value, if the value is x.
func (r *Reads) Of(x starlark.Value) Slice {
	switch x.(type) {
	case *Struct, *starlark.List, *starlark.Dict:
		return 0 // it records its own reads
	}
	return r.scalar(x)
}

// Alike reports whether code that has read a, as recorded, would do the same with b instead: both have the
// same in all that was read. The content of an array counts as read if the array was read.
func (r *Reads) Alike(a, b Value, identical func(a, b Value) bool) bool {
	if identical(a, b) {
		return true
	}
	x, isMap := a.Map()
	y, both := b.Map()
	if r.shape.Load() || !isMap || !both {
		return false
	}
	was, now := x.byName(), y.byName()
	same := true
	r.fields.Range(func(name, field any) bool {
		p, had := was[name.(string)]
		q, has := now[name.(string)]
		same = had == has && (!has || field.(*Reads).Alike(p, q, identical))
		return same
	})
	return same
}

// byName returns the values that a struct has as its fields.
func (m *Map) byName() map[string]Value {
	fields := make(map[string]Value, len(m.items))
	for _, it := range m.items {
		name := KeyText(it.Key)
		if _, ok := fields[name]; !ok { // as in shape.name
			fields[name] = it.Value
		}
	}
	return fields
}

// Unread calls f for each map item in v that was never read, with the path to it. For a map that was
// never read, it reports only the map itself. The content of an array counts as read if the array was
// read.
func (r *Reads) Unread(v Value, f func(path []Value, it Item)) { r.unread(v, nil, f) }

func (r *Reads) unread(v Value, path []Value, f func(path []Value, it Item)) {
	m, ok := v.Map()
	if !ok {
		return
	}
	for _, it := range m.items {
		path := append(path, it.Key)
		if inner, ok := r.fields.Load(KeyText(it.Key)); ok {
			inner.(*Reads).unread(it.Value, path, f)
		} else {
			f(path, it)
		}
	}
}
