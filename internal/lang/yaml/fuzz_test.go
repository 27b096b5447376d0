package yaml

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	yamlv3 "go.yaml.in/yaml/v3"
)

// seeds are the samples and, if it is there, the YAML project's test suite.
func seeds(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	dir := os.Getenv("WEFT_YAML_SUITE")
	if dir == "" {
		return
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "in.yaml" {
			if b, err := os.ReadFile(path); err == nil {
				f.Add(b)
			}
		}
		return nil
	})
}

// FuzzParse: whatever the bytes are, parsing ends with a tree or an error that has a place in the
// file; and a tree prints as it was read, with nothing of the text outside of it.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		strict, strictErr := parse(string(src), Options{Grammar: YAML12})
		lenient, err := parse(string(src), Options{MaxNodes: 10_000})
		if strictErr == nil && err != nil && !strings.Contains(err.Error(), "10000 nodes") {
			t.Errorf("the lenient grammar refuses what the strict one accepts: %v\n%q", err, src)
		}
		for _, tree := range []*Tree{strict, lenient} {
			if tree == nil {
				continue
			}
			if got := tree.AppendSource(nil); !bytes.Equal(got, src) {
				t.Errorf("printed %q, read %q", got, src)
			}
			checkTokens(t, tree)
			checkTree(t, tree)
			tree.Dump()
		}
	})
}

// checkTree demands what every tree promises: subtrees nest, entries begin in the order of the
// text, comments have owners that are items.
func checkTree(t *testing.T, tree *Tree) {
	t.Helper()
	last := uint32(0)
	for i := range tree.nodes {
		nd := &tree.nodes[i]
		if nd.start < last || nd.off < nd.start || nd.end < nd.off || int(nd.end) > len(tree.text) {
			t.Errorf(
				"node %d of %q: start %d off %d end %d behind an entry that begins at %d",
				i,
				tree.text,
				nd.start,
				nd.off,
				nd.end,
				last,
			)
		}
		last = nd.start
		if nd.next <= NodeID(i) || int(nd.next) > len(tree.nodes) {
			t.Errorf("node %d of %q has the next node %d", i, tree.text, nd.next)
		}
		if nd.kind == Alias && int(nd.ref) >= i {
			t.Errorf("alias %d of %q stands for the later node %d", i, tree.text, nd.ref)
		}
	}
	for _, c := range tree.comments {
		if c.owner != NoOwner && tree.nodes[c.owner].flags&item == 0 {
			t.Errorf("a comment of %q belongs to node %d, which is no item", tree.text, c.owner)
		}
	}
}

// FuzzCanonical: what the canonical printer writes reads as the same values, and prints as the same
// bytes.
func FuzzCanonical(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, s := range []Schema{Compat, Core} {
			tree, err := parse(string(src), Options{MaxNodes: 10_000, Schema: s})
			if err != nil || tree.Check(false) != nil || keysAlike(tree) {
				return
			}
			for doc := range tree.Documents() {
				var w YAMLWriter
				c := Composer{Tree: tree}
				c.Write(&w, tree.Root(doc))
				out := string(w.Bytes())
				again, err := parse(out, Options{Grammar: YAML12, Schema: s})
				if err != nil {
					t.Fatalf("%q prints as %q, which cannot be read: %v", src, out, err)
				}
				if list := again.Check(false); list != nil {
					t.Fatalf("%q prints as %q, which cannot be read: %v", src, out, list)
				}
				if got, want := values(again, again.Root(0)), values(tree, tree.Root(doc)); got != want {
					t.Fatalf("%q prints as %q, which reads as\n%s\nnot as\n%s", src, out, got, want)
				}
			}
		}
	})
}

// keysAlike reports whether a mapping has an integer and a float of the same value as keys, such as
// 0 and 0.0: they are two, and print as one, as in the reference.
func keysAlike(t *Tree) bool {
	c := Composer{Tree: t}
	for n := range NodeID(t.Len()) {
		if t.Kind(n) != Mapping {
			continue
		}
		seen := map[string]bool{}
		for k := range c.Entries(n) {
			if t.Kind(k) != Scalar {
				continue
			}
			v, _ := c.Scalar(k)
			if v.Kind != Int && v.Kind != Uint && v.Kind != Float {
				continue
			}
			text := string(AppendValue(nil, v, nil, 0))
			if text == "-0" {
				text = "0"
			}
			if seen[text] {
				return true
			}
			seen[text] = true
		}
	}
	return false
}

// values writes the values of a document, one a line, each with its type. A whole float counts as
// an int: it is printed as one.
func values(t *Tree, root NodeID) string {
	var w valueWriter
	c := Composer{Tree: t}
	c.Write(&w, root)
	return w.b.String()
}

type valueWriter struct{ b strings.Builder }

func (w *valueWriter) Mapping(empty bool)  { fmt.Fprintf(&w.b, "map %v\n", empty) }
func (w *valueWriter) Sequence(empty bool) { fmt.Fprintf(&w.b, "seq %v\n", empty) }
func (w *valueWriter) End()                { w.b.WriteString("end\n") }

