package schema

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// Undeclared reports the keys of a data values document that t does not declare, even if annotations
// allow them. It does not look into arrays and values of any type.
func (t *Type) Undeclared(doc tree.Doc) diag.List {
	c := checker{Steps: &Steps{}}
	c.undeclared(t, documentNode(doc))
	return c.list
}

func (c *checker) undeclared(t *Type, n node) {
	m, ok := n.value.Map()
	if t = t.chosen(n.value); !ok || t.kind != mapKind || t.union != nil {
		return
	}
	entries := m.Entries()
	for i := range entries {
		child := itemNode(&entries[i], tree.MapItem, n.pos)
		typ := t.ofKey(entries[i].Key, i)
		if typ == nil {
			c.unknownKey(t, &child)
			continue
		}
		c.path = append(c.path, step{key: entries[i].Key, index: -1})
		c.undeclared(typ, child)
		c.path = c.path[:len(c.path)-1]
	}
}

// AnyAt reports whether any value is allowed at a path of keys.
func (t *Type) AnyAt(path []tree.Value) bool {
	for i, key := range path {
		if t.kind == anyKind {
			return true
		}
		if t = t.ofKey(key, i); t == nil {
			return false
		}
	}
	return t.kind == anyKind
}

// AnyWith returns the key of a list whose items have any type, although the schema shows a map with the
// given key as an item. If there is no such list, it returns "". The author of the schema may expect
// that items get defaults from this map, but they do not.
func (t *Type) AnyWith(name string) string {
	for i := range t.fields {
		f := &t.fields[i]
		if f.typ.kind == anyKind {
			if items, ok := f.typ.def.Array(); ok && holds(items, name) {
				return tree.KeyText(f.key)
			}
			continue
		}
		if item := f.typ.item; item != nil && item.kind == anyKind {
			if m, ok := item.def.Map(); ok && m.Find(tree.String(name).Starlark()) >= 0 {
				return tree.KeyText(f.key)
			}
		}
		if key := f.typ.AnyWith(name); key != "" {
			return key
		}
	}
	if t.item != nil {
		return t.item.AnyWith(name)
	}
	return ""
}

// holds reports whether a map in the list has the key.
func holds(items *tree.Array, name string) bool {
	for _, it := range items.Entries() {
		if m, ok := it.Value.Map(); ok && m.Find(tree.String(name).Starlark()) >= 0 {
			return true
		}
	}
	return false
}
