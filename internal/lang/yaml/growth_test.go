package yaml

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestGrowth makes streams of one shape, each twice as long as the last, and counts what parsing
// and printing look at: bytes, nodes, keys compared. Twice the length may cost a little more than
// twice the work, however the time on the clock comes out.
func TestGrowth(t *testing.T) {
	repeat := func(s string) func(n int) string { return func(n int) string { return strings.Repeat(s, n) } }
	around := func(before, each, after string) func(n int) string {
		return func(n int) string { return before + strings.Repeat(each, n) + after }
	}
	numbered := func(format string) func(n int) string {
		return func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, format, i)
			}
			return b.String()
		}
	}
	for name, shape := range map[string]func(n int) string{
		"long plain line":             around("a: ", "word ", "\n"),
		"long line of colons":         around("a: ", "b:c", "\n"),
		"long quoted line":            around("a: \"", "word ", "\"\n"),
		"long key":                    around("? ", "word ", "\n"),
		"plain text of many lines":    around("a: x\n", "  word\n", ""),
		"quoted text of many lines":   around("a: 'x\n", "  word\n", "  '\n"),
		"escapes":                     around("a: \"", `\u00e9\n`, "\"\n"),
		"long integer":                around("a: ", "1234567890", "\n"),
		"long integer with a sign":    around("- -", "7", "\n"),
		"long integer in base 16":     around("a: 0x", "f", "\n"),
		"long integer in base 60":     around("a: 1", ":59", "\n"),
		"long integer with gaps":      around("a: 1", "_000", "\n"),
		"long integer as a key":       around("? ", "1234567890", "\n: x\n"),
		"long integers as keys":       numbered("1234567890123456789012345678901234567890%d: x\n"),
		"long float":                  around("a: 1.", "1234567890", "e5\n"),
		"long exponent":               around("a: 1e", "1", "\n"),
		"literal of many lines":       around("a: |\n", "  word\n", ""),
		"folded text of many lines":   around("a: >\n", "  word\n", ""),
		"blank lines":                 around("a: x\n", "\n", "b: y\n"),
		"blank lines behind each key": numbered("k%d: x\n\n\n\n\n"),
		"comments":                    numbered("# c\nk%d: x # d\n"),
		"comments alone":              repeat("# c\n"),
		"comments in a flow":          around("[\n", " a, # c\n", "]\n"),
		"wide map":                    numbered("key%d: value\n"),
		"wide map of numbers":         numbered("%d: value\n"),
		"wide map of floats":          numbered("%d.5: value\n"),
		"the same key":                repeat("key: value\n"),
		"wide sequence":               repeat("- value\n"),
		"wide flow sequence":          around("[", "value, ", "]\n"),
		"wide flow map":               func(n int) string { return "{" + strings.ReplaceAll(numbered("k%d: v,_")(n), "_", " ") + "}\n" },
		"pairs in a flow sequence":    around("[", "a: b, ", "]\n"),
		"flow keys":                   numbered("[k%d]: v\n"),
		"flow keys in a sequence":     around("[", "[a]: b, ", "]\n"),
		"explicit keys":               numbered("? k%d\n: v\n"),
		"documents":                   repeat("---\na: 1\n"),
		"directives":                  repeat("%TAG !e! tag:e:\n---\n!e!x a\n...\n"),
		"tags":                        repeat("- !!str a\n"),
		"anchors":                     numbered("- &a%d x\n"),
		"anchors and flow keys":       numbered("- &a%d x\n- {[k]: v}\n"),
		"anchors and aliases":         numbered("- &a%d x\n- *a0\n"),
		"aliases of a map":            around("- &a {b: c}\n", "- *a\n", ""),
		"merge keys":                  around("- &a {b: c}\n", "- <<: *a\n  d: e\n", ""),
		"merges into one map":         around("- &a {b: c}\n- x: y\n", "  <<: *a\n", ""),
		"deep flow":                   func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) },
		"deep flow maps":              func(n int) string { return strings.Repeat("{a: ", n) + strings.Repeat("}", n) },
		"deep flow keys":              func(n int) string { return strings.Repeat("[", n) + "a" + strings.Repeat("]: b]", n-1) + "]" },
		"deep dashes":                 around("", "- ", "a\n"),
		"CRLF":                        numbered("key%d: value\r\n"),
		"lone CR":                     numbered("key%d: value\r"),
	} {
		t.Run(name, func(t *testing.T) {
			withSalt(t, [2]uint64{1, 1}) // the same steps in every run
			const n = 2000
			once, twice := work(t, shape(n)), work(t, shape(2*n))
			if twice > once*22/10+1000 {
				t.Errorf("%d pieces take %d steps, twice as many take %d", n, once, twice)
			}
		})
	}
}

