package suggest

import (
	"fmt"
	"slices"
	"testing"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// TestPositions checks which lists without names are changed item by item: finding out what only one item has takes
// comparisons with all others, so there is a limit.
func TestPositions(t *testing.T) {
	for _, c := range []struct {
		name  string
		items int
		edit  func([]tree.Value) []tree.Value
		want  bool
	}{
		{"one of many", 3000, func(l []tree.Value) []tree.Value { l[7] = item("x", 2); return l }, true},
		{"one removed of many", 3000, func(l []tree.Value) []tree.Value { return l[1:] }, true},
		{"all of some", 400, changeAll, true},
		{"all of many", 3000, changeAll, false},
		{"many removed", 3000, func(l []tree.Value) []tree.Value { return l[2000:] }, false},
		{"many added", 1, func([]tree.Value) []tree.Value { return items(3000) }, false},
		{"another order", 3000, func(l []tree.Value) []tree.Value { slices.Reverse(l); return l }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := listing{writer: &writer{}, before: items(c.items), after: c.edit(items(c.items))}
			if got := l.positions(0); got != c.want {
				t.Errorf("changed item by item: %v, want %v", got, c.want)
			}
			if !c.want && l.lines != nil {
				t.Errorf("%d lines were written", len(l.lines))
			}
		})
	}
}

func changeAll(l []tree.Value) []tree.Value {
	for i := range l {
		l[i] = item(fmt.Sprint("i", i), 2)
	}
	return l
}

func items(n int) []tree.Value {
	list := make([]tree.Value, n)
	for i := range list {
		list[i] = item(fmt.Sprint("i", i), 1)
	}
	return list
}

func item(q string, v int) tree.Value {
	return tree.Of(tree.NewMap([]tree.Item{
		{Key: tree.String("q"), Value: tree.String(q)}, {Key: tree.String("v"), Value: number(v)},
	}, source.Pos{}))
}
