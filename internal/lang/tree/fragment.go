package tree

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file implements nodes as Starlark values, of type yamlfragment. Maps are read by key, arrays
// and document sets by index. They cannot be changed, so they can be shared without a copy.
var (
	_ starlark.IterableMapping = (*Map)(nil)
	_ starlark.Sequence        = (*Map)(nil)
	_ starlark.Comparable      = (*Map)(nil)
	_ starlark.Mapping         = (*Array)(nil)
	_ starlark.Sequence        = (*Array)(nil)
	_ starlark.Sliceable       = (*Array)(nil)
	_ starlark.Comparable      = (*Array)(nil)
	_ starlark.HasBinary       = (*Array)(nil)
	_ starlark.Mapping         = (*DocumentSet)(nil)
	_ starlark.Sequence        = (*DocumentSet)(nil)
	_ starlark.Sliceable       = (*DocumentSet)(nil)
	_ starlark.Comparable      = (*DocumentSet)(nil)
	_ starlark.Sequence        = Nothing{}
	_ starlark.IterableMapping = Nothing{}
)

const fragmentType = "yamlfragment"

func unhashable() (uint32, error) { return 0, fmt.Errorf("unhashable type: %s", fragmentType) }

// Type implements starlark.Value.
func (m *Map) Type() string { return fragmentType }

// String implements starlark.Value. The text is that of ytt.
func (m *Map) String() string { return "yamlfragment(*yamlmeta.Map)" }

// Freeze implements starlark.Value: there is nothing to freeze.
func (m *Map) Freeze() {}

// Truth implements starlark.Value.
func (m *Map) Truth() starlark.Bool { return len(m.items) > 0 }

// Hash implements starlark.Value.
func (m *Map) Hash() (uint32, error) { return unhashable() }

// Len implements starlark.Sequence.
func (m *Map) Len() int { return len(m.items) }

// Get implements starlark.Mapping.
func (m *Map) Get(key starlark.Value) (starlark.Value, bool, error) {
	if i := m.Find(key); i >= 0 {
		return m.items[i].Value.ForCode(), true, nil
	}
	return nil, false, nil
}

// Iterate implements starlark.Iterable: over the keys.
func (m *Map) Iterate() starlark.Iterator {
	return &iterator{
		n:  len(m.items),
		at: func(i int) starlark.Value { return m.items[i].Key.ForCode() },
	}
}

// Items implements starlark.IterableMapping, which dict(m) and f(**m) use.
func (m *Map) Items() []starlark.Tuple {
	pairs := make([]starlark.Tuple, len(m.items))
	for i := range m.items {
		pairs[i] = starlark.Tuple{m.items[i].Key.ForCode(), m.items[i].Value.ForCode()}
	}
	return pairs
}

// CompareSameType implements starlark.Comparable: == is by value, and the order of keys does not
// matter.
func (m *Map) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	return compare(op, func() (bool, error) {
		o, ok := y.(*Map)
		if !ok || len(m.items) != len(o.items) {
			return false, nil
		}
		for i := range m.items {
			j := o.Find(m.items[i].Key.Starlark())
			if j < 0 {
				return false, nil
			}
			x, y := m.items[i].Value.ForCode(), o.items[j].Value.ForCode()
			if eq, err := starlark.EqualDepth(x, y, depth-1); err != nil || !eq {
				return false, err
			}
		}
		return true, nil
	})
}

func compare(op syntax.Token, equal func() (bool, error)) (bool, error) {
	switch op {
	case syntax.EQL:
		return equal()
	case syntax.NEQ:
		eq, err := equal()
		return !eq, err
	}
	return false, fmt.Errorf("%s %s %s not implemented", fragmentType, op, fragmentType)
}

// Type implements starlark.Value.
func (a *Array) Type() string { return fragmentType }

// String implements starlark.Value. The text is that of ytt.
func (a *Array) String() string { return "yamlfragment(*yamlmeta.Array)" }

// Freeze implements starlark.Value: there is nothing to freeze.
func (a *Array) Freeze() {}

// Truth implements starlark.Value.
func (a *Array) Truth() starlark.Bool { return len(a.items) > 0 }

// Hash implements starlark.Value.
func (a *Array) Hash() (uint32, error) { return unhashable() }

// Len implements starlark.Sequence.
func (a *Array) Len() int { return len(a.items) }

// Get implements starlark.Mapping, as in ytt: `k in a` reports whether there is an index k, not an
// item.
func (a *Array) Get(key starlark.Value) (starlark.Value, bool, error) {
	return getIndex(key, len(a.items), a.value)
}

func (a *Array) value(i int) starlark.Value { return a.items[i].Value.ForCode() }

// Iterate implements starlark.Iterable: over the values.
func (a *Array) Iterate() starlark.Iterator { return &iterator{n: len(a.items), at: a.value} }

// Index implements starlark.Indexable.
func (a *Array) Index(i int) starlark.Value { return a.value(i) }

// Slice implements starlark.Sliceable.
func (a *Array) Slice(start, end, step int) starlark.Value {
	var items []Item
	for i := start; step > 0 && i < end || step < 0 && i > end; i += step {
		items = append(items, a.items[i])
	}
	return NewArray(items, a.Pos)
}

