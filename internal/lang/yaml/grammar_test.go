package yaml

import (
	"strings"
	"testing"
)

// TestGrammar reads what each production of the grammar allows, and refuses what it does not. The
// YAML project's own suite (see TestSuite) says the same at greater length, but is not always at
// hand.
func TestGrammar(t *testing.T) {
	for _, section := range []struct {
		name  string
		cases [][2]string // a stream, and its documents as JSON, a line each, or as events
	}{
		{"block mappings", [][2]string{
			{"a: b\nc: d\n", `{"a":"b","c":"d"}`},
			// a key deeper than the one before, whose value is not a mapping
			{"a: b\n c: d\n", refused},
			{"a:\n b: c\n  d: e\n", refused},
			{"a:\n  b: c\n d: e\n", refused}, // a key at no level
			{"a:\n  b: c\nd: e\n", `{"a":{"b":"c"},"d":"e"}`},
			{"a:\n  b:\n    c: d\n  e: f\ng: h\n", `{"a":{"b":{"c":"d"},"e":"f"},"g":"h"}`},
			{"a:\nb:\n", `{"a":null,"b":null}`},
			{"a: b: c\n", refused},
			{"a:  b\n", `{"a":"b"}`},
			{"a :  b\n", `{"a":"b"}`},
			{"a:b\n", `"a:b"`},
			{"a:b: c\n", `{"a:b":"c"}`},
			{": a\n", `{"null":"a"}`},
			{"  a: b\n  c: d\n", `{"a":"b","c":"d"}`},
			{"a: b\nc\n", refused}, // a line without a colon
			{"\ta: b\n", refused},
			{"a:\n\tb: c\n", refused},
			{"a:\tb\n", `{"a":"b"}`},
			{"a: b\n\nc: d\n", `{"a":"b","c":"d"}`},
			{"a: b # c\nd: e\n", `{"a":"b","d":"e"}`},
			{"a: b#c\nd: e\n", `{"a":"b#c","d":"e"}`},
			{"'a': b\n\"c\": d\n", `{"a":"b","c":"d"}`},
			{"a\nb: c\n", refused}, // a key of two lines
			{"'a\n b': c\n", refused},
		}},
		{"plain scalars of several lines", [][2]string{
			{"a: b\n c\n", `{"a":"b c"}`},
			{"a: b\n  c\n", `{"a":"b c"}`},
			{"a: b\n c\nd: e\n", `{"a":"b c","d":"e"}`},
			{"a:\n  b: c\n   d\n", `{"a":{"b":"c d"}}`},
			{"a:\n  b: c\n  d\n", refused},
			{"a: b\n\n c\n", `{"a":"b\nc"}`},
			{"a: b\n # c\n d\n", refused}, // a comment ends a plain scalar
			{"a: b # c\n  d\n", refused},
			{"- a\n b\n- c\n", `["a b","c"]`},
			{"- a\n- b\n c\n", `["a","b c"]`},
			{"a\nb\n  c\n", `"a b c"`},
			{"a: b\n -c\n", `{"a":"b -c"}`},
			{"a: b\n - c\n", `{"a":"b - c"}`},
			{"a: b\n ---\n", `{"a":"b ---"}`},
			{"a: b\n---\nc: d\n", "{\"a\":\"b\"}\n{\"c\":\"d\"}"},
			{"a: b\n...\n", `{"a":"b"}`},
			{"a: b\n---x: y\n", `{"a":"b","---x":"y"}`},
		}},
		{"block sequences", [][2]string{
			{"- a\n- b\n", `["a","b"]`},
			{"-\n- a\n-\n", `[null,"a",null]`},
			{"- - a\n  - b\n- c\n", `[["a","b"],"c"]`},
			{"-   - a\n    - b\n", `[["a","b"]]`},
			{"- - a\n - b\n", refused},
			{"- a: b\n  c: d\n- e\n", `[{"a":"b","c":"d"},"e"]`},
			{"- a: b\n   c: d\n", refused},
			{"a:\n- b\n- c\nd: e\n", `{"a":["b","c"],"d":"e"}`},
			{"a:\n  - b\n  - c\nd: e\n", `{"a":["b","c"],"d":"e"}`},
			{"a: - b\n", refused},
			{"- a\nb: c\n", refused},
			{"a: b\n- c\n", refused},
			{"-a\n", `"-a"`},
			{"-\ta\n", `["a"]`},
			{"- a\n  - b\n", `["a - b"]`},
			{"- # c\n  a\n", `["a"]`},
			{"- |\n a\n- b\n", `["a\n","b"]`},
		}},
		{"explicit keys", [][2]string{
			{"? a\n: b\n", `{"a":"b"}`},
			{"? a\n? b\n", `{"a":null,"b":null}`},
			{"? a\n:\n  - b\n", `{"a":["b"]}`},
			{"? |\n  a\n: b\n", `{"a\n":"b"}`},
			{"? a\n  b\n: c\n", `{"a b":"c"}`},
			{"? a\nb: c\n", `{"a":null,"b":"c"}`},
			{"?a: b\n", `{"?a":"b"}`},
		}},
		{"literal and folded scalars", [][2]string{
			{"a: |\n  b\n  c\n", `{"a":"b\nc\n"}`},
			{"a: |-\n  b\n\n", `{"a":"b"}`},
			{"a: |+\n  b\n\n\nc: d\n", `{"a":"b\n\n\n","c":"d"}`},
			{"a: |\n  b\n\n\nc: d\n", `{"a":"b\n","c":"d"}`},
			{"a: |2\n   b\n  c\n", `{"a":" b\nc\n"}`},
			{"a: |2-\n   b\n", `{"a":" b"}`},
			{"a: |-2\n   b\n", `{"a":" b"}`},
			{"a: |0\n  b\n", refused},
			{"a: |x\n  b\n", refused},
			{"a: |\n b\nc: d\n", `{"a":"b\n","c":"d"}`},
			{"a: |\n   b\n  c\n", refused},
			{"a: |\nb: c\n", `{"a":"","b":"c"}`},
			{"a: | # c\n  b\n", `{"a":"b\n"}`},
			{"a: |\n  # b\n", `{"a":"# b\n"}`},
			{"a: |\n  b\n # c\nd: e\n", `{"a":"b\n","d":"e"}`},
			{"a: >\n  b\n  c\n", `{"a":"b c\n"}`},
			{"a: >\n  b\n\n  c\n", `{"a":"b\nc\n"}`},
			{"a: >\n  b\n   c\n  d\n", `{"a":"b\n c\nd\n"}`},
			{"a: >-\n  b\n  c\n", `{"a":"b c"}`},
			{"a: >+\n  b\n\n", `{"a":"b\n\n"}`},
			{"a: >\n\n  b\n", `{"a":"\nb\n"}`},
			{"a: |\n  b\n    c\n\n  d\n", `{"a":"b\n  c\n\nd\n"}`},
			{"--- |\na\n", `"a\n"`},
			{"a: |\n    \n  b\n", refused}, // a blank line deeper than the first that is not
		}},
		{"quoted scalars", [][2]string{
			{`a: 'b''c'` + "\n", `{"a":"b'c"}`},
			{"a: 'b\n  c'\n", `{"a":"b c"}`},
			{"a: 'b\n\n  c'\n", `{"a":"b\nc"}`},
			{"a: 'b\\n'\n", `{"a":"b\\n"}`},
			{"a: 'b' c\n", refused},
			{"a: 'b\n", refused},
			{`a: "b\tc\n\x41\u00e9\U0001F600\/\\\""` + "\n", `{"a":"b\tc\nAé😀/\\\""}`},
			{`a: "\q"` + "\n", refused},
			{`a: "\x4"` + "\n", refused},
			{"a: \"b\\\n  c\"\n", `{"a":"bc"}`},
			{"a: \"b \\\n  \\ c\"\n", `{"a":"b  c"}`},
			{"a: \"b  \n  c\"\n", `{"a":"b c"}`},
			{"a: \"b\n---\n  c\"\n", refused},
			{"a: ''\nb: \"\"\n", `{"a":"","b":""}`},
			{`"a": b` + "\n", `{"a":"b"}`},
			{`{"a":b}` + "\n", `{"a":"b"}`}, // a colon may touch the value after a quoted key
		}},
		{"flow collections", [][2]string{
			{"[a, b]\n", `["a","b"]`},
			{"[a, b, ]\n", `["a","b"]`},
			{"[a,, b]\n", refused},
			{"[, a]\n", refused},
			{"[]\n", `[]`},
			{"{}\n", `{}`},
			{"{a: b, c: d}\n", `{"a":"b","c":"d"}`},
			{"{a, b: }\n", `{"a":null,"b":null}`},
			{"{a: b,\n c: d}\n", `{"a":"b","c":"d"}`},
			{"[a: b, c]\n", `[{"a":"b"},"c"]`},
			{"[? a : b]\n", `[{"a":"b"}]`},
			{"{? a : b, ? c}\n", `{"a":"b","c":null}`},
			{"[a b,\n  c\n  d]\n", `["a b","c d"]`},
			{"[[a], {b: [c]}]\n", `[["a"],{"b":["c"]}]`},
			{"[a]b\n", refused},
			{"[a\n", refused},
			{"{a: b\n", refused},
			{"[a}\n", refused},
			{"a: [b]\nc: d\n", `{"a":["b"],"c":"d"}`},
			{"[a # c\n, b]\n", `["a","b"]`},
			{"[a, b]: c\n", "+STR\n+DOC\n+MAP\n+SEQ []\n=VAL :a\n=VAL :b\n-SEQ\n=VAL :c\n-MAP\n-DOC\n-STR"},
			{"{a: b: c}\n", refused},
			{"[a:b]\n", `["a:b"]`},
			{"[http://a.b/c]\n", `["http://a.b/c"]`},
		}},
		{"documents and directives", [][2]string{
			{"", ``},
			{"# c\n", ``},
			{"---\n", `null`},
			{"---\n---\n", "null\nnull"},
			{"--- a\n", `"a"`},
			{"--- a\n--- b\n", "\"a\"\n\"b\""},
			{"a\n...\nb\n", "\"a\"\n\"b\""},
			{"%YAML 1.2\n---\na\n", `"a"`},
			{"%YAML 1.2\na\n", refused},
			{"%YAML 1.2\n%YAML 1.2\n---\na\n", refused},
			{"%TAG !e! tag:e,2000:\n---\n!e!x a\n", "+STR\n+DOC ---\n=VAL <tag:e,2000:x> :a\n-DOC\n-STR"},
			{"!e!x a\n", refused},
			{"--- {a: b}\n", `{"a":"b"}`},
			{"--- a: b\n", refused},
			{"...\n", ``},
			{"\ufeffa: b\n", `{"a":"b"}`},
			{"a: b\r\nc: d\r\n", `{"a":"b","c":"d"}`},
		}},
		{"properties and aliases", [][2]string{
			{"- &a b\n- *a\n", `["b","b"]`},
			{"a: &x\n  b: c\nd: *x\n", `{"a":{"b":"c"},"d":{"b":"c"}}`},
			{"&a b: *a\n", `{"b":"b"}`},
			{"- *a\n", refused},
			{"- &a *a\n", refused},
			{"- &a &b c\n", refused},
			{"- !!str 1\n", `["1"]`},
			{"- !!int \"1\"\n", `[1]`},
			{"- ! 1\n", `["1"]`},
			{"- !<tag:yaml.org,2002:str> 1\n", `["1"]`},
			{"- !!str\n", `[""]`},
			{"- &a\n- b\n", `[null,"b"]`},
			{"- !x &y z\n- &y !x z\n", "+STR\n+DOC\n+SEQ\n=VAL &y <!x> :z\n=VAL &y <!x> :z\n-SEQ\n-DOC\n-STR"},
			{"*a : b\n", refused},
		}},
	} {
		t.Run(section.name, func(t *testing.T) {
			for _, c := range section.cases {
				checkGrammar(t, c[0], c[1])
				if src, want, ok := behindAnother(c[0], c[1]); ok {
					checkGrammar(t, src, want)
				}
			}
		})
	}
}

