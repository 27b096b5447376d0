package tree

import (
	"unsafe"

	"go.starlark.net/starlark"
)

// This file finds out which scalars code has only passed on. Starlark's scalars cannot be marked, so
// a traced run compares values: a scalar that equals a data value it was computed from is that value,
// unless an operator or a function produced it, or the data value only decided that it exists.

// Derived marks s as the origin of a computed value that is not a copy of any value in s.
func (t *Trace) Derived(s Slice) Slice {
	if s == 0 {
		return 0
	}
	d, ok := t.derived[s]
	if !ok {
		d = t.addDerived(s)
		t.derived[s], t.derived[d] = d, d
	}
	return d
}

func (o *Origins) addDerived(s Slice) Slice {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.slices = append(o.slices, slice{a: s, derived: true})
	return Slice(len(o.slices))
}

// CopyOf returns the set of the one data value in s that x is a copy of, or 0 if code computed x.
func (t *Trace) CopyOf(x starlark.Value, s Slice) Slice {
	if r := t.Data(x); r != nil {
		if s != r.known[Whole] {
			return 0
		}
		return s
	}
	var found Slice
	for _, one := range t.directly(s).slices {
		leaf := t.leafOf(one)
		switch was, ok := t.values[leaf]; {
		case !ok || !isCopy(x, was) && !(t.isFromDocument(leaf) && x == was):
		case found != 0 && !t.sameScalar(found, one):
			return 0 // it equals several data values, and it is unknown which was copied
		case found == 0:
			found = one
		}
	}
	return found
}

// sameScalar reports whether two data values are the same scalar of a file, as when a value is passed
// on to a library.
func (t *Trace) sameScalar(a, b Slice) bool {
	x, _, _, _ := t.Find(t.leafOf(a))
	y, _, _, _ := t.Find(t.leafOf(b))
	return x.tree != nil && x.tree == y.tree && x.node == y.node
}

// isCopy reports whether x may be a copy of was, a data value.
func isCopy(x, was starlark.Value) bool {
	if was.Type() != x.Type() {
		return false
	}
	if a, ok := was.(starlark.String); ok {
		// Another text with the same characters, such as a literal, has another address in memory.
		b := x.(starlark.String)
		return a == b && unsafe.StringData(string(a)) == unsafe.StringData(string(b))
	}
	same, err := starlark.Equal(was, x)
	return same && err == nil
}

// singles holds the data values of a set that are not derived, each as a set. It is empty if there
// are many.
type singles struct {
	slices []Slice
	many   bool
}

// maxSingles is the maximum number of data values that a value is compared with.
const maxSingles = 8

// directly returns the singles of s.
func (t *Trace) directly(s Slice) singles {
	if s == 0 {
		return singles{}
	}
	f, ok := t.direct[s]
	if ok {
		return f
	}
	switch x := t.slice(s); {
	case x.leaf != 0:
		f.slices = []Slice{s}
	case !x.derived:
		f = t.directly(x.a).and(t.directly(x.b))
	}
	t.direct[s] = f
	return f
}

// and returns f with the sets of g added.
func (f singles) and(g singles) singles {
	all := append(f.slices[:len(f.slices):len(f.slices)], g.slices...)
	if f.many || g.many || len(all) > maxSingles {
		return singles{many: true}
	}
	return singles{slices: all}
}

// slice returns the stored form of a set.
func (o *Origins) slice(s Slice) slice {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.slices[s-1]
}

// leafOf returns the leaf of a set with one leaf, or 0.
func (o *Origins) leafOf(s Slice) Leaf { return o.slice(s).leaf }
