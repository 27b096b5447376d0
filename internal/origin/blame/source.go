package blame

import (
	"strings"

	"weft/internal/lang/path"
)

// Source says on one line where the value at a path of a document comes from: who wrote it, and
// which data values it was made of, each with who set it. It is "" if there is no such value.
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

// nodeAt returns the node at a path of a document, or -1. A path that leads into a string ends
// there.
func (r *Report) nodeAt(doc int, way path.Path) int {
	at := -1
	for i := range r.Nodes {
		if int(r.Nodes[i].Doc) == doc && r.Nodes[i].parent < 0 {
			at = i
			break
		}
	}
	p := placer{Report: r}
	for _, s := range way {
		if at < 0 || s.Kind == path.Inside {
			break
		}
		at = p.kid(at, s)
	}
	return at
}
