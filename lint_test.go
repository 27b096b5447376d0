package weft

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"weft/internal/check/lint"
)

// lintPage is the page about a rule.
type lintPage struct{ bad, good, fixed string }

var pageBlock = regexp.MustCompile("(?s)## (Bad|Good|Fixed)[^\n]*\n\n```yaml\n(.*?)```")

func readLintPage(t *testing.T, code string) (p lintPage) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("docs", "lint", filepath.FromSlash(code)+".md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range pageBlock.FindAllSubmatch(text, -1) {
		switch string(m[1]) {
		case "Bad":
			p.bad = string(m[2])
		case "Good":
			p.good = string(m[2])
		case "Fixed":
			p.fixed = string(m[2])
		}
	}
	if p.bad == "" || p.good == "" {
		t.Fatalf("the page of %s lacks an example", code)
	}
	return p
}

// lintExample is an example of a page with what it needs to be rendered.
func lintExample(code, text string) []Options {
	files := []File{{Path: "example.yml", Data: []byte(text)}}
	add := func(path, text string) { files = append(files, File{Path: path, Data: []byte(text)}) }
	const schema = "#@data/values-schema\n---\nname: web\n#@schema/type any=True\napp: {}\n\"n\": 1\n\"on\": true\n"
	switch {
	case strings.Contains(text, "values-schema"):
		add("app.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ [getattr(data.values, k) for k in dir(data.values)]\n")
	case strings.Contains(text, "#@data/values"):
		add("app.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.name\n")
		if code != "values/unread" && code != "values/no-schema" {
			add("schema.yml", schema)
		}
	case strings.Contains(text, "data.values"):
		add("schema.yml", schema)
	case strings.Contains(text, "names.star"):
		add("names.star", "a = \"1\"\nb = \"2\"\n")
	}
	opts := Options{Files: files}
	if strings.HasPrefix(code, "kubernetes/") {
		opts.Validate = Validation{Kubernetes: "1.31", Schemas: []string{"testdata/kubernetes"}}
	}
	opts.IgnoreUnknownComments = code == "template/unknown-comment" || code == "template/almost-annotation"
	other := opts
	if code == "values/shadowed" {
		opts.DataValues.KV, other.DataValues.KV = []string{"name=x"}, []string{"name=y"}
	}
	return []Options{opts, other}
}

// findingsOf are what a rule finds in an example.
func findingsOf(t *testing.T, code string, envs []Options) []Finding {
	t.Helper()
	made, err := Lint(context.Background(), envs, LintOptions{All: true, Rules: []string{code + "=error"}})
	if err != nil {
		t.Fatal(err)
	}
	var list []Finding
	for _, f := range made.Findings() {
		if f.Code == code && strings.HasPrefix(f.File, "example.yml") {
			list = append(list, f)
		} else if f.Severity == SeverityError && f.Code != code {
			t.Errorf("the example of %s has an error: %s %s", code, f.Code, f.Message)
		}
	}
	return list
}

// TestLintPages checks the examples of each rule: the bad one is found, the good one is not, and
// the fix gives what the page says.
func TestLintPages(t *testing.T) {
	for _, rule := range lint.Rules() {
		r := struct{ Code, Fix string }{string(rule.Code), rule.Fix.String()}
		t.Run(r.Code, func(t *testing.T) {
			t.Parallel()
			p := readLintPage(t, r.Code)
			list := findingsOf(t, r.Code, lintExample(r.Code, p.bad))
			if len(list) == 0 {
				t.Fatalf("nothing is found in the bad example")
			}
			if again := findingsOf(t, r.Code, lintExample(r.Code, p.good)); len(again) > 0 {
				t.Errorf("the good example: %s", again[0].Message)
			}
			if (p.fixed != "") != (r.Fix != "no" && list[0].Fix != nil) {
				t.Errorf("the page has a fixed example: %v, but the fix is %+v (%s)", p.fixed != "", list[0].Fix, r.Fix)
			}
			if p.fixed == "" {
				return
			}
			if got := applyEdits([]byte(p.bad), list[0].Fix.Edits); string(got) != p.fixed {
				t.Errorf("fixed:\n%s\nwant:\n%s", got, p.fixed)
			}
		})
	}
}

// applyEdits makes edits of one file.
func applyEdits(text []byte, edits []Edit) []byte {
	var out bytes.Buffer
	at := 0
	for len(edits) > 0 {
		first := 0
		for i, e := range edits {
			if e.Start.Byte < edits[first].Start.Byte {
				first = i
			}
		}
		e := edits[first]
		edits = append(append([]Edit(nil), edits[:first]...), edits[first+1:]...)
		out.Write(text[at:e.Start.Byte])
		out.WriteString(e.Text)
		at = e.End.Byte
	}
	out.Write(text[at:])
	return out.Bytes()
}

// TestLintCodeInPlainFile finds code in a string of a file without annotations, and follows the hint.
func TestLintCodeInPlainFile(t *testing.T) {
	const code = "template/other-syntax"
	list := findingsOf(t, code, lintExample(code, "a: (@= 1 + 1 @)\n"))
	if len(list) != 1 || !strings.Contains(list[0].Hint, "#@yaml/text-templated-strings") {
		t.Fatalf("found %+v", list)
	}
	fixed := "#@yaml/text-templated-strings\na: (@= str(1 + 1) @)\n"
	if list := findingsOf(t, code, lintExample(code, fixed)); len(list) > 0 {
		t.Errorf("with the hint followed: %s", list[0].Message)
	}
}
