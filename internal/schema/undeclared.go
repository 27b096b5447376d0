package schema

import (
	"weft/internal/diag"
	"weft/internal/tree"
)

// Undeclared tells of the keys of a data values document that t does not declare, whatever their annotations say. It does not look into arrays and values of any type.
func (t *Type) Undeclared(doc tree.Document) diag.List {
	var c checker
	c.undeclared(t, documentNode(doc))
	return c.list
}

func (c *checker) undeclared(t *Type, n node) {
	m, ok := n.value.Map()
	if !ok || t.kind != mapKind {
		return
	}
	entries := m.Entries()
	for i := range entries {
		child := itemNode(&entries[i], mapItem, n.pos)
		at, ok := t.lookup(entries[i].Key, i)
		if !ok {
			c.unknownKey(t, &child)
			continue
		}
		c.path = append(c.path, step{key: entries[i].Key, index: -1})
		c.undeclared(t.fields[at].typ, child)
		c.path = c.path[:len(c.path)-1]
	}
}
