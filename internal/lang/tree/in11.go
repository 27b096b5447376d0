package tree

import "weft/internal/lang/yaml"

// In11 returns v as parsers of YAML 1.1 read it when scalars are printed as they are written: `0644`
// is 420 to them, and `on` is true.
func (v Value) In11() Value {
	return (&readIn11{trees: map[*yaml.Tree]*yaml.Tree{}}).value(v)
}

// readIn11 reads syntax trees again, with the rules of YAML 1.1.
type readIn11 struct {
	trees map[*yaml.Tree]*yaml.Tree
}

func (r *readIn11) value(v Value) Value {
	if t, n, ok := v.Syntax(); ok {
		if t.IsTyped() || !t.HasAmbiguous(n) {
			return v
		}
		return FromSyntax(r.tree(t), n).WithOrigin(v.origin)
	}
	switch x := v.x.(type) {
	case *Map:
		v.x = NewMap(r.items(x.items), x.Pos)
	case *Array:
		v.x = NewArray(r.items(x.items), x.Pos)
	}
	return v
}

func (r *readIn11) items(list []Item) []Item {
	out := make([]Item, len(list))
	for i, it := range list {
		out[i] = it
		out[i].Key, out[i].Value = r.value(it.Key), r.value(it.Value)
	}
	return out
}

func (r *readIn11) tree(t *yaml.Tree) *yaml.Tree {
	if r.trees[t] == nil {
		r.trees[t] = t.In(yaml.Compat)
	}
	return r.trees[t]
}
