package blame

import (
	"slices"
	"strings"

	"weft/internal/lang/path"
)

// Source returns on one line where the value at a path of a document comes from: where it is written, and
// the data values it was computed from, each with the place that set it. It returns "" if there is no such
// value.
func (r *Report) Source(doc int, way path.Path) string {
	n := r.nodeAt(doc, way)
	if n < 0 {
		return ""
	}
	history := r.History(&r.Nodes[n])
	last := history[len(history)-1]
	if len(last.Reads) == 0 {
		return r.Where(last.At)
	}
	return r.Where(last.At) + " ← " + strings.ReplaceAll(r.reads(last.Reads), "  ", " ")
}

// NodeAt returns the node at a path of a document, or nil. A path that leads into a string ends at the
// string.
func (r *Report) NodeAt(doc int, way path.Path) *Node {
	if n := r.nodeAt(doc, way); n >= 0 {
		return &r.Nodes[n]
	}
	return nil
}

// nodeAt returns the number of that node, or -1.
func (r *Report) nodeAt(doc int, way path.Path) int {
	at, ok := slices.BinarySearchFunc(r.Nodes, doc, func(n Node, doc int) int { return int(n.Doc) - doc })
	if !ok {
		return -1
	}
	p := placer{Report: r}
	for _, s := range way {
		if at < 0 || s.Kind == path.Inside {
			break
		}
		at = p.child(at, s)
	}
	return at
}
