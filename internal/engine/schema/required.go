package schema

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// CodeRequired is the code of errors about missing data values that a schema or a project requires.
const CodeRequired diag.Code = "values/required"

// required reads @schema/required.
func (b *builder) required(t *Type, n node) {
	a := n.notes.Get(noteRequired)
	if a == nil {
		return
	}
	switch {
	case n.what != tree.MapItem:
		b.refuse(n, a, "@schema/required not supported on "+diag.Article(n.what.String())).
			WithHint("mark single keys")
		return
	case len(a.Args)+len(a.Kwargs) > 0:
		b.bad(n, a, "an argument", "none").WithHint("write `#@schema/required`")
		return
	}
	if x := n.notes.Get(noteDefault); x != nil {
		relate(b.refuse(n, a, "@schema/required does not go with @"+noteDefault), noteSpan(x), "it is here").
			WithHint("a required value has no default: remove one of the two")
		return
	}
	t.required, t.def = true, tree.Value{}
}

// Requires reports whether some data values must be set.
func (t *Type) Requires() bool { return t.requires }

// Missing reports all required data values that are not set. doc must be a result of Assign. Values
// in an item of a list, or below an arbitrary key, are required only if that item or key exists.
func (t *Type) Missing(doc tree.Doc) diag.List {
	if !t.requires {
		return nil
	}
	var m missing
	m.walk(t, documentNode(doc))
	return m.list
}

type missing struct {
	list diag.List
	path path
}

func (m *missing) walk(t *Type, n node) {
	if t = t.chosen(n.value); t == nil || !t.requires {
		return
	}
	switch x := n.value.Starlark().(type) {
	case *tree.Map:
		for i := range t.fields {
			if f := &t.fields[i]; f.typ.required && x.Find(f.key.Starlark()) < 0 {
				m.report(f, &n)
			}
		}
		entries := x.Entries()
		for i := range entries {
			m.below(t.ofKey(entries[i].Key, i), itemNode(&entries[i], tree.MapItem, n.pos),
				step{key: entries[i].Key, index: -1})
		}
	case *tree.Array:
		entries := x.Entries()
		for i := range entries {
			m.below(t.item, itemNode(&entries[i], tree.ArrayItem, n.pos), step{index: i})
		}
	}
}

func (m *missing) below(t *Type, n node, s step) {
	m.path = append(m.path, s)
	m.walk(t, n)
	m.path = m.path[:len(m.path)-1]
}

// report adds the error about a field that is missing in the map at n.
func (m *missing) report(f *field, n *node) {
	at := append(m.path[:len(m.path):len(m.path)], step{key: f.key, index: -1})
	d := diag.Errorf(f.typ.at, CodeRequired, "data value '%s' is required, but nothing sets it", at)
	d.Path = at.String()
	if n.pos.IsValid() && !n.pos.To(n.pos.Offset()+1).SameFile(f.typ.at.Pos) {
		relate(d, n.span(), "it belongs here")
	}
	m.list = append(m.list, d.WithHint("%s", waysToSet(f.typ, at)))
}

// waysToSet describes how to set a data value.
func waysToSet(t *Type, at path) string {
	text := at.String()
	if strings.Contains(text, "[") || t.kind == anyKind {
		return "set it in a file of data values"
	}
	flag, value := "--data-value-yaml ", "=..."
	switch t.kind {
	case stringKind:
		flag = "-v "
	case mapKind:
		value = "={...}"
	case arrayKind:
		value = "=[...]"
	}
	var names []string
	for _, s := range at {
		names = append(names, tree.KeyText(s.key))
	}
	return "set it in a file of data values, such as that of an environment; with " + flag +
		diag.InShell(text+value) + "; or with --data-values-env PREFIX, in the variable PREFIX_" +
		strings.Join(names, "__")
}
