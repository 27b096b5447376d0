package schema

import (
	"fmt"
	"strings"
	"testing"

	fieldpath "weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// TestLocatorFindsLines: each value is found in its line, and each map and list is read once for all of them.
func TestLocatorFindsLines(t *testing.T) {
	const n = 1000
	var b strings.Builder
	b.WriteString("list:\n")
	for i := range n {
		fmt.Fprintf(&b, "- v: %d\n", i)
	}
	b.WriteString("map:\n")
	for i := range n {
		fmt.Fprintf(&b, "  k%d: %d\n", i, i)
	}
	f, err := (&source.Set{}).Add("v.yml", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Parse(f, yaml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var root tree.Value
	for d := range text.Documents() {
		root = tree.FromSyntax(text, text.Root(d))
	}
	l := NewLocator(tree.Doc{Value: root})
	key := func(k string) fieldpath.Segment { return fieldpath.Segment{Key: tree.String(k)} }
	at := func(path ...fieldpath.Segment) int {
		_, value := l.Locate(path)
		return f.Line(value.Offset())
	}
	seen := map[*tree.Item]bool{}
	for i := range n {
		if got, want := at(key("list"), fieldpath.Segment{Kind: fieldpath.Item, Index: i}, key("v")), i+2; got != want {
			t.Fatalf("list[%d].v is in line %d, want %d", i, got, want)
		}
		if got, want := at(key("map"), key(fmt.Sprintf("k%d", i))), i+n+3; got != want {
			t.Fatalf("map.k%d is in line %d, want %d", i, got, want)
		}
		for _, k := range []string{"list", "map"} {
			seen[&l.item(key(k)).items[0]] = true
		}
	}
	if len(seen) != 2 {
		t.Errorf("the items of two collections were read %d times", len(seen))
	}
	for _, missing := range [][]fieldpath.Segment{
		{key("map"), key("other")},
		{key("map"), key("other"), key("more")},
		{key("map"), {Kind: fieldpath.Item, Index: n}},
	} {
		if got, want := at(missing...), n+2; got != want {
			t.Errorf("a value that is missing is in line %d, want that of the map, %d", got, want)
		}
	}
}
