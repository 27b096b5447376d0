package override

import (
	"fmt"
	"strings"
	"testing"

	"weft/internal/lang/tree"
	"weft/internal/testing/yamltest"
)

// TestOrigins holds overrides to marking what they set, and nothing else: entries of a list that
// stay as they were have no origin, whatever the list has gained.
func TestOrigins(t *testing.T) {
	s := yamltest.Read(
		t,
		"a: 1\nb: {c: 2, d: 3}\nlist: [x, y]\nitems:\n- name: p\n  v: 1\n- name: q\n  v: 2\n",
	)
	opt := Options{Origins: &tree.Origins{}}
	_, docs, err := applied(s, opt,
		"{a: 5, b: {c: 6, new: {e: 7}}, list: [x, z], items: [{name: q, v: 3}, {name: r}]}",
		"{a: 8, b: {new: {e: 9}}}")
	if err != nil {
		t.Fatal(err)
	}
	want := `/a: 8 5 1
/b/c: 6 2
/b/new: map
/b/new/e: 9 7
/list/1: "z"
/items/1/v: 3 2
/items/2: map
`
	var b strings.Builder
	var walk func(path string, v tree.Value)
	walk = func(path string, v tree.Value) {
		if v.Origin() != 0 {
			fmt.Fprintf(&b, "%s: %s", path, brief(v))
			for x := range opt.Origins.History(v.Origin()) {
				if x.By != tree.ByOverride || !x.At.IsValid() {
					t.Errorf("%s: set by %s at %v", path, x.By, x.At)
				}
				if x.Was.IsValid() {
					b.WriteString(" " + brief(x.Old))
				}
			}
			b.WriteByte('\n')
		}
		switch x := v.Starlark().(type) {
		case *tree.Map:
			for _, it := range x.Entries() {
				walk(path+"/"+KeyText(it.Key), it.Value)
			}
		case *tree.Array:
			for i, it := range x.Entries() {
				walk(fmt.Sprintf("%s/%d", path, i), it.Value)
			}
		}
	}
	walk("", docs[0].Value)
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func brief(v tree.Value) string {
	if v.Kind() != tree.ScalarKind {
		return v.TypeName()
	}
	return v.Starlark().String()
}
