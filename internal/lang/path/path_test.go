package path

import (
	"strings"
	"testing"

	"weft/internal/lang/tree"
)

func key(s string) Segment { return ToKey(tree.String(s)) }

func keyed(was, index int, by, id string) Segment {
	s := ToItem(was, index)
	s.By, s.ID = by, tree.String(id)
	return s
}

func TestPath(t *testing.T) {
	for _, tt := range []struct {
		path         Path
		text, outer  string
		inner        string
		match, above []string // patterns that match it, and that do not
	}{
		{Path{}, "", "", "", nil, []string{"a", "*"}},
		{
			Path{key("spec"), key("a.b"), ToItem(2, 1)},
			`spec."a.b"[1]`, "/spec/a.b/1", "",
			[]string{"spec", `spec."a.b"[1]`, `spec."a.b"[2]`, "**", "*.*.*", "**[*]", `"spec".*[]`, "spec.**"},
			[]string{"spec.a", `spec."a.b"[0]`, "*.*.*.*", "**.x", "[*]", `spec."a.b"[name=x]`},
		},
		{
			Path{key("c"), keyed(0, -1, "name", "web"), key("~/x")},
			`c[name=web]."~/x"`, "/c/0/~0~1x", "",
			[]string{"c[name=web]", `c[name="web"]."~/x"`, "c[0]", "**.*"},
			[]string{"c[name=we]", "c[id=web]", "c[1]"},
		},
		{
			Path{key("data"), {Kind: Inside}, key("x"), {Kind: Inside}, ToItem(0, 0)},
			"data › x › [0]",
			"/data", "/x /0",
			[]string{"data.x", "data.x[0]", "**.x"},
			[]string{"x"},
		},
		{
			Path{keyed(0, 0, "name", "a]b\"\x1b"), key("")},
			`[name="a]b\"\x1b"].""`, "/0/", "",
			[]string{`[name="a]b\"\x1b"]`, `[*].""`},
			nil,
		},
	} {
		if got := tt.path.String(); got != tt.text {
			t.Errorf("got %s, want %s", got, tt.text)
		}
		outer, inner := tt.path.Pointer()
		if outer != tt.outer || strings.Join(inner, " ") != tt.inner {
			t.Errorf("%s: got %s %s", tt.text, outer, inner)
		}
		for i, list := range [][]string{tt.match, tt.above} {
			for _, s := range list {
				p, err := Parse("--ignore", s)
				if err != nil {
					t.Fatal(err)
				}
				if p.Match(tt.path) != (i == 0) {
					t.Errorf("%s matches %s: %t", s, tt.text, i != 0)
				}
				if i == 0 && !p.MayMatchBelow(tt.path) {
					t.Errorf("%s cannot match below %s", s, tt.text)
				}
			}
		}
	}
}

func TestMayMatchBelow(t *testing.T) {
	at := Path{key("a"), key("b")}
	for s, want := range map[string]bool{"a.b.c": true, "a": true, "a.c": false, "**.x": true, "b": false, "a.*.x": true} {
		p, err := Parse("--ignore", s)
		if err != nil {
			t.Fatal(err)
		}
		if p.MayMatchBelow(at) != want {
			t.Errorf("%s: got %t", s, !want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for s, want := range map[string]string{
		"":          "--ignore takes a path, but found an empty one",
		"a..b":      "--ignore 'a..b': expected a key next to the dot at column 2",
		"a.":        "--ignore 'a.': expected a key next to the dot at column 2",
		"a[":        "--ignore 'a[': '[' is never closed at column 2",
		"a[x]":      "--ignore 'a[x]': expected a number, *, KEY=VALUE, KEY=~RE or a quoted key between the brackets at column 2",
		"a[=x]":     "--ignore 'a[=x]': expected a number, *, KEY=VALUE, KEY=~RE or a quoted key between the brackets at column 2",
		`a[n="]`:    `--ignore 'a[n="]': '[' is never closed at column 2`,
		"a[0]b":     "--ignore 'a[0]b': expected '.' or '[' at column 5",
		`"a`:        `--ignore '"a': the quoted key is not closed or not valid at column 1`,
		`a."b"c`:    `--ignore 'a."b"c': expected '.' or '[' at column 6`,
		`a[n="\q"]`: `--ignore 'a[n="\q"]': expected a number, *, KEY=VALUE, KEY=~RE or a quoted key between the brackets at column 2`,
	} {
		if _, err := Parse("--ignore", s); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", s, err, want)
		}
	}
}
