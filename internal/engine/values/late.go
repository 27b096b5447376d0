package values

import (
	"slices"

	"weft/internal/engine/overlay"
	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file is about checks after all layers, as in edition 2026: a layer may be wrong as long as a later
// one corrects it. Each layer is still checked when it is merged, since that fills in defaults. What is
// wrong then is remembered, and stands until it is replaced.

// Late returns a stack of which what is wrong is reported by Wrong instead of Apply.
func (s Stack) Late(late bool) Stack {
	s.late = late
	return s
}

// Wrong returns what is still wrong after the last layer, where the layer says it. That is nothing unless
// something was wrong when it was set.
func (s Stack) Wrong() diag.List {
	if s.pending == nil {
		return nil
	}
	_, wrong := s.typ.Assign(s.Doc, tree.Doc{})
	left := map[mistake]*diag.Diagnostic{}
	for _, d := range wrong {
		left[mistakeOf(d)] = d
	}
	var list diag.List
	for _, d := range s.pending { // in the order of layers, and with hints about flags
		if m := mistakeOf(d); left[m] != nil {
			delete(left, m)
			list = append(list, d)
		}
	}
	for _, d := range wrong {
		if left[mistakeOf(d)] != nil {
			list = append(list, d)
		}
	}
	return list
}

// mistake is what is the same in two messages about one node.
type mistake struct {
	code diag.Code
	at   source.Span
	path string
}

func mistakeOf(d *diag.Diagnostic) mistake { return mistake{d.Code, d.At, d.Path} }

// merge merges a document. If types are checked late, what does not fit replaces what is there.
func (l *layering) merge(left, doc tree.Doc) (_, merged tree.Doc, err error) {
	left, merged, err = l.m.merge(left, doc)
	if err == nil || !l.late || !slices.ContainsFunc(diag.Of(err), isMismatch) {
		return left, merged, err
	}
	left = l.m.leave()
	doc.Value = yielding(doc.Value, left.Value, l.typ)
	if left, again, wrong := l.m.merge(left, doc); wrong == nil {
		return left, again, nil
	}
	return left, merged, err
}

// isMismatch reports whether an overlay does not fit because of a type or a key that is not there.
func isMismatch(d *diag.Diagnostic) bool {
	return d.Code == overlay.CodeCount || d.Code == overlay.CodeType
}

// yielding returns the value of a document that is merged into left, in which items replace what they
// cannot be merged with, and keys that are not declared are added. It leaves alone what typ says nothing
// about, and what annotations decide.
func yielding(v, left tree.Value, typ *schema.Type) tree.Value {
	m, ok := v.Map()
	into, also := left.Map()
	if !ok || !also || typ == nil || typ.Kind() != "map" {
		return v
	}
	var items []tree.Item
	for i, it := range m.Entries() {
		inner, _ := typ.OpensAt(it.Key, i)
		at := into.Find(it.Key.Starlark())
		switch {
		case !merges(it.Annotations):
		case at < 0 && inner == nil:
			it.Annotations = mayBeMissing(it.Annotations)
		case at >= 0 && typed(inner) && cannotMerge(it.Value, into.Entries()[at].Value):
			it.Annotations = replaceNotes
		case at >= 0:
			it.Value = yielding(it.Value, into.Entries()[at].Value, inner)
		}
		if it != m.Entries()[i] {
			if items == nil {
				items = slices.Clone(m.Entries())
			}
			items[i] = it
		}
	}
	if items == nil {
		return v
	}
	return tree.Of(tree.NewMap(items, m.Pos)).WithOrigin(v.Origin())
}

// typed reports whether a value has a type. What is not declared has none, and is wrong anyway.
func typed(t *schema.Type) bool { return t == nil || t.Kind() != "any" }

// cannotMerge reports whether v is a collection that cannot be merged into old.
func cannotMerge(v, old tree.Value) bool {
	return v.Kind() != tree.ScalarKind && v.Kind() != old.Kind()
}
