package suggest

import (
	"slices"

	"weft/internal/lang/tree"
	"weft/internal/lang/unified"
)

// positions writes what turns one list into another whose items nothing identifies but their position, or what
// only one of them has. The last difference comes first, so that the items before it keep their position. It
// returns false if that is too much work.
func (l *listing) positions(indent int) bool {
	edits := unified.CompareLines(blocks(l.before), blocks(l.after))
	changed := 0 // items, each of which is compared with all others
	for _, e := range edits {
		changed += max(e.A1-e.A0, e.B1-e.B0)
	}
	if changed*max(len(l.before), len(l.after)) > maxCompared {
		return false
	}
	now := slices.Clone(l.before) // as the overlay has it so far
	for _, e := range slices.Backward(edits) {
		was, is := l.before[e.A0:e.A1], l.after[e.B0:e.B1]
		both := min(len(was), len(is))
		for i := len(was) - 1; i >= both; i-- {
			at := e.A0 + i
			l.line(indent, "#@overlay/match by="+l.only(now, at))
			l.line(indent, "#@overlay/remove")
			l.item(indent, tree.Value{})
			now = slices.Delete(now, at, at+1)
		}
		for i := range both {
			at := e.A0 + i
			l.changed(indent, "by="+l.only(now, at), "[]", was[i], is[i])
			now[at] = is[i]
		}
		for i, v := range is[both:] {
			at := e.A0 + both + i
			if at == len(now) {
				l.line(indent, "#@overlay/append")
			} else {
				l.line(indent, "#@overlay/match by="+l.only(now, at))
				l.line(indent, "#@overlay/insert before=True")
			}
			l.item(indent, v)
			now = slices.Insert(now, at, v)
		}
	}
	return true
}

// maxCompared limits how often two items are compared to find what only one of them has: all items of a list of 512
// may change, or one of 262,144. Rendering the overlay takes as many comparisons.
const maxCompared = 1 << 18

// only returns a matcher for one item of a list.
func (l *listing) only(items []tree.Value, i int) string {
	if by := onlyOne(items, i); by != "" {
		return by
	}
	l.byIndex = append(l.byIndex, joined(l.path))
	return "overlay.index(" + literal(number(i)) + ")"
}

// blocks returns values as YAML.
func blocks(list []tree.Value) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = block(v)
	}
	return out
}