// A chain of merges takes as many steps as it prints entries, apart from a factor.
func TestChainOfMerges(t *testing.T) {
	withSalt(t, [2]uint64{1, 1})
	for _, format := range []string{
		"m%d: &m%[1]d {<<: *m%d, k%[1]d: v}\n", "m%d: &m%[1]d {k%[1]d: v, <<: *m%d, k0: v}\n",
		"m%d: &m%[1]d {<<: *m%d, <<: *m0, k%[1]d: v}\n",
	} {
		var b strings.Builder
		b.WriteString("m0: &m0 {k0: v}\n")
		for i := range 300 {
			fmt.Fprintf(&b, format, i+1, i)
		}
		tree, err := parse(b.String(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, w := Composer{Tree: tree}, countingWriter{}
		c.Write(&w, tree.Root(tree.First()))
		if c.work > 4*w.steps {
			t.Errorf("%q: %d steps for %d entries", format, c.work, w.steps)
		}
	}
}

// TestHashesSpread finds keys in a table with few steps, whatever the salt of the run is.
func TestHashesSpread(t *testing.T) {
	withSalt(t, salt)
	const n = 1000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, format := range []string{"%d: v\n", "%d.5: v\n", "k%d: v\n", "a-key-%08d: v\n"} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		tree, err := parse(b.String(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			salt = [2]uint64{rng.Uint64() | 1, rng.Uint64() | 1}
			c := Composer{Tree: tree}
			c.Write(&countingWriter{}, tree.Root(tree.First()))
			if c.work > 2*n {
				t.Fatalf("%q: with the salt %x, %d keys take %d steps", format, salt, n, c.work)
			}
		}
	}
}

// withSalt sets the salt of hashes for a test.
func withSalt(t *testing.T, s [2]uint64) {
	t.Helper()
	old := salt
	salt = s
	t.Cleanup(func() { salt = old })
}

// work counts the steps of parsing a stream, finding the owners of its comments, and printing it.
func work(t *testing.T, src string) int {
	t.Helper()
	tree, err := parse(src, Options{MaxDepth: 10_000})
	if err != nil {
		// A refusal has to come in linear time as well, and does if it comes at all; but these
		// shapes are meant to be read.
		if strings.Contains(err.Error(), "must begin with `? `") {
			return len(src)
		}
		t.Fatalf("%v: %.60q", err, src)
	}
	steps := tree.work
	c := Composer{Tree: tree}
	var w countingWriter
	for doc := range tree.Documents() {
		c.Write(&w, tree.Root(doc))
		tree.Tag(tree.Root(doc))
	}
	return steps + c.work + w.steps
}

// countingWriter counts what it is given.
type countingWriter struct{ steps int }

func (w *countingWriter) Mapping(bool)                { w.steps++ }
func (w *countingWriter) Sequence(bool)               { w.steps++ }
func (w *countingWriter) End()                        {}
func (w *countingWriter) Scalar(_ Value, text []byte) { w.steps += 1 + len(text) }

// TestDepth reads collections nested far beyond the limit, and just within it.
func TestDepth(t *testing.T) {
	for name, deep := range map[string]func(n int) string{
		"flow sequences":            func(n int) string { return strings.Repeat("[", n) },
		"flow maps":                 func(n int) string { return strings.Repeat("{a: ", n) },
		"flow keys":                 func(n int) string { return strings.Repeat("[? ", n) },
		"dashes":                    func(n int) string { return strings.Repeat("- ", n) },
		"question marks":            func(n int) string { return strings.Repeat("? ", n) },
		"dashes and question marks": func(n int) string { return strings.Repeat("- ? ", n) },
	} {
		if _, err := parse(deep(100_000), Options{}); err == nil ||
			!strings.Contains(err.Error(), "levels deep") {
			t.Errorf("%s: got error %v, want one about the depth", name, err)
		}
	}
	block := func(n int) string {
		var b bytes.Buffer
		for i := range n {
			fmt.Fprintf(&b, "%*sa:\n", i, "")
		}
		return b.String()
	}
	if _, err := parse(block(DefaultMaxDepth), Options{}); err != nil {
		t.Error(err)
	}
	if _, err := parse(block(DefaultMaxDepth+1), Options{}); err == nil {
		t.Error("a map nested deeper than the limit was read")
	}
}

// TestAliases refuses documents that aliases would make huge, without making them.
func TestAliases(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 60; i++ {
		fmt.Fprintf(
			&bomb,
			"a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n",
			i,
			i,
			i-1,
			i-1,
			i-1,
			i-1,
			i-1,
			i-1,
			i-1,
			i-1,
			i-1,
		)
	}
	var merges strings.Builder
	merges.WriteString("a0: &a0 {k: [x, x]}\n")
	for i := 1; i < 60; i++ {
		fmt.Fprintf(&merges, "a%d: &a%d {b: *a%d, c: *a%d}\n", i, i, i-1, i-1)
	}
	for name, src := range map[string]string{"sequences": bomb.String(), "maps": merges.String()} {
		_, err := parse(src, Options{})
		if err == nil || !strings.Contains(err.Error(), "more than 10000000 nodes") {
			t.Errorf("%s: got error %v, want one about the number of nodes", name, err)
		}
	}
	// Below the limit all is read, and the count is exact: three nodes of the document, and two
	// more for each alias of [x].
	ok := "- &a [x]\n- *a\n"
	for limit, want := range map[int]bool{7: true, 6: false} {
		if _, err := parse(ok, Options{MaxNodes: limit}); (err == nil) != want {
			t.Errorf("with at most %d nodes: got error %v, want success %v", limit, err, want)
		}
	}
}
