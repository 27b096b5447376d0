package shortcut

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/engine/values"
	"weft/internal/lang/tree"
)

// set gives a key of a mapping a scalar.
func (r *run) set(m tree.Value, key string, v tree.Value, at values.Place) tree.Value {
	items := slices.Clone(m.Entries())
	span := r.opt.Place(at)
	for i, it := range items {
		if !it.Key.IsString(key) {
			continue
		}
		if it.Value.Kind() == tree.ScalarKind && tree.SameScalar(it.Value, v) {
			return m
		}
		s := tree.Setting{
			By: tree.ByOverride, At: span, Old: it.Value, Was: it.Value.Span(), Before: it.Value.Origin(),
		}
		items[i].Value = r.opt.Origins.Set(v, s)
		return mapOf(m, items)
	}
	next := r.opt.Origins.Set(v, tree.Setting{By: tree.ByOverride, At: span})
	return mapOf(m, append(items, tree.Item{Key: tree.String(key), Value: next, Pos: span.Pos}))
}

// in changes the mapping or list at a key of v, if there is one.
func (r *run) in(v tree.Value, key string, change func(tree.Value) tree.Value) tree.Value {
	old, ok := lookup(v, key)
	if !ok || old.Kind() == tree.ScalarKind {
		return v
	}
	next := change(old)
	if next == old {
		return v
	}
	items := slices.Clone(v.Entries())
	for i := range items {
		if items[i].Key.IsString(key) {
			items[i].Value = next
		}
	}
	return mapOf(v, items)
}

// within is like in, and adds the mapping if there is none.
func (r *run) within(v tree.Value, key string, change func(tree.Value) tree.Value) tree.Value {
	old, ok := lookup(v, key)
	if ok && old.Kind() == tree.MapKind {
		return r.in(v, key, change)
	}
	if v.Kind() != tree.MapKind || ok && !old.IsNull() {
		return v
	}
	next := change(tree.Of(tree.NewMap(nil, v.Start())))
	if next.Len() == 0 {
		return v
	}
	items := slices.Clone(v.Entries())
	for i := range items {
		if items[i].Key.IsString(key) {
			items[i].Value = next
			return mapOf(v, items)
		}
	}
	at := next.Entries()[0].Pos
	return mapOf(v, append(items, tree.Item{Key: tree.String(key), Value: next, Pos: at}))
}

// each changes the entries of a list.
func each(list tree.Value, change func(tree.Value) tree.Value) tree.Value {
	items := slices.Clone(list.Entries())
	changed := false
	for i, it := range items {
		items[i].Value = change(it.Value)
		changed = changed || items[i].Value != it.Value
	}
	if !changed {
		return list
	}
	return tree.Of(tree.NewArray(items, list.Start())).WithOrigin(list.Origin())
}

func mapOf(old tree.Value, items []tree.Item) tree.Value {
	return tree.Of(tree.NewMap(items, old.Start())).WithOrigin(old.Origin())
}

// number returns an integer.
func number(n int) tree.Value { return tree.Of(starlark.MakeInt(n)) }
