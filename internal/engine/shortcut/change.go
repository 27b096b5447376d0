package shortcut

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// setting is a key that an entry sets.
type setting struct {
	*Entry
	key   string
	value tree.Value
}

// set gives keys of a mapping scalars.
func (r *run) set(m tree.Value, list ...setting) tree.Value {
	old := m.Entries()
	items := old[:len(old):len(old)]
	changed := false
	for _, x := range list {
		r.used[x.Entry] = true
		span := r.opt.Place(x.At)
		i := slices.IndexFunc(items, func(it tree.Item) bool { return it.Key.IsString(x.key) })
		if i < 0 {
			r.matched(x, tree.Value{}, false)
			v := r.opt.Origins.Set(x.value, tree.Setting{By: tree.ByShortcut, At: span})
			items = append(items, tree.Item{Key: tree.String(x.key), Value: v, Pos: span.Pos})
			changed = true
			continue
		}
		was := items[i].Value
		r.matched(x, was, true)
		if was.Kind() == tree.ScalarKind && tree.SameScalar(was, x.value) {
			continue
		}
		if !changed {
			items, changed = slices.Clone(items), true
		}
		items[i].Value = r.opt.Origins.Set(x.value, tree.Setting{
			By: tree.ByShortcut, At: span, Old: was, Was: was.Span(), Before: was.Origin(),
		})
	}
	if !changed {
		return m
	}
	return like(m, items)
}

// matched reports that an entry sets a key of the value that is being changed.
func (r *run) matched(x setting, old tree.Value, had bool) {
	if r.opt.Matched == nil {
		return
	}
	at := append(r.way[:len(r.way):len(r.way)], path.ToKey(tree.String(x.key)))
	r.opt.Matched(Match{
		Entry: x.Entry, File: r.file, Doc: r.doc, Path: at.String(), Had: had, Old: old, New: x.value,
	})
}

// in changes the mapping or list at a key of v, if there is one.
func (r *run) in(v tree.Value, key string, change func(tree.Value) tree.Value) tree.Value {
	if v.Kind() != tree.MapKind {
		return v
	}
	i := slices.IndexFunc(v.Entries(), func(it tree.Item) bool { return it.Key.IsString(key) })
	if i < 0 || v.Entries()[i].Value.Kind() == tree.ScalarKind {
		return v
	}
	old := v.Entries()[i].Value
	next := r.below(path.ToKey(tree.String(key)), old, change)
	if next == old {
		return v
	}
	items := slices.Clone(v.Entries())
	items[i].Value = next
	return like(v, items)
}

// within is like in for a mapping, and adds the mapping if there is none.
func (r *run) within(v tree.Value, key string, change func(tree.Value) tree.Value) tree.Value {
	old, ok := lookup(v, key)
	if ok && old.Kind() == tree.MapKind {
		return r.in(v, key, change)
	}
	if v.Kind() != tree.MapKind || ok && !old.IsNull() {
		return v
	}
	next := r.below(path.ToKey(tree.String(key)), tree.Of(tree.NewMap(nil, v.Start())), change)
	if next.Len() == 0 {
		return v
	}
	items := slices.Clone(v.Entries())
	for i := range items {
		if items[i].Key.IsString(key) {
			items[i].Value = next
			return like(v, items)
		}
	}
	at := next.Entries()[0].Pos
	return like(v, append(items, tree.Item{Key: tree.String(key), Value: next, Pos: at}))
}

// each changes the items of a list. Other values stay.
func (r *run) each(list tree.Value, change func(tree.Value) tree.Value) tree.Value {
	if list.Kind() != tree.ArrayKind {
		return list
	}
	return r.all(list, func(tree.Item) func(tree.Value) tree.Value { return change })
}

// all changes the values of a mapping or a list. by returns how to change one of them, or nil if it stays.
func (r *run) all(v tree.Value, by func(tree.Item) func(tree.Value) tree.Value) tree.Value {
	items, changed := v.Entries(), false
	for i, it := range v.Entries() {
		change := by(it)
		if change == nil {
			continue
		}
		step := path.ToItem(i, i)
		if v.Kind() == tree.MapKind {
			step = path.ToKey(it.Key)
		}
		next := r.below(step, it.Value, change)
		if next == it.Value {
			continue
		}
		if !changed {
			items, changed = slices.Clone(items), true
		}
		items[i].Value = next
	}
	if !changed {
		return v
	}
	return like(v, items)
}

// below changes a value that is a step below the one that is being changed.
func (r *run) below(step path.Segment, v tree.Value, change func(tree.Value) tree.Value) tree.Value {
	r.way = append(r.way, step)
	next := change(v)
	r.way = r.way[:len(r.way)-1]
	return next
}

// like returns a mapping or list in the place of another.
func like(old tree.Value, items []tree.Item) tree.Value {
	if old.Kind() == tree.ArrayKind {
		return tree.Of(tree.NewArray(items, old.Start())).WithOrigin(old.Origin())
	}
	return tree.Of(tree.NewMap(items, old.Start())).WithOrigin(old.Origin())
}

// number returns an integer.
func number(n int) tree.Value { return tree.Of(starlark.MakeInt(n)) }
