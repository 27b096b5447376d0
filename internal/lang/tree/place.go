package tree

import (
	"slices"

	"weft/internal/lang/source"
)

// Placed returns d with a place for every item that has none because Starlark created it: the place
// of the node around it. Documents that templates print keep such items without a place on purpose.
// But data values are merged and checked, and for messages a place nearby is better than none.
func (d Doc) Placed() Doc {
	d.Value = d.Value.Placed(d.Pos)
	return d
}

// Placed is like Doc.Placed for a value in a node at pos.
func (v Value) Placed(pos source.Pos) Value {
	switch x := v.x.(type) { // syntax nodes have their own places
	case *Map:
		if items := placedItems(x.items, pos); items != nil {
			return Of(NewMap(items, x.Pos)).WithOrigin(v.origin)
		}
	case *Array:
		if items := placedItems(x.items, pos); items != nil {
			return Of(NewArray(items, x.Pos)).WithOrigin(v.origin)
		}
	}
	return v
}

// placedItems returns a copy of items with places, or nil if they have them already.
func placedItems(items []Item, pos source.Pos) []Item {
	var out []Item
	for i, it := range items {
		if !it.Pos.IsValid() {
			it.Pos = pos
		}
		it.Value = it.Value.Placed(it.Pos)
		if out == nil && (it.Pos != items[i].Pos || it.Value != items[i].Value) {
			out = slices.Clone(items)
		}
		if out != nil {
			out[i] = it
		}
	}
	return out
}
