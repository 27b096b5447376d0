package schemas

import (
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// part is a JSON Schema, and the document that it is in, where its references begin.
type part struct {
	value tree.Value
	in    *document
}

// reader reads JSON Schemas.
type reader struct {
	files  *source.Set
	open   func(name string, at source.Span) (*document, error) // another file that a schema refers to
	active map[target]bool                                      // references that are being followed
	depth  int
	nodes  int

	ofKubernetes bool // the schema is that of a custom resource

	keywords int // how many there are
	err      error
}

// maxTypes is the maximum number of types of a schema after references are written out.
const maxTypes = 100_000

// maxLevels is the maximum depth of a schema: a template may have 500 levels.
const maxLevels = 120

// at returns the value of a keyword, and whether the schema has the keyword.
func (p part) at(keyword string) (part, bool) {
	v, ok := p.value.Lookup(keyword)
	return part{v, p.in}, ok
}

// list returns the schemas in a list.
func (p part) list() []part {
	if p.value.Kind() != tree.ArrayKind {
		return nil
	}
	var list []part
	for v := range p.value.Elements() {
		list = append(list, part{v, p.in})
	}
	return list
}

// whole is a list of schemas. A value must match all of them.
type whole struct {
	parts    []part
	followed []target // references that were followed
	never    bool     // one of them is false: no value is valid
	nullable bool     // null is one of two alternatives
}

// expand writes out $ref and allOf, and returns all schemas that a value must match. A schema comes before
// those that it refers to, so that a description beside a reference wins. References that cannot be followed
// are lost.
func (r *reader) expand(n *node, parts []part) *whole {
	w := &whole{}
	for _, p := range parts {
		r.add(n, w, p, 0)
	}
	return w
}

// maxParts limits how many schemas one value must match.
const maxParts = 1000

func (r *reader) add(n *node, w *whole, p part, depth int) {
	switch {
	case depth > maxLevels || len(w.parts) > maxParts:
		n.lose("schema", "it has too many parts", p.value.Span())
		return
	case p.value.Kind() != tree.MapKind:
		r.addTruth(n, w, p)
		return
	}
	w.parts = append(w.parts, p)
	if ref, ok := p.at("$ref"); ok {
		r.keywords++
		if to, ok := r.follow(n, w, ref); ok {
			r.add(n, w, to, depth+1)
		}
	}
	if all, ok := p.at("allOf"); ok {
		r.keywords++
		for _, sub := range all.list() {
			r.add(n, w, sub, depth+1)
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		list, ok := p.at(keyword)
		if !ok {
			continue
		}
		if only, null, ok := onlyAlternative(list.list()); ok {
			r.keywords++
			w.nullable = w.nullable || null
			r.add(n, w, only, depth+1)
		}
	}
}

// addTruth adds a schema that is true or false.
func (r *reader) addTruth(n *node, w *whole, p part) {
	switch {
	case p.value.IsNull(): // in YAML, an empty value
	case kindOf(p.value) == boolKind:
		w.never = w.never || !bool(p.value.Starlark().Truth())
	default:
		n.lose("schema", "it is neither a map nor true or false", p.value.Span())
	}
}

// onlyAlternative returns the only alternative that is not null, and whether null is another. ok is false if
// there is none, or more than one.
func onlyAlternative(list []part) (only part, null, ok bool) {
	var others []part
	for _, p := range list {
		if isNullSchema(p) {
			null = true
		} else {
			others = append(others, p)
		}
	}
	if len(others) != 1 {
		return part{}, false, false
	}
	return others[0], null, true
}

// isNullSchema reports whether null is the only valid value.
func isNullSchema(p part) bool {
	if t, ok := p.at("type"); ok {
		if t.value.Kind() == tree.ArrayKind && t.value.Len() == 1 {
			for v := range t.value.Elements() {
				t.value = v
			}
		}
		return t.value.IsString("null")
	}
	if c, ok := p.at("const"); ok {
		return c.value.IsNull()
	}
	if e, ok := p.at("enum"); ok && e.value.Kind() == tree.ArrayKind && e.value.Len() == 1 {
		for v := range e.value.Elements() {
			return v.IsNull()
		}
	}
	return false
}