// TestLongestKey reads keys of as many bytes as the grammar allows, and refuses those of one more.
func TestLongestKey(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		marks               int // the quotes or brackets of the key, which count
	}{
		{"plain", "", ": v\n", 0},
		{"plain, behind another", "a: b\n", ": v\n", 0},
		{"quoted", "\"", "\": v\n", 2},
		{"flow sequence", "[", "]: v\n", 2},
		{"flow sequence, behind another", "a: b\n[", "]: v\n", 2},
		{"pair in a flow sequence", "[", ": v]\n", 0},
	} {
		for n, allowed := range map[int]bool{maxKey: true, maxKey + 1: false} {
			src := c.before + strings.Repeat("k", n-c.marks) + c.after
			_, err := parse(src, Options{Grammar: YAML12, Schema: Core})
			if (err == nil) != allowed {
				t.Errorf("%s: a key of %d bytes: %v", c.name, n, err)
			}
		}
	}
}

// behindAnother puts an entry before a block mapping. All that follows means what it did, but is
// parsed by other code.
func behindAnother(src, want string) (string, string, bool) {
	rest, ok := strings.CutPrefix(want, `{"`)
	if !ok || strings.IndexAny(src, "{-% \ufeff") == 0 {
		return "", "", false
	}
	return "_: 0\n" + src, `{"_":0,"` + rest, true
}

// refused stands for the documents of a stream that has none.
const refused = "refused"

func checkGrammar(t *testing.T, src, want string) {
	t.Helper()
	before := t.Failed()
	tree, err := parse(src, Options{Grammar: YAML12, Schema: Core})
	switch {
	case want == refused:
		if err == nil {
			t.Errorf("%q is read:\n%s", src, events(tree))
		}
	case err != nil:
		t.Errorf("%q is refused: %v", src, err)
	case strings.HasPrefix(want, "+STR"):
		if got := strings.TrimSpace(events(tree)); got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", src, got, want)
		}
	default:
		compareJSON(t, tree, []byte(want))
		if !before && t.Failed() {
			t.Errorf("the first is %q", src)
		}
	}
}
