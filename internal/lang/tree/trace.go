package tree

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
)

// Trace is the state of a traced run: it records which data values code reads in each window, and
// fills the tables of Origins. A window is the evaluation of one expression. It is not safe for
// concurrent use.
type Trace struct {
	*Origins
	Literals *Literals // the literals of the data values, if their spelling is kept

	now    Slice                     // what was read in the open window so far
	quiet  int                       // if not 0, reads are not recorded: weft reads, not code
	maybe  starlark.Value            // see Maybe
	held   map[*starlark.List]*Reads // lists of data values
	values map[Leaf]starlark.Value   // the scalars that were read

	unions  map[[2]Slice]Slice
	both    map[[2]Slice]Slice // see Both
	singles map[Leaf]Slice
	derived map[Slice]Slice
	direct  map[Slice]singles
	callIDs map[call]Calls
	whenIDs map[condition]When
	missing map[absenceKey]int
	deep    map[starlark.Value]Slice // see Deep

	texts map[text]Slice  // see FollowTexts
	words map[*byte]Value // the strings in texts, by address
	used  Slice           // see Use

	sources map[Value]Source // documents that code has read: see Source

	// All returns everything that a collection was computed from.
	All func(x starlark.Value) Slice

	// Convert is like FromStarlark, with an origin for each scalar.
	Convert func(x starlark.Value) (Value, error)
}

// absenceKey identifies an absence: those with equal keys are counted together.
type absenceKey struct {
	at, what source.Span
	kind     AbsenceKind
	reads    Slice
	calls    Calls
	when     When
	document source.Pos
	offset   int
}

// NewTrace begins a run that is recorded in o.
func NewTrace(o *Origins) *Trace {
	return &Trace{
		Origins: o,
		held:    map[*starlark.List]*Reads{},
		values:  map[Leaf]starlark.Value{},
		unions:  map[[2]Slice]Slice{},
		both:    map[[2]Slice]Slice{},
		singles: map[Leaf]Slice{},
		derived: map[Slice]Slice{},
		direct:  map[Slice]singles{},
		callIDs: map[call]Calls{},
		whenIDs: map[condition]When{},
		missing: map[absenceKey]int{},
		deep:    map[starlark.Value]Slice{},
		All:     func(starlark.Value) Slice { return 0 },
		Convert: FromStarlark,
	}
}

// Read records that code reads the values in s. The receiver may be nil.
func (t *Trace) Read(s Slice) {
	if s != 0 && t.quiet == 0 {
		t.now = t.Union(t.now, s)
	}
}

// Maybe records that code has reached x, a collection. Its next use shows whether code reads the
// content: it does, unless UseWithoutContent is called. A loop reads item by item, and assigning x to a
// variable reads nothing yet.
func (t *Trace) Maybe(x starlark.Value) {
	if t.quiet == 0 {
		t.readReached()
		t.maybe = x
	}
}

// readReached assumes that code has read the collection that it reached last.
func (t *Trace) readReached() {
	if x := t.maybe; x != nil {
		t.maybe = nil
		t.Read(t.All(x))
	}
}

// UseWithoutContent records that the use of x does not read its content.
func (t *Trace) UseWithoutContent(x starlark.Value) {
	if t.maybe != nil && isSame(t.maybe, x) {
		t.maybe = nil
	}
}

// isSame reports whether two collections are identical. Tuples are slices, which cannot be
// compared.
func isSame(a, b starlark.Value) bool {
	x, ok := a.(starlark.Tuple)
	y, also := b.(starlark.Tuple)
	if ok && also {
		return TupleKey(x) == TupleKey(y)
	}
	return !ok && !also && a == b
}

// Open opens a window inside the current one, and returns the state to pass to Close.
func (t *Trace) Open() (outer Slice) {
	t.readReached()
	outer, t.now = t.now, 0
	return outer
}

// Close closes a window, and returns what was read in it.
func (t *Trace) Close(outer Slice) Slice {
	s := t.Take()
	t.now = outer
	return s
}

// Take closes the window and opens the next.
func (t *Trace) Take() Slice {
	t.readReached()
	s := t.now
	t.now = 0
	return s
}

// Peek returns what was read in the window so far.
func (t *Trace) Peek() Slice {
	t.readReached()
	return t.now
}

// Pause stops recording reads until ResumeAt.
func (t *Trace) Pause() { t.quiet++ }

// ResumeAt ends Pause. Calls may nest: those above level are ended.
func (t *Trace) ResumeAt(level int) { t.quiet = level }

// PauseLevel returns the current nesting level.
func (t *Trace) PauseLevel() int { return t.quiet }

// WithoutReads calls do without recording reads.
func (t *Trace) WithoutReads(do func()) {
	t.quiet++
	defer func() { t.quiet-- }()
	do()
}

