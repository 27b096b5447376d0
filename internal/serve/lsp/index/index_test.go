package index

import (
	"strings"
	"testing"

	"weft/internal/engine/compile"
	"weft/internal/lang/source"
)

// read is what a text says as a kind of file.
func read(t testing.TB, name, text string, kind compile.Kind) *File {
	t.Helper()
	var set source.Set
	f, err := set.Add(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return ReadFile(compile.Analyse(f, kind, compile.Options{}))
}

// readsOf are the data values that a file of a project reads, each with what is there.
func readsOf(p *Index, path string) string {
	var lines []string
	src := p.Source(path)
	for i := range src.File.Reads {
		r := &src.File.Reads[i]
		line := string(src.File.Text.Data()[r.At.Start:r.At.End])
		switch {
		case r.Whole:
			line += " whole"
		case r.Dynamic:
			line += " dynamic"
		}
		for _, v := range p.ValuesOf(src, r) {
			line += " " + v.Library + "/" + strings.Join(v.Path, ".")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// TestReads follows data values through names, loops, functions and files.
func TestReads(t *testing.T) {
	const data = "load(\"@ytt:data\", \"data\")\nload(\"@ytt:struct\", \"struct\")\n"
	for _, tt := range []struct{ name, code, want string }{
		{"a path", "data.values.a.b", "a /a\nb /a.b"},
		{"a variable", "x = data.values.a\nx.b", "a /a\nb /a.b"},
		{"a variable of a variable", "x = data.values\ny = x\ny.a", "a /a"},
		{"either of two", "x = data.values.a if True else data.values.b\nx.c", "a /a\nb /b\nc /a.c /b.c"},
		{"a variable that is set twice", "x = data.values.a\nx = data.values.b\nx.c", "a /a\nb /b\nc /a.c /b.c"},
		{"a default", "x = data.values.a or struct.make()\nx.b", "a /a\nb /a.b"},
		{"a loop", "for x in data.values.a:\n  x.b\nend", "a /a\nb /a.*.b"},
		{"a loop with numbers", "for i, x in enumerate(data.values.a):\n  x.b\nend", "a /a\nb /a.*.b"},
		{"loops side by side", "for x, y in zip(data.values.a, data.values.b):\n  y.c\nend", "a /a\nb /b\nc /b.*.c"},
		{"a comprehension", "x = [y.b for y in data.values.a]", "y.b whole /a.*.b\nb /a.*.b\na /a"},
		{"entries", "for k, v in struct.decode(data.values.a).items():\n  v.b\nend", "struct.decode(data.values.a) whole /a\na /a\nb /a.*.b"},
		{"an index", "data.values[\"a\"][0].b", "a /a\nb /a.*.b"},
		{"getattr", "getattr(data.values, \"a\").b", "a /a\nb /a.b"},
		{"getattr of a variable", "k = \"x\"\ngetattr(data.values.a, k)", "getattr(data.values.a, k) dynamic /a.*\na /a"},
		{"in", "\"a\" in struct.decode(data.values)", "a /a"},
		{"get", "struct.decode(data.values).get(\"a\", 1)", "a /a"},
		{"a function", "def f(x, y=1):\n  return x.b\nend\nf(data.values.a)", "b /a.b\na /a"},
		{"a keyword", "def f(y, x):\n  return x.b\nend\nf(1, x=data.values.a)", "b /a.b\na /a"},
		{"what a function returns", "def f():\n  return data.values.a\nend\nf().b", "a /a\nb /a.b"},
		{"a function that calls itself", "def f(x):\n  f(x.a)\n  return x.b\nend\nf(data.values)", "a /a\nb /b"},
		{"a function of a function", "def g(y):\n  return y.b\nend\ndef f(x):\n  return g(x)\nend\nf(data.values.a)", "b /a.b\na /a"},
		{"a function that nobody knows", "load(\"@ytt:yaml\", \"yaml\")\nyaml.encode(data.values.a)", "data.values.a whole /a\na /a"},
		{"a list", "x = [data.values.a]", "data.values.a whole /a\na /a"},
		{"a comparison", "data.values.a == None and data.values.b", "a /a\nb /b"},
		{"another module", "load(\"@ytt:assert\", \"assert\")\nassert.values.a", ""},
		{"a name that hides it", "def f(data):\n  return data.values.a\nend", "values\na"},
		{"nothing", "x = x\nx.a", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := read(t, "a.star", data+tt.code+"\n", compile.Starlark)
			p := New([]*Source{{Path: "a.star", Input: "a.star", File: f}})
			if got := readsOf(p, "a.star"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// TestEachRead finds the keys that a file reads by itself, also if it has forgotten to load data.
func TestEachRead(t *testing.T) {
	f := read(t, "a.yml", "a: #@ data.values.db[\"host\"]\n#@ for p in data.values.ports:\nb: #@ p.port\n#@ end\n",
		compile.YAML)
	var got []string
	f.EachRead(func(r *Read, path []string) {
		got = append(got, string(f.Text.Data()[r.At.Start:r.At.End])+"="+strings.Join(path, "."))
	})
	if want := "db=db host=db.host ports=ports port=ports..port"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestReadFileIsLinear reads a variable that gets another value in each document.
func TestReadFileIsLinear(t *testing.T) {
	allocs := func(documents int) float64 {
		text := "#@ load(\"@ytt:data\", \"data\")\n" + strings.Repeat("---\n"+
			"#@ for p in data.values.ports:\nport: #@ p.port\n#@ q = p.other\nmore: #@ q.name\n#@ end\n", documents)
		var set source.Set
		f, err := set.Add("a.yml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		a := compile.Analyse(f, compile.YAML, compile.Options{})
		return testing.AllocsPerRun(1, func() { ReadFile(a) })
	}
	if few, many := allocs(50), allocs(200); many > 6*few {
		t.Errorf("%.0f allocations for 50 documents, %.0f for 200", few, many)
	}
}

// FuzzProject: whatever files say, all that is known of them is in their texts, and every question
// has an answer.
func FuzzProject(f *testing.F) {
	for _, s := range []string{
		"#@ load(\"@ytt:data\", \"data\")\n#@ load(\"b.star\", g=\"f\")\n#@ def f(x, y=1):\na: #@ x.b\n#@ end\nb: #@ f(data.values.a, y=2)\n",
		"#@data/values-schema\n#@schema/computed lambda v: v.a\n---\n#@schema/computed lambda v, w: w.b\na: 1\nb: 1\n",
		"#@data/values-schema\n---\n#@schema/validation (\"x\", lambda v: v[\"a\"]), one_not_null=[\"a\"]\na: {b: [c: 1]}\n",
		"#@ if True:\n#@ load(\"b.star\", \"f\")\n#@ end\n--- #@ library.get(\"x\").with_data_values({\"a\": {\"b\": 1}})\n",
		"load(\"@ytt:library\", \"library\")\ndef f(x):\n  return f(f(x.a))\nend\nx = y\ny = x.z\n",
		"environments:\n  a: {values: {b: 1}, extends: [c], valueFiles: ['@l:x']}\nrequire: [a.b]\ntests: [{values: {a: 1}}]\n",
		"(@ load(\"b.star\", \"f\") @)(@= f(data.values.🙂) @)\r\n", "- &a {b: *a}\n? [c]\n: d\n",
	} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		var sources []*Source
		for _, text := range []string{a, b} {
			for _, kind := range []compile.Kind{compile.YAML, compile.Starlark, compile.Text} {
				name := []string{"a.yml", "b.star", "c.txt"}[len(sources)%3]
				path := name + text[:len(text)%3]
				sources = append(sources, &Source{Path: path, Input: name, File: read(t, name, text, kind)})
			}
			var set source.Set
			file, _ := set.Add("weft.yml", []byte(text))
			plain := compile.Analyse(file, compile.PlainYAML, compile.Options{})
			for i, file := range []*File{ReadValues(plain), ReadProject(plain), ReadTests(plain)} {
				sources = append(sources, &Source{Path: "plain" + text[:i%(len(text)+1)], Library: "@x", File: file})
			}
		}
		p := New(sources)
		for _, s := range p.Sources {
			ask(t, p, s)
		}
	})
}

// ask asks everything about a file.
func ask(t *testing.T, p *Index, s *Source) {
	size := len(s.File.Text.Data())
	check := func(what string, r Range) {
		if r.Start < 0 || r.End < r.Start || r.End > size {
			t.Errorf("%s at %d-%d of a file of %d bytes: %q", what, r.Start, r.End, size, s.File.Text.Data())
		}
	}
	for i := range s.File.Reads {
		r := &s.File.Reads[i]
		check("a read", r.At)
		for _, v := range p.ValuesOf(s, r) {
			if len(v.Path) > 0 {
				p.Keys(v, func(*Source, *Key) {})
				p.Reads(v, func(*Source, *Read, bool) {})
				p.Blind(v, func(*Source, *Read) {})
			}
		}
	}
	for i := range s.File.Keys {
		k := &s.File.Keys[i]
		check("a key", k.At)
		p.Keys(p.KeyValue(s, k), func(*Source, *Key) {})
	}
	for _, n := range s.File.Names {
		check("a name", n.At)
		sym := p.Resolve(s, n.Binding)
		p.Means(sym)
		p.Uses(sym)
	}
	for _, x := range s.File.Paths {
		check("a path", x.At)
		p.Find(s, x.Text)
	}
	for _, c := range s.File.Calls {
		check("a call", c.At)
		p.CallsOf(p.Resolve(s, c.Callee), func(*Source, *Call) {})
	}
}
