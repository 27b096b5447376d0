package yaml

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestOwner holds the place of comments against the dump, which is also what people see.
func TestOwner(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"above and beside", "#@overlay/match by=overlay.all\n---\n#@overlay/replace\nfoo: #@ 13+23+6\nbar: true\n", `????: docset
       2: doc
    meta:    1: '@overlay/match by=overlay.all'
           2: map
           4: key=foo
        meta:    3: '@overlay/replace'
        meta:    4: '@ 13+23+6'
            : <nil>
           5: key=bar
            : true
`},
		{"a document without dashes owns none", "#@ a\nfoo: 1\n", `????: docset
       1: doc
           1: map
           2: key=foo
        meta:    1: '@ a'
            : 1
`},
		{"innermost beside, outermost above", "#@ above\n- a: #@ beside\n  #@ next\n  b: 2\n", `????: docset
       1: doc
           1: array
           2: idx=0
        meta:    1: '@ above'
               2: map
               2: key=a
            meta:    2: '@ beside'
                : <nil>
               4: key=b
            meta:    3: '@ next'
                : 2
`},
		{"behind the last item", "a: 1\n#@ end\n", `????: docset
       1: doc
           1: map
           1: key=a
            : 1
    ????: doc
    meta:    2: '@ end'
`},
		{"behind a document", "a: 1\n#@ end\n--- #@ x\nb: 1\n", `????: docset
       1: doc
           1: map
           1: key=a
            : 1
       3: doc
    meta:    2: '@ end'
    meta:    3: '@ x'
           3: map
           4: key=b
            : 1
`},
		{"beside a later line of a value", "a: \"x\n  y\" #@ c\nb: 1\n", `????: docset
       1: doc
           1: map
           1: key=a
            : x y
           3: key=b
        meta:    2: '@ c'
            : 1
`},
		{"flow collections", "a: [1, {b: 2}] #@ c\n", `????: docset
       1: doc
           1: map
           1: key=a
               1: array
               1: idx=0
                : 1
               1: idx=1
                   1: map
                   1: key=b
                meta:    1: '@ c'
                    : 2
`},
		{"an empty item", "a:\n- #@ x\n-\n  #@ y\n  b: 1\n", `????: docset
       1: doc
           1: map
           1: key=a
               1: array
               2: idx=0
            meta:    2: '@ x'
                : <nil>
               3: idx=1
                   3: map
                   5: key=b
                meta:    4: '@ y'
                    : 1
`},
		{"text of a block scalar is none", "a: | #@ x\n  #@ text\nb: >-\n  y # z\n", `????: docset
       1: doc
           1: map
           1: key=a
        meta:    1: '@ x'
            : "#@ text\n"
           3: key=b
            : y # z
`},
		{"indentation does not matter", "a:\n    #@ x\n  b: 1\n", `????: docset
       1: doc
           1: map
           1: key=a
               1: map
               3: key=b
            meta:    2: '@ x'
                : 1
`},
		{"an explicit key", "? a #@ x\n: b #@ y\n", `????: docset
       1: doc
           1: map
           1: key=a
        meta:    1: '@ x'
            : b
    ????: doc
    meta:    2: '@ y'
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree, err := parse(test.src, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(tree.Dump()); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

// TestLossless prints what it read. checkTokens sees to it that the tree really has everything.
func TestLossless(t *testing.T) {
	for _, src := range append(samples, string(kubernetes(30))) {
		tree, err := parse(src, Options{})
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		if got := tree.AppendSource(nil); string(got) != src {
			t.Errorf("got %q, want %q", got, src)
		}
		checkTokens(t, tree)
	}
}

// checkTokens demands that tokens come in order and that nothing but white space and indicators
// is between them.
func checkTokens(t *testing.T, tree *Tree) {
	t.Helper()
	src := tree.file.Data()
	at := 0
	between := func(b []byte) {
		b = bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("..."), nil), []byte("\ufeff"), nil)
		if rest := bytes.Trim(b, " \t\r\n-?:,[]{}"); len(rest) > 0 {
			t.Errorf("%q stands between the tokens of %q", rest, src)
		}
	}
	for start, end := range tree.tokens() {
		if start < at || end < start {
			t.Errorf(
				"token %d..%d of %q begins before the end of the last, %d",
				start,
				end,
				src,
				at,
			)
			return
		}
		between(src[at:start])
		at = end
	}
	between(src[at:])
}

// samples are streams that use all of YAML; the fuzz targets begin with them.
var samples = []string{
	"",
	"a: 1\n",
	"# c\na: 1 # d\n# e",
	"\ufeffa: 1\r\nb:\r\n- x # y\r\n",
	"a: 1\rb: 2\r",
	"%YAML 1.2 # v\n# between\n%TAG !e! tag:example.com,2026:\n---\na: !e!x &n 1\n... # end\n--- !!map\nb: !<tag:x> c\n",
	"a: &x !!str 1\nb: !!str &y 2\nc: [*x, *y]\n&z : !t\n? &k\n: *k\n",
	"? |\n  key\n: - one\n  - two\n? [a, b]\n: {c: d}\n[e]: f\n{g: h}: [i: j, ? k : l, : m, \"n\":o]\n",
	"- - a\n  - b\n-\n  - c\n- ? d\n- k: v\n  l:\n  - w\n  m:\n    n: o\n",
	"a: |+ # c\n  x\n   y\n\n  z\n\nb: >-\n  f\n  g\n\n   h\n  i\nc: |2\n    j\nd: |\ne: >\n\n\n",
	"a: 'it''s\n  two'\nb: \"x\\ty\\\n   z \\u263a\n\n  w\"\nc: plain\n  text\n\n  more\n",
	"base: &base {a: 1, b: 2}\nderived:\n  <<: *base\n  b: 3\n  a: 4\n",
	"--- |\n text\n--- >-\n t\n---\n...\n--- a\n...\n",
	"on: yes\nn: ~\n0x10: 1_000\n1.5: .inf\nnull: 2001-01-01\n",
	"{a: [b, {c: d, e}, f], ? g : h, i: , : j, \"k\":l}\n",
	"[\n a, # c\n b\n]\n",
	"é: \"\\U0001F600\"\n日本: 語 # コメント\n",
}

// TestDocumentation holds the tree that the package's documentation shows to the one that there is.
func TestDocumentation(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var text, want strings.Builder
	for line := range strings.Lines(string(doc)) {
		at := strings.Index(line, " Next=")
		if at < 0 || !strings.HasPrefix(line, "//\t") {
			continue
		}
		const nodes = len("//\ta: 1          ")
		if source := strings.TrimSpace(line[len("//\t"):nodes]); source != "" {
			text.WriteString(source + "\n")
		}
		want.WriteString(line[nodes:])
	}
	tree, err := parse(text.String(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	depth := func(n NodeID) (depth int) {
		for around := range n {
			if tree.Next(around) > n {
				depth++
			}
		}
		return depth
	}
	for n := tree.First(); tree.More(n); n++ {
		fmt.Fprintf(&got, "%d %s%s", n, strings.Repeat("  ", depth(n)), tree.Kind(n))
		if tree.Kind(n) == Scalar {
			fmt.Fprintf(&got, " %s", tree.Text(n))
		}
		fmt.Fprintf(&got, " Next=%d\n", tree.Next(n))
	}
	if got.String() != want.String() {
		t.Errorf("the tree is\n%s\nthe documentation says\n%s", got.String(), want.String())
	}
}
