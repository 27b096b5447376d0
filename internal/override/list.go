package override

import (
	"slices"

	"weft/internal/diag"
	"weft/internal/source"
	"weft/internal/tree"
)

// lists merges two lists in the way that the rule or the user's exceptions ask for.
func (m *merger) lists(r *rule, base, over tree.Value, pos source.Pos) (tree.Value, bool) {
	mode, key := m.listRule(r)
	left, right := m.items(base), m.items(over)
	switch mode {
	case byKey, alwaysKeyed:
		if len(right) > 0 && (mode == alwaysKeyed || m.keyed(left, right, key)) {
			return m.byKey(r.forEntry(), base, left, right, key)
		}
	case appendList:
		added := m.items(m.fresh(r, over))
		if len(added) == 0 {
			return base, false
		}
		m.changed(base, over, pos)
		return tree.Of(tree.NewArray(append(left, added...), base.Start())), true
	case unionList:
		return m.union(base, left, m.items(m.fresh(r, over)), pos)
	case unionMoving:
		return m.unionMoving(base, left, m.items(m.fresh(r, over)), pos)
	}
	return m.replaced(base, left, m.items(m.fresh(r, over)), pos)
}

// listRule is how the list at the current path is merged.
func (m *merger) listRule(r *rule) (mode listMode, key string) {
	if r.list == byKey && r.key == "" {
		return m.opt.Rules.at(m.path, m.met)
	}
	return r.list, r.key
}

// repeats reports whether all entries of a list have the key, and two of them the same.
func repeats(items []tree.Item, key string) bool {
	seen := make(map[tree.ScalarKey]bool, len(items))
	again := false
	for _, it := range items {
		if !hasKey(it, key) {
			return false
		}
		k, _ := entryKey(it.Value, key)
		again = again || seen[k]
		seen[k] = true
	}
	return again
}

// hasKey reports whether an entry can be told from others by the key.
func hasKey(it tree.Item, key string) bool {
	if it.Value.Kind() != tree.MapKind {
		return false
	}
	k, ok := it.Value.Lookup(key)
	return ok && k.Kind() == tree.ScalarKind && !k.IsNull()
}

// replaced puts the override's items in the place of the base's. What both have at their beginnings and ends stays the base's own, so that a file changes no
// more than it must.
func (m *merger) replaced(base tree.Value, left, right []tree.Item, pos source.Pos) (tree.Value, bool) {
	same := func(a, b tree.Item) bool { return identical(a.Value, b.Value) }
	head := 0
	for head < len(left) && head < len(right) && same(left[head], right[head]) {
		right[head] = left[head]
		head++
	}
	if head == len(left) && head == len(right) {
		return base, false
	}
	for l, r := len(left)-1, len(right)-1; l >= head && r >= head && same(left[l], right[r]); l, r = l-1, r-1 {
		right[r] = left[l]
	}
	v := tree.Of(tree.NewArray(right, base.Start()))
	m.changed(base, v, pos)
	return v, true
}

// union adds the items that the base does not have.
func (m *merger) union(base tree.Value, left, right []tree.Item, pos source.Pos) (tree.Value, bool) {
	have := make(map[string]bool, len(left))
	for _, it := range left {
		have[fingerprint(it.Value, false)] = true
	}
	n := len(left)
	for _, it := range right {
		if f := fingerprint(it.Value, false); !have[f] {
			have[f] = true
			left = append(left, it)
		}
	}
	if len(left) == n {
		return base, false
	}
	v := tree.Of(tree.NewArray(left, base.Start()))
	m.changed(base, v, pos)
	return v, true
}

