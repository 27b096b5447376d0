package suggest

import (
	"slices"

	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file is about comprehensions, such as [h + ".example.com" for h in data.values.hosts]: no loop of a
// template gives their items, so what an item was computed from shows which item of a list or a map of data
// values it is for.

// comprehended returns the innermost list or map of data values of which an item was computed from exactly
// one item.
func (s *search) comprehended(doc int, way path.Path) (it iteration, ok bool) {
	type source struct {
		iteration
		several bool
	}
	var list []*source
	reads := s.ownReads(doc, way, nil)
	isSeen := func(around []tree.Step) bool { // code has gone through it
		return slices.ContainsFunc(reads, func(x tree.LeafInfo) bool {
			return x.Kind == tree.Shape && slices.Equal(x.Path, around)
		})
	}
	for _, info := range reads {
		for k, step := range info.Path {
			around := info.Path[:k]
			if info.Kind == tree.Missing || step.Index < 0 && !isSeen(around) {
				continue
			}
			i := slices.IndexFunc(list, func(x *source) bool { return slices.Equal(x.list, around) })
			if i < 0 {
				list = append(list, &source{iteration: iteration{values: info.Values, list: around, item: step}})
			} else if list[i].item != step {
				list[i].several = true
			}
		}
	}
	list = slices.DeleteFunc(list, func(x *source) bool { return x.several })
	if len(list) == 0 {
		return it, false
	}
	it = slices.MaxFunc(list, func(a, b *source) int { return len(a.list) - len(b.list) }).iteration
	it.loop = s.computedAt(doc, way)
	return it, true
}

// computedAt returns where the expression is that gave a node.
func (s *search) computedAt(doc int, way path.Path) (at source.Span) {
	if n := s.blame.NodeAt(doc, way); n != nil {
		at.Pos = s.blame.History(n)[0].At
	}
	return at
}

// ownReads returns the data values of the project that a node and those below it were computed from.
func (s *search) ownReads(doc int, way path.Path, found []tree.LeafInfo) []tree.LeafInfo {
	n := s.blame.NodeAt(doc, way)
	if n == nil || len(found) >= maxReads {
		return found
	}
	for _, e := range s.history(n) {
		for _, leaf := range e.Reads {
			if info, ok := s.ownLeaf(s.res.Origins.Leaf(leaf)); ok {
				found = append(found, info)
			}
		}
	}
	if n.Value.Kind() == tree.ScalarKind {
		return found
	}
	for i, it := range n.Value.Entries() {
		next := path.ToItem(i, i)
		if n.Value.Kind() == tree.MapKind {
			next = path.ToKey(it.Key)
		}
		found = s.ownReads(doc, append(slices.Clip(way), next), found)
	}
	return found
}
