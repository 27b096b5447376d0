package values

import (
	"slices"

	"weft/internal/lang/tree"
)

// Changed returns a document that changes data values like a flag: maps are merged, and everything
// else is replaced.
func Changed(v tree.Value) FlagDocument {
	return FlagDocument{Doc: tree.Doc{Value: replacing(v), Pos: v.Start()}}
}

func replacing(v tree.Value) tree.Value {
	m, ok := v.Map()
	if !ok {
		return v
	}
	items := slices.Clone(m.Entries())
	for i, it := range items {
		items[i].Annotations = missingNotes
		if _, ok := it.Value.Map(); ok {
			items[i].Value = replacing(it.Value)
		} else {
			items[i].Annotations = replaceNotes
		}
	}
	return tree.Of(tree.NewMap(items, m.Pos))
}
