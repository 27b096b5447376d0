package cekit

import (
	"slices"

	"weft/internal/engine/override"
	"weft/internal/lang/tree"
)

// mapEdit is a mapping that is being edited. If nothing changes, the result is the original value.
type mapEdit struct {
	old     tree.Value
	items   []tree.Item
	changed bool
}

func (c *run) edit(v tree.Value) *mapEdit {
	e := &mapEdit{old: v}
	if v.Kind() == tree.MapKind {
		e.items = c.reader.Items(nil, v)
	}
	return e
}

func (e *mapEdit) value() tree.Value {
	if !e.changed {
		return e.old
	}
	return tree.Of(tree.NewMap(e.items, e.old.Start()))
}

func (e *mapEdit) index(key string) int {
	return slices.IndexFunc(e.items, func(it tree.Item) bool { return it.Key.IsString(key) })
}

// get returns the value of a key; ok is false if it is null or missing.
func (e *mapEdit) get(key string) (tree.Value, bool) {
	if i := e.index(key); i >= 0 &&
		!(e.items[i].Value.Kind() == tree.ScalarKind && isPyNull(e.items[i].Value)) {
		return e.items[i].Value, true
	}
	return tree.Value{}, false
}

func (e *mapEdit) set(key string, v tree.Value) {
	i := e.index(key)
	switch {
	case i < 0:
		e.items = append(e.items, tree.Item{Key: tree.String(key), Value: v, Pos: e.old.Start()})
	case e.items[i].Value == v:
		return
	default:
		e.items[i].Value = v
	}
	e.changed = true
}

func (e *mapEdit) remove(key string) {
	if i := e.index(key); i >= 0 {
		e.items, e.changed = slices.Delete(e.items, i, i+1), true
	}
}

// update replaces the value of a key, if there is one, with the result of f. If that is gone, the
// key is removed.
func (e *mapEdit) update(key string, f func(tree.Value) tree.Value) {
	v, ok := e.get(key)
	if !ok {
		return
	}
	if n := f(v); n == override.NoValue {
		e.remove(key)
	} else if n != v {
		e.set(key, n)
	}
}
