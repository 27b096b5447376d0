package weft_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml2 "go.yaml.in/yaml/v2"
	yaml3 "go.yaml.in/yaml/v3"

	"weft"
)

// FuzzKeptMeanings holds what is kept as it is written to its law: every reader reads in the output
// what it reads in the input, whether it is one of YAML 1.1 or one of YAML 1.2.
func FuzzKeptMeanings(f *testing.F) {
	for i := range uint64(100) {
		f.Add(i)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := writtenGenerator{Rand: rand.New(rand.NewPCG(3, seed))}
		text := g.mapping(0)
		touch := "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n" +
			"#@overlay/match missing_ok=True\nzz: 1\n"
		for _, opts := range keepingOptions() {
			opts.Files = []weft.File{{Path: "in.yml", Data: []byte(text), Plain: true}}
			keptMeanings(t, opts, text)
			opts.Files = append(opts.Files, weft.File{Path: "touch.yml", Data: []byte(touch)})
			keptMeanings(t, opts, text+"zz: 1\n")
			opts.IgnoreUnknownComments = true
			opts.Files = []weft.File{{Path: "in.yml", Data: []byte(text + "zz: #@ 1\n")}}
			keptMeanings(t, opts, text+"zz: 1\n")
		}
	})
}

// FuzzKeptDataValues holds data values that code only hands on to the same law, however they are set
// and on whatever way they go.
func FuzzKeptDataValues(f *testing.F) {
	for i := range uint64(100) {
		f.Add(i)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := writtenGenerator{Rand: rand.New(rand.NewPCG(4, seed)), texts: true}
		inner := g.mapping(2)
		for _, opts := range keepingOptions() {
			for i := range waysToHandOn {
				opts.Files = []weft.File{{Path: "in.yml", Data: []byte(loads + waysToHandOn[i])}}
				g.setValues(&opts, inner)
				keptMeanings(t, opts, "r:\n"+inner)
			}
		}
	})
}

// FuzzKeptText holds the text of functions that code only hands on to the same law, and what flags set
// to theirs: every reader reads what weft means.
func FuzzKeptText(f *testing.F) {
	for i := range uint64(100) {
		f.Add(i)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := writtenGenerator{Rand: rand.New(rand.NewPCG(5, seed))}
		inner := g.mapping(2)
		for _, opts := range keepingOptions() {
			opts.IgnoreUnknownComments = true
			for i := range waysToHandOnText {
				text := loads + "#@ def text():\nr:\n" + inner + "#@ end\n---\n" + waysToHandOnText[i]
				opts.Files = []weft.File{{Path: "in.yml", Data: []byte(text)}}
				keptMeanings(t, opts, "r:\n"+inner)
			}
			opts.Files = []weft.File{{Path: "in.yml", Data: []byte(loads + "r: #@ data.values.r\n")}}
			flag := g.scalar()
			opts.DataValues = weft.DataValues{KVYAML: []string{"r=" + flag}}
			res, err := weft.Render(t.Context(), opts)
			if err != nil {
				t.Fatal(err)
			}
			one := map[string]any{}
			for name, read := range readers {
				var got map[string]any
				if err := read([]byte(watchedText(t, res)), &got); err != nil {
					t.Fatal(err)
				}
				one[name] = got
			}
			if d := cmp.Diff(one["1.1"], one["1.2"]); d != "" {
				t.Fatalf("the flag %s has two meanings: %s", flag, d)
			}
		}
	})
}

// waysToHandOnText are templates that hand on what the function text gives.
var waysToHandOnText = []string{
	"--- #@ text()\n",
	"r: #@ text()[\"r\"]\n",
	"--- #@ dict(text())\n",
	"--- #@ same({k: text()[k] for k in text()})\n",
	"_: #@ template.replace(text())\n",
	"--- #@ overlay.apply(text(), {})\n",
}

