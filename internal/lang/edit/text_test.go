package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"weft/internal/engine/override"
	"weft/internal/lang/edit"
	"weft/internal/testing/yamltest"
)

// TestText has what edits must leave alone, where testscripts cannot show it: line breaks, marks,
// the end of the file.
func TestText(t *testing.T) {
	for _, c := range []struct{ name, base, over, want string }{
		{"no line break at the end", "a: 1\nb: 2", "{b: 3, c: 4}", "a: 1\nb: 3\nc: 4"},
		{"the last entry goes", "a: 1\nb: 2", "{b: ~}", "a: 1\n"},
		{"carriage returns", "a: 1\r\nl:\r\n  - x\r\n", "{a: 2, l: [x, z], m: {n: 1}}", "a: 2\r\nl:\r\n  - x\r\n  - z\r\nm:\r\n  n: 1\r\n"},
		{"carriage returns alone", "a: 1\rb: 2\r", "{b: 3}", "a: 1\rb: 3\r"},
		{"a byte order mark", "\ufeffa: 1\nb: 2\n", "{a: ~}", "\ufeffb: 2\n"},
		{"a byte order mark before what is inserted", "\ufeffa: 1\n", "{b: 2}", "\ufeffa: 1\nb: 2\n"},
		{"blank lines on both sides of what goes", "a: 1\n\nb: 2\n\nc: 3\n", "{b: ~}", "a: 1\n\nc: 3\n"},
		{"blank lines before the last entry", "a: 1\n\n\nb: 2\n", "{b: ~}", "a: 1\n"},
		{"a comment of the file above its first entry", "# licence\na: 1\nb: 2\n", "{a: ~}", "# licence\nb: 2\n"},
		{"comments inside what goes", "a:\n  # one\n  b: 1 # two\n  # three\nc: 2\n", "{a: ~}", "c: 2\n"},
		{"a comment that is indented less", "a:\n  b: 1\n# about c\nc: 2\n", "{a: {b: ~}}", "a: {}\n# about c\nc: 2\n"},
		{"document markers", "%YAML 1.1\n--- # one\na: 1\n...\n---\na: 2\n", "{a: 3}", "%YAML 1.1\n--- # one\na: 3\n...\n---\na: 3\n"},
		{"a document behind its marker", "--- {a: 1}\n", "{b: {c: [1]}}", "--- {a: 1, b: {c: [1]}}\n"},
		{"a null without a text", "a:\nb: 1\n", "{a: x}", "a: x\nb: 1\n"},
		{"a null with a comment", "a: # c\nb: 1\n", "{a: {x: 1}}", "a: # c\n  x: 1\nb: 1\n"},
		{"an item without a text", "l:\n  -\n  - x\n", "{l: [{a: 1, b: 2}, x]}", "l:\n  - a: 1\n    b: 2\n  - x\n"},
		{"an item before one with comments", "l:\n# about a\n# more\n- a\n- b\n", "{l: [x, a, b]}", "l:\n- x\n# about a\n# more\n- a\n- b\n"},
		{"items before one with a comment", "m:\n  l: # all\n    # about a\n    - a # c\n", "{m: {l: [x, y, a]}}", "m:\n  l: # all\n    - x\n    - y\n    # about a\n    - a # c\n"},
		{"an item before one that stays", "l:\n- a\n# about b\n- b\n", "{l: [{x: 1}, {y: 2}, b]}", "l:\n- x: 1\n- y: 2\n# about b\n- b\n"},
		{"an item with a comment", "l:\n  - x # c\n", "{l: [{a: 1}]}", "l:\n  - a: 1\n"},
		{"lists of lists", "l:\n  - - a\n    - b\n", "{l: [[a, c]]}", "l:\n  - - a\n    - c\n"},
		{"a block scalar in the place of a scalar", "a: x # c\nb: 1\n", "a: |\n  one\n  two\n", "a: | # c\n  one\n  two\nb: 1\n"},
		{"blank lines that belong to a block", "a: |+\n  x\n\nb: 1\n", "{c: 2}", "a: |+\n  x\n\nb: 1\nc: 2\n"},
		{"blank lines that would come to belong to a block", "a: |+\n  x\nb: 1\n\nc: 2\n", "{b: ~}", "a: |+\n  x\nc: 2\n"},
		{"a merge key with everything overridden", "x: &x {a: 1}\nz:\n  <<: *x\n", "{z: {a: 2}}", "x: &x {a: 1}\nz:\n  <<: *x\n  a: 2\n"},
		{"a pair in a list", "l: [a: 1]\n", "{l: [{name: x}]}", "l: [{name: x}]\n"},
		{"a key alone in brackets", "m: {a, b}\n", "{m: {a: 1}}", "m: {a: 1, b}\n"},
		{"quotes stay", "a: 'x'\n\"b\": \"z\"\n", "{a: 'w', b: v}", "a: 'w'\n\"b\": v\n"},
		{"a tab at the end", "a: x\nb: y\n \t", "{c: 1}", "a: x\nb: y\nc: 1\n"},
		{"a tab behind the last value", "a: x\nb: y\n \t", "{b: {c: 1}}", "a: x\nb:\n  c: 1\n"},
		{"a tab at the end of what stays", "a: x\nb: y\n \t", "{a: 1}", "a: 1\nb: y\n \t"},
		{"entries of two mappings at the end", "# c\na:\n  b: |2+\n    x", "{a: {c: 1}, d: 2}", "# c\na:\n  b: |2-\n    x\n  c: 1\nd: 2"},
		{"escapes that only JSON has", "a: 1\nl: [x]\n", `{"a": "http:\/\/x", "l": ["\ud83d\ude00"]}`, "a: \"http://x\"\nl: [\"\\U0001F600\"]\n"},
		{"escapes that only JSON has, in JSON", `{"a": 1}`, `{"a": "http:\/\/x \ud83d\ude00"}`, `{"a": "http:\/\/x \ud83d\ude00"}`},
		{"line breaks of YAML 1.1", "a: 1\n", "{\"a\": \"x\u0085y\u2028z\"}", "a: \"x\\Ny\\Lz\"\n"},
		{"a tab behind a value that lines take the place of", "? a\n: 'x'\t\n", "{a: {b: 1}}", "? a\n:\n  b: 1\n"},
		{"blanks behind a value that lines take the place of", "a: x  \nc: 1\n", "{a: {b: 1}}", "a:\n  b: 1\nc: 1\n"},
		{"a comment behind a key that is a block of blank lines", "? >+ # c\n\n", "{k: 5}", "? >+ # c\n\nk: 5\n"},
		{"a new key behind a block of blank lines without a value", "a: 1\n? |+\n\n\n# c\n", "{k: 5}", "a: 1\n? |+\n\n\nk: 5\n# c\n"},
		{
			"new keys among keys that stand twice", "m:\n  a: 1\n  b: 2\n  a: 3\n  c: 4\n", "{m: {$replace: true, z: 0, a: 7, q: 1, b: 2, c: 9, d: 5}}",
			"m:\n  z: 0\n  a: 1\n  q: 1\n  b: 2\n  a: 7\n  c: 9\n  d: 5\n",
		},
		{"a new key behind keys that stand twice", "a: 1\nb: 2\na: 3\n", "{z: 5}", "a: 1\nb: 2\na: 3\nz: 5\n"},
		{"a question mark inside brackets", "l: [a]\n", "l: [http://x/y?z]", "l: [\"http://x/y?z\"]\n"},
		{"a colon at the beginning inside brackets", "l: [a]\n", "l: [':x', b]\nm: :x", "l: [':x', b]\nm: :x\n"},
		{"a colon at the beginning of a plain text inside brackets", "l: [a]\n", "l:\n- :x\n", "l: [\":x\"]\n"},
		{"a text of several lines inside brackets", "l: [a]\n", "l:\n- |\n  <a> & b\n  c\n", "l: [\"<a> & b\\nc\\n\"]\n"},
		{"a long list in brackets", "l: [a]\n", "{l: [" + strings.Repeat("a long item, ", 9) + "end]}", "l:\n" + strings.Repeat("- a long item\n", 9) + "- end\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := yamltest.Read(t, c.base)
			got, docs, err := apply(s, c.over)
			if err != nil {
				t.Fatal(err)
			}
			again := yamltest.Read(t, got)
			if got, want := yamltest.Said(again.Docs[0].Value), yamltest.Said(docs[0].Value); got != want {
				t.Errorf("it reads as %s, want %s", got, want)
			}
			if got, want := override.Brief(again.Docs[0].Value, 1000), override.Brief(docs[0].Value, 1000); got != want {
				t.Errorf("it reads in the order of %s, want %s", got, want)
			}
			if got != c.want {
				t.Errorf("got:\n%q\nwant:\n%q", got, c.want)
			}
		})
	}
}

