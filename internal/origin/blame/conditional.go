package blame

import (
	"slices"

	"weft/internal/lang/tree"
)

// This file finds what nodes depend on besides the inputs of their values: the computed keys of their
// ancestors, and overlays that do not match.

// conditional finds computed keys, and overlays that would change nodes if they matched. They are shown at
// the values that they would replace.
func (r *Report) conditional() {
	r.keyed = map[int32]tree.Condition{}
	whole := map[int32][]*Absent{} // for nodes that would be removed or replaced
	for i := range r.Nodes {
		n := &r.Nodes[i]
		id := int32(i)
		around := whole[n.parent]
		list := around
		for s := range r.settings(n) {
			if s.Key != 0 {
				r.keyed[id] = tree.Condition{Kind: tree.Key, At: n.At.To(n.At.Offset() + 1), Reads: s.Key}
			}
			for _, x := range r.in.Origins.Spared(s.Spared) {
				a := &Absent{
					Kind: tree.Unmatched, Name: r.excerpt(x.At.Pos), At: x.At.Pos, Condition: x.At.Pos,
					Doc: int(n.Doc), Reads: r.in.Origins.Leaves(x.Reads), Count: 1,
				}
				if list = append(list[:len(list):len(list)], a); x.Whole {
					around = append(around[:len(around):len(around)], a)
				}
			}
		}
		if len(list) > 0 {
			r.instead[outcome{node: id}] = slices.Clip(list)
		}
		if len(around) > 0 {
			whole[id] = around
		}
	}
}

// settings yields the settings of a node itself: what set it, and how a template produced that value
// before.
func (r *Report) settings(n *Node) func(yield func(tree.Setting) bool) {
	return func(yield func(tree.Setting) bool) {
		if n.from != 0 {
			if s, ok := r.in.Origins.Of(n.from); ok && !yield(s) {
				return
			}
		}
		if n.up > 0 {
			return // its parent was set
		}
		for s := range r.in.Origins.History(n.origin) {
			if !yield(s) {
				return
			}
			if from, ok := r.in.Origins.Of(s.From); ok && !yield(from) {
				return
			}
		}
	}
}

// keysOf returns the computed keys of a node and its ancestors.
func (r *Report) keysOf(n *Node) (list []tree.Condition) {
	if len(r.keyed) == 0 {
		return nil
	}
	for up := n; ; up = &r.Nodes[up.parent] {
		if c, ok := r.keyed[up.id]; ok && (up != n || !r.coversKey(n, c)) {
			list = append(list, c)
		}
		if up.parent < 0 {
			return list
		}
	}
}

// coversKey reports whether a node's value was computed from all data values that its key was computed from.
func (r *Report) coversKey(n *Node, key tree.Condition) bool {
	s, ok := r.in.Origins.Of(n.origin)
	if from, is := r.in.Origins.Of(n.from); is {
		s, ok = from, is
	}
	reads := r.in.Origins.Leaves(s.Reads)
	return ok && !slices.ContainsFunc(r.in.Origins.Leaves(key.Reads), func(l tree.Leaf) bool {
		return !slices.Contains(reads, l)
	})
}
