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
		g := writtenGenerator{rand.New(rand.NewPCG(3, seed))}
		text := g.mapping(0)
		touch := "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n" +
			"#@overlay/match missing_ok=True\nzz: 1\n"
		for _, opts := range []weft.Options{
			{Edition: weft.Edition2026},
			{Keep: weft.KeepLiterals},
			{Keep: weft.KeepAll},
			{Keep: weft.KeepLiterals, YAML: weft.YAML12},
		} {
			opts.Warnings = weft.WarningsOff
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

// keptMeanings checks that readers read the output as they read want.
func keptMeanings(t *testing.T, opts weft.Options, want string) {
	t.Helper()
	res, err := weft.Render(t.Context(), opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, want)
	}
	var out strings.Builder
	if _, err := res.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func([]byte, any) error{
		"1.1": yaml2.Unmarshal, "1.2": yaml3.Unmarshal,
	} {
		var before, after any
		if err := read([]byte(want), &before); err != nil {
			continue // it cannot be read there, so there is nothing to keep
		}
		if err := read([]byte(out.String()), &after); err != nil {
			t.Fatalf("a reader of YAML %s: %v\n%s", name, err, out.String())
		}
		if d := cmp.Diff(before, after); d != "" {
			t.Fatalf("a reader of YAML %s reads another thing:\n%s\n%s\nas\n%s", name, d, want, out.String())
		}
	}
}

// writtenGenerator writes mappings of scalars that readers disagree about.
type writtenGenerator struct{ *rand.Rand }

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

// mapping writes a mapping in column col. Its keys are different to every reader.
func (g writtenGenerator) mapping(col int) string {
	keys := []string{
		"a", "b c", g.one("on", `"on"`, "y", "'y'", "true"), g.one("no", "off", "'n'"),
		g.one("0644", `"0644"`, "1_0", "0x1F"), g.one("12:30", "2001-01-01", "'12:30'"), g.one("~", "null", "''"),
	}
	var b strings.Builder
	for _, i := range g.Perm(len(keys))[:1+g.IntN(len(keys))] {
		fmt.Fprintf(&b, "%*s%s:%s", col, "", keys[i], g.value(col))
	}
	return b.String()
}

// value writes what stands behind the colon of a key in column col.
func (g writtenGenerator) value(col int) string {
	if col > 4 {
		return " " + g.scalar() + "\n"
	}
	switch g.IntN(9) {
	case 0:
		return "\n" + g.mapping(col+2)
	case 4:
		return " !!str " + g.scalar() + "\n"
	case 5:
		return fmt.Sprintf(" %s\n%*son\n%*s0644\n", g.one("|", ">", "|-", ">+"), col+2, "", col+2, "")
	case 6:
		return fmt.Sprintf(" %s\n", g.one("'on\n\n      0644'", "\"y\n      12:30\"", "on\n      off"))
	case 7:
		return fmt.Sprintf(" [&a %s, *a]\n", g.scalar())
	case 1:
		return fmt.Sprintf("\n%*s- %s\n%*s- %s\n", col, "", g.scalar(), col, "", g.scalar())
	case 2:
		return fmt.Sprintf(" [%s, %s]\n", g.scalar(), g.scalar())
	case 3:
		return fmt.Sprintf(" {k: %s, %s: %s}\n", g.scalar(), g.one("on", "n", "0644", `"y"`), g.scalar())
	}
	return " " + g.scalar() + g.one("", "", " # why") + "\n"
}
