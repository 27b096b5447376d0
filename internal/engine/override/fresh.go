package override

import (
	"slices"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// The directives: keys of an override that have a meaning for the merge.
const (
	keyRemove  = "$remove"  // true: the entry that this mapping names is removed
	keyReplace = "$replace" // true: the mapping with this key replaces the existing one

	// Those of any YAML, which dialects do not have.
	keySelect      = "$select"       // which documents an override is for
	keyAt          = "$at"           // the index of the entry of a list that a mapping is for
	keyMatch       = "$match"        // what the entries of a list have that a mapping is for
	keyRemoveItems = "$remove-items" // the scalars that are removed from a list
)

// newValue returns what an override adds where there is nothing, or where it replaces something: its
// value, without what has a meaning only for merging.
func (m *merger) newValue(r *Rule, over *patch) tree.Value {
	if !over.cleaned {
		over.fresh, _ = m.clean(r, over.bare())
		over.cleaned = true
	}
	return over.fresh
}

// clean returns v without null keys, entries to remove, and directives. Entries of a list with the
// same key are merged, as if they were added to an empty list, so that applying an override twice
// has the same effect as once. It returns v itself if there is nothing to do.
func (m *merger) clean(r *Rule, v tree.Value) (tree.Value, bool) {
	if r.Data || v.Kind() == tree.ScalarKind {
		return v, false
	}
	if v.Kind() == tree.ArrayKind {
		return m.cleanList(r, v)
	}
	var kept []tree.Item
	changed := false
	for _, it := range m.items(v) {
		if m.missDrops(it.Value) {
			changed = true
			continue
		}
		if it.Value.IsNull() && !r.Nulls || IsDirective(it.Key) || directive(it.Value, keyRemove) {
			changed = true
			m.nothingToRemove(it, "key", KeyText(it.Key))
			continue
		}
		key := KeyText(it.Key)
		m.enter(key)
		cleaned, ch := m.clean(r.field(key), it.Value)
		m.leave()
		it.Value = cleaned
		changed = changed || ch
		kept = append(kept, it)
	}
	if !changed {
		return v, false
	}
	return tree.Of(tree.NewMap(kept, v.Start())), true
}

func (m *merger) cleanList(r *Rule, v tree.Value) (tree.Value, bool) {
	items, changed := m.items(v), false
	if m.view == nil {
		all := len(items)
		items = slices.DeleteFunc(items, func(it tree.Item) bool {
			return m.missTargets(it.Value) || m.missDrops(it.Value)
		})
		changed = len(items) < all
	}
	if mode, key := m.listRule(r); (mode == ByKey || mode == AlwaysKeyed) &&
		repeats(items, key, m.view) {
		quiet := *m
		// the parts of an override are not changes of a document: report nothing
		quiet.log, quiet.found, quiet.missed, quiet.doubts = nil, nil, nil, nil
		// one merger must not use them for two purposes
		quiet.slab, quiet.names, quiet.room = nil, nil, nil
		merged, _ := quiet.byKey(
			r.forEntry(),
			tree.Of(tree.NewArray(nil, v.Start())),
			nil,
			patchOf(listFrom(v, items), v.Start(), m.view),
			matching{key: key},
		)
		return merged, true
	}
	var kept []tree.Item
	for _, it := range items {
		if directive(it.Value, keyRemove) {
			changed = true
			m.nothingToRemove(it, "entry", entryText(it.Value, m.entryKeyAt(r)))
			continue
		}
		cleaned, ch := m.clean(r.forEntry(), it.Value)
		it.Value = cleaned
		changed = changed || ch
		kept = append(kept, it)
	}
	if !changed {
		return v, false
	}
	return tree.Of(tree.NewArray(kept, v.Start())), true
}

// IsDirective reports whether a key is a directive.
func IsDirective(key tree.Value) bool { return key.IsString(keyRemove) || key.IsString(keyReplace) }

// Removes reports whether v asks to remove what it names.
func Removes(v tree.Value) bool { return directive(v, keyRemove) }

// directive reports whether v is a mapping with key: true.
func directive(v tree.Value, key string) bool {
	if v.Kind() != tree.MapKind {
		return false
	}
	d, ok := v.Lookup(key)
	if !ok || d.Kind() != tree.ScalarKind {
		return false
	}
	val, _ := d.Scalar()
	return val.Kind == yaml.Bool && val.Bool()
}
