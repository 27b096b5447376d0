package schemas

import (
	"path"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// helm reads the schema of a chart, with the defaults of its values, or the values alone.
func (i *importer) helm(docs []parsed) (*node, error) {
	doc, err := i.only(docs)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(path.Base(i.File.Name), ".schema.") && !isSchema(doc.root) {
		return valuesNode(doc), nil
	}
	n, err := i.schema(doc.root, doc.root, i.File.Name)
	if err != nil || i.Values == nil {
		return n, err
	}
	more, err := i.parse(*i.Values)
	if err != nil {
		return nil, err
	}
	if len(more) > 1 {
		_, err := i.only(more)
		return nil, err
	}
	n.merge(more[0].root, valuesNode(more[0]))
	return n, nil
}

// merge makes the values v the defaults of a type. like is the type derived from v. Keys that the schema does
// not declare are added: Helm accepts them.
func (n *node) merge(v tree.Value, like *node) {
	if n.desc == "" {
		n.desc = like.desc
	}
	n.required = false
	if n.kind != mapKind || v.Kind() != tree.MapKind {
		n.def = &v
		return
	}
	n.def = nil
	for _, it := range v.Entries() {
		key, ok := starlark.AsString(it.Key.Starlark())
		typ := like.field(key)
		if !ok || typ == nil {
			continue
		}
		switch has := n.field(key); {
		case has != nil:
			has.merge(it.Value, typ)
		case n.rest != nil && n.rest.kind != anyKind && n.rest.fits(it.Value) && takesKey(n.keys, key):
			n.addDefault(it)
		default:
			n.fields = append(n.fields, field{key, typ})
		}
	}
	if n.rest != nil && n.rest.kind == anyKind && len(n.fields) > 0 && n.keys == "" && n.isOpenByDefault() {
		n.rest = nil
	}
}

// isOpenByDefault reports whether the schema says nothing about other keys.
func (n *node) isOpenByDefault() bool {
	for _, keyword := range []string{"additionalProperties", "patternProperties", "propertyNames"} {
		if _, ok := n.from[keyword]; ok {
			return false
		}
	}
	return true
}

// addDefault adds an item to the default of a map with arbitrary keys.
func (n *node) addDefault(it tree.Item) {
	items := []tree.Item{it}
	if n.def != nil {
		items = append(append([]tree.Item(nil), n.def.Entries()...), it)
	}
	v := mapOf(items...)
	n.def = &v
}
