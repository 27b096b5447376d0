// Package tree represents evaluated documents: what templates produce, overlays edit and emit prints.
//
// Nodes never change, so documents and goroutines can share them; an edit creates new nodes on the path
// to the change and shares the rest. A part of a document that nothing has read stays a reference into
// the syntax tree of package yaml, and is printed from there.
//
// Starlark uses maps, arrays and document sets directly, through methods (see fragment.go); scalars are
// Starlark's own.
package tree

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// Value is what a document, a map item or an array item holds: a scalar, a *Map or an *Array. The
// zero Value is null.
//
// It is one of two things: a Starlark value (None, Bool, Int, Float, String, *Map, *Array), or a node
// of a syntax tree.
type Value struct {
	x      starlark.Value
	tree   *yaml.Tree
	node   yaml.NodeID
	origin Origin
}

// Null is the null value.
var Null = Value{x: starlark.None}

// Of returns the Value of a scalar, *Map or *Array. For other Starlark values see FromStarlark.
func Of(x starlark.Value) Value { return Value{x: x} }

// String returns the Value of a string.
func String(s string) Value { return Value{x: starlark.String(s)} }

// FromSyntax returns the value of node n of t, without reading it. n must not be a document, and t
// must have passed Check.
func FromSyntax(t *yaml.Tree, n yaml.NodeID) Value { return Value{tree: t, node: t.Target(n)} }

// Syntax returns the syntax node of v, if v is still one.
func (v Value) Syntax() (*yaml.Tree, yaml.NodeID, bool) { return v.tree, v.node, v.tree != nil }

// Starlark returns v as Starlark sees it. For a collection that is still a syntax node, it creates
// one level.
func (v Value) Starlark() starlark.Value {
	switch {
	case v.x != nil:
		return v.x
	case v.tree == nil:
		return starlark.None
	}
	switch v.tree.Kind(v.node) {
	case yaml.Mapping:
		return mapFromSyntax(v.tree, v.node)
	case yaml.Sequence:
		return arrayFromSyntax(v.tree, v.node)
	}
	c := yaml.Composer{Tree: v.tree}
	val, text := c.Scalar(v.node)
	return scalar(val, text)
}

// Materialized returns v with its Starlark value created, if it is a scalar. That pays off for keys that
// are compared often.
func (v Value) Materialized() Value {
	if v.tree != nil && v.tree.Kind(v.node) == yaml.Scalar {
		return Value{x: v.Starlark(), origin: v.origin}
	}
	return v
}

// Map returns v as a map, if it is one.
func (v Value) Map() (*Map, bool) {
	if v.tree != nil && v.tree.Kind(v.node) != yaml.Mapping {
		return nil, false
	}
	m, ok := v.Starlark().(*Map)
	return m, ok
}

// Array returns v as an array, if it is one.
func (v Value) Array() (*Array, bool) {
	if v.tree != nil && v.tree.Kind(v.node) != yaml.Sequence {
		return nil, false
	}
	a, ok := v.Starlark().(*Array)
	return a, ok
}

// Empty reports whether v is null, {} or []: a document that holds it is not printed.
func (v Value) Empty() bool {
	switch x := v.x.(type) {
	case starlark.NoneType:
		return true
	case *Map:
		return len(x.items) == 0
	case *Array:
		return len(x.items) == 0
	case nil:
		if v.tree == nil {
			return true
		}
		c := yaml.Composer{Tree: v.tree}
		return c.Empty(v.node)
	}
	return false
}

// Item is an entry of a map, or of an array, where Key is not set.
type Item struct {
	Key         Value
	Value       Value
	Pos         source.Pos // where it comes from; zero if Starlark created it
	Annotations *Annotations
}

// Map is an immutable map with its keys in order.
type Map struct {
	items []Item
	Pos   source.Pos
	weight
}

// NewMap returns a map of items, which must have different keys. It keeps the slice: do not change it
// afterwards.
func NewMap(items []Item, pos source.Pos) *Map {
	return &Map{items: items, Pos: pos, weight: weigh(items)}
}

// Entries returns the items in order. Do not change them.
func (m *Map) Entries() []Item { return m.items }

// Find returns the index of the item with the given key, or -1.
func (m *Map) Find(key starlark.Value) int {
	if s, ok := key.(starlark.String); ok {
		for i := range m.items {
			if m.items[i].Key.IsString(string(s)) {
				return i
			}
		}
		return -1
	}
	for i := range m.items {
		if SameKey(m.items[i].Key.Starlark(), key) {
			return i
		}
	}
	return -1
}

