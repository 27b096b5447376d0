package tree

import "weft/internal/lang/yaml"

// Written returns a scalar as text: what it says, without quotes. One that was read is as it was
// written.
func (v Value) Written() string {
	if v.tree != nil {
		return string(v.tree.Text(v.node))
	}
	return v.Text()
}

// Text returns a scalar as text: what it says, without quotes. Numbers are as they are printed.
func (v Value) Text() string {
	val, text := v.Scalar()
	if val.Kind == yaml.String {
		return string(text)
	}
	return string(yaml.AppendValue(nil, val, nil, 0))
}

// TextAt returns the text of the scalar with a key, or "" if v is not a map that has one. Null is
// none.
func (v Value) TextAt(key string) string {
	x, ok := v.Lookup(key)
	if !ok || x.Kind() != ScalarKind || x.IsNull() {
		return ""
	}
	return x.Text()
}
