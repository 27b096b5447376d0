package compile

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"go.starlark.net/syntax"

	"weft/internal/lang/source"
)

func file(t testing.TB, name, text string) *source.File {
	t.Helper()
	var set source.Set
	f, err := set.Add(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// calls are the calls of builtins in the program of a YAML template, in order: a name and how often
// it comes in a row.
func calls(t *testing.T, text string) string {
	t.Helper()
	u, err := Plain(file(t, "in.yml", text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := yamlCompiler{compiler: newCompiler(u, Options{}), tree: u.Tree}
	c.readComments()
	c.findDuplicates()
	c.compile()
	stmts, err := c.b.Finish()
	if err != nil || c.errs != nil {
		t.Fatal(err, c.errs)
	}
	var names []string
	for _, s := range stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			if call, ok := n.(*syntax.CallExpr); ok {
				if id, ok := call.Fn.(*syntax.Ident); ok {
					names = append(names, strings.TrimPrefix(id.Name, "·")+steps(u, call))
				}
			}
			return true
		})
	}
	return strings.Join(names, " ")
}

// steps are those that a call takes: a stretch that is added, or a node that is opened.
func steps(u *Unit, call *syntax.CallExpr) string {
	var first int
	switch arg := func() int { return int(call.Args[0].(*syntax.Literal).Value.(int64)) }; Op(call.Fn.(*syntax.Ident).Name) {
	case OpMake:
		first = arg() + 1
	case OpSet, OpSetKey:
		first = int(u.Nodes[arg()].Before)
	}
	if first == 0 {
		return ""
	}
	var names []string
	for i := first - 1; ; i++ {
		names = append(names, map[bool]string{true: "add", false: "open"}[u.Steps[i].Stretch])
		if u.Steps[i].Last {
			return "(" + strings.Join(names, " ") + ")"
		}
	}
}

// What has nothing dynamic in it is added by one step, however large it is, and steps are taken
// with the node that is computed after them.
func TestCallsOfConstants(t *testing.T) {
	var large strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&large, "key%d:\n  list: [1, 2, {a: b}]\n", i)
	}
	tests := []struct{ name, text, want string }{
		{
			"items before and behind",
			"a: 1\nb: 2\nc: #@ x\nd: 4\ne: {f: [5]}\n",
			"set(open add) make(add)",
		},
		{"a thousand items", large.String() + "last: #@ x\n", "set(open add)"},
		{
			"a document without code",
			"#@ x = 1\na: #@ x\n---\n" + large.String(),
			"make(open) set make(add)",
		},
		{
			"deep inside",
			"a:\n  b:\n    c: 1\n    d: #@ x\n    e: 2\n  f: 3\ng: 4\n",
			"set(open open open add) make(add add add)",
		},
		{"array items", "- 1\n- 2\n- #@ x\n- 3\n", "set(open add) make(add)"},
		{"code alone", "#@ x = 1\n---\na: 1\nb: [2]\n", "make(add)"},
		{
			"annotation",
			"#@ x = 1\n---\na: 1\n#@foo/bar x\nb: 2\nc: 3\n",
			"make(open add) note make(add add)",
		},
		{
			"annotations with literals",
			"#@foo/doc\n---\na: 1\n#@foo/bar 1, \"x\", y=True, z=(None, -5)\nb:\n  #@foo/deep\n  c:\n  #@foo/item\n  - 1\n  d: 2\ne: 3\n",
			"make(add)",
		},
		{
			"an annotation with literals, and code",
			"#@foo/bar 1\na: 1\nb:\n  #@foo/bar 2\n  c: 3\n  d: #@ x\n",
			"set(open add open add)",
		},
		{
			"literals that may mean something else",
			"#@ True = 0\n---\n#@foo/bar True\na: 1\n",
			"make(open) note make(add)",
		},
		{
			"an annotation of a merge key",
			"x: &x {a: 1}\ny:\n  #@foo/bar\n  <<: *x\n",
			"make(open add open add)",
		},
		{
			"templated strings that are none",
			"#@yaml/text-templated-strings\na: {b: c}\nd: 1\n",
			"make(open add add)",
		},
		{"templated string", "#@yaml/text-templated-strings\na: x(@= y @)z\n", "set(open) join"},
		{
			"templated string with code",
			"#@yaml/text-templated-strings\na: 'x(@ if y: @)z(@ end @)'\n",
			"make(open) begin text text set end",
		},
		{
			"templated key",
			"#@yaml/text-templated-strings\na:\n  k(@= x @): #@ y\n  l(@= x @): 2\n",
			"setkey(open open) join key join make(add)",
		},
		{
			"duplicate keys are checked one by one",
			"#@ x = 1\na: {b: 1, b: 2}\nc: 3\n",
			"make(open) make(open add add)",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := calls(t, tt.text); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Where nothing is dynamic there is no program at all.
func TestNoProgram(t *testing.T) {
	for _, text := range []string{
		"a: 1\n",
		"# comment\na: 1\n---\nb: [2]\n",
		"a: '#@ no comment'\n",
		"#@comment a note\na: &x {b: 1}\nc: *x\n",
		"#! a note\na: 1 #@comment another\n",
	} {
		u, err := Template(file(t, "in.yml", text), Options{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if u.Program != nil || u.Kind != PlainYAML {
			t.Errorf("%q: has a program, want none", text)
		}
	}
	for _, text := range []string{"a: #@ 1\n", "#@ x = 1\n", "#@comment\na: {b: 1, b: 2}\n", "#@foo/bar\na: 1\n"} {
		u, err := Template(file(t, "in.yml", text), Options{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if u.Program == nil || u.Kind != YAML {
			t.Errorf("%q: has no program, want one", text)
		}
	}
}

func TestLoads(t *testing.T) {
	u, err := Template(file(t, "in.yml", `#@ load("a.star", "a")
#@ if True:
#@   load("@ytt:json", "json")
#@ else:
#@   load("b.star", b="x")
#@ end
x: 1
`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range u.Loads {
		p := u.File.Place(l.At.Offset())
		got = append(got, fmt.Sprintf("%s %d:%d", l.Module, p.Line, p.Column))
	}
	if got, want := strings.Join(got, ", "), "a.star 1:9, @ytt:json 3:11, b.star 5:11"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// All errors of a file are told at once, in the order of the text.
func TestErrorsAreCollected(t *testing.T) {
	_, err := Template(
		file(t, "in.yml", "# no\n#@ x = )\na: 1 #@ 2\n#@foo 1 2\nb: #@ +\n"),
		Options{},
	)
	if err == nil {
		t.Fatal("no error")
	}
	if got := strings.Count(err.Error(), "\n") + 1; got != 5 {
		t.Errorf("got %d errors, want 5:\n%v", got, err)
	}
}

func BenchmarkTemplate(b *testing.B) {
	typical, err := os.ReadFile("../../../testdata/typical.yml")
	if err != nil {
		b.Fatal(err)
	}
	f := file(b, "in.yml", string(typical))
	b.SetBytes(int64(len(typical)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Template(f, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTextTemplate(b *testing.B) {
	text := strings.Repeat(
		"(@ for i in range(3): -@)\nline (@= str(i) @) of text\n(@ end -@)\n",
		10,
	)
	f := file(b, "in.txt", text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := TextTemplate(f, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Calls of functions that have nothing to give are not looked at: loops of them cost nothing.
func TestDrops(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"makes nodes", "#@ def f():\na: 1\n#@ end\n---\n#@ f()\n", 1},
		{"returns a value", "#@ def f(x):\n#@   if x:\n#@     return x\n#@   end\n#@ end\n#@ f(1)\na: 1\n", 1},
		{"returns in a loop", "#@ def f(x):\n#@   for y in x:\n#@     return y\n#@   end\n#@ end\n#@ f([1])\na: 1\n", 1},
		{"returns nothing", "#@ def f(x):\n#@   x.append(1)\n#@   if x:\n#@     return None\n#@   end\n#@   return\n#@ end\n#@ f([])\na: 1\n", 0},
		{"calls itself", "#@ def f(x):\n#@   f(x)\n#@ end\n#@ f([])\na: 1\n", 0},
		{"another of the name gives", "#@ def f(x):\n#@   print(x)\n#@ end\n#@ if 1:\n#@ def f(x):\n#@   return x\n#@ end\n#@ end\n#@ f(1)\na: 1\n", 1},
		{"from another file", "#@ load(\"f.star\", \"f\")\n#@ f(1)\na: 1\n", 1},
		{"method", "#@ x = []\n#@ x.append(1)\n#@ x.index(1)\na: 1\n", 1},
	} {
		u, err := Template(file(t, "in.yml", c.text), Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if len(u.Drops) != c.want {
			t.Errorf("%s: %d values are looked at, want %d", c.name, len(u.Drops), c.want)
		}
	}
}