func (w *valueWriter) Scalar(v Value, text []byte) {
	switch v.Kind {
	case String:
		fmt.Fprintf(&w.b, "string %q\n", text)
	case Int, Uint, Float:
		number := string(AppendValue(nil, v, nil, 0))
		if number == "-0" { // the float, which reads as the integer
			number = "0"
		}
		fmt.Fprintf(&w.b, "number %s\n", number)
	default:
		fmt.Fprintf(&w.b, "%s\n", AppendValue(nil, v, nil, 0))
	}
}

// FuzzOracle: of streams that go.yaml.in/yaml/v3 accepts too, it reads the same documents,
// collections, anchors and texts. What plain text means (which is another matter: v3 takes `yes`
// for a text) is held against yaml/v2 by FuzzResolve.
func FuzzOracle(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		if otherReading(src) != "" {
			return
		}
		tree, err := parse(string(src), Options{MaxNodes: 10_000})
		if err != nil {
			return
		}
		docs, ok := oracle(src)
		if !ok {
			return
		}
		var want strings.Builder
		for _, d := range docs {
			writeOracle(&want, d)
		}
		var got strings.Builder
		for doc := range tree.Documents() {
			got.WriteString("doc\n")
			writeShape(&got, tree, tree.Root(doc))
		}
		if got.String() != want.String() {
			t.Errorf("%q is read as\n%s\nbut by yaml/v3 as\n%s", src, got.String(), want.String())
		}
	})
}

// otherReading tells why yaml/v3 reads a stream in another way than YAML 1.2 has it, or "".
func otherReading(src []byte) string {
	for why, re := range otherReadings {
		if re.Match(src) {
			return why
		}
	}
	return ""
}

var otherReadings = map[string]*regexp.Regexp{
	"v3 counts a lone carriage return, and the one of CRLF at the end of a block scalar, otherwise": regexp.MustCompile(
		`\r`,
	),
	"v3 takes NEL, LS and PS for line breaks, as YAML 1.1 did": regexp.MustCompile(
		`[\x{85}\x{2028}\x{2029}]`,
	),
	"v3 keeps a byte order mark inside of the text": regexp.MustCompile(
		`\x{feff}`,
	),
	"v3 ends a plain scalar at a tab, and takes one for text after the indentation of a block scalar": regexp.MustCompile(
		`\t`,
	),
	"v3 takes a comma for a part of a tag": regexp.MustCompile(
		`![^\s]*[,\[\]{}]`,
	),
	"v3 reads directives between documents otherwise": regexp.MustCompile(
		`%`,
	),
	"v3 takes nothing behind `...` for a document": regexp.MustCompile(
		`(?m)^\.\.\.`,
	),
	"v3 takes a colon or question mark beside a flow indicator for text, or the other way round": regexp.MustCompile(
		`[:?][,\[\]{}?:]|[\[{,]\s*[?:]|[?:]\S`,
	),
	"v3 ends the name of an anchor at anything but letters, digits, `-` and `_`": regexp.MustCompile(
		`[&*][0-9A-Za-z_-]*[^0-9A-Za-z_\-\s]`,
	),
	"v3 reads an escaped slash and a dash beside a flow indicator otherwise": regexp.MustCompile(
		`-[,\[\]{}]|[,\[\]{}]-`,
	),
	"v3 wants the text of a document to be indented, and takes a line with # for a comment": regexp.MustCompile(
		`[|>][^\n]*\n(?:[ \n]*\n)?#`,
	),
	"v3 keeps the line break before the end of the text of a block scalar, and of its blank lines, otherwise": regexp.MustCompile(
		`(?s)[|>][^\n]*\n[^\n]*$|[|>][^\n]*\n *\n`,
	),
}

// oracle reads src with yaml/v3, which may panic.
func oracle(src []byte) (docs []*yamlv3.Node, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	dec := yamlv3.NewDecoder(bytes.NewReader(src))
	for {
		n := new(yamlv3.Node)
		if err := dec.Decode(n); err != nil {
			return docs, err.Error() == "EOF"
		}
		docs = append(docs, n)
	}
}

func writeOracle(b *strings.Builder, n *yamlv3.Node) {
	anchor := mark(n.Anchor != "", " &"+n.Anchor)
	switch n.Kind {
	case yamlv3.DocumentNode:
		b.WriteString("doc\n")
		for _, c := range n.Content {
			writeOracle(b, c)
		}
	case yamlv3.AliasNode:
		b.WriteString("alias " + n.Value + "\n")
	case yamlv3.ScalarNode:
		fmt.Fprintf(b, "scalar %q%s\n", n.Value, anchor)
	default:
		fmt.Fprintf(
			b,
			"%s%s\n",
			map[yamlv3.Kind]string{yamlv3.MappingNode: "mapping", yamlv3.SequenceNode: "sequence"}[n.Kind],
			anchor,
		)
		for _, c := range n.Content {
			writeOracle(b, c)
		}
		b.WriteString("end\n")
	}
}

func writeShape(b *strings.Builder, t *Tree, n NodeID) {
	anchor := mark(len(t.Anchor(n)) > 0, " &"+string(t.Anchor(n)))
	switch t.Kind(n) {
	case Alias:
		b.WriteString("alias " + string(t.AliasName(n)) + "\n")
	case Scalar:
		fmt.Fprintf(b, "scalar %q%s\n", t.Text(n), anchor)
	default:
		fmt.Fprintf(b, "%s%s\n", t.Kind(n), anchor)
		for c := range t.Items(n) {
			writeShape(b, t, c)
		}
		b.WriteString("end\n")
	}
}
