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
// one corrects it. Each layer is still checked when it is merged, since that fills in defaults. Errors
// that are found then are kept, and reported at the end unless the wrong value has been replaced.

// Late returns a stack whose errors are reported by Wrong instead of Apply, if late is set.
func (s Stack) Late(late bool) Stack {
	s.late = late
	return s
}

// Wrong returns the errors that are left after the last layer, each at its place in a layer. There are
// none if all layers were right when they were merged.
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

// mistake identifies a mistake: two messages about the same one are equal in these fields.
type mistake struct {
	code diag.Code
	at   source.Span
	path string
}

func mistakeOf(d *diag.Diagnostic) mistake { return mistake{d.Code, d.At, d.Path} }

// merge merges a document. If types are checked late, a value that does not fit replaces the existing
// one.
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

// isMismatch reports whether an overlay does not fit because of a type, or because a key is missing.
func isMismatch(d *diag.Diagnostic) bool {
	return d.Code == overlay.CodeCount || d.Code == overlay.CodeType
}

// yielding returns the value of a document that is merged into left, changed so that items replace
// values that they cannot be merged with, and undeclared keys are added. It does not change values
// without a type, or items with annotations.
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

// typed reports whether the type of a value is known. An undeclared value, without a type, counts too: it
// is wrong anyway.
func typed(t *schema.Type) bool { return t == nil || t.Kind() != "any" }

// cannotMerge reports whether v is a collection that cannot be merged into old.
func cannotMerge(v, old tree.Value) bool {
	return v.Kind() != tree.ScalarKind && v.Kind() != old.Kind()
}
