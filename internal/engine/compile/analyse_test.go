package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// lines is where the errors of a file are and what they are: `2 script/syntax`.
func lines(f *source.File, list diag.List) (out []string) {
	for _, d := range list {
		out = append(out, fmt.Sprint(f.Line(d.At.Offset()), " ", d.Code))
	}
	return out
}

// TestSeveralErrors has templates in which several things are wrong, and some in which one is that
// others could seem to follow from.
func TestSeveralErrors(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{
			"YAML and code", `
a: b: c
#@ x = (
d: #@ y
#@foo/bar 1 2
e: 1
f: @g`,
			"2 yaml/nested-on-one-line\n3 script/syntax\n4 script/undefined\n5 script/syntax\n7 yaml/reserved-character",
		},
		{"tags, merges and code", "a: !!int b\n<<: c\nd: #@ e\n", "1 yaml/value\n2 yaml/merge\n3 script/undefined"},
		{"a name that a wrong line binds", "#@ x = = 1\na: #@ x\nb: #@ y\n", "1 script/syntax\n3 script/undefined"},
		{"a name that a wrong load binds", "#@ load(\"@ytt:data\" \"data\")\na: #@ data.values.b\n", "1 script/syntax"},
		{"a parameter of a wrong header", "#@ def f(a b):\nc: #@ a + d\n#@ end\ne: #@ f(1)\n", "1 script/syntax\n2 script/undefined"},
		{"a wrong loop", "#@ for a in b c:\nd: #@ a\n#@   if a:\n#@     continue\n#@   end\n#@ end\n", "1 script/syntax"},
		{"a wrong while", "#@ while a b:\n#@ break\n#@ end\nc: #@ d\n", "1 script/syntax\n4 script/undefined"},
		{"a wrong branch", "#@ if True:\na: 1\n#@ elif b c:\nd: 2\n#@ else:\ne: #@ f\n#@ end\n", "3 script/syntax\n6 script/undefined"},
		{"a wrong if", "#@ if a b:\nc: 1\n#@ else:\nd: #@ e\n#@ end\n", "1 script/syntax\n4 script/undefined"},
		{"return in a wrong function", "#@ def f(a,,):\n#@ return 1\n#@ end\n", "1 script/syntax"},
		{"no end, and another error", "#@ if True:\n#@ end\n#@ x = = 1\n#@ def f():\na: 1\n", "3 script/syntax\n4 script/unclosed-block"},
		{"no end, and an undefined name", "#@ def f():\na: #@ b\n", "1 script/unclosed-block\n2 script/undefined"},
		{"an end too many, and another error", "#@ x = = 1\n#@ if True:\n#@ end\n#@ end\n", "1 script/syntax\n4 script/unexpected-end"},
		{"an end that a bracket swallows", "#@ if True:\n#@ x = [\n#@ end\na: 1\n", "3 script/reserved-word"},
		{"an end in a broken entry", "#@ if True:\na: b: c\n  #@ end\n  d: 1\ne: #@ f\n", "2 yaml/nested-on-one-line\n5 script/undefined"},
		{"a value of a broken entry", "a: \"b #@ c d\ne: 1\n", "1 yaml/unclosed"},
		{"an annotation of a broken entry", "#@foo/bar 1 2\na: b: c\n#@foo/baz 1 2\nd: 1\n", "1 script/syntax\n2 yaml/nested-on-one-line\n3 script/syntax"},
		{"a block around a broken entry", "#@ if/end True:\na: b: c\nd: #@ e\n", "2 yaml/nested-on-one-line\n3 script/undefined"},
		{"a text template in YAML", "#@yaml/text-templated-strings\n---\na: (@ b = 1\nc: (@= b @)\nd: (@= e @)\n", "3 text/missing-closing\n5 script/undefined"},
		{"no colon, and no end", "#@ if True\na: 1\n", "1 script/syntax"},
		{"a broken document", "#@ def f():\na]\nb: #@ c\n#@ end\n---\nd: #@ f()\n---\ne: #@ g\n", "2 yaml/key\n8 script/undefined"},
		{"a header without its brackets", "#@ if {True:\na: 1\n#@ else:\nb: 2\n#@ end\n", "1 script/syntax"},
		{"a header without its quotes", "#@ de'f f():\na: 1\n#@ end\n", "1 script/syntax"},
		{"code without its @", "# x = 1\na: #@ x\n#@ if True:\n# end\n", "1 template/unknown-comment\n4 template/unknown-comment"},
		{"code without its space", "#@if True:\na: 1\n#@ end\n", "1 script/syntax"},
		{"a header without a bracket", "#@ def fa, b):\nc: #@ a\n#@ end\nd: #@ f(1)\n", "1 script/syntax"},
		{"an end with something in it", "#@ if True:\na: 1\n#@ en)d\n", "3 script/syntax"},
		{"an end without its #", "#@ if True:\na: 1\n@ end\n", "3 yaml/reserved-character"},
		{"code in a value that is one too many", "a: #@ 1\n  b: #@ 2\n  #@ if True:\n  c: #@ d\n  #@ end\ne: 1\n", "1 template/two-values\n4 script/undefined"},
		{"a comment", "#@ x = 1\n# a\nb: c: d\n", "2 template/unknown-comment\n3 yaml/nested-on-one-line"},
		{"a load under an if", "#@ if True:\n#@ load(\"@ytt:data\", \"data\")\n#@ end\na: #@ data.values\nb: #@ c\n", "5 script/undefined"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := file(t, "in.yml", tt.in)
			_, err := Template(f, Options{})
			if diff := cmp.Diff(strings.Split(tt.want, "\n"), lines(f, diag.Of(err))); diff != "" {
				t.Errorf("-want +got:\n%s\n%v", diff, err)
			}
		})
	}
}

