package tree

import "weft/internal/yaml"

// Written is a scalar as text: what it says, without quotes. One that was read is as it was
// written.
func (v Value) Written() string {
	if v.tree != nil {
		return string(v.tree.Text(v.node))
	}
	val, text := v.Scalar()
	if val.Kind == yaml.String {
		return string(text)
	}
	return string(yaml.AppendValue(nil, val, nil, 0))
}
