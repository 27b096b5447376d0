package diff

import (
	"slices"

	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// ignored reports whether the value at the current path is ignored.
func (c *comparer) ignored() bool { return c.ignores(c.path) }

func (c *comparer) ignores(at path.Path) bool {
	return slices.ContainsFunc(c.opt.Ignore, func(p path.Pattern) bool { return p.Match(at) })
}

// prune removes ignored values from a change, and reports whether a change is left.
func (c *comparer) prune(ch *Change) bool {
	if len(c.opt.Ignore) == 0 || len(ch.Path) == 0 || ch.Op == Moved || ch.Op == Renamed {
		return true
	}
	if c.ignored() {
		return false
	}
	if !slices.ContainsFunc(c.opt.Ignore, func(p path.Pattern) bool {
		return p.MayMatchBelow(ch.Path)
	}) {
		return true
	}
	var lost bool
	if ch.Op != Added {
		ch.Before, lost = c.without(ch.Before, ch.Path)
	}
	if ch.Op != Removed {
		var more bool
		ch.After, more = c.without(ch.After, ch.Path)
		lost = lost || more
	}
	return !lost || ch.Op == Changed || !ch.Before.Empty() || !ch.After.Empty()
}

// without returns a value without its ignored parts, and reports whether anything is left.
func (c *comparer) without(v tree.Value, at path.Path) (tree.Value, bool) {
	at = at[:len(at):len(at)]
	m, isMap := v.Map()
	a, isArray := v.Array()
	var items []tree.Item
	switch {
	case isMap:
		items = m.Entries()
	case isArray:
		items = a.Entries()
	default:
		return v, false
	}
	var kept []tree.Item
	lost := false
	for i, it := range items {
		to := path.ToValue(i, it.Value)
		if isMap {
			to = path.ToKey(it.Key)
		}
		if below := append(at, to); c.ignores(below) {
			lost = true
		} else {
			var less bool
			it.Value, less = c.without(it.Value, below)
			if lost = lost || less; !less || !it.Value.Empty() {
				kept = append(kept, it)
			}
		}
	}
	switch {
	case !lost:
		return v, false
	case isMap:
		return tree.Of(tree.NewMap(kept, m.Pos)), true
	}
	return tree.Of(tree.NewArray(kept, a.Pos)), true
}
