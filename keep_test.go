package weft_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"weft"
	"weft/internal/testing/cases"
)

// touching are overlays that touch documents in different ways, so that what is kept of them cannot
// be copied as a whole.
var touching = []string{
	"",
	`#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.all, expects="0+"
---
#@overlay/match missing_ok=True
added: 1 # added
`,
	`#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.all, expects="0+"
#@overlay/match-child-defaults expects="0+"
---
#@overlay/replace via=lambda l, r: {"x": [l, "y"]}
s0:
#@overlay/replace
# brought
k1: [1.0, 'x'] # with it
#@overlay/replace
m1: {}
#@overlay/remove
s1:
#@overlay/remove
l0:
#@overlay/remove
m2:
`,
	`#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.all, expects="0+"
#@overlay/match-child-defaults expects="0+"
---
m0:
  # brought
  new: "1.0" # with it
  m0:
    s0: 0x10
    more: [1.0, 'x']
  #@overlay/remove
  s1:
l0:
# item
- name: new # of it
l1:
#@overlay/match by=overlay.index(0), expects="0+"
#@overlay/remove
-
#@overlay/match by=overlay.index(0), expects="0+"
#@overlay/insert before=True
- # before
  # first
  a: 1
s2: "set"
`,
}

// kept renders data as a file, with an overlay, and keeps what says. Ok reports whether it renders
// at all.
func kept(t *testing.T, data []byte, template bool, overlay string, what weft.Keep) ([]byte, bool) {
	t.Helper()
	opts := weft.Options{
		Files: []weft.File{{Path: "in.yml", Data: data}}, Keep: what,
		IgnoreUnknownComments: true, Limits: weft.Limits{Steps: 10_000, Nodes: 10_000, Depth: 100},
	}
	if !template {
		opts.Marks = []string{"in.yml:type=yaml-plain"}
	}
	if overlay != "" {
		opts.Files = append(opts.Files, weft.File{Path: "overlay.yml", Data: []byte(overlay)})
	}
	res, err := weft.Render(context.Background(), opts)
	if err != nil {
		return nil, false
	}
	var out bytes.Buffer
	if _, err := res.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), true
}

// comments counts the lines of text with something like a comment in them.
func comments(text []byte) int { return bytes.Count(text, []byte("#")) }

// keepLaws holds what is kept of data to its laws. How says what, and which overlay is applied.
func keepLaws(t *testing.T, data []byte, how byte) (rendered bool) {
	t.Helper()
	if out, ok := kept(t, data, false, "", weft.KeepAll); ok && !bytes.Equal(out, data) {
		t.Fatalf("a plain file changes:\n%q\n%q", data, out)
	}
	what := weft.Keep(how%7 + 1)
	overlay := touching[int(how/8)%len(touching)]
	for _, template := range []bool{false, true} {
		plain, ok := kept(t, data, template, overlay, 0)
		if !ok {
			continue
		}
		rendered = true
		out, ok := kept(t, data, template, overlay, what)
		if !ok {
			t.Fatalf("fails with --keep %b:\n%s", what, data)
		}
		got, ok := kept(t, out, false, "", 0)
		if !ok || !bytes.Equal(got, plain) {
			t.Fatalf("keep %b, template %t, how %d: the values differ\ninput:\n%s\nkept:\n%s\n"+
				"(-want +got)\n%s", what, template, how, data, out, cmp.Diff(string(plain), string(got)))
		}
		again, ok := kept(t, out, false, "", what)
		if !ok || !bytes.Equal(again, out) {
			t.Fatalf("keep %b, template %t, how %d: kept twice\ninput:\n%s\nonce:\n%s\n"+
				"(-once +twice)\n%s", what, template, how, data, out, cmp.Diff(string(out), string(again)))
		}
		if n := comments(data); overlay == "" && !template && comments(out) > n {
			t.Fatalf("keep %b: %d comments, of %d:\n%s\n%s", what, comments(out), n, data, out)
		}
	}
	return rendered
}

// FuzzKeep holds what is kept to its laws:
//   - a plain file comes out byte for byte,
//   - values are the same with and without what is kept,
//   - what was kept is kept: rendering the output changes nothing,
//   - comments do not become more, but by loops and functions.
func FuzzKeep(f *testing.F) {
	for _, path := range goldens(f) {
		a := cases.Archive(f, path)
		if strings.Contains(path, "limit_") {
			continue // made to be large
		}
		for _, file := range inputs(a) {
			if strings.HasSuffix(file.Name, ".yml") {
				f.Add(file.Data, byte(len(path)))
			}
		}
	}
	for i, s := range keepSeeds {
		f.Add([]byte(s), byte(i))
		f.Add([]byte(s), byte(i+8))
		f.Add([]byte(s), byte(i+16))
		f.Add([]byte(s), byte(i+24))
	}
	f.Fuzz(func(t *testing.T, data []byte, how byte) { keepLaws(t, data, how) })
}

