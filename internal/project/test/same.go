package test

import "weft/internal/lang/tree"

// same reports whether two values are equal. The order of keys does not count.
func same(a, b tree.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	if a.Kind() == tree.ScalarKind {
		return tree.SameScalar(a, b)
	}
	if a.Len() != b.Len() {
		return false
	}
	return holds(a, b, same, func(list []tree.Item, i int, want tree.Value) bool {
		return same(list[i].Value, want)
	})
}

// contains reports whether v contains everything in want: the keys of maps with their values, and
// for each item of a list one that contains it.
func contains(v, want tree.Value) bool {
	if v.Kind() != want.Kind() {
		return false
	}
	if v.Kind() == tree.ScalarKind {
		return tree.SameScalar(v, want)
	}
	return holds(v, want, contains, func(list []tree.Item, _ int, want tree.Value) bool {
		for _, it := range list {
			if contains(it.Value, want) {
				return true
			}
		}
		return false
	})
}

// holds reports whether a collection contains everything in another: keys with their values, or
// items.
func holds(
	v, want tree.Value,
	entry func(v, want tree.Value) bool,
	item func(list []tree.Item, i int, want tree.Value) bool,
) bool {
	m, isMap := v.Map()
	list := v.Entries()
	for i, it := range want.Entries() {
		if !isMap {
			if !item(list, i, it.Value) {
				return false
			}
			continue
		}
		at := m.Find(it.Key.Starlark())
		if at < 0 || !entry(list[at].Value, it.Value) {
			return false
		}
	}
	return true
}

// missingPart finds the first part of want that is not in v, in the order of want: its path, the wanted
// value, and the actual one, if any.
func missingPart(v, want tree.Value) (way []tree.Item, wanted tree.Value, there *tree.Value) {
	m, isMap := v.Map()
	if !isMap || want.Kind() != tree.MapKind {
		return nil, want, &v
	}
	list := v.Entries()
	for _, it := range want.Entries() {
		at := m.Find(it.Key.Starlark())
		if at < 0 {
			return []tree.Item{it}, it.Value, nil
		}
		if !contains(list[at].Value, it.Value) {
			way, wanted, there = missingPart(list[at].Value, it.Value)
			return append([]tree.Item{it}, way...), wanted, there
		}
	}
	return nil, want, &v
}
