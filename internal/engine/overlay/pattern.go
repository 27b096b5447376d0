package overlay

import (
	"weft/internal/lang/tree"
)

// Pattern is a value that another may contain: what overlay.subset and overlay/assert compare with.
// A map contains it if it has every key, an array if it has every item at the same index. Scalars
// must have the same type and value.
type Pattern struct {
	Kind   tree.Kind
	Scalar tree.Value
	Keys   []Key
	Of     []Pattern
}

func (r *Reader) newPattern(v tree.Value) Pattern {
	p := Pattern{Kind: v.Kind(), Scalar: v}
	if p.Kind == tree.ScalarKind {
		// Starlark's scalar is compared without parsing it again.
		p.Scalar = tree.Of(v.Starlark()).WithOrigin(v.Origin())
		return p
	}
	items := r.Items(nil, v)
	p.Of = make([]Pattern, len(items))
	if p.Kind == tree.MapKind {
		p.Keys = make([]Key, len(items))
	}
	for i := range items {
		if p.Keys != nil {
			p.Keys[i] = KeyOf(items[i].Key)
		}
		p.Of[i] = r.newPattern(items[i].Value)
	}
	return p
}

// In reports whether the pattern is contained in c.
func (p *Pattern) In(c Cell) bool {
	if p.Kind != c.Kind() {
		return false
	}
	switch p.Kind {
	case tree.MapKind:
		for i := range p.Of {
			x, ok := c.Lookup(p.Keys[i])
			if !ok || !p.Of[i].In(x) {
				return false
			}
		}
		return true
	case tree.ArrayKind:
		n := 0
		for x := range c.Elements() {
			if n == len(p.Of) {
				break
			}
			if !p.Of[n].In(x) {
				return false
			}
			n++
		}
		return n == len(p.Of)
	}
	return tree.SameScalar(p.Scalar, c.v)
}