// unionMoving is CEKit's union: what only the base has, each once, and behind it the override's items as they stand. Equality is Python's.
func (m *merger) unionMoving(base tree.Value, left, right []tree.Item, pos source.Pos) (tree.Value, bool) {
	if len(right) == 0 {
		return base, false
	}
	have := make(map[string]bool, len(right))
	for _, it := range right {
		have[fingerprint(it.Value, true)] = true
	}
	// Of equal items of the base the last one stays.
	var kept []tree.Item
	for _, it := range slices.Backward(left) {
		if f := fingerprint(it.Value, true); !have[f] {
			have[f] = true
			kept = append(kept, it)
		}
	}
	slices.Reverse(kept)
	return m.replaced(base, left, append(kept, right...), pos)
}

// keyed reports whether every entry of both lists is a mapping with the key, so that they can be merged by it.
func (m *merger) keyed(left, right []tree.Item, key string) bool {
	mappings := false
	var without tree.Item
	lacks := false
	for _, list := range [2][]tree.Item{right, left} {
		for _, it := range list {
			mappings = mappings || it.Value.Kind() == tree.MapKind
			if !lacks && !hasKey(it, key) {
				lacks, without = true, it
			}
		}
	}
	if lacks && mappings && m.opt.Strict {
		d := diag.Errorf(itemSpan(without), CodeNoKey, "this entry has no key `%s` to merge by, so that the whole list would be replaced", key).
			WithHint("name the key of this list with --merge-key %s=KEY, or ask for the replacement with --lists %s=replace", patternText(m.path), patternText(m.path))
		d.Path = pathText(m.path)
		m.problems = append(m.problems, d)
	}
	return !lacks
}

// byKey merges the entries of the override into those of the base that have the same key, and adds the others.
func (m *merger) byKey(r *rule, base tree.Value, left, right []tree.Item, key string) (tree.Value, bool) {
	index := make(map[tree.ScalarKey][]int, len(left))
	for i := range left {
		if k, ok := entryKey(left[i].Value, key); ok {
			index[k] = append(index[k], i)
		}
	}
	vacant := map[tree.ScalarKey]vacancy{}
	changed, removed := false, false
	for _, o := range right {
		k, ok := entryKey(o.Value, key)
		if !ok {
			continue // only where entries are known to have their key, and has been told
		}
		shown, _ := o.Value.Lookup(key)
		name := scalarText(shown)
		m.enterEntry(key + "=" + name)
		at := index[k]
		switch {
		case directive(o.Value, keyRemove):
			if at == nil {
				m.miss(o, "there is no entry `%s` to remove", name)
			}
			if at != nil {
				vacant[k] = vacancy{at[0], left[at[0]].Value}
			}
			for _, i := range at {
				m.hit(o)
				m.changed(left[i].Value, gone, o.Pos)
				left[i].Value, removed, changed = gone, true, true
			}
			delete(index, k)
		case at == nil:
			m.miss(o, "there is no entry `%s` to override", name)
			v := m.fresh(r, o.Value)
			m.changed(gone, v, o.Pos)
			changed = true
			if old, ok := vacant[k]; ok { // removed and added again: it keeps its place
				if identical(old.value, v) {
					v = old.value
				}
				left[old.at].Value, index[k] = v, []int{old.at}
				break
			}
			index[k] = []int{len(left)}
			left = append(left, tree.Item{Value: v, Pos: o.Pos})
		default:
			m.hit(o)
			for _, i := range at {
				v, ch := m.merge(r, left[i].Value, o.Value, o.Pos)
				left[i].Value, changed = v, changed || ch
			}
		}
		m.leave()
	}
	if !changed {
		return base, false
	}
	if removed {
		left = slices.DeleteFunc(left, func(it tree.Item) bool { return it.Value == gone })
	}
	return tree.Of(tree.NewArray(left, base.Start())), true
}

// vacancy is where an entry was that the same override has removed.
type vacancy struct {
	at    int
	value tree.Value
}

// entryKey is the value that tells an entry from the others of its list.
func entryKey(entry tree.Value, key string) (tree.ScalarKey, bool) {
	v, ok := entry.Lookup(key)
	if !ok {
		return tree.ScalarKey{}, false
	}
	return v.ScalarKey()
}
