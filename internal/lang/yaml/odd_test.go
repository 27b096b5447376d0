package yaml

import (
	"fmt"
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
