package overlay

import (
	"weft/internal/lang/tree"
)

// pattern is a value that may be contained in another: what overlay.subset and overlay/assert
// compare with. Of a map every key has to be there, of an array every item in its place, and
// scalars are equal if they are of one type and value.
type pattern struct {
	kind   tree.Kind
	scalar tree.Value
	keys   []key
	of     []pattern
}

// newPattern makes a pattern of v.
func (r *reader) newPattern(v tree.Value) pattern {
	p := pattern{kind: v.Kind(), scalar: v}
	if p.kind == tree.ScalarKind {
		// As Starlark's own scalar it is compared without being read again.
		p.scalar = tree.Of(v.Starlark()).WithOrigin(v.Origin())
		return p
	}
	items := r.Items(nil, v)
	p.of = make([]pattern, len(items))
	if p.kind == tree.MapKind {
		p.keys = make([]key, len(items))
	}
	for i := range items {
		if p.keys != nil {
			p.keys[i] = keyOf(items[i].Key)
		}
		p.of[i] = r.newPattern(items[i].Value)
	}
	return p
}

// in reports whether the pattern is contained in c.
func (p *pattern) in(c cell) bool {
	if p.kind != c.kind() {
		return false
	}
	switch p.kind {
	case tree.MapKind:
		for i := range p.of {
			x, ok := c.lookup(p.keys[i])
			if !ok || !p.of[i].in(x) {
				return false
			}
		}
		return true
	case tree.ArrayKind:
		n := 0
		for x := range c.elements() {
			if n == len(p.of) {
				break
			}
			if !p.of[n].in(x) {
				return false
			}
			n++
		}
		return n == len(p.of)
	}
	return tree.SameScalar(p.scalar, c.v)
}
