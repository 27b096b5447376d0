package override

import (
	"fmt"
	"strings"
	"testing"

	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

func TestPatterns(t *testing.T) {
	to := func(keys ...string) (p Path) {
		for _, k := range keys {
			if name, ok := strings.CutPrefix(k, "[]"); ok {
				p = append(p, Entry("name", tree.String(name)))
				continue
			}
			p = append(p, Key(k))
		}
		return p
	}
	for _, c := range []struct {
		pattern string
		path    Path
		want    bool
	}{
		{"ports", to("ports"), true},
		{"ports", to("a", "ports"), false},
		{"a.ports", to("a", "ports"), true},
		{"a.ports", to("a", "[]", "ports"), true},
		{"a.ports", to("a", "ports", "[]"), false},
		{"*.ports", to("a", "ports"), true},
		{"*.ports", to("ports"), false},
		{"**.ports", to("ports"), true},
		{"**.ports", to("a", "[]", "b", "ports"), true},
		{"a.**", to("a"), true},
		{"a.**", to("a", "b", "c"), true},
		{"a.**.c", to("a", "c"), true},
		{"a.**.c", to("a", "b", "d"), false},
		{"**.a.**.c", to("x", "a", "y", "z", "c"), true},
		{"**", to("x"), true},
		{"**", to("x", "[]web", "y"), true},
		{".a.ports", to("a", "ports"), true},
		{"a[name=web].ports", to("a", "[]web", "ports"), true},
		{"a[name=web].ports", to("a", "[]db", "ports"), false},
		{"a[name=~^w].ports", to("a", "[]web", "ports"), true},
		{"a[*].ports", to("a", "[]web", "ports"), true},
		{"a[*].ports", to("a", "ports"), false},
		{`a."b.c/d"`, to("a", "b.c/d"), true},
		{`a["b.c/d"]`, to("a", "b.c/d"), true},
		{"a.*.ports", to("a", "[]web", "ports"), true},
	} {
		pattern, err := path.Parse("--lists", c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := pattern.MatchWhole(c.path.steps()); got != c.want {
			t.Errorf("%s matches %v: %t, want %t", c.pattern, fmt.Sprint(c.path), got, c.want)
		}
	}
}
