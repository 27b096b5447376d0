package path

import (
	"testing"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// FuzzMayMatchIn: what a pattern finds was never ruled out.
func FuzzMayMatchIn(f *testing.F) {
	for _, text := range []string{
		"image: a", `"im\x61ge": a`, "'image': a", "? image\n: a", "&a image: b\nx:\n  *a : c", "!!str image: a",
		"!!binary aW1hZ2U=: a", "a: &x {image: 1}\nb: *x", "a: {<<: {image: 1}}", "a: 1 # image", "- image", "{}",
		"\"im\\\n  age\": a", "a: [{b: {image: c}}]", "on: 1", "1: a", "~: a", "\xef\xbb\xbfimage: a",
	} {
		for _, pattern := range []string{"**.image", "a.*.image", "**.b.image", "on", "1", "**", "image[0]", `"a b"`} {
			f.Add(text, pattern)
		}
	}
	f.Fuzz(func(t *testing.T, text, pattern string) {
		p, err := Parse("path", pattern)
		if err != nil {
			return
		}
		file, err := new(source.Set).Add("a.yml", []byte(text))
		if err != nil {
			return
		}
		y, err := yaml.Parse(file, yaml.Options{MaxNodes: 10_000})
		if err != nil || y.Check(false) != nil {
			return
		}
		for doc := range y.Documents() {
			checkMayMatch(t, p, tree.FromSyntax(y, y.Root(doc)), 0)
		}
	})
}

// checkMayMatch checks v and everything in it.
func checkMayMatch(t *testing.T, p Pattern, v tree.Value, depth int) {
	all := AnyOf(p)
	var f Finder
	found := 0
	f.Find(all, v, func([]Step) { found++ })
	if found > 0 && !all.MayMatchIn(v) {
		t.Fatalf("%s finds %d values, but was ruled out", p, found)
	}
	if depth == 4 {
		return
	}
	for _, it := range v.Entries() {
		checkMayMatch(t, p, it.Value, depth+1)
	}
}

// TestMayMatchIn: documents without the keys are ruled out.
func TestMayMatchIn(t *testing.T) {
	file, err := new(source.Set).Add("a.yml", []byte("kind: Service\nspec: {ports: [{port: 80}]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	y, err := yaml.Parse(file, yaml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := tree.FromSyntax(y, y.Root(y.First()))
	for pattern, want := range map[string]bool{
		"**.containers[*].image": false, "**.port": true, "**.ports[*].image": false, "**": true, "*.*": true,
	} {
		p, err := Parse("path", pattern)
		if err != nil {
			t.Fatal(err)
		}
		if all := AnyOf(p); all.MayMatchIn(v) != want {
			t.Errorf("%s: got %v", pattern, !want)
		}
	}
}
