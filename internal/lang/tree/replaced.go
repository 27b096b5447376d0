package tree

import "weft/internal/lang/source"

// Annotations that authors cannot write: if comments are kept, the nodes that template.replace
// inserts have them.
const (
	firstReplaced = "·replaced/first"
	nextReplaced  = "·replaced/next"
)

// Replaced returns the name of the annotation of an item that replaced another: the name for the
// first of several such items, or for the others.
func Replaced(first bool) string {
	if first {
		return firstReplaced
	}
	return nextReplaced
}

// InPlaceOf returns the position of the node that the item with these annotations replaced, and
// whether the item is the first that replaced it. The position is zero if it replaced none. The
// receiver may be nil.
func (a *Annotations) InPlaceOf() (at source.Pos, first bool) {
	if x := a.Get(firstReplaced); x != nil {
		return x.Pos, true
	}
	if x := a.Get(nextReplaced); x != nil {
		return x.Pos, false
	}
	return source.Pos{}, false
}
