package overlay

import (
	"iter"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// cell is what a matcher looks at: a value, or the draft of it.
type cell struct {
	d *draft
	v tree.Value
}

// elements returns the values of an array in order.
func (c cell) elements() iter.Seq[cell] {
	return func(yield func(cell) bool) {
		if c.d == nil {
			for v := range c.v.Elements() {
				if !yield(cell{v: v}) {
					return
				}
			}
			return
		}
		for i := c.d.head; i != none; i = c.d.entries[i].next {
			if !yield(c.d.entries[i].cell()) {
				return
			}
		}
	}
}

// cell returns the value of an entry.
func (x *entry) cell() cell { return cell{x.child, x.Value} }

func (c cell) kind() tree.Kind {
	switch {
	case c.d == nil:
		return c.v.Kind()
	case c.d.array:
		return tree.ArrayKind
	}
	return tree.MapKind
}

// value returns the cell as a value.
func (c cell) value() tree.Value {
	if c.d != nil {
		return c.d.freeze().WithOrigin(c.v.Origin())
	}
	return c.v
}

// typeName returns the name of the cell's type in messages.
func (c cell) typeName() string {
	switch c.kind() {
	case tree.MapKind:
		return "map"
	case tree.ArrayKind:
		return "array"
	}
	return c.v.TypeName()
}

// lookup returns the value of the item with the given key, if the cell is a map that has one.
func (c cell) lookup(k key) (cell, bool) {
	if c.d == nil {
		if k.isString {
			v, ok := c.v.Lookup(k.text)
			return cell{v: v}, ok
		}
		m, ok := c.v.Map()
		if !ok {
			return cell{}, false
		}
		i := m.Find(k.value.Starlark())
		if i < 0 {
			return cell{}, false
		}
		return cell{v: m.Entries()[i].Value}, true
	}
	if c.d.array {
		return cell{}, false
	}
	i := c.d.find(k)
	if i == none {
		return cell{}, false
	}
	return c.d.entries[i].cell(), true
}

// keyTexts returns the string keys of a map.
func (c cell) keyTexts() []string {
	var names []string
	note := func(v tree.Value) {
		if s, ok := v.Starlark().(starlark.String); ok {
			names = append(names, string(s))
		}
	}
	if c.d != nil {
		for i := c.d.head; i != none && !c.d.array; i = c.d.entries[i].next {
			if len(names) == maxCandidates {
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

// lookupItem is lookup that also gives where the item is.
func (c cell) lookupItem(opt *Options, k key) (cell, source.Span, bool) {
	if c.d != nil {
		i := c.d.find(k)
		if i == none {
			return cell{}, source.Span{}, false
		}
		return c.d.entries[i].cell(), view{c.d, opt}.valueSpan(i), true
	}
	m, ok := c.v.Map()
	if !ok {
		return cell{}, source.Span{}, false
	}
	i := m.Find(k.value.Starlark())
	if i < 0 {
		return cell{}, source.Span{}, false
	}
	it := m.Entries()[i]
	return cell{v: it.Value}, opt.valueSpan(it), true
}

// empty reports whether a collection has nothing in it.
func (c cell) empty() bool {
	if c.d != nil {
		return c.d.n == 0
	}
	return c.v.Len() == 0
}
