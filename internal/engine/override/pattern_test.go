package override

import (
	"fmt"
	"testing"
)

func TestPatterns(t *testing.T) {
	path := func(keys ...string) (p Path) {
		for _, k := range keys {
			if k == "[]" {
				p = append(p, Segment{text: "name", entry: true})
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
		{"ports", path("ports"), true},
		{"ports", path("a", "ports"), false},
		{"a.ports", path("a", "ports"), true},
		{"a.ports", path("a", "[]", "ports"), true},
		{"a.ports", path("a", "ports", "[]"), false},
		{"*.ports", path("a", "ports"), true},
		{"*.ports", path("ports"), false},
		{"**.ports", path("ports"), true},
		{"**.ports", path("a", "[]", "b", "ports"), true},
		{"a.**", path("a"), true},
		{"a.**", path("a", "b", "c"), true},
		{"a.**.c", path("a", "c"), true},
		{"a.**.c", path("a", "b", "d"), false},
		{"**.a.**.c", path("x", "a", "y", "z", "c"), true},
		{"**", path("x"), true},
	} {
		if got := matches(splitPath(c.pattern), c.path); got != c.want {
			t.Errorf("%s matches %v: %t, want %t", c.pattern, fmt.Sprint(c.path), got, c.want)
		}
	}
}
