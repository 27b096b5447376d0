package index

import (
	"go.starlark.net/syntax"

	"weft/internal/lang/script"
	"weft/internal/lang/yaml"
)

// fragmentName is the type of YAML that code has as a value.
const fragmentName = "yamlfragment"

// fragment returns the type of the YAML in the body of a function, or nil if there is none.
func (b *builder) fragment(def *syntax.DefStmt) *Type {
	if b.a.Tree == nil {
		return nil
	}
	line := b.file.Text.Line(script.Span(b.file.Text, def.Name.NamePos).Offset())
	for _, m := range b.a.Blocks() {
		if m.Kind == script.Defines && b.file.Text.Line(m.Off) == line {
			return fragmentIn(b.a.Tree, m.Off, m.End)
		}
	}
	return nil
}

// fragmentIn returns the type of the outermost YAML that begins between two offsets, or nil.
func fragmentIn(t *yaml.Tree, from, to int) *Type {
	in := func(n yaml.NodeID) bool { at := t.Start(n).Offset(); return from < at && at < to }
	var found *Type
	var walk func(n yaml.NodeID)
	walk = func(n yaml.NodeID) {
		switch t.Kind(n) {
		case yaml.Mapping:
			for key, value := range t.Pairs(n) {
				if !in(key) {
					walk(value)
					continue
				}
				if found == nil {
					found = &Type{Name: fragmentName}
				}
				found.addNode(t, key, value)
			}
		case yaml.Sequence:
			for item := range t.Items(n) {
				switch {
				case !in(item):
					walk(item)
				case found == nil:
					found = &Type{Name: "list", Item: nodeType(t, item)}
				}
			}
		}
	}
	for doc := range t.Documents() {
		walk(t.Root(doc))
	}
	return found
}

// addNode adds a key of a map of YAML.
func (t *Type) addNode(in *yaml.Tree, key, value yaml.NodeID) {
	if in.Kind(key) == yaml.Scalar && !t.has(string(in.Text(key))) {
		t.Keys = append(t.Keys, Field{Name: string(in.Text(key)), is: nodeType(in, value)})
	}
}

// nodeType returns the type of YAML as it is written, or nil if only code says it.
func nodeType(t *yaml.Tree, n yaml.NodeID) *Type {
	switch t.Kind(n) {
	case yaml.Mapping:
		is := &Type{Name: fragmentName}
		for key, value := range t.Pairs(n) {
			is.addNode(t, key, value)
		}
		return is
	case yaml.Sequence:
		for item := range t.Items(n) {
			return &Type{Name: "list", Item: nodeType(t, item)}
		}
	}
	return nil
}
