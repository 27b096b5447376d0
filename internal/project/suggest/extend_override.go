package suggest

import (
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
)

// This file writes a new override into one that selects the same documents.

// extendedOverride returns a text of overrides with other ones in the documents that have the same selection. It is an
// error if one of them has no place there.
func (s *search) extendedOverride(text []byte, overrides string) ([]byte, error) {
	_, news, err := parse([]byte(overrides), "", s.syntax())
	if err != nil {
		return nil, err
	}
	for _, v := range news {
		_, docs, err := parse(text, "", s.syntax())
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(docs, func(old tree.Value) bool { return s.selectsSame(old, v) })
		if i < 0 {
			return nil, diag.Failf(CodeNone, "no override selects these documents")
		}
		merged, ok := patched(docs[i], with(v, keys("$select"), nil))
		if !ok {
			return nil, diag.Failf(CodeNone, "the override has something else there")
		}
		at := spot{offset: docs[i].Start().Offset(), root: true}
		if text, err = setAt(text, at, &merged, s.syntax()); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// selectsSame reports whether an override selects the same documents as another one. Without a selection it is for
// all, which may be one.
func (s *search) selectsSame(old, now tree.Value) bool {
	a, hasA := old.Lookup("$select")
	b, hasB := now.Lookup("$select")
	switch {
	case old.Kind() != tree.MapKind:
		return false
	case !hasA:
		return !hasB || len(s.docs) == 1
	}
	return hasB && edit.Equal(a, b)
}

// patched returns an override that does what two do; false if they do different things in one place.
func patched(old, now tree.Value) (tree.Value, bool) {
	switch {
	case edit.Equal(old, now):
		return old, true
	case old.Kind() == tree.ArrayKind && now.Kind() == tree.ArrayKind && isMerged(old, now):
		return patchedList(old, now)
	case old.Kind() != tree.MapKind || now.Kind() != tree.MapKind || isOperation(old) || isOperation(now):
		return now, false
	}
	items := slices.Clone(old.Entries())
	for _, it := range now.Entries() {
		i := slices.IndexFunc(items, func(x tree.Item) bool { return edit.Equal(x.Key, it.Key) })
		if i < 0 {
			items = append(items, tree.Item{Key: it.Key, Value: it.Value})
			continue
		}
		v, ok := patched(items[i].Value, it.Value)
		if !ok {
			return now, false
		}
		items[i].Value = v
	}
	return tree.Of(tree.NewMap(items, old.Start())), true
}

// patchedList is patched for lists of named items.
func patchedList(old, now tree.Value) (tree.Value, bool) {
	items := slices.Clone(old.Entries())
	for v := range now.Elements() {
		name, _ := v.Lookup("name")
		i := slices.IndexFunc(items, func(x tree.Item) bool {
			other, _ := x.Value.Lookup("name")
			return edit.Equal(name, other)
		})
		if i < 0 {
			items = append(items, tree.Item{Value: v})
			continue
		}
		both, ok := patched(items[i].Value, v)
		if !ok {
			return now, false
		}
		items[i].Value = both
	}
	return tree.Of(tree.NewArray(items, old.Start())), true
}

// isOperation reports whether a map of an override does something else than merging.
func isOperation(v tree.Value) bool {
	return slices.ContainsFunc([]string{"$replace", "$remove", "$at", "$match", "$remove-items"}, func(key string) bool {
		_, ok := v.Lookup(key)
		return ok
	})
}
