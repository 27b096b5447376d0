package schema

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// Deprecated warns about each deprecated value that a document of data values sets. The document must
// be as the user wrote it: merged values do not show what was set.
func (t *Type) Deprecated(given tree.Doc) diag.List {
	var w deprecations
	w.walk(t, documentNode(given))
	return w.list
}

type deprecations struct {
	list diag.List
	path path
}

func (w *deprecations) walk(t *Type, n node) {
	if !t.deprecates {
		return
	}
	if why := t.deprecation; why != nil {
		d := diag.Warningf(n.span(), CodeDeprecated, "data value %s is deprecated", w.path)
		if *why != "" {
			d.Message += ": " + *why
		}
		w.list = append(w.list, relate(d, t.at, "it is declared here"))
	}
	t = t.chosen(n.value)
	switch t.kind {
	case mapKind:
		m, ok := n.value.Map()
		if !ok {
			return
		}
		entries := m.Entries()
		for i := range entries {
			if typ := t.ofKey(entries[i].Key, i); typ != nil {
				w.path = append(w.path, step{key: entries[i].Key, index: -1})
				w.walk(typ, itemNode(&entries[i], tree.MapItem, n.pos))
				w.path = w.path[:len(w.path)-1]
			}
		}
	case arrayKind:
		a, ok := n.value.Array()
		if !ok {
			return
		}
		entries := a.Entries()
		for i := range entries {
			w.path = append(w.path, step{index: i})
			w.walk(t.item, itemNode(&entries[i], tree.ArrayItem, n.pos))
			w.path = w.path[:len(w.path)-1]
		}
	}
}
