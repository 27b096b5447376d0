package tree

import "weft/internal/lang/yaml"

// Written returns the text of a scalar without quotes: as written in its file if it comes from one,
// otherwise like Text.
func (v Value) Written() string {
	if v.tree != nil {
		return string(v.tree.Text(v.node))
	}
	return v.Text()
}

// Text returns the text of a scalar without quotes. Numbers are written as weft prints them.
func (v Value) Text() string {
	val, text := v.Scalar()
	if val.Kind == yaml.String {
		return string(text)
	}
	return string(yaml.AppendValue(nil, val, nil, 0))
}

// TextAt returns the text of the scalar at a key, or "" if v has no such key or the value is null.
func (v Value) TextAt(key string) string {
	x, ok := v.Lookup(key)
	if !ok || x.Kind() != ScalarKind || x.IsNull() {
		return ""
	}
	return x.Text()
}
