package values

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/engine/schema"
	"weft/internal/lang/tree"
)

// opened returns the value of a document with annotations that allow missing keys, wherever typ has
// keys that are absent by default. So documents can set these keys without annotations, like all
// others.
func opened(v tree.Value, typ *schema.Type) tree.Value {
	if typ == nil || !typ.Opens() {
		return v
	}
	var items []tree.Item
	switch x := v.Starlark().(type) {
	case *tree.Map:
		if items = openedItems(x.Entries(), typ); items != nil {
			return tree.Of(tree.NewMap(items, x.Pos)).WithOrigin(v.Origin())
		}
	case *tree.Array:
		for i, it := range x.Entries() {
			if inner := opened(it.Value, typ.Item()); inner != it.Value {
				if items == nil {
					items = slices.Clone(x.Entries())
				}
				items[i].Value = inner
			}
		}
		if items != nil {
			return tree.Of(tree.NewArray(items, x.Pos)).WithOrigin(v.Origin())
		}
	}
	return v
}

// openedItems returns the items of a map as opened does, or nil if none changes.
func openedItems(entries []tree.Item, typ *schema.Type) []tree.Item {
	var items []tree.Item
	for i, it := range entries {
		inner, absent := typ.OpensAt(it.Key, i)
		if absent {
			it.Annotations = mayBeMissing(it.Annotations)
		}
		if it.Value = opened(it.Value, inner); it != entries[i] {
			if items == nil {
				items = slices.Clone(entries)
			}
			items[i] = it
		}
	}
	return items
}

// mayBeMissing returns annotations that add an item if it is missing on the other side, unless they
// already say what to do then.
func mayBeMissing(notes *tree.Annotations) *tree.Annotations {
	switch {
	case notes == nil:
		return openNotes
	case notes.Get("overlay/match") != nil, notes.Get("overlay/remove") != nil,
		notes.Get("overlay/assert") != nil:
		return notes
	}
	replace := notes.Get("overlay/replace")
	if replace == nil {
		return notes.With(matchMissing)
	}
	if replaces(notes) || len(replace.Kwargs) > 0 {
		return notes
	}
	adds := *replace
	adds.Kwargs = []starlark.Tuple{{starlark.String("or_add"), starlark.True}}
	return notes.With(matchMissing).With(adds)
}
