package overlay_test

import (
	"fmt"
	"strings"
	"testing"

	"weft/internal/engine/overlay"
)

// TestGrowth makes documents and overlays of one shape, each twice as large as the last, and counts
// the items that are looked at. Twice the size may cost a little more than twice the work, however
// the time on the clock comes out.
func TestGrowth(t *testing.T) {
	all := header + "#@overlay/match by=overlay.all\n---\n"
	keys := lines("key%06d: 1\n")
	named := func(n int) string { return "items:\n" + lines("- name: item%06d\n  value: 1\n")(n) }
	for name, shape := range map[string]struct{ left, right func(n int) string }{
		"keys":                  {keys, func(n int) string { return all + lines("key%06d: 2\n")(n) }},
		"keys that are missing": {keys, func(n int) string { return all + lines("#@overlay/match missing_ok=True\nnew%06d: 2\n")(n) }},
		"keys to remove":        {keys, func(n int) string { return all + lines("#@overlay/remove\nkey%06d:\n")(n) }},
		"keys to replace":       {keys, func(n int) string { return all + lines("#@overlay/replace\nkey%06d: 2\n")(n) }},
		"keys of numbers":       {lines("%06d1: 1\n"), func(n int) string { return all + lines("%06d1: 2\n")(n) }},
		"items by name": {named, func(n int) string {
			return all + "items:\n" + lines("#@overlay/match by=\"name\"\n- name: item%06d\n  value: 2\n")(n)
		}},
		"items to remove": {named, func(n int) string {
			return all + "items:\n" + lines("#@overlay/match by=\"name\"\n#@overlay/remove\n- name: item%06d\n")(n)
		}},
		"items to replace": {named, func(n int) string {
			return all + "items:\n" + lines("#@overlay/match by=\"name\"\n#@overlay/replace\n- name: item%06d\n")(n)
		}},
		"items to insert": {named, func(n int) string {
			return all + "items:\n" + lines("#@overlay/match by=\"name\"\n#@overlay/insert before=True\n- name: item%06d\n  x: 1\n")(n/2)
		}},
		"items to append": {named, func(n int) string { return all + "items:\n" + lines("#@overlay/append\n- name: item%06d\n")(n) }},
		"items that are missing": {named, func(n int) string {
			return all + "items:\n" + lines("#@overlay/match by=\"name\", missing_ok=True\n- name: new%06d\n")(n)
		}},
		"items by index": {named, func(n int) string {
			return all + "items:\n" + lines("#@overlay/match by=overlay.index(1%06d - 1000000)\n- value: 2\n")(n)
		}},
		"first items to remove": {named, func(n int) string {
			return all + "items:\n" + strings.Repeat("#@overlay/match by=overlay.index(0)\n#@overlay/remove\n-\n", n)
		}},
		"all items": {named, func(int) string { return all + "items:\n#@overlay/match by=overlay.all, expects=\"1+\"\n- value: 2\n" }},
		"all items to remove": {named, func(int) string {
			return all + "items:\n#@overlay/match by=overlay.all, expects=\"1+\"\n#@overlay/remove\n-\n"
		}},
		"items of a map by name": {lines("k%06d: {name: a%[1]d, value: 1}\n"), func(n int) string {
			return all + lines("#@overlay/match by=\"name\"\nx%06d: {name: a%[1]d, value: 2}\n")(n)
		}},
		"documents": {lines("---\nname: item%06d\nvalue: 1\n"), func(int) string { return header + "#@overlay/match by=overlay.all, expects=\"1+\"\n---\nvalue: 2\n" }},
		"overlays":  {keys, func(n int) string { return header + lines("#@overlay/match by=overlay.all\n---\nkey%06d: 2\n")(n) }},
		"documents to append": {keys, func(n int) string {
			return header + lines("#@overlay/match by=overlay.all\n#@overlay/append\n---\nname: item%06d\n")(n)
		}},
		"deep maps": {nested, func(n int) string { return all + nested(n) }},
		"what is added as it is": {keys, func(n int) string {
			return all + "#@overlay/match missing_ok=True\nadded:\n" + lines("  #@overlay/remove\n  key%06d: 1\n")(n)
		}},
		"children of an assert": {keys, func(n int) string {
			return header + "#@overlay/match by=overlay.all\n#@overlay/assert via=lambda left, right: True\n---\n" + lines("#@overlay/remove\nkey%06d:\n")(n)
		}},
		"keys at any depth": {lines("k%06d: {a: {b: 1}}\n"), func(int) string {
			return all + "#@overlay/match by=overlay.path(\"**.a.**.b\"), expects=\"1+\"\n_: 2\n"
		}},
		"keys at any depth to remove": {lines("k%06d: {a: 1}\n"), func(int) string {
			return all + "#@overlay/match by=overlay.path(\"**.a\"), expects=\"1+\"\n#@overlay/remove\n_:\n"
		}},
		"items at any depth": {named, func(int) string {
			return all + "#@overlay/match by=overlay.path(\"**.value\"), expects=\"1+\"\n_: 2\n"
		}},
		"keys that a function finds once": {keys, func(int) string {
			return all + "#@overlay/match by=lambda key, left, right: key == \"key000003\"\n_: 2\n"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			work := func(n int) int {
				in := evaluate(t, file{"left.yml", shape.left(n)}, file{"over.yml", shape.right(n)})
				w, err := overlay.Work(in.left, in.overlays)
				if err != nil {
					_, err := in.apply()
					t.Fatal(in.text(err))
				}
				return w
			}
			const n = 400
			if once, twice := work(n), work(2*n); float64(twice) > 2.2*float64(once) {
				t.Errorf("%d items take %d steps, twice as many take %d", n, once, twice)
			}
		})
	}
}

// lines is a format for each number, one after another.
func lines(format string) func(n int) string {
	return func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
}

// nested is a map in a map, n levels deep.
func nested(n int) string {
	return strings.Repeat("{a: ", n) + "1" + strings.Repeat("}", n) + "\n"
}