// TestKeepLaws holds generated files to the laws of FuzzKeep.
func TestKeepLaws(t *testing.T) {
	const files = 150
	rendered := 0
	for i := range files {
		g := keepGenerator{rand: rand.New(rand.NewPCG(1, uint64(i))), code: i%2 == 0}
		if keepLaws(t, g.file(), byte(i*37)) {
			rendered++
		}
	}
	if rendered < files*9/10 {
		t.Errorf("only %d of %d generated files can be rendered", rendered, files)
	}
}

// TestKeepBrackets holds collections in brackets over several lines to the laws of FuzzKeep, and to
// one more: no comment of what stays is lost.
func TestKeepBrackets(t *testing.T) {
	const files = 20
	third := touching[3]
	for i := range files {
		r := rand.New(rand.NewPCG(2, uint64(i)))
		one := func(of ...string) string { return of[r.IntN(len(of))] }
		list := func(open, end string, items ...string) string {
			var b strings.Builder
			pad := one("  ", "    ", "        ")
			b.WriteString(open + one("\n", " # open\n", ""))
			for k, it := range items {
				sep := ","
				if k == len(items)-1 {
					sep = one("", ",")
				}
				b.WriteString(one("", pad+"# head\n") + pad + it + sep + one("\n", " # note\n", "\n\n"))
			}
			return b.String() + one("", pad+"# foot\n") + one("", pad) + " " + end
		}
		crlf := func(s string) string {
			if i%5 == 0 {
				return strings.ReplaceAll(s, "\n", "\r\n")
			}
			return s
		}
		text := crlf("m0: " + list("{", "}", "s0: 1.0", "s1: 'x'", `"q": [1, 0x1F]`) + one("\n", " # m\n") +
			"l0: " + list("[", "]", "80", "{name: a}", "[x, 'y']") + "\n" +
			"l1: " + list("[", "]", "{a: 1}", "second") + "\nlast: 1\n")
		for how := byte(i % 8); how < 32; how += 8 { // each overlay
			keepLaws(t, []byte(text), how)
		}
		out, ok := kept(t, []byte(text), false, third, weft.KeepAll)
		if !ok {
			t.Fatalf("cannot be rendered:\n%s", text)
		}
		before, after := section(text, "l0: ", "l1: "), section(string(out), "l0: ", "l1: ")
		if strings.Count(after, "#") < strings.Count(before, "#") {
			t.Fatalf("comments are lost:\n%s\n%s", before, after)
		}
	}
}

// section is what is between two texts.
func section(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, _ = strings.Cut(text, to)
	return text
}

// keepGenerator writes YAML in all kinds of layouts.
type keepGenerator struct {
	rand *rand.Rand
	b    strings.Builder
	n    int // so that keys and comments differ
	code bool
}

func (g *keepGenerator) one(of ...string) string { return of[g.rand.IntN(len(of))] }

func (g *keepGenerator) file() []byte {
	g.between(0)
	for i := range 1 + g.rand.IntN(3) {
		if i > 0 || g.rand.IntN(3) == 0 {
			g.b.WriteString(g.one("---\n", "--- # doc\n", "---\n\n"))
		}
		g.between(0)
		g.mapping(g.one("", "", "", " "), 0)
		g.between(0)
	}
	text := g.b.String()
	if g.rand.IntN(6) == 0 {
		text = strings.TrimRight(text, "\n")
	}
	if g.rand.IntN(6) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text)
}

// between writes blank lines and comments.
func (g *keepGenerator) between(indent int) {
	for g.rand.IntN(3) == 0 {
		g.n++
		switch g.rand.IntN(5) {
		case 0, 1:
			g.b.WriteString("\n")
		case 2:
			fmt.Fprintf(&g.b, "%*s# c%d\n", g.rand.IntN(indent+3), "", g.n)
		default:
			fmt.Fprintf(&g.b, "%*s# c%d\n", indent, "", g.n)
		}
	}
}

func (g *keepGenerator) behind() string {
	if g.n++; g.rand.IntN(4) == 0 {
		return fmt.Sprintf("%s# t%d\n", g.one(" ", "  ", "     "), g.n)
	}
	return "\n"
}