// SameKey reports whether two keys are the same: of one type and value, so that 1, 1.0 and "1" are
// three keys.
func SameKey(a, b starlark.Value) bool {
	switch a := a.(type) {
	case starlark.NoneType:
		return b == starlark.None
	case starlark.Bool:
		return a == b
	case starlark.String:
		s, ok := b.(starlark.String)
		return ok && a == s
	case starlark.Float:
		f, ok := b.(starlark.Float)
		return ok && a == f
	case starlark.Int:
		i, ok := b.(starlark.Int)
		if !ok {
			return false
		}
		eq, err := starlark.Equal(a, i)
		return eq && err == nil
	}
	eq, err := starlark.Equal(a, b)
	return eq && err == nil
}

// Array is an immutable array.
type Array struct {
	items []Item
	Pos   source.Pos
	weight
}

// NewArray returns an array of items. It keeps the slice: do not change it afterwards.
func NewArray(items []Item, pos source.Pos) *Array {
	return &Array{items: items, Pos: pos, weight: weigh(items)}
}

// Entries returns the items in order. Do not change them.
func (a *Array) Entries() []Item { return a.items }

// Doc is one document.
type Doc struct {
	Value       Value
	Pos         source.Pos
	Annotations *Annotations
}

// DocumentSet is an immutable list of documents, such as the result of a function that contains
// documents.
type DocumentSet struct {
	docs []Doc
}

// NewDocumentSet returns a document set. It keeps the slice: do not change it afterwards.
func NewDocumentSet(docs []Doc) *DocumentSet { return &DocumentSet{docs: docs} }

// Documents returns the documents in order. Do not change them.
func (s *DocumentSet) Documents() []Doc { return s.docs }

// Annotation is one annotation of a node, evaluated.
type Annotation struct {
	Name   string
	Args   starlark.Tuple
	Kwargs []starlark.Tuple
	Pos    source.Pos
	Before source.Pos // the position of an earlier annotation of the same name, which this one replaced
	Reads  Slice      // the data values that its arguments were computed from, in a traced run
}

// Annotations are the annotations of one node, one for each name: if a name is repeated, the last one
// counts.
type Annotations struct {
	list []Annotation
}

// NewAnnotations returns the annotations in list, which must not change any more; nil if there are none.
func NewAnnotations(list []Annotation) *Annotations {
	if len(list) == 0 {
		return nil
	}
	for i := range list {
		if slices.ContainsFunc(list[:i], func(x Annotation) bool { return x.Name == list[i].Name }) {
			var notes *Annotations
			for _, x := range list {
				notes = notes.With(x)
			}
			return notes
		}
	}
	return &Annotations{list: list}
}

// With returns a copy of a with one more annotation.
func (a *Annotations) With(x Annotation) *Annotations {
	n := &Annotations{}
	if a != nil {
		for _, old := range a.list {
			if old.Name == x.Name {
				x.Before = old.Pos
				continue
			}
			n.list = append(n.list, old)
		}
	}
	n.list = append(n.list, x)
	return n
}

// Get returns the annotation of that name, or nil. The receiver may be nil.
func (a *Annotations) Get(name string) *Annotation {
	if a == nil {
		return nil
	}
	for i := range a.list {
		if a.list[i].Name == name {
			return &a.list[i]
		}
	}
	return nil
}

// All returns the annotations in order. The receiver may be nil.
func (a *Annotations) All() []Annotation {
	if a == nil {
		return nil
	}
	return a.list
}

// mapFromSyntax creates one level of a mapping. It applies merge keys. If keys are equal, the last
// value takes the place of the first.
func mapFromSyntax(t *yaml.Tree, n yaml.NodeID) *Map {
	c := yaml.Composer{Tree: t}
	m := &Map{Pos: t.Start(n), weight: weighSyntax(t, n)}
	for key, value := range c.Entries(n) {
		m.items = append(
			m.items,
			Item{Key: FromSyntax(t, key), Value: FromSyntax(t, value), Pos: t.Start(key)},
		)
	}
	return m
}

func arrayFromSyntax(t *yaml.Tree, n yaml.NodeID) *Array {
	a := &Array{Pos: t.Start(n), weight: weighSyntax(t, n)}
	for child := range t.Items(n) {
		a.items = append(a.items, Item{Value: FromSyntax(t, child), Pos: t.Start(child)})
	}
	return a
}

// scalar returns a scalar of a syntax tree as a Starlark value.
func scalar(v yaml.Value, text []byte) starlark.Value {
	switch v.Kind {
	case yaml.Null:
		return starlark.None
	case yaml.Bool:
		return starlark.Bool(v.Bool())
	case yaml.Int:
		return starlark.MakeInt64(v.Int())
	case yaml.Uint:
		return starlark.MakeUint64(v.Uint())
	case yaml.Float:
		return starlark.Float(v.Float())
	}
	return starlark.String(text)
}