// CompareSameType implements starlark.Comparable: == is by value.
func (a *Array) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	return compare(op, func() (bool, error) {
		o, ok := y.(*Array)
		if !ok || len(a.items) != len(o.items) {
			return false, nil
		}
		for i := range a.items {
			if eq, err := starlark.EqualDepth(a.value(i), o.value(i), depth-1); err != nil || !eq {
				return false, err
			}
		}
		return true, nil
	})
}

// Binary implements starlark.HasBinary: an array plus an array, a list or a tuple is an array.
func (a *Array) Binary(
	op syntax.Token, y starlark.Value, side starlark.Side,
) (starlark.Value, error) {
	if op != syntax.PLUS {
		return nil, nil
	}
	var other []Item
	switch y := y.(type) {
	case *Array:
		other = y.items
	case *starlark.List, starlark.Tuple:
		v, err := FromStarlarkWithin(y, MaxNodes)
		if err != nil {
			return nil, err
		}
		arr, _ := v.Array()
		other = arr.items
	default:
		return nil, nil
	}
	left, right := a.items, other
	if side == starlark.Right {
		left, right = other, a.items
	}
	items := make([]Item, 0, len(left)+len(right))
	return NewArray(append(append(items, left...), right...), a.Pos), nil
}

// Type implements starlark.Value.
func (s *DocumentSet) Type() string { return fragmentType }

// String implements starlark.Value. The text is that of ytt.
func (s *DocumentSet) String() string { return "yamlfragment(*yamlmeta.DocumentSet)" }

// Freeze implements starlark.Value: there is nothing to freeze.
func (s *DocumentSet) Freeze() {}

// Truth implements starlark.Value.
func (s *DocumentSet) Truth() starlark.Bool { return len(s.docs) > 0 }

// Hash implements starlark.Value.
func (s *DocumentSet) Hash() (uint32, error) { return unhashable() }

// Len implements starlark.Sequence.
func (s *DocumentSet) Len() int { return len(s.docs) }

// Get implements starlark.Mapping: see Array.Get.
func (s *DocumentSet) Get(key starlark.Value) (starlark.Value, bool, error) {
	return getIndex(key, len(s.docs), s.value)
}

func (s *DocumentSet) value(i int) starlark.Value { return s.docs[i].Value.ForCode() }

// Iterate implements starlark.Iterable: over the documents' values.
func (s *DocumentSet) Iterate() starlark.Iterator { return &iterator{n: len(s.docs), at: s.value} }

// Index implements starlark.Indexable.
func (s *DocumentSet) Index(i int) starlark.Value { return s.value(i) }

// Slice implements starlark.Sliceable.
func (s *DocumentSet) Slice(start, end, step int) starlark.Value {
	var docs []Doc
	for i := start; step > 0 && i < end || step < 0 && i > end; i += step {
		docs = append(docs, s.docs[i])
	}
	return NewDocumentSet(docs)
}

// CompareSameType implements starlark.Comparable: == is by value.
func (s *DocumentSet) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	return compare(op, func() (bool, error) {
		o, ok := y.(*DocumentSet)
		if !ok || len(s.docs) != len(o.docs) {
			return false, nil
		}
		for i := range s.docs {
			if eq, err := starlark.EqualDepth(s.value(i), o.value(i), depth-1); err != nil || !eq {
				return false, err
			}
		}
		return true, nil
	})
}

// Nothing is the result of a function that contains nodes but did not create any. As a value, it is
// null.
type Nothing struct{}

// Type implements starlark.Value.
func (Nothing) Type() string { return fragmentType }

// String implements starlark.Value.
func (Nothing) String() string { return "yamlfragment(<nil>)" }

// Freeze implements starlark.Value.
func (Nothing) Freeze() {}

// Truth implements starlark.Value.
func (Nothing) Truth() starlark.Bool { return false }

// Hash implements starlark.Value.
func (Nothing) Hash() (uint32, error) { return unhashable() }

// Len implements starlark.Sequence.
func (Nothing) Len() int { return 0 }

// Get implements starlark.Mapping.
func (Nothing) Get(starlark.Value) (starlark.Value, bool, error) { return nil, false, nil }

// Items implements starlark.IterableMapping.
func (Nothing) Items() []starlark.Tuple { return nil }

// Iterate implements starlark.Iterable.
func (Nothing) Iterate() starlark.Iterator { return &iterator{} }

// getIndex reads by index; a negative one counts from the end.
func getIndex(
	key starlark.Value, n int, at func(int) starlark.Value,
) (starlark.Value, bool, error) {
	k, ok := key.(starlark.Int)
	if !ok {
		return nil, false, nil
	}
	i, ok := k.Int64()
	if i < 0 {
		i += int64(n)
	}
	if !ok || i < 0 || i >= int64(n) {
		return nil, false, nil
	}
	return at(int(i)), true, nil
}

// iterator iterates over n values.
type iterator struct {
	i, n int
	at   func(int) starlark.Value
}

// Next implements starlark.Iterator.
func (it *iterator) Next(p *starlark.Value) bool {
	if it.i == it.n {
		return false
	}
	*p = it.at(it.i)
	it.i++
	return true
}

// Done implements starlark.Iterator.
func (it *iterator) Done() {}
