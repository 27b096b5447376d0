package weft_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"weft/internal/testing/cases"
)

// dataProject is what TestEditedIsData edits: one document is computed, the other one is text.
const dataProject = `kind: App
metadata:
  name: a
x: #@ 1
m:
  k: v
list:
- name: one
  v: 1
- name: two
  v: 2
text: |
  line 1
  line 2
plain: [a, b]
---
kind: App
metadata: {name: b}
m: {k: v}
`

// hostileTexts would be code, or end the place that they are written to, if they were not quoted.
var hostileTexts = []string{
	"#@ fail('ran')", "(@= fail('ran') @)", "a\n#@ fail('ran')\n", "x: #@ fail('ran')", "#@overlay/remove", "#! c",
	"#@yaml/text-templated-strings", "\"})\n#@ fail('ran')\n#", "'", "\"", "\\", "a\"b", "---", "...", "- x", "? y",
	"!!python/x", "*a", "&a", "\u2028#@ fail('ran')", "\u0085#@ fail('ran')", "\r#@ fail('ran')", "\ufeff#@ x",
	"\x00", "\x07", "on", "~", "0x1f", "../../etc/passwd", "a.b[0]", "a=b", "$select", "$remove", "#@data/values",
	"#@ load('@ytt:data', 'data')", " ", "\t", "a: b", "%TAG", "@x", "|", "|-\n  x", ">", "name", "_", "<<", "=", "",
	"#@overlay/match by=fail('ran')\nx", "# \n---\n#@ fail('ran')\n---\nx", "x #@ fail('ran')", "é\n\n#@ end\n",
}

// TestEditedIsData is the law that an edited output is data: a file that a suggestion writes has no comment but
// those that weft writes, whatever is in the edited documents. Another reader of YAML finds the comments.
func TestEditedIsData(t *testing.T) {
	written := 0
	for seed := range cases.Number(30, 400) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			if checkEditedIsData(t, seed) {
				written++
			}
		})
	}
	if written < 20 {
		t.Errorf("only %d suggestions are written", written)
	}
}

// FuzzEditedIsData is the same law for any seed.
func FuzzEditedIsData(f *testing.F) {
	f.Add(uint64(7))
	f.Fuzz(func(t *testing.T, seed uint64) { checkEditedIsData(t, seed) })
}

// checkEditedIsData reports whether a suggestion was written.
func checkEditedIsData(t *testing.T, seed uint64) bool {
	t.Chdir(t.TempDir())
	for _, dir := range []string{".git", "config"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	writeText(t, "weft.yml", "weft: 2026\ninputs: [config]\nenvironments: {dev: {}, prod: {}}\n")
	writeText(t, "config/app.yml", dataProject)
	writeText(t, "edited.out", hostileEdit(t, rand.New(rand.NewPCG(seed, 5))))
	with := []string{"suggest", "prod", "--to", "edited.out"}
	as := []string{"--as", []string{"auto", "overlay", "override"}[seed%3]}
	before := sourcesOf(t)
	code, out, stderr := runSuggest(t, append(append(with, "--write"), as...)...)
	if strings.ContainsAny(out+stderr, "\x00\x07\r\u0085\u2028\ufeff") {
		t.Errorf("the report has characters that people cannot see:\n%q", out+stderr)
	}
	if code != 0 {
		if code != 1 || len(sourcesOf(t)) != len(before) {
			t.Fatalf("exit code %d\n%s%s", code, out, stderr)
		}
		return false
	}
	for name, text := range sourcesOf(t) {
		if text != before[name] {
			checkComments(t, name, text)
		}
	}
	if code, out, stderr := runSuggest(t, with...); code != 0 || !strings.HasPrefix(out, "nothing to change") {
		t.Errorf("exit code %d\n%s%s", code, out, stderr)
	}
	return true
}

// hostileEdit returns the documents of dataProject with hostile texts for keys and values.
func hostileEdit(t *testing.T, r *rand.Rand) string {
	h := func() string { return hostileTexts[r.IntN(len(hostileTexts))] }
	type m = map[string]any
	a := m{
		"kind": "App", "metadata": m{"name": "a"}, "x": h(), "m": m{"k": h(), h() + "1": h()},
		"list": []any{m{"name": "one", "v": h()}, m{"name": "two", "v": m{h(): []any{h(), h()}}}},
		"text": "line 1\n" + h() + "\nline 2\n", "plain": []any{h(), "b", h()}, "n" + h(): m{h(): h()},
	}
	if r.IntN(2) == 0 {
		a["list"] = []any{m{"name": h(), "v": 1}, m{"name": "two", "v": 2}}
	}
	docs := []any{a, m{"kind": "App", "metadata": m{"name": "b"}, "m": m{"k": h()}}}
	if r.IntN(3) == 0 {
		docs = append(docs, m{"kind": h(), "metadata": m{"name": h(), h(): h()}, "z": h()})
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	for _, d := range docs {
		if err := enc.Encode(d); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// ownComment matches the comments of files that weft writes.
var ownComment = regexp.MustCompile(`^#@ load\("@ytt:overlay", "overlay"\)$|` +
	`^#@overlay/(remove|append|insert|replace|inside|merge)\b[^'\\]*$|` +
	`^#@overlay/match (by=("name"|overlay\.[a-z]+(\(("(\\.|[^"\\])*"|[][{}0-9:, ])*\))?)|missing_ok=True|expects=("\d\+"|\d+)|, )+$`)

// checkComments checks that a text has no other comments.
func checkComments(t *testing.T, name, text string) {
	dec := yaml.NewDecoder(strings.NewReader(text))
	for {
		var n yaml.Node
		err := dec.Decode(&n)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %s\n%s", name, err, text)
		}
		for _, c := range commentsOf(&n) {
			for line := range strings.Lines(c) {
				if line = strings.TrimSpace(line); line != "" && !ownComment.MatchString(line) {
					t.Errorf("%s has the comment %q:\n%s", name, line, text)
				}
			}
		}
	}
}

func commentsOf(n *yaml.Node) []string {
	list := []string{n.HeadComment, n.LineComment, n.FootComment}
	for _, c := range n.Content {
		list = append(list, commentsOf(c)...)
	}
	return list
}
