package values

import (
	"slices"
	"strings"

	"weft/internal/lang/tree"
)

// list is an array that many documents append to. Each document sees an empty array with the number
// of earlier items, and what it appends is collected.
type list struct {
	was   tree.Value // the original array, if nothing has been appended
	same  bool
	items []tree.Item

	work *int // see baseMap
}

// newList returns a list for a value, or nil if it is not an array.
func newList(v tree.Value, work *int) *list {
	a, ok := v.Array()
	if !ok {
		return nil
	}
	*work += len(a.Entries())
	return &list{was: v, same: true, items: slices.Clip(a.Entries()), work: work}
}

// end returns the empty array after the last item.
func (l *list) end() *tree.Array { return tree.NewArray(nil, l.was.Start()) }

// put appends the items that were added to end.
func (l *list) put(v tree.Value, appended *tree.Array) {
	l.items = append(l.items, appended.Entries()...)
	l.was, l.same = l.was.WithOrigin(v.Origin()), false
	*l.work += len(appended.Entries())
}

// value returns the list as an array. The list does not change.
func (l *list) value() tree.Value {
	if !l.same {
		v := tree.Of(tree.NewArray(slices.Clip(l.items), l.was.Start()))
		l.was, l.same = v.WithOrigin(l.was.Origin()), true
		*l.work += len(l.items)
	}
	return l.was
}

// appends reports whether all items of an array are appended to the existing array.
func appends(a *tree.Array) bool {
	return !slices.ContainsFunc(a.Entries(), func(it tree.Item) bool {
		return slices.ContainsFunc(it.Annotations.All(), func(n tree.Annotation) bool {
			switch n.Name {
			case "overlay/append", "overlay/match-child-defaults":
				return false
			}
			return strings.HasPrefix(n.Name, "overlay/")
		})
	})
}
