package tree

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/source"
)

// This file has what a traced run records besides the setter of each value: the data values that it
// was computed from, the calls that led to it, the conditions that it depends on, and what is missing
// because of a condition. All of these are small numbers, indexes of tables in Origins, so what many
// values share is stored once.

// Slice names a set of data values: those that a value was computed from, or a condition. 0 is the
// empty set.
type Slice uint32

// Leaf names a data value that code has read.
type Leaf uint32

// LeafKind is what code has read of a data value.
type LeafKind uint8

// The kinds of leaf.
const (
	Scalar  LeafKind = iota // a scalar
	Whole                   // a map or an array with all that is in it
	Shape                   // how many items an array has, or which keys a map has
	Missing                 // that a map has no such key
)

func (k LeafKind) String() string { return [...]string{"scalar", "whole", "shape", "missing"}[k] }

// LeafInfo describes a leaf.
type LeafInfo struct {
	Values   int    // the number of the data values that it belongs to: see Origins.DataValues
	Document string // the name of the document that it belongs to instead, or ""
	Path     []Step
	Kind     LeafKind
}

// Step is one step of the path into a collection: to the item with a key or, if there is no key, to
// the item with an index.
type Step struct {
	Key   string
	Index int // -1 if it is a key
}

// In returns the index of the item of a value that a step leads to, or -1. Keys are compared as texts.
func (s Step) In(v Value) int {
	switch {
	case s.Index >= 0 && v.Kind() == ArrayKind && s.Index < v.Len():
		return s.Index
	case s.Index < 0 && v.Kind() == MapKind:
		return slices.IndexFunc(v.Entries(), func(it Item) bool { return KeyText(it.Key) == s.Key })
	}
	return -1
}

// At returns the value that a path leads to, if there is one.
func At(v Value, way []Step) (Value, bool) {
	for _, step := range way {
		i := step.In(v)
		if i < 0 {
			return Value{}, false
		}
		v = v.Entries()[i].Value
	}
	return v, true
}

// String returns the path as templates would write it: a.b[0]. That of a document begins with its name:
// Service/web a.b[0].
func (l LeafInfo) String() string {
	var b strings.Builder
	if b.WriteString(l.Document); l.Document != "" && len(l.Path) > 0 {
		b.WriteByte(' ')
	}
	for i, s := range l.Path {
		switch {
		case s.Index >= 0:
			b.WriteString("[" + strconv.Itoa(s.Index) + "]")
		case i > 0:
			b.WriteString("." + s.Key)
		default:
			b.WriteString(s.Key)
		}
	}
	return b.String()
}

// DataValues are the data values of one evaluation of a library. The project is a library, too. A document
// that functions of overlays read is recorded in the same way.
type DataValues struct {
	Library  string // the library as messages show it; empty for the project
	Document string // the name of the document, if it is one
	Value    Value
	Calls    Calls // the calls that led to the evaluation
}

// Calls names a chain of calls: how code at the top level of a file reached the code that ran. 0 is
// the top level itself.
type Calls uint32

// call is a link of such a chain.
type call struct {
	at    source.Span
	outer Calls
}

// When names a chain of conditions that let code run. 0 is the empty chain.
type When uint32

// ConditionKind is the kind of statement that decides whether code runs.
type ConditionKind uint8

// The kinds of condition.
const (
	If   ConditionKind = iota // an if or elif that was true
	Else                      // an if or elif that was false
	For                       // a loop
	Key                       // the computed key of a node around it
)

func (k ConditionKind) String() string { return [...]string{"if", "else", "for", "key"}[k] }

// Condition is one statement that let code run.
type Condition struct {
	Kind  ConditionKind
	At    source.Span // its expression
	Reads Slice       // what decided it
	Index int         // the index of the loop's current item
}

// condition is a link of a chain.
type condition struct {
	Condition
	outer When
}

// AbsenceKind is the reason why something is missing.
type AbsenceKind uint8

// The kinds of absence.
const (
	NotTaken AbsenceKind = iota // a branch of an if that was not taken, or a loop without items
	Removed                     // an overlay or an override has removed it
	// an overlay looked for a node, depending on data values, and did not find it
	Unmatched
)

func (k AbsenceKind) String() string {
	return [...]string{"not taken", "removed", "unmatched"}[k]
}

// Absence is something that is missing, and why.
type Absence struct {
	Kind AbsenceKind

	// For NotTaken, the condition and, in What, the lines that were skipped. For Removed, At is what
	// removed it, and Reads is what decided the removal.
	Condition
	What  source.Span
	Calls Calls // the calls that led there
	When  When  // the conditions around it

	// The positions of the document and the parent node. For text that was not taken, Offset is the
	// length of the text before it; for nodes, -1.
	Document source.Pos
	Parent   source.Pos
	Offset   int

	// For Removed: the setter, the path in the document, and the old value.
	By     Setter
	Path   []Step
	Old    Value
	Was    source.Span
	Before Origin // what set Old

	Count int // how often it happened
}

// Spared names a chain of overlays that did not match. 0 is the empty chain.
type Spared uint32

// Spare is an overlay that would have changed or removed a node if it had matched, and what decided
// that it did not match.
type Spare struct {
	At    source.Span // the node of the overlay
	Reads Slice
	Whole bool // it would also have changed the content of the node
}

// spare is a link of a chain.
type spare struct {
	Spare
	outer Spared
	of    Origin // what set the node, without the overlays
}