// mapping writes a mapping, the first line after what first holds.
func (g *keepGenerator) mapping(first string, depth int) {
	indent := len(first)
	if depth == 0 {
		g.b.WriteString(first)
	}
	for i := range 1 + g.rand.IntN(4) {
		open := i > 0 && g.open(indent, "if True", "if 1 > 0")
		if i > 0 {
			g.between(indent)
			fmt.Fprintf(&g.b, "%*s", indent, "")
		}
		kind := g.one("s", "s", "b", "k", "m", "l")
		if depth > 3 {
			kind = "s"
		}
		fmt.Fprintf(&g.b, "%s%d:", kind, i)
		switch kind {
		case "m":
			step := 1 + g.rand.IntN(4)
			g.b.WriteString(g.one("", " &a", "") + g.behind())
			g.between(indent + step)
			fmt.Fprintf(&g.b, "%*s", indent+step, "")
			g.mapping(strings.Repeat(" ", indent+step), depth+1)
		case "l":
			g.b.WriteString(g.behind())
			g.list(indent+g.rand.IntN(3), depth+1)
		default:
			g.scalar(indent)
		}
		g.end(indent, open)
	}
}

// open begins a block of code, or none.
func (g *keepGenerator) open(indent int, headers ...string) bool {
	if !g.code || g.rand.IntN(5) > 0 {
		return false
	}
	g.between(indent)
	fmt.Fprintf(&g.b, "%*s#@ %s:\n", indent, "", g.one(headers...))
	return true
}

// end ends a block that open has begun.
func (g *keepGenerator) end(indent int, open bool) {
	if open {
		g.between(indent)
		fmt.Fprintf(&g.b, "%*s#@ end\n", indent, "")
	}
}

func (g *keepGenerator) list(indent, depth int) {
	for range 1 + g.rand.IntN(3) {
		open := g.open(indent, "for i in range(2)", "if False", "if True")
		g.between(indent)
		fmt.Fprintf(&g.b, "%*s-", indent, "")
		switch g.rand.IntN(4) {
		case 0:
			space := 1 + g.rand.IntN(3)
			fmt.Fprintf(&g.b, "%*s", space, "")
			g.mapping(strings.Repeat(" ", indent+1+space), depth+1)
		case 1:
			g.b.WriteString(g.behind())
			fmt.Fprintf(&g.b, "%*s", indent+2, "")
			g.mapping(strings.Repeat(" ", indent+2), depth+1)
		default:
			g.scalar(indent)
		}
		g.end(indent, open)
	}
}

// scalar writes a scalar, or what is on a line like one, of an entry in a column.
func (g *keepGenerator) scalar(indent int) {
	in := strings.Repeat(" ", indent+1+g.rand.IntN(3))
	if g.code && g.rand.IntN(6) == 0 {
		g.b.WriteString(" " + g.one(
			"#@ 1", "#@ {'x': [1.0]}", "1 #! note", "#@ 'a\\n b\\n\\n'",
		) + "\n")
		return
	}
	switch g.rand.IntN(14) {
	case 0:
		g.b.WriteString(" |" + g.one("", "-", "+") + g.behind() + in + "x\n\n" + in + "  y # z\n")
		if g.rand.IntN(2) == 0 {
			g.b.WriteString("\n")
		}
	case 1:
		g.b.WriteString(" >" + g.one("", "-", "+") + g.behind())
		g.b.WriteString(in + "x\n" + in + "y\n\n" + in + "z\n")
	case 2:
		g.b.WriteString(" \"x\n" + in + "y\n\n" + in + "z\"" + g.behind())
	case 3:
		g.b.WriteString(" x\n" + in + "y z" + g.behind())
	case 4:
		g.b.WriteString(" {s: 1, 'q': [a, \"b\", {}]}" + g.behind())
	case 5:
		g.b.WriteString(" [a, # in\n" + in + "b]" + g.behind())
	case 6:
		g.b.WriteString(g.behind())
	default:
		g.b.WriteString(" " + g.one("1", "1.0", "0x1F", "'it''s'", "\"a\\tb\"", "yes", "017",
			"word", "2001-01-01", "12:30:45", "~", "[]", "{}", "a # b", "-1e3", "!!str 1",
			"\"1\"") + g.behind())
	}
}

