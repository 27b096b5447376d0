package edit_test

import (
	"testing"

	"weft/internal/lang/edit"
	"weft/internal/lang/yaml"
	"weft/internal/testing/yamltest"
)

func TestJoin(t *testing.T) {
	for _, c := range []struct{ above, below, want string }{
		{"a: 1\n", "b: 1\n", "a: 1\n---\nb: 1\n"},
		{"a: 1", "--- # c\nb: 1\n", "a: 1\n--- # c\nb: 1\n"},
		{"a: 1\n", "---x: 1\n", "a: 1\n---\n---x: 1\n"},
		{"a: 1\n", "\ufeffb: 1\n", "a: 1\n---\nb: 1\n"},
		{"a: 1\n", "%YAML 1.1\n---\nb: 1\n", "a: 1\n...\n%YAML 1.1\n---\nb: 1\n"},
		{"a: 1\n...\n", "# c\n%YAML 1.1\n---\nb: 1\n", "a: 1\n...\n# c\n%YAML 1.1\n---\nb: 1\n"},
		{"a: |\n  x", "b: 1\n", "a: |-\n  x\n---\nb: 1\n"},
		{"a: |2+\n  x", "b: 1\n", "a: |2-\n  x\n---\nb: 1\n"},
		{"a: |+\n  x\n ", "b: 1\n", "a: |+\n  x\n---\nb: 1\n"},
		{"a: |\n  x\n", "b: 1", "a: |\n  x\n---\nb: 1"},
	} {
		above, below := edit.Closed(
			[]byte(c.above),
			yaml.Options{},
		), edit.WithoutMark(
			[]byte(c.below),
		)
		got := string(above) + edit.Between(above, below) + string(below)
		if got != c.want {
			t.Errorf("%q and %q are %q, want %q", c.above, c.below, got, c.want)
		}
		one, two, both := yamltest.Read(t, c.above), yamltest.Read(t, c.below), yamltest.Read(t, got)
		want := ""
		for _, d := range append(one.Docs, two.Docs...) {
			want += yamltest.Said(d.Value) + "\n"
		}
		all := ""
		for _, d := range both.Docs {
			all += yamltest.Said(d.Value) + "\n"
		}
		if all != want {
			t.Errorf("%q says\n%s\nwant\n%s", got, all, want)
		}
	}
}
