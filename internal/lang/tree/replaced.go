package tree

import "weft/internal/lang/source"

// Annotations that no author can write: what template.replace puts in the place of a node has them
// if comments are kept.
const (
	firstReplaced = "·replaced/first"
	nextReplaced  = "·replaced/next"
)

// Replaced returns the name of the annotation of an item that took the place of another: of the
// first one of several, or of the others.
func Replaced(first bool) string {
	if first {
		return firstReplaced
	}
	return nextReplaced
}

// InPlaceOf returns where the node was that these annotations say was replaced, and whether their
// item is the first that took its place. It is nowhere if none was. The receiver may be nil.
func (a *Annotations) InPlaceOf() (at source.Pos, first bool) {
	if x := a.Get(firstReplaced); x != nil {
		return x.Pos, true
	}
	if x := a.Get(nextReplaced); x != nil {
		return x.Pos, false
	}
	return source.Pos{}, false
}
