package override

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/testing/yamltest"
)

// TestTextOf12: a block scalar that ends with the file, without a line break, has one in YAML 1.2.
func TestTextOf12(t *testing.T) {
	opt := yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core}
	r := Reader{Files: &source.Set{}, YAML: opt}
	in, err := r.input(Input{Name: "base.yml"}, []byte("# c\na: 1 # one\nb: |\n  x"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.Overrides(context.Background(), []Argument{{Text: "{c: 2}"}})
	if err != nil {
		t.Fatal(err)
	}
	texts, err := Rewrite(context.Background(), []Input{in}, list, Options{}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(bytes.Join(texts[0], nil)), "# c\na: 1 # one\nb: |\n  x\nc: 2"; got != want {
		t.Errorf("got:\n%q\nwant:\n%q", got, want)
	}
}

// TestDropped: what would have to be written again, and so lose one of two entries with the same
// key, is refused.
func TestDropped(t *testing.T) {
	s := yamltest.Read(t, "m:\n  ? k\n  a: 1\n  a: 2\n")
	list, err := overrides(s, "{m: {k: 1}}")
	if err != nil {
		t.Fatal(err)
	}
	out, err := Apply(context.Background(), [][]tree.Doc{s.Docs}, list, Options{Written: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Text([]*yaml.Tree{s.Tree}, valuesOf(out[0]), valuesOf(out[0]), yaml.Options{}); err == nil ||
		!strings.Contains(err.Error(), "defines a key twice") {
		t.Errorf("it is written: %v", err)
	}
}

// TestParts overrides a file that is read in parts.
func TestParts(t *testing.T) {
	data := descriptors(3 << 20)
	r := Reader{Files: &source.Set{}}
	in, err := r.input(Input{Name: "base.yml"}, data)
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.Overrides(context.Background(), []Argument{{Text: benchOverride}})
	if err != nil {
		t.Fatal(err)
	}
	texts, err := Rewrite(context.Background(), []Input{in}, list, Options{}, yaml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	whole := yamltest.Read(t, string(data))
	want, _, err := applied(whole, Options{}, benchOverride)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, p := range texts[0] {
		got += string(p)
	}
	if got != want {
		t.Errorf(
			"a file in %d parts is overridden differently: %d bytes, want %d",
			len(in.Trees),
			len(got),
			len(want),
		)
	}
	if n := strings.Count(got, `from: "fedora:41" # the base`); n != len(in.Docs) {
		t.Errorf("%d documents are overridden, want %d", n, len(in.Docs))
	}
	docs, err := Apply(context.Background(), [][]tree.Doc{in.Docs}, list, Options{})
	if err != nil {
		t.Fatal(err)
	}
	values := make([]tree.Value, len(docs[0]))
	for i, d := range docs[0] {
		values[i] = d.Value
	}
	apart := ""
	parts, err := Text(in.Trees, values, values, yaml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		apart += string(p)
	}
	if apart != want {
		t.Error("merging and printing apart gives something else")
	}
}