// TestSeveralErrorsOfModules is the same for Starlark files.
func TestSeveralErrorsOfModules(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"in functions", "def f(a):\n  return a +\nend\ndef g():\n  return b\nend\nc = 1 2\n", "2 script/syntax\n5 script/undefined\n7 script/syntax"},
		{"indented blocks", "def f(a):\n  return a +\ndef g():\n  return b\n", "2 script/syntax"},
		{"names", "a = b\nc = d\n", "1 script/undefined\n2 script/undefined"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := file(t, "in.star", tt.in)
			_, err := Module(f, Options{})
			if diff := cmp.Diff(strings.Split(tt.want, "\n"), lines(f, diag.Of(err))); diff != "" {
				t.Errorf("-want +got:\n%s\n%v", diff, err)
			}
		})
	}
}

// TestSeveralErrorsOfTexts is the same for text templates.
func TestSeveralErrorsOfTexts(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"code", "(@= a b @)\n(@ c = @)\n(@= d @)\n", "1 script/syntax\n2 script/syntax\n3 script/undefined"},
		{"marks", "(@! a @)\nb @)\n(@= c @)\n", "1 text/unknown-mark\n2 text/unexpected-closing\n3 script/undefined"},
		{"names in code that is not closed", "(@= a @)(@= b @)\n(@ a = 1 @\n", "1 script/undefined\n2 text/missing-closing"},
		{"a block in code with an opening", "(@ if True: (@ @)\na\n(@ end @)\n", "1 text/nested-opening"},
		{"an end in code with an opening", "(@ if True: @)\na\n(@ end (@= b @)\n", "3 text/nested-opening"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := file(t, "in.txt", tt.in)
			_, err := TextTemplate(f, Options{})
			if diff := cmp.Diff(strings.Split(tt.want, "\n"), lines(f, diag.Of(err))); diff != "" {
				t.Errorf("-want +got:\n%s\n%v", diff, err)
			}
		})
	}
}