var keepSeeds = []string{
	"# top\n\na: 1 # one\n# foot\n",
	"a:\n    - b: |\n        text\n\n          m\n    # foot\n    - c\n\n\n# d\nd: {x: 1, y: [a]} # e\n",
	"a: &x {b: 1}\nc: *x\nspec: *x\nd:\n  <<: *x\n  e: 2\n",
	"a:\r\n- b # c\r\n\r\n# d\r\ne: \"x\r\n  y\" # z\r\n",
	"---\n# a\n- 1.0\n- 0x1F\n- 'q'\n- yes\n...\n# b\n--- # c\nname: |+\n  x\n\nkey: >-\n  y\n  z\n",
	"# a\n\n# b\nfirst # c\n---\nsecond\n# d\n---\na: 1\n",
	"# a\n\n# b\n{a: 1, b: 2} # c\n# d\n",
	"a: &a {x: 1}\nb:\n  !!str <<: *a # b\nk1: {!!str <<: *a}\n",
	"a: >-\n\nb: >\n\nc: |+\n\n--- # d\n1 - 3\n--- # e\na: # f\n  'g'\nb: |+\n\n",
	"a: 1\n# b\n---\n---\n# c\n\n---\nd: 2",
	"%YAML 1.1\n---\na: !!str 1\n...\n---\nb: 2001-01-01\n",
	"\ufeffa: 1\nb:\n  c: |2\n     d\n",
	"? a\n: b # c\n? [x, y]\n: # d\n  e: 1\n",
	"#@ for i in range(2):\n# each\n---\n# a\na: #@ i\n\n# place\n\nb: 1\n#@ end\n",
	"#@ def f(x):\n# f\na: #@ x\n# end\n#@ end\n---\nb: #@ f(1)\n# c\nc: #@ f(2)\n",
	"# a\n#@ if True:\na: 1\n# c\n#@ else:\nb: 1\n#@ end\nc:\n#@ for i in [1]:\n- #@ i\n#@ end\n",
	"- - a # b\n  - c\n  # d\n-\n  # e\n  f: 1\n- # g\n  h: 1\n",
	"a: [\n  x, # y\n  z ] # w\nb: plain\n  more # c\n\n  \n# d\nc:\n  # only\n  d: 1\n",
	"a:\n- 1\n# x\nb:\n  - 2\n  # y\n# z\nc: \n   d: \"\"\n   # w\n\n\n",
}

// FuzzKeepValues holds data values that code hands on to the law that keeping their literals
// changes no value, and that what was kept is kept.
func FuzzKeepValues(f *testing.F) {
	for _, s := range keepSeeds {
		f.Add([]byte(s))
	}
	f.Add([]byte("a: 0x1F\nb: [1.10, 'x', \"y\", +5, -0.0, 1e3, .inf, .nan]\nc: {d: |\n  e\n}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		render := func(what weft.Keep) ([]byte, bool) {
			res, err := weft.Render(context.Background(), weft.Options{
				Files:      []weft.File{{Path: "in.yml", Data: []byte(copying)}},
				DataValues: weft.DataValues{Files: []string{"values.yml"}},
				FS:         fstest.MapFS{"values.yml": {Data: data}},
				Keep:       what, Limits: weft.Limits{Steps: 100_000, Nodes: 10_000, Depth: 100},
			})
			if err != nil {
				return nil, false
			}
			var out bytes.Buffer
			if _, err := res.WriteTo(&out); err != nil {
				t.Fatal(err)
			}
			return out.Bytes(), true
		}
		plain, ok := render(0)
		if !ok {
			return
		}
		out, ok := render(weft.KeepLiterals)
		if !ok {
			t.Fatalf("fails with --keep literals:\n%s", data)
		}
		if got, ok := kept(t, out, false, "", 0); !ok || !bytes.Equal(got, plain) {
			t.Fatalf("the values differ\ninput:\n%s\nkept:\n%s\n(-want +got)\n%s",
				data, out, cmp.Diff(string(plain), string(got)))
		}
		if again, ok := kept(t, out, false, "", weft.KeepLiterals); !ok || !bytes.Equal(again, out) {
			t.Fatalf("kept twice\ninput:\n%s\n(-once +twice)\n%s",
				data, cmp.Diff(string(out), string(again)))
		}
	})
}

// copying hands on all data values, whole and one by one.
const copying = `#@ load("@ytt:data", "data")
#@ def each(v):
#@   if type(v) == "struct":
#@     return {k: each(v[k]) for k in v}
#@   elif type(v) == "list":
#@     return [each(x) for x in v]
#@   end
#@   return v
#@ end
whole: #@ data.values
each: #@ each(data.values)
list:
#@ for k in data.values:
- #@ data.values[k]
#@ end
`

// A large file is parsed in parts, and each part keeps the comments of its documents.
func TestKeepParts(t *testing.T) {
	const documents = 60_000
	var text, want strings.Builder
	for i := range documents {
		fmt.Fprintf(&text, "---\n# about %d\nname: object-%d\nn: [1]\n", i, i)
		fmt.Fprintf(&want, "---\n# about %d\nname: object-%d\nn: [1]\nadded: 1 # added\n", i, i)
	}
	res, err := weft.Render(t.Context(), weft.Options{
		Files: []weft.File{
			{Path: "large.yml", Data: []byte(text.String())},
			{Path: "overlay.yml", Data: []byte(touching[1])},
		},
		Keep: weft.KeepAll, Limits: weft.Limits{Parallelism: 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if _, err := res.WriteTo(&got); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() {
		t.Errorf("comments are lost: %d of %d bytes", got.Len(), want.Len())
	}
}