// Keys of such text that are texts to weft stay as they are written in a dict.
func TestKeptKeysOfText(t *testing.T) {
	text := "r:\n  on: 1\n  y: off\n  12:30: 0644\n  'n': 2\n"
	for _, opts := range []weft.Options{
		{Edition: weft.Edition2026}, {Keep: weft.KeepLiterals, YAML: weft.YAML12},
	} {
		opts.Files = []weft.File{{Path: "in.yml", Data: []byte(loads + "#@ def text():\n" + text +
			"#@ end\n---\n#@ x = text()[\"r\"]\nr: #@ {k: x[k] for k in x}\n")}}
		res, err := weft.Render(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := watchedText(t, res); got != text {
			t.Errorf("the output is\n%s", got)
		}
	}
}

// keepingOptions are the ways to keep scalars as they are written.
func keepingOptions() []weft.Options {
	all := []weft.Options{
		{Edition: weft.Edition2026},
		{Keep: weft.KeepLiterals},
		{Keep: weft.KeepAll},
		{Keep: weft.KeepLiterals, YAML: weft.YAML12},
	}
	for i := range all {
		all[i].Warnings = weft.WarningsOff
	}
	return all
}

const loads = `#@ load("@ytt:data", "data")
#@ load("@ytt:overlay", "overlay")
#@ load("@ytt:struct", "struct")
#@ load("@ytt:template", "template")
#@ def same(x):
#@   return x
#@ end
`

// waysToHandOn are templates that hand on the data value r.
var waysToHandOn = []string{
	"r: #@ data.values.r\n",
	"r: #@ same(same(data.values)[\"r\"])\n",
	"r: #@ data.values.r or None\n",
	"--- #@ {\"r\": data.values.r}\n",
	"--- #@ data.values\n",
	"r: #@ struct.decode(data.values.r)\n",
	"r: #@ [x for x in [0, data.values.r]][1]\n",
	"r: #@ {k: v for k, v in struct.decode(data.values.r).items()}\n",
	`#@ def each():
#@ for k in data.values.r:
#@yaml/text-templated-strings
(@= k @): #@ data.values.r[k]
#@ end
#@ end
r: #@ each()
`,
	"_: #@ template.replace({\"r\": data.values.r})\n",
	"---\nr: 0\n#@overlay/match by=overlay.all\n---\n#@overlay/replace\nr: #@ data.values.r\n",
	"r: 0\n#@overlay/match by=overlay.all\n---\n" +
		"#@overlay/replace via=lambda l, r: data.values.r\nr:\n",
	"--- #@ overlay.apply({\"r\": data.values.r}, {})\n",
}

// setValues sets the data value r, a mapping in column 2, in one of the ways there are.
func (g writtenGenerator) setValues(opts *weft.Options, inner string) {
	opts.DataValues, opts.IgnoreUnknownComments = weft.DataValues{}, true
	add := func(path, text string) {
		opts.Files = append(opts.Files, weft.File{Path: path, Data: []byte(text)})
	}
	switch r := "r:\n" + inner; g.IntN(4) {
	case 0:
		add("values.yml", "#@data/values\n---\n"+r)
	case 1:
		add("schema.yml", "#@data/values-schema\n---\n#@schema/type any=True\n"+r)
	case 2:
		add("values.yml", "#@data/values\n---\nr: {}\n")
		add("values2.yml", "#@data/values\n---\n#@overlay/match-child-defaults missing_ok=True\n"+r)
	case 3:
		add("schema.yml", "#@data/values-schema\n---\n#@schema/type any=True\nr: {}\n")
		opts.DataValues.Texts = []weft.File{{Path: "flag.yml", Data: []byte(r)}}
	}
}

// readers are those of the two versions of YAML.
var readers = map[string]func([]byte, any) error{"1.1": yaml2.Unmarshal, "1.2": yaml3.Unmarshal}

// keptMeanings checks that readers read the output as they read want.
func keptMeanings(t *testing.T, opts weft.Options, want string) {
	t.Helper()
	res, err := weft.Render(t.Context(), opts)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, want, opts.Files[0].Data)
	}
	var out strings.Builder
	if _, err := res.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	for name, read := range readers {
		var before, after any
		if err := read([]byte(want), &before); err != nil {
			continue // it cannot be read there, so there is nothing to keep
		}
		if err := read([]byte(out.String()), &after); err != nil {
			t.Fatalf("a reader of YAML %s: %v\n%s", name, err, out.String())
		}
		if d := cmp.Diff(before, after); d != "" {
			t.Fatalf("a reader of YAML %s reads another thing:\n%s\n%s\nas\n%s\n%s", name, d, want, out.String(), opts.Files[0].Data)
		}
	}
}

// writtenGenerator writes mappings of scalars that readers disagree about.
type writtenGenerator struct {
	*rand.Rand
	texts bool // keys are texts to every reader
}

