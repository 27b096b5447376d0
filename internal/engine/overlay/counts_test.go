package overlay_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/engine/overlay"
	"weft/internal/lang/tree"
)

// What overlays copy, counted: the maps and arrays on the way to what is edited. Documents that are
// not edited, and what lies beside the way in those that are, stay references into the syntax tree,
// whatever their number and size. Each is copied once for all overlays together, which the number
// of items that are looked at shows.
func TestCounts(t *testing.T) {
	document := func(size int) string {
		return "---\nkind: A\nspec:\n  replicas: 1\n  image: x\nrest:\n" + lines(
			"- {name: n%d, value: [1, 2, 3]}\n",
		)(
			size,
		)
	}
	all := "#@overlay/match by=overlay.all, expects=\"1+\"\n---\n"
	one := "#@overlay/match by=overlay.index(7)\n---\n"
	var got strings.Builder
	for _, c := range []struct {
		name      string
		documents int
		size      int // of each, beside what is edited
		right     string
	}{
		{"one document of 100", 100, 10, one + "spec:\n  replicas: 2\n"},
		{"one document of 1000", 1000, 10, one + "spec:\n  replicas: 2\n"},
		{"100 small documents", 100, 1, all + "spec:\n  replicas: 2\n"},
		{"100 large documents", 100, 200, all + "spec:\n  replicas: 2\n"},
		{"20 overlays on 100 documents", 100, 10, strings.Repeat(all+"spec:\n  replicas: 2\n", 20)},
		{"an item of 100 lists of 10", 100, 10, all + "rest:\n#@overlay/match by=\"name\"\n- name: n3\n  value: []\n"},
		{"nothing found", 100, 10, "#@overlay/match by=overlay.subset({\"kind\": \"B\"}), expects=0\n---\nspec:\n  replicas: 2\n"},
		{"nothing changed", 100, 10, all + "#@overlay/assert via=lambda left, right: True\nspec: {}\n"},
	} {
		in := evaluate(
			t,
			file{"left.yml", strings.Repeat(document(c.size), c.documents)},
			file{"over.yml", header + c.right},
		)
		docs, err := overlay.Apply(context.Background(), in.left, in.overlays, in.opt)
		if err != nil {
			t.Fatalf("%s: %s", c.name, in.text(err))
		}
		var made copies
		for _, file := range docs {
			for _, d := range file {
				made.count(d.Value)
			}
		}
		work, err := overlay.Work(in.left, in.overlays)
		if err != nil {
			t.Fatalf("%s: %s", c.name, in.text(err))
		}
		fmt.Fprintf(
			&got,
			"%s: made %d collections with %d items, looked at %d\n",
			c.name,
			made.collections,
			made.items,
			work,
		)
	}
	const want = `one document of 100: made 2 collections with 5 items, looked at 120
one document of 1000: made 2 collections with 5 items, looked at 1020
100 small documents: made 200 collections with 500 items, looked at 1500
100 large documents: made 200 collections with 500 items, looked at 1500
20 overlays on 100 documents: made 200 collections with 500 items, looked at 9100
an item of 100 lists of 10: made 300 collections with 1500 items, looked at 4800
nothing found: made 0 collections with 0 items, looked at 200
nothing changed: made 0 collections with 0 items, looked at 700
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// copies is how much of a value was made again.
type copies struct{ collections, items int }

func (c *copies) count(v tree.Value) {
	if _, _, shared := v.Syntax(); shared {
		return
	}
	var items []tree.Item
	if m, ok := v.Map(); ok {
		items = m.Entries()
	} else if a, ok := v.Array(); ok {
		items = a.Entries()
	} else {
		return
	}
	c.collections++
	c.items += len(items)
	for _, it := range items {
		c.count(it.Value)
	}
}
