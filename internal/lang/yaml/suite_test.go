package yaml

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/internal/lang/source"
	"weft/internal/testing/cases"
)

// TestSuite runs the YAML project's own test suite, whose folder WEFT_YAML_SUITE names. The strict
// grammar must give the events of every valid case and refuse every invalid one; the lenient
// grammar must read every valid case alike, and accepts of the invalid ones those listed.
func TestSuite(t *testing.T) {
	if n := cases.EachFolder(t, "WEFT_YAML_SUITE", "in.yaml", suiteCase); n < 400 {
		t.Errorf("WEFT_YAML_SUITE has %d cases, which is not the whole suite", n)
	}
}

// leniency names the invalid cases that the lenient grammar accepts: those that ytt accepts, and
// what follows from the same slack.
var leniency = map[string]string{
	"9C9N":     "lines of a flow collection at the parent's indentation",
	"9HCY":     "a directive without `...` before it",
	"9JBA":     "a comment without a space before it",
	"CVW2":     "a comment without a space before it",
	"DK95/01":  "a tab before a line of a quoted scalar",
	"G5U8":     "a dash in a flow sequence",
	"HRE5":     "an escaped single quote in double quotes",
	"MUS6/00":  "a comment without a space before it, behind %YAML",
	"QB6E":     "lines of a quoted scalar at the parent's indentation",
	"S98Z":     "spaces on blank lines before a comment",
	"SU5Z":     "a comment without a space before it",
	"U99R":     "a comma in a tag",
	"X4QW":     "a comment without a space before it",
	"Y79Y/003": "a tab before a line of a flow collection",
	"YJV2":     "a dash in a flow sequence",
}

// lenientReading names the valid cases that the lenient grammar reads otherwise.
var lenientReading = map[string]string{
	"JEF9/02": "a block scalar that ends without a line break at the end of the file has none in its text",
	"L24T/01": "a block scalar that ends without a line break at the end of the file has none in its text",
}

func suiteCase(t *testing.T, dir, name string) {
	in := read(t, dir, "in.yaml")
	_, err := os.Stat(filepath.Join(dir, "error"))
	invalid := err == nil
	for _, g := range []Grammar{YAML12, Lenient} {
		tree, err := parse(string(in), Options{Grammar: g, Schema: Core})
		if invalid {
			_, slack := leniency[name]
			switch accepted := err == nil; {
			case g == YAML12 && accepted:
				t.Errorf("an invalid stream is accepted:\n%s\n%s", in, events(tree))
			case g == Lenient && accepted != slack:
				t.Errorf("lenient grammar: accepted %v, listed %v:\n%s", accepted, slack, in)
			}
			continue
		}
		if err != nil {
			t.Errorf("a valid stream is refused: %v\n%s", err, in)
			continue
		}
		if g == Lenient && lenientReading[name] != "" {
			continue
		}
		if got, want := events(tree), string(read(t, dir, "test.event")); got != want {
			t.Errorf("events differ\n%s\ngot:\n%s\nwant:\n%s", in, got, want)
		}
		if _, err := os.Stat(filepath.Join(dir, "in.json")); err == nil {
			compareJSON(t, tree, read(t, dir, "in.json"))
		}
	}
}

// compareJSON holds the values of a tree, under the core schema, against JSON.
func compareJSON(t *testing.T, tree *Tree, want []byte) {
	t.Helper()
	if list := tree.Check(false); list != nil {
		t.Errorf("the values cannot be read: %v", list)
		return
	}
	var w JSONWriter
	c := Composer{Tree: tree}
	for doc := range tree.Documents() {
		c.Write(&w, tree.Root(doc))
		w.Newline()
	}
	if got, want := jsonStream(t, w.Bytes()), jsonStream(t, want); got != want {
		t.Errorf("JSON differs\ngot:\n%s\nwant:\n%s", got, want)
	}
}

// jsonStream is a stream of JSON texts in one form.
func jsonStream(t *testing.T, b []byte) string {
	t.Helper()
	var out strings.Builder
	dec := json.NewDecoder(bytes.NewReader(b))
	for dec.More() {
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("%v in %s", err, b)
		}
		line, _ := json.Marshal(v)
		out.Write(append(line, '\n'))
	}
	return out.String()
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func parse(src string, opt Options) (*Tree, error) {
	var set source.Set
	f, err := set.Add("in.yml", []byte(src))
	if err != nil {
		return nil, err
	}
	return Parse(f, opt)
}

// events writes a tree in the suite's notation.
func events(t *Tree) string {
	var b strings.Builder
	b.WriteString("+STR\n")
	for doc := range t.Documents() {
		b.WriteString("+DOC" + mark(t.Explicit(doc), " ---") + "\n")
		writeEvents(&b, t, t.Root(doc))
		b.WriteString("-DOC" + mark(t.Ended(doc), " ...") + "\n")
	}
	b.WriteString("-STR\n")
	return b.String()
}

func mark(on bool, s string) string {
	if on {
		return s
	}
	return ""
}

func writeEvents(b *strings.Builder, t *Tree, n NodeID) {
	if t.Kind(n) == Alias {
		fmt.Fprintf(b, "=ALI *%s\n", t.AliasName(n))
		return
	}
	pr := ""
	if a := t.Anchor(n); len(a) > 0 {
		pr += " &" + string(a)
	}
	if tag := t.Tag(n); tag != "" {
		pr += " <" + tag + ">"
	}
	switch t.Kind(n) {
	case Mapping, Sequence:
		word, flow := "MAP", " {}"
		if t.Kind(n) == Sequence {
			word, flow = "SEQ", " []"
		}
		b.WriteString("+" + word + mark(t.Style(n) == Flow, flow) + pr + "\n")
		for c := range t.Items(n) {
			writeEvents(b, t, c)
		}
		b.WriteString("-" + word + "\n")
	default:
		text := strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\t", "\\t", "\r", "\\r", "\b", "\\b").
			Replace(string(t.Text(n)))
		b.WriteString("=VAL" + pr + " " + string(":'\"|>"[t.Style(n)]) + text + "\n")
	}
}
