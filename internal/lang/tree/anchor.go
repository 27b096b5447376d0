package tree

import (
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// HasAnchor reports whether v is still a node of a file and has an anchor there. It does not matter
// whether v was reached through an alias.
func (v Value) HasAnchor() bool { return v.tree != nil && len(v.tree.Anchor(v.node)) > 0 }

// Anchor returns the name of the anchor of v, or "".
func (v Value) Anchor() string {
	if v.tree == nil {
		return ""
	}
	return string(v.tree.Anchor(v.node))
}

// Aliases returns where aliases of v are written.
func (v Value) Aliases() []source.Span {
	if !v.HasAnchor() {
		return nil
	}
	var list []source.Span
	for n := v.node; v.tree.More(n); n++ {
		if v.tree.Kind(n) == yaml.Alias && v.tree.Target(n) == v.node {
			list = append(list, v.tree.Span(n))
		}
	}
	return list
}