func (g writtenGenerator) one(of ...string) string { return of[g.IntN(len(of))] }

func (g writtenGenerator) scalar() string {
	s := g.one("on", "off", "yes", "No", "y", "N", "0644", "-017", "08", "1_000", "0b11", "0o17", "0x1F", "+5",
		".5", "1.", "1.10", "1e3", "12:30", "12:30:00", "190:20:30.15", "2001-01-01", "2001-01-01T10:20:30Z",
		"~", "null", "True", ".inf", "-.INF", "word", "two words", "=", "0", "00", "9223372036854775808")
	switch g.IntN(5) {
	case 0:
		return `"` + s + `"`
	case 1:
		return "'" + s + "'"
	}
	return s
}

// tagged writes a scalar with a tag that every reader accepts.
func (g writtenGenerator) tagged() string {
	switch g.IntN(5) {
	case 0:
		return "!!int " + g.one("0644", "+5", "0x1F", "-017", "0", "12")
	case 1:
		return "!!float " + g.one("1.10", "1e3", ".5", ".inf")
	case 2:
		return g.one("!!bool True", "!!bool false", "!!null ~", "!!null null")
	}
	return "!!str " + g.scalar()
}

// mapping writes a mapping in column col. Its keys are different to every reader.
func (g writtenGenerator) mapping(col int) string {
	keys := []string{
		"a", "b c", g.one("on", `"on"`, "y", "'y'", "true"), g.one("no", "off", "'n'"),
		g.one("0644", `"0644"`, "1_0", "0x1F"), g.one("12:30", "2001-01-01", "'12:30'"), g.one("~", "null", "''"),
	}
	if g.texts {
		keys = []string{"a", "b c", `"on"`, "'0644'", "k-1"}
	}
	var b strings.Builder
	for _, i := range g.Perm(len(keys))[:1+g.IntN(len(keys))] {
		fmt.Fprintf(&b, "%*s%s:%s", col, "", keys[i], g.value(col))
	}
	return b.String()
}

// value writes what follows the colon of a key in column col.
func (g writtenGenerator) value(col int) string {
	if col > 4 {
		return " " + g.scalar() + "\n"
	}
	switch g.IntN(9) {
	case 0:
		return "\n" + g.mapping(col+2)
	case 4:
		return " " + g.tagged() + "\n"
	case 5:
		return fmt.Sprintf(" %s\n%*son\n%*s0644\n", g.one("|", ">", "|-", ">+"), col+2, "", col+2, "")
	case 6:
		return fmt.Sprintf(" %s\n", g.one("'on\n\n      0644'", "\"y\n      12:30\"", "on\n      off"))
	case 7:
		if !g.texts {
			return fmt.Sprintf(" [&a %s, *a]\n", g.scalar())
		}
	case 1:
		return fmt.Sprintf("\n%*s- %s\n%*s- %s\n", col, "", g.scalar(), col, "", g.scalar())
	case 2:
		return fmt.Sprintf(" [%s, %s]\n", g.scalar(), g.scalar())
	case 3:
		key := g.one("on", "n", "0644", `"y"`)
		if g.texts {
			key = `"y"`
		}
		return fmt.Sprintf(" {k: %s, %s: %s}\n", g.scalar(), key, g.scalar())
	}
	return " " + g.scalar() + g.one("", "", " # why") + "\n"
}

// A tag that says what the text says anyway goes, and the text stays. Any other tag decides.
func TestKeptTags(t *testing.T) {
	for text, want := range map[string]string{
		"! 0644": `"0644"`, "!!str 0644": `"0644"`, "!!int 0644": "0644", "!!int 12": "12",
		"!!float 1.10": "1.10", "!!bool True": "True", "!!null ~": "~",
		`!!int "12"`: "12", "!own on": `"on"`, "!!str 12:30": `"12:30"`,
	} {
		for _, opts := range keepingOptions() {
			opts.Files = []weft.File{{Path: "in.yml", Data: []byte("a: " + text + "\n"), Plain: true}}
			res, err := weft.Render(t.Context(), opts)
			if err != nil {
				t.Fatal(text, err)
			}
			want := "a: " + want + "\n"
			if opts.Keep == weft.KeepAll {
				want = "a: " + text + "\n" // a copy of the line
			}
			if got := watchedText(t, res); got != want {
				t.Errorf("%s became %q, want %q", text, got, want)
			}
		}
	}
}