// Spared returns the overlays of a chain.
func (o *Origins) Spared(id Spared) []Spare {
	if o == nil {
		return nil
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	var list []Spare
	for id != 0 {
		list = append(list, o.spared[id-1].Spare)
		id = o.spared[id-1].outer
	}
	return list
}

// Unspared returns what set a node, disregarding the overlays that did not match. Those apply to the
// node alone, and to its content only if Whole is set.
func (o *Origins) Unspared(by Origin) Origin {
	s, _ := o.Of(by)
	if s.Spared == 0 {
		return by
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.spared[s.Spared-1].of
}

// Spare records that an overlay might have set v. by is what set v or, if nothing set v itself, what
// set the value around it.
func (o *Origins) Spare(v Value, by Origin, x Spare) Value {
	s, ok := o.Of(by)
	// it is written in a file, or was set together with what is around it
	if v.origin == 0 && (!ok || s.By != ByTemplate) {
		s.Old, s.Was, s.Before = Value{}, source.Span{}, 0
	}
	if !ok {
		s.By = ByTemplate
	}
	of := o.Unspared(by)
	o.mu.Lock()
	o.spared = append(o.spared, spare{x, s.Spared, of})
	s.Spared = Spared(len(o.spared))
	o.mu.Unlock()
	return o.Set(v, s)
}

// slice is a set of data values: one leaf, or the union of two sets.
type slice struct {
	leaf    Leaf // 0 if it is a union
	a, b    Slice
	derived bool // the set equals a, but values computed from it are not copies: see Trace.Derived
}

// leaf is a data value, identified by the path to it.
type leaf struct {
	parent Leaf // a leaf of kind Whole; 0 for the data values themselves
	values int32
	step   Step
	kind   LeafKind
}

// Leaves returns the data values of a set, in the order in which they were first read.
func (o *Origins) Leaves(s Slice) []Leaf {
	if o == nil || s == 0 {
		return nil
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	if x := o.slices[s-1]; x.leaf != 0 {
		return []Leaf{x.leaf} // the most common case
	}
	var found []Leaf
	seen := map[Slice]bool{}
	todo := []Slice{s}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at == 0 || seen[at] {
			continue
		}
		seen[at] = true
		if x := o.slices[at-1]; x.leaf != 0 {
			found = append(found, x.leaf)
		} else {
			todo = append(todo, x.a, x.b)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// ReadLeaves returns all data values that code has read, and the collections that contain them.
func (o *Origins) ReadLeaves() []Leaf {
	if o == nil {
		return nil
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	list := make([]Leaf, len(o.leaves))
	for i := range list {
		list[i] = Leaf(i + 1)
	}
	return list
}

// Leaf returns what is known of a leaf.
func (o *Origins) Leaf(l Leaf) LeafInfo {
	o.mu.RLock()
	defer o.mu.RUnlock()
	x := o.leaves[l-1]
	info := LeafInfo{Values: int(x.values), Kind: x.kind}
	if info.Values < len(o.values) {
		info.Document = o.values[info.Values].Document
	}
	for ; x.parent != 0; x = o.leaves[x.parent-1] {
		info.Path = append(info.Path, x.step)
	}
	slices.Reverse(info.Path)
	return info
}

// DataValues returns the data values that leaves belong to, by number.
func (o *Origins) DataValues() []DataValues {
	if o == nil {
		return nil
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	return slices.Clone(o.values)
}

// Find returns the final value of a leaf, the position of its item, and what set it. It returns false
// for leaves of kind Missing.
func (o *Origins) Find(l Leaf) (v Value, at source.Pos, by Origin, ok bool) {
	if v, ok := o.text(l); ok {
		return v, v.Start(), 0, true
	}
	info := o.Leaf(l)
	o.mu.RLock()
	v = o.values[info.Values].Value
	o.mu.RUnlock()
	by = v.Origin()
	at = v.Start()
	for _, s := range info.Path {
		var items []Item
		i := s.Index
		if a, ok := v.Array(); ok && i >= 0 {
			items = a.items
		} else if m, ok := v.Map(); ok && i < 0 {
			items = m.items
			i = slices.IndexFunc(items, func(it Item) bool { return KeyText(it.Key) == s.Key })
		}
		if i < 0 || i >= len(items) {
			return Value{}, source.Pos{}, 0, false
		}
		v, at = items[i].Value, items[i].Pos
		if v.Origin() != 0 {
			by = v.Origin()
		}
	}
	return v, at, by, true
}

// Calls returns the places of the calls of a chain: the innermost first, the one at the top level
// of the file last.
func (o *Origins) Calls(id Calls) []source.Span {
	if o == nil {
		return nil
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	var list []source.Span
	for id != 0 {
		c := o.calls[id-1]
		list = append(list, c.at)
		id = c.outer
	}
	return list
}

// Caller returns the chain of calls without the innermost one.
func (o *Origins) Caller(id Calls) Calls {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.calls[id-1].outer
}

// When returns the conditions of a chain, the innermost first.
func (o *Origins) When(id When) []Condition {
	if o == nil {
		return nil
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	var list []Condition
	for id != 0 {
		c := o.whens[id-1]
		list = append(list, c.Condition)
		id = c.outer
	}
	return list
}

// Innermost returns the innermost condition of a chain, and the rest of the chain. It returns false
// if there is none.
func (o *Origins) Innermost(id When) (c Condition, outer When, ok bool) {
	if o == nil || id == 0 {
		return Condition{}, 0, false
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	x := o.whens[id-1]
	return x.Condition, x.outer, true
}

// Conditions returns all conditions that let code run, in no particular order.
func (o *Origins) Conditions() []Condition {
	if o == nil {
		return nil
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	list := make([]Condition, len(o.whens))
	for i := range o.whens {
		list[i] = o.whens[i].Condition
	}
	return list
}

// Absences returns everything that is missing, in the order in which it was found.
func (o *Origins) Absences() []Absence {
	if o == nil {
		return nil
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	return slices.Clone(o.absences)
}
