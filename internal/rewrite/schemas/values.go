package schemas

import (
	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// valuesNode returns the type of plain values, with what comments say about them.
func valuesNode(doc parsed) *node {
	v := &valueReader{comments: commentsOf(doc.tree)}
	n := v.value(doc.root, "", 0)
	v.describe(n, doc, doc.id)
	v.parameters(n)
	return n
}

// valueReader derives types from values.
type valueReader struct{ comments *comments }

// value returns the type of a value, which is the default.
func (r *valueReader) value(v tree.Value, at string, depth int) *node {
	n := &node{at: at, kind: kindOf(v), def: &v}
	if depth > maxLevels {
		n.kind = anyKind
		n.lose("values", "they are nested too deeply", v.Span())
		return n
	}
	switch n.kind {
	case mapKind:
		n.def = nil
		r.keys(n, v, depth)
		if v.Len() == 0 {
			n.rest = &node{at: at + "/*"} // which keys there may be is not known
		}
	case arrayKind:
		n.item = r.item(v, at+"/*", depth)
	case anyKind:
		if !v.IsNull() { // what only YAML has: a date, binary data
			n.def = nil
			n.lose("value", "it is not JSON", v.Span())
		}
	}
	return n
}

func (r *valueReader) keys(n *node, v tree.Value, depth int) {
	for _, it := range v.Entries() {
		key, ok := starlark.AsString(it.Key.Starlark())
		if !ok || len(key) > maxKey {
			n.lose("key "+brief(it.Key), "it is not a text, or too long", it.Key.Span())
			continue
		}
		if n.field(key) != nil {
			continue // written twice: the first entry already has the last value
		}
		n.fields = append(n.fields, field{key, r.value(it.Value, pointer(n.at, key), depth+1)})
	}
}

// item returns the type of all items of a list.
func (r *valueReader) item(v tree.Value, at string, depth int) *node {
	var item *node
	for e := range v.Elements() {
		next := r.value(e, at, depth+1)
		next.forget()
		if item == nil {
			item = next
		} else {
			item = unified(item, next)
		}
	}
	if item == nil {
		return &node{at: at}
	}
	return item
}

// forget removes defaults: the values of one item of a list are not those of the next.
func (n *node) forget() {
	switch {
	case n.kind == anyKind:
		n.def = nil
	case n.isScalar():
		zero := (&node{kind: n.kind}).example()
		n.def = &zero
	default:
		n.def = nil
	}
	for _, f := range n.fields {
		f.typ.forget()
	}
}

// unified returns one type for the values of two types.
func unified(a, b *node) *node {
	switch {
	case a.kind == b.kind && a.kind == mapKind:
		a.unify(b)
		return a
	case a.kind == b.kind && a.kind == arrayKind:
		a.item = unified(a.item, b.item)
		return a
	case a.kind == b.kind:
		return a
	case a.kind == anyKind && a.def == nil && a.isNullOnly(), b.isNullOnly():
		if a.isNullOnly() {
			a = b
		}
		a.nullable = true
		return a
	case a.kind == intKind && b.kind == floatKind, a.kind == floatKind && b.kind == intKind:
		zero := asFloat(number(0))
		return &node{at: a.at, kind: floatKind, def: &zero}
	case isNoMap(a) && isNoMap(b):
		return &node{at: a.at, kind: choiceKind, choices: []*node{a, b}}
	case a.kind == choiceKind && isNoMap(b):
		for _, c := range a.choices {
			if c.kind == b.kind {
				return a
			}
		}
		a.choices = append(a.choices, b)
		return a
	}
	return &node{at: a.at}
}

// isNullOnly reports whether the type comes from null alone.
func (n *node) isNullOnly() bool { return n.kind == anyKind && n.rules.oneOf == nil && !n.nullable }

// unify adds the keys of another map. Keys that only one of the two maps has may be null.
func (n *node) unify(b *node) {
	for _, f := range n.fields {
		if b.field(f.key) == nil {
			f.typ.def = nil
		}
	}
	for _, f := range b.fields {
		has := n.field(f.key)
		if has == nil {
			f.typ.def = nil
			n.fields = append(n.fields, f)
			continue
		}
		n.replace(f.key, unified(has, f.typ))
	}
	if n.rest != nil && len(n.fields) > 0 {
		n.rest = nil
	}
}
