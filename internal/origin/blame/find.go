package blame

import (
	"slices"

	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// finder finds values by their paths. It indexes each large map it looks into by the text of the keys,
// because paths through data values identify keys by their text.
type finder map[*tree.Map]map[string][]int

// valueAt returns the value at a path, if it exists.
func (f finder) valueAt(v tree.Value, way path.Path) (tree.Value, bool) {
	for _, s := range way {
		it, ok := f.item(v, s)
		if !ok {
			return tree.Value{}, false
		}
		v = it.Value
	}
	return v, true
}

// item returns the item at a path segment, if it exists.
func (f finder) item(v tree.Value, s path.Segment) (tree.Item, bool) {
	i := s.Index
	var items []tree.Item
	if m, ok := v.Map(); ok && s.Kind == path.Key {
		items, i = m.Entries(), f.find(m, s.Key)
	} else if a, ok := v.Array(); ok && s.Kind == path.Item {
		items = a.Entries()
	}
	if i < 0 || i >= len(items) {
		return tree.Item{}, false
	}
	return items[i], true
}

// find returns the index of a key in a map. If the key itself is missing, it returns the index of a key
// with the same text, or -1.
func (f finder) find(m *tree.Map, key tree.Value) int {
	const minIndexedItems = 16
	items, text := m.Entries(), tree.KeyText(key)
	if len(items) < minIndexedItems {
		if i := m.Find(key.Starlark()); i >= 0 {
			return i
		}
		return slices.IndexFunc(items, func(it tree.Item) bool { return tree.KeyText(it.Key) == text })
	}
	index := f[m]
	if index == nil {
		index = make(map[string][]int, len(items))
		for i, it := range items {
			t := tree.KeyText(it.Key)
			index[t] = append(index[t], i)
		}
		f[m] = index
	}
	same := index[text]
	if len(same) == 0 {
		return -1
	}
	exact := slices.IndexFunc(same, func(i int) bool {
		return tree.SameKey(items[i].Key.Starlark(), key.Starlark())
	})
	return same[max(exact, 0)]
}
