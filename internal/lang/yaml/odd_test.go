package yaml

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml2 "go.yaml.in/yaml/v2"
)

// FuzzOdd: what yaml/v2 reads of a text with odd characters, the lenient grammar reads alike. NEL, LS
// and PS inside of a line or of a block scalar are not compared: they are line breaks in yaml/v2 alone.
func FuzzOdd(f *testing.F) {
	for i := range uint64(300) {
		f.Add(i)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := oddGenerator{rand.New(rand.NewPCG(7, seed))}
		src := g.text()
		var want yaml2.MapSlice
		if yaml2.Unmarshal([]byte(src), &want) != nil {
			return
		}
		tree, err := parse(src, Options{})
		if err != nil {
			t.Fatalf("yaml/v2 reads %q, but: %v", src, err)
		}
		var w YAMLWriter
		c := Composer{Tree: tree}
		c.Write(&w, tree.Root(tree.First()))
		var got yaml2.MapSlice
		if err := yaml2.Unmarshal(w.Bytes(), &got); err != nil {
			t.Fatalf("%q prints as %q: %v", src, w.Bytes(), err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%q is read as another thing (-yaml/v2 +weft):\n%s", src, d)
		}
	})
}

// oddGenerator writes mappings and lists with odd characters in words, in quotes, in blocks, in
// comments, at the ends of lines and on lines of their own.
type oddGenerator struct{ *rand.Rand }

func (g oddGenerator) one(of ...string) string { return of[g.IntN(len(of))] }

// breaks are line breaks of YAML 1.1 at the end of a line, or nothing.
func (g oddGenerator) breaks() string {
	if g.IntN(2) == 0 {
		return ""
	}
	return g.one("", " ", "\t") + g.one("\u0085", "\u2028", "\u2029") + g.one("", "", "\u2028", " \u0085", " ")
}

// char is an odd character that is text to everybody.
func (g oddGenerator) char() string {
	return g.one("x", "é", "\u00a0", "\u200b", "\u200d", "\u2060", "\u3000", "\u202e", "\ufeff", "\ufffd", "\u2027",
		"\u0080", "\u009f", "\u007f", "\ue000", "😀", "\t", " ", "\u00ad", "\u180e", "a b")
}

func (g oddGenerator) text() string {
	var b strings.Builder
	end := g.one("\n", "\n", "\r\n")
	block := false // after a block scalar, they are its text
	for i := range 1 + g.IntN(4) {
		if g.IntN(3) == 0 && !block {
			fmt.Fprintf(&b, "%s%s%s", g.one("", "", "  "), g.breaks(), end)
		}
		word := "w" + g.char() + g.one("", "z")
		kind := g.IntN(7)
		block = kind == 2
		switch kind {
		case 0:
			fmt.Fprintf(&b, "k%d: %s%s%s", i, word, g.breaks(), end)
		case 1:
			fmt.Fprintf(&b, "k%d: %s%s%s", i, g.one(`"`+word+`"`, "'"+word+"'"), g.breaks(), end)
		case 2:
			fmt.Fprintf(&b, "k%d: %s%s  %s%s", i, g.one("|", ">", "|-", ">+"), end, word, end)
		case 3:
			fmt.Fprintf(&b, "k%d:%s%s- %s%s%s- b%s%s", i, g.breaks(), end, word, g.breaks(), end, g.breaks(), end)
		case 4:
			fmt.Fprintf(&b, "k%d: [%s%s, %s%s  c]%s%s", i, word, end, g.breaks(), end, g.breaks(), end)
		case 5:
			fmt.Fprintf(&b, "# %s%s%sk%d: 1 # %s%s", word, g.breaks(), end, i, word, end)
		case 6:
			fmt.Fprintf(&b, "%s%d:%s%s  -%s%s    a%s", word, i, g.breaks(), end, g.breaks(), end, end)
		}
	}
	return b.String()
}

// FuzzPrintedOdd: documents with odd strings and keys, nested anyhow, are printed as yaml/v2 prints
// them, byte for byte. Strings that likeYAML2Prints leaves out are left out here too.
func FuzzPrintedOdd(f *testing.F) {
	for i := range uint64(1000) {
		f.Add(i)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := oddGenerator{rand.New(rand.NewPCG(8, seed))}
		v := g.value(0)
		want, err := yaml2.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var w YAMLWriter
		writeGo(&w, v)
		if d := cmp.Diff(string(want), string(w.Bytes())); d != "" {
			t.Fatalf("%#v is printed differently (-yaml/v2 +weft):\n%s", v, d)
		}
	})
}

// value is a scalar or a collection, at most five levels deep.
func (g oddGenerator) value(depth int) any {
	switch kind := g.IntN(10); {
	case kind < 3 && depth < 5:
		list := make([]any, g.IntN(4))
		for i := range list {
			list[i] = g.value(depth + 1)
		}
		return list
	case kind < 6 && depth < 5:
		m := make(yaml2.MapSlice, g.IntN(4))
		for i := range m {
			m[i] = yaml2.MapItem{Key: g.scalar(), Value: g.value(depth + 1)}
		}
		return m
	}
	return g.scalar()
}

func (g oddGenerator) scalar() any {
	switch g.IntN(8) {
	case 0:
		return nil
	case 1:
		return g.IntN(2) == 0
	case 2:
		return g.Int64() >> g.IntN(64)
	case 3:
		return (g.Float64() - 0.5) * math.Pow(10, float64(g.IntN(40)-20))
	}
	var b strings.Builder
	for range g.IntN(6) {
		b.WriteString(g.one(g.char(), g.char(), "\n", "\n", " ", ":", "#", "- ", "? ", "'", `"`, "\r", "\x00", "on",
			"0644", "12:30", "2001-01-01", "~", ".5", "---", "...", "!", "&", "*", "|", "%", "@", "{", "]", ",",
			"\xff", "\u0085", strings.Repeat("x", 100)))
	}
	return strings.TrimLeft(b.String(), "\ufeff")
}

// writeGo writes a value of the generator.
func writeGo(w *YAMLWriter, v any) {
	switch v := v.(type) {
	case []any:
		w.Sequence(len(v) == 0)
		for _, x := range v {
			writeGo(w, x)
		}
		if len(v) > 0 {
			w.End()
		}
	case yaml2.MapSlice:
		w.Mapping(len(v) == 0)
		for _, it := range v {
			writeGo(w, it.Key)
			writeGo(w, it.Value)
		}
		if len(v) > 0 {
			w.End()
		}
	case nil:
		w.Scalar(Value{Kind: Null}, nil)
	case string:
		w.Scalar(Value{Kind: String}, []byte(v))
	case bool:
		w.Scalar(BoolValue(v), nil)
	case int64:
		w.Scalar(IntValue(v), nil)
	case float64:
		w.Scalar(FloatValue(v), nil)
	}
}