// TestAnalyse looks at what is kept for an editor: marks with their owners, and names with what
// they are bound to, at their places in the file.
func TestAnalyse(t *testing.T) {
	const src = `#@ load("@ytt:data", "data")
#@ def name(x):
#@   return x + data.values.suffix
#@ end
#@data/values
---
a: #@ name("b")
c: d: e
#@overlay/remove
f: 1
`
	f := file(t, "in.yml", src)
	a := Analyse(f, YAML, Options{})
	if a.Role != ForValues {
		t.Errorf("got role %d, want that of data values", a.Role)
	}
	var marks []string
	for _, m := range a.Marks {
		owner := "document"
		if k := a.Tree.Kind(m.Owner); k == yaml.Scalar {
			owner = string(a.Tree.Text(m.Owner))
		}
		marks = append(marks, fmt.Sprint(f.Line(m.At.Offset()), m.Kind, m.Name, " of ", owner))
	}
	want := []string{
		"1 0 of document",
		"2 0 of document",
		"3 0 of document",
		"4 0 of document",
		"5 2data/values of document",
		"7 1 of a",
		"9 2overlay/remove of f",
	}
	if diff := cmp.Diff(want, marks); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
	var names []string
	syntax.Walk(a.Code, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok && id.Binding != nil &&
			!strings.HasPrefix(id.Name, "·") {
			b := id.Binding.(*resolve.Binding)
			use := fmt.Sprintf("%s %d:%d %s", id.Name, id.NamePos.Line, id.NamePos.Col, b.Scope)
			if b.First != nil {
				use += fmt.Sprintf(" of %d:%d", b.First.NamePos.Line, b.First.NamePos.Col)
			}
			names = append(names, use)
		}
		return true
	})
	for _, use := range []string{"name 7:7 global of 2:8", "x 3:13 local of 2:13", "data 3:17 free of 1:23"} {
		if !slices.Contains(names, use) {
			t.Errorf("%q is missing in %q", use, names)
		}
	}
	if got := lines(f, a.Errors); !slices.Equal(got, []string{"8 yaml/nested-on-one-line"}) {
		t.Errorf("got errors %q", got)
	}
}

// TestIsText looks for the strings that are text templates, also in an entry that cannot be parsed.
func TestIsText(t *testing.T) {
	const src = "a: (@= 1 @)\n#@yaml/text-templated-strings\nb:\n  c: (@= 1 @)\nd: (@= 1 @)\n" +
		"#@yaml/text-templated-strings\ne: \"(@= x[\"f\"]\ng: (@= 1 @)\n"
	a := Analyse(file(t, "in.yml", src), YAML, Options{})
	var got []string
	for n := a.Tree.First(); a.Tree.More(n); n++ {
		if a.IsText(n) && a.Tree.Span(n).Len > 0 {
			got = append(got, string(src[a.Tree.Span(n).Offset():a.Tree.Span(n).End()]))
		}
	}
	if want := []string{"b", "c: (@= 1 @)", "c", "(@= 1 @)", `e: "(@= x["f"]`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzAnalyse: a file has errors if it cannot be compiled, and only then. They lie in the file, in
// order, and are no more than they may be.
func FuzzAnalyse(f *testing.F) {
	for _, s := range []string{
		"a: b: c\n#@ x = (\nd: #@ y\n", "#@ if/end x:\n- a: \"b\n#@ end\n", "#@yaml/text-templated-strings\na: (@ if x: @)b(@ end @)\n<<: [1]\n",
		"#@ def f(a b):\nc: #@ a\n  #@ end\n", "a: &x b: c\n#@data/values\n---\nd: *x\n", "#@ else:\n#! a\n%YAML\n---\n'",
		"? |\n  0\n:0  0 0\n  0\n#@\n0",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		in := file(t, "in.yml", src)
		_, yamlErr := template(in, Options{})
		_, starErr := Module(in, Options{})
		_, textErr := TextTemplate(in, Options{})
		for kind, err := range map[Kind]error{YAML: yamlErr, Starlark: starErr, Text: textErr} {
			list := Analyse(in, kind, Options{}).Errors
			if (err == nil) != (len(list) == 0) || len(list) > yaml.MaxErrors {
				t.Errorf("%q as kind %d: compiling says %v, analysing %v", src, kind, err, list)
			}
			for i, d := range list {
				if d.At.End() > len(src) || i > 0 && d.At.Compare(list[i-1].At.Pos) < 0 {
					t.Errorf(
						"%q as kind %d: error %d, %q, is at %d",
						src,
						kind,
						i,
						d.Message,
						d.At.Offset(),
					)
				}
			}
		}
	})
}
