package overlay

import (
	"iter"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Cell is a value as matchers see it: a tree value or a draft.
type Cell struct {
	d *draft
	v tree.Value
}

// MaxCandidates is the maximum number of items that are examined for a message.
const MaxCandidates = 10_000

func CellOf(v tree.Value) Cell { return Cell{v: v} }

// Elements returns the values of an array in order.
func (c Cell) Elements() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		if c.d == nil {
			for v := range c.v.Elements() {
				if !yield(Cell{v: v}) {
					return
				}
			}
			return
		}
		for i := c.d.head; i != None; i = c.d.entries[i].next {
			if !yield(c.d.entries[i].cell()) {
				return
			}
		}
	}
}

// cell returns the value of an entry.
func (x *entry) cell() Cell { return Cell{x.child, x.Value} }

func (c Cell) Kind() tree.Kind {
	switch {
	case c.d == nil:
		return c.v.Kind()
	case c.d.array:
		return tree.ArrayKind
	}
	return tree.MapKind
}

// Value returns the cell as a value.
func (c Cell) Value() tree.Value {
	if c.d != nil {
		return c.d.freeze().WithOrigin(c.v.Origin())
	}
	return c.v
}

// TypeName returns the name of the cell's type in messages.
func (c Cell) TypeName() string {
	switch c.Kind() {
	case tree.MapKind:
		return "map"
	case tree.ArrayKind:
		return "array"
	}
	return c.v.TypeName()
}

// Lookup returns the value of the item with the given key, if the cell is a map that has one.
func (c Cell) Lookup(k Key) (Cell, bool) {
	if c.d == nil {
		if k.IsString {
			v, ok := c.v.Lookup(k.Text)
			return Cell{v: v}, ok
		}
		m, ok := c.v.Map()
		if !ok {
			return Cell{}, false
		}
		i := m.Find(k.Value.Starlark())
		if i < 0 {
			return Cell{}, false
		}
		return Cell{v: m.Entries()[i].Value}, true
	}
	if c.d.array {
		return Cell{}, false
	}
	i := c.d.find(k)
	if i == None {
		return Cell{}, false
	}
	return c.d.entries[i].cell(), true
}

// Keys returns the string keys of a map.
func (c Cell) Keys() []string {
	var names []string
	note := func(v tree.Value) {
		if s, ok := v.Starlark().(starlark.String); ok {
			names = append(names, string(s))
		}
	}
	if c.d != nil {
		for i := c.d.head; i != None && !c.d.array; i = c.d.entries[i].next {
			if len(names) == MaxCandidates {
				break
			}
			note(c.d.entries[i].Key)
		}
		return names
	}
	if m, ok := c.v.Map(); ok {
		for _, it := range m.Entries() {
			note(it.Key)
		}
	}
	return names
}

// LookupItem is like Lookup, but also returns the item's span.
func (c Cell) LookupItem(opt *Options, k Key) (Cell, source.Span, bool) {
	if c.d != nil {
		i := c.d.find(k)
		if i == None {
			return Cell{}, source.Span{}, false
		}
		return c.d.entries[i].cell(), View{c.d, opt}.ValueSpan(i), true
	}
	m, ok := c.v.Map()
	if !ok {
		return Cell{}, source.Span{}, false
	}
	i := m.Find(k.Value.Starlark())
	if i < 0 {
		return Cell{}, source.Span{}, false
	}
	it := m.Entries()[i]
	return Cell{v: it.Value}, opt.valueSpan(it), true
}

// Empty reports whether a collection has no items.
func (c Cell) Empty() bool {
	if c.d != nil {
		return c.d.n == 0
	}
	return c.v.Len() == 0
}
