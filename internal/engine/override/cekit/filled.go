package cekit

import (
	"weft/internal/engine/override"
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
)

// Filled lists what CEKit fills in: the differences between the plain and the effective form of
// descriptors, which have the same shape.
func Filled(plain, effective [][]tree.Doc) []override.ValueChange {
	var f filler
	for i := range plain {
		for j := range plain[i] {
			f.file, f.document, f.path = i, j, f.path[:0]
			f.value(plain[i][j].Value, effective[i][j].Value)
		}
	}
	return f.changes
}

type filler struct {
	changes        []override.ValueChange
	file, document int
	path           override.Path
}

func (f *filler) note(old, new tree.Value) {
	f.changes = append(
		f.changes,
		override.ValueChange{
			File:     f.file,
			Document: f.document,
			Path:     f.path.String(),
			Old:      old,
			New:      new,
			Filled:   true,
		},
	)
}

func (f *filler) value(old, new tree.Value) {
	switch {
	case old == new || edit.Equal(old, new) && (old.Kind() != tree.ScalarKind || edit.SameText(old, new)):
	case old.Kind() == tree.MapKind && new.Kind() == tree.MapKind:
		f.mapping(old, new)
	case old.Kind() == tree.ArrayKind && new.Kind() == tree.ArrayKind && old.Len() == new.Len():
		var r tree.Reader
		was, is := r.Items(nil, old), r.Items(nil, new)
		for i := range was {
			f.path = append(f.path, entrySegment(is[i].Value, i))
			f.value(was[i].Value, is[i].Value)
			f.path = f.path[:len(f.path)-1]
		}
	default:
		f.note(old, new)
	}
}

func (f *filler) mapping(old, new tree.Value) {
	var r tree.Reader
	was, is := r.Items(nil, old), r.Items(nil, new)
	at := make(map[string]tree.Value, len(was))
	for _, it := range was {
		at[override.KeyText(it.Key)] = it.Value
	}
	for _, it := range is {
		key := override.KeyText(it.Key)
		f.path = append(f.path, override.Key(key))
		if before, ok := at[key]; ok {
			f.value(before, it.Value)
			delete(at, key)
		} else {
			f.note(override.NoValue, it.Value)
		}
		f.path = f.path[:len(f.path)-1]
	}
	for _, it := range was {
		if v, ok := at[override.KeyText(it.Key)]; ok {
			f.path = append(f.path, override.Key(override.KeyText(it.Key)))
			f.note(v, override.NoValue)
			f.path = f.path[:len(f.path)-1]
		}
	}
}

// entrySegment returns the path segment for an entry of a list.
func entrySegment(v tree.Value, i int) override.Segment {
	if name, ok := v.Lookup("name"); ok && name.Kind() == tree.ScalarKind {
		return override.Entry("name", name)
	}
	return override.Index(i)
}