// Checking an edit of a long document parses the lines around the edit, not the whole document.
func TestCheckReadsExcerpts(t *testing.T) {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "k%d:\n  name: app-%d\n  list:\n    - name: a\n      port: %d\n    - name: b\n", i, i, i)
	}
	for name, over := range map[string]string{
		"a scalar is changed":   "{k50: {name: other}}",
		"an entry is added":     "{k50: {more: 1}}",
		"the last entry":        "{k99: {more: 1}}",
		"an entry goes":         "{k50: {name: ~}}",
		"an item is changed":    "{k50: {list: [{name: a, port: 9}]}}",
		"an item is added":      "{k50: {list: [{name: c}]}}",
		"a key at the end":      "{end: 1}",
		"the first key":         "{k0: {name: other}}",
		"two places":            "{k10: {name: x}, k90: {name: y}}",
		"a whole entry goes":    "{k50: ~}",
		"two neighbors changed": "{k50: {name: x}, k51: {name: y}}",
	} {
		t.Run(name, func(t *testing.T) {
			s := yamltest.Read(t, text.String())
			_, docs, err := apply(s, over)
			if err != nil {
				t.Fatal(err)
			}
			n, err := edit.CheckedBytes(s.Tree, docs[0].Value)
			if err != nil || n > text.Len()/10 {
				t.Errorf("%d of %d bytes are parsed, error %v", n, text.Len(), err)
			}
		})
	}
}
