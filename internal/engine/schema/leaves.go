package schema

import (
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Leaves calls each for the data values that a schema declares, except maps. A list counts as one
// value, and so does a map with arbitrary keys.
func (t *Type) Leaves(each func(at source.Pos, path string)) {
	var p path
	t.leaves(&p, each)
}

func (t *Type) leaves(p *path, each func(at source.Pos, path string)) {
	if t.kind != mapKind || t.open != nil || t.union != nil {
		if len(*p) > 0 {
			each(t.at.Pos, p.String())
		}
		return
	}
	for i := range t.fields {
		f := &t.fields[i]
		*p = append(*p, step{key: f.key, index: -1})
		f.typ.leaves(p, each)
		*p = (*p)[:len(*p)-1]
	}
}

// Checked calls each for the scalars of data values that a type or a validation checks. Values
// declared with any=True have no type. t may be nil.
func (t *Type) Checked(v tree.Value, each func(tree.Value)) {
	t = t.chosen(v)
	switch v.Kind() {
	case tree.MapKind:
		for i, it := range v.Entries() {
			t.ofKey(it.Key, i).checkedItem(it, each)
		}
	case tree.ArrayKind:
		for _, it := range v.Entries() {
			t.ofItems().checkedItem(it, each)
		}
	default:
		if t != nil && (t.kind != anyKind || t.rules != nil) {
			each(v)
		}
	}
}

// checkedItem is Checked for an item.
func (t *Type) checkedItem(it tree.Item, each func(tree.Value)) {
	t.Checked(it.Value, each)
	if it.Value.Kind() == tree.ScalarKind && it.Annotations.Get(NoteAssert) != nil {
		each(it.Value)
	}
}

// LeavesOf calls each for the leaves that data values set.
func (t *Type) LeavesOf(v tree.Value, each func(at source.Pos)) {
	if t.kind != mapKind || t.open != nil || t.union != nil {
		each(t.at.Pos)
		return
	}
	m, ok := v.Starlark().(*tree.Map)
	if !ok {
		return // null, or of the wrong type
	}
	entries := m.Entries()
	for i := range entries {
		if of := t.ofKey(entries[i].Key, i); of != nil {
			of.LeavesOf(entries[i].Value, each)
		}
	}
}