// Union returns the union of two sets.
func (t *Trace) Union(a, b Slice) Slice {
	switch {
	case a == b || b == 0:
		return a
	case a == 0:
		return b
	case a > b:
		a, b = b, a
	}
	if s, ok := t.unions[[2]Slice{a, b}]; ok {
		return s
	}
	s := t.addUnion(a, b)
	t.unions[[2]Slice{a, b}] = s
	return s
}

// addUnion adds the union of two sets to the table.
func (o *Origins) addUnion(a, b Slice) Slice {
	o.mu.Lock()
	defer o.mu.Unlock()
	if x := o.slices[b-1]; !x.derived && (x.a == a || x.b == a) { // b already contains a
		return b
	}
	o.slices = append(o.slices, slice{a: a, b: b})
	return Slice(len(o.slices))
}

// addLeaf adds a leaf, and the set that contains only that leaf.
func (o *Origins) addLeaf(x leaf) (Leaf, Slice) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.slices = append(o.slices, slice{leaf: Leaf(len(o.leaves) + 1)})
	o.leaves = append(o.leaves, x)
	return Leaf(len(o.leaves)), Slice(len(o.slices))
}

// Call returns the chain outer extended by a call at a place.
func (t *Trace) Call(at source.Span, outer Calls) Calls {
	c := call{at, outer}
	id, ok := t.callIDs[c]
	if !ok {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.calls = append(t.calls, c)
		id = Calls(len(t.calls))
		t.callIDs[c] = id
	}
	return id
}

// Condition returns a chain with one more condition.
func (t *Trace) Condition(c Condition, outer When) When {
	x := condition{c, outer}
	id, ok := t.whenIDs[x]
	if !ok {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.whens = append(t.whens, x)
		id = When(len(t.whens))
		t.whenIDs[x] = id
	}
	return id
}

// Absent adds an absence, and returns its index.
func (o *Origins) Absent(a Absence) int {
	a.Count = 1
	o.mu.Lock()
	defer o.mu.Unlock()
	o.absences = append(o.absences, a)
	return len(o.absences) - 1
}

// Absent records an absence. If it occurs again, it is only counted, unless it is about one node.
func (t *Trace) Absent(a Absence) {
	if a.Kind == Removed {
		t.Origins.Absent(a)
		return
	}
	key := absenceKey{a.At, a.What, a.Kind, a.Reads, a.Calls, a.When, a.Document, a.Offset}
	if i, ok := t.missing[key]; ok {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.absences[i].Count++
		return
	}
	t.missing[key] = t.Origins.Absent(a)
}

// Deep returns all data values that v, a result of templates, was computed from, including every node
// in it.
func (t *Trace) Deep(v Value) Slice {
	var s Slice
	if set, ok := t.Of(v.origin); ok && set.By == ByTemplate {
		s = set.Reads
	}
	return t.Union(s, t.Below(v))
}

// Below is Deep without the origin of v itself.
func (t *Trace) Below(v Value) Slice {
	if v.tree != nil {
		return t.written(v)
	}
	return t.Inside(v.x)
}

// Inside is Deep for the content of a map, an array or a document set.
func (t *Trace) Inside(x starlark.Value) Slice {
	var items []Item
	switch x := x.(type) {
	case *Map:
		items = x.items
	case *Array:
		items = x.items
	case *DocumentSet:
	default:
		return 0 // a scalar, or constant
	}
	s, ok := t.deep[x]
	if ok {
		return s
	}
	for i := range items {
		s = t.Union(s, t.Union(t.written(items[i].Key), t.Deep(items[i].Value)))
		s = t.Union(s, t.conditions(items[i].Value))
	}
	if set, ok := x.(*DocumentSet); ok {
		for i := range set.docs {
			s = t.Union(s, t.Deep(set.docs[i].Value))
			s = t.Union(s, t.conditions(set.docs[i].Value))
		}
	}
	t.deep[x] = s
	return s
}

// Presence returns what decided which keys a map has.
func (t *Trace) Presence(m *Map) (s Slice) {
	for i := range m.items {
		s = t.Union(s, t.conditions(m.items[i].Value))
	}
	return s
}

// conditions returns what decided that v exists.
func (t *Trace) conditions(v Value) (s Slice) {
	set, ok := t.Of(v.origin)
	if !ok {
		return 0
	}
	for _, c := range t.When(set.When) {
		s = t.Union(s, c.Reads)
	}
	return t.Union(s, set.Key)
}

// Spread returns v with its origin copied to all values in it that have none, because parts of it
// may be moved elsewhere.
func (v Value) Spread() Value {
	items := func(all []Item) []Item {
		out := slices.Clone(all)
		for i := range out {
			if out[i].Value.origin == 0 {
				out[i].Value = out[i].Value.WithOrigin(v.origin).Spread()
			}
		}
		return out
	}
	switch x := v.x.(type) {
	case *Map:
		v.x = NewMap(items(x.items), x.Pos)
	case *Array:
		v.x = NewArray(items(x.items), x.Pos)
	}
	return v
}
