package weft_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"weft/internal/serve/cli"
	"weft/internal/testing/cases"
)

// TestSuggest is the law of suggestions: written, a suggestion makes the environment render what was edited,
// and others what is said about them; what was not edited needs no suggestion; and two runs say the same. The
// files are written and rendered again from disk, and compared by another reader of YAML.
func TestSuggest(t *testing.T) {
	found, all := 0, 0
	for seed := range cases.Number(12, 100) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			if checkSuggest(t, seed) {
				found++
			}
			all++
		})
	}
	t.Logf("%d of %d edits have a suggestion", found, all)
	if found*10 < all*8 { // most of the others have documents that nothing but their position tells apart
		t.Errorf("only %d of %d edits have a suggestion", found, all)
	}
}

// FuzzSuggest is the same law for any seed.
func FuzzSuggest(f *testing.F) {
	f.Add(uint64(26))
	f.Add(uint64(229)) // the first suggestion found changes an environment that another one does not change
	f.Fuzz(func(t *testing.T, seed uint64) { checkSuggest(t, seed) })
}

// checkSuggest edits the output of a random project, and reports whether there was a suggestion.
func checkSuggest(t *testing.T, seed uint64) bool {
	r := rand.New(rand.NewPCG(seed, 33))
	envs, dir := []string{"dev", "staging", "prod"}, t.TempDir()
	var others []string // environments that no overlay can be for alone
	if seed%3 == 0 {
		if err := os.CopyFS(dir, os.DirFS("examples/vendor")); err != nil {
			t.Fatal(err)
		}
		t.Chdir(dir)
	} else {
		p := generateProject(r)
		addSuggestible(p)
		t.Chdir(dir)
		p.write(t)
		envs, others = p.names, p.each
	}
	if err := os.Mkdir(".git", 0o755); err != nil {
		t.Fatal(err)
	}
	before := map[string]string{}
	for _, env := range slices.Concat(envs, others) {
		before[env] = environmentOf(t, env)
	}
	env := envs[r.IntN(len(envs))]
	if before[env] == "" {
		return true // it does not render
	}
	docs := documentsOf(t, before[env])
	checkUnedited(t, env, before[env])
	e := randomEditor{r}
	for range 1 + r.IntN(5) {
		docs = e.documents(docs)
	}
	var edited bytes.Buffer
	enc := yaml.NewEncoder(&edited)
	for _, d := range docs {
		if err := enc.Encode(d); err != nil {
			t.Fatal(err)
		}
	}
	writeText(t, "edited.out", edited.String())
	return checkWritten(t, env, before, docs)
}

// addSuggestible adds what suggestions have rules for: a list that is handed on, one that a loop
// makes, lists with equal items, with and without names, texts that contain YAML and JSON, and a
// file without code.
func addSuggestible(p *generated) {
	p.files["config/schema.yml"] += "#@schema/default [\"a\", \"b\"]\nhosts: [\"\"]\ndeep: {tag: \"1.0\", on: true}\n"
	p.files["config/more.yml"] = `#@ load("@ytt:data", "data")
---
kind: Deployment
metadata: {name: web}
hosts: #@ data.values.hosts
image: #@ "example.com/web:" + data.values.deep.tag
on: #@ data.values.deep.on
containers:
#@ for host in data.values.hosts:
- name: #@ host
  image: #@ "web-" + host
  args: [--one, --two, --three, --four, --two]
#@ end
- name: last
  ports: [{containerPort: 80}, {containerPort: 81}, {containerPort: 82}]
rules:
- {verbs: [get], on: [pods]}
- {verbs: [list], on: [pods]}
- {verbs: [get], on: [jobs]}
data:
  a.yaml: |
    # text
    list:
    - name: a
      level: 1   # low
    - name: b
    last: 'x'
  b.json: "{\"a\": 1, \"b\": [1, 2], \"c\": {\"d\": true}}"
`
	p.files["config/plain.yml"] = `kind: Plain
metadata: {name: plain}
# what to do
steps:
- name: a   # first
- name: b
  run: [x, y]

- name: c
flow: [1, 2, 3]
`
}

// checkUnedited checks that nothing is suggested if nothing was edited.
func checkUnedited(t *testing.T, env, text string) {
	writeText(t, "same.out", text)
	if code, out, stderr := runSuggest(t, "suggest", env, "--to", "same.out"); code != 0 ||
		!strings.HasPrefix(out, "nothing to change") {
		t.Fatalf("without an edit: exit code %d\n%s%s", code, out, stderr)
	}
}

// checkWritten writes the suggestion, and checks what all environments render.
func checkWritten(t *testing.T, env string, before map[string]string, want []any) bool {
	sources := sourcesOf(t)
	code, first, stderr := runSuggest(t, "suggest", env, "--to", "edited.out", "-o", "json")
	again, second, _ := runSuggest(t, "suggest", env, "--to", "edited.out", "-o", "json")
	if code != again || first != second {
		t.Fatalf("two runs differ:\n%s", cmp.Diff(first, second))
	}
	if diff := cmp.Diff(sources, sourcesOf(t)); diff != "" {
		t.Fatalf("files changed without --write:\n%s", diff)
	}
	if code != 0 && code != 1 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	code, text, stderr := runSuggest(t, "suggest", env, "--to", "edited.out", "--write")
	if code != 0 {
		if diff := cmp.Diff(sources, sourcesOf(t)); diff != "" {
			t.Fatalf("files changed without a suggestion:\n%s", diff)
		}
		t.Logf("%s%s\n%s\n%s", text, stderr, cmp.Diff(sortedTexts(t, documentsOf(t, before[env])),
			sortedTexts(t, want)), sources["weft.yml"])
		return false
	}
	if diff := cmp.Diff(sortedTexts(t, want), sortedTexts(t, documentsOf(t, environmentOf(t, env)))); diff != "" {
		t.Fatalf("%s does not render what was edited:\n%s\n%s\n%s", env, diff, text, changedSince(t, sources))
	}
	var report struct {
		Suggestions []struct{ Same []string }
	}
	if err := json.Unmarshal([]byte(first), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Suggestions) == 0 {
		return true // the edits undid each other
	}
	for _, other := range report.Suggestions[0].Same {
		a, b := sortedTexts(t, documentsOf(t, before[other])), sortedTexts(t, documentsOf(t, environmentOf(t, other)))
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s changed, too:\n%s", other, diff)
		}
	}
	return true
}

func runSuggest(t *testing.T, args ...string) (code int, out, stderr string) {
	t.Helper()
	var stdout, messages bytes.Buffer
	code = cli.Main(args, strings.NewReader(""), &stdout, &messages)
	return code, stdout.String(), messages.String()
}

// environmentOf returns what an environment prints, or "" if it does not render.
func environmentOf(t *testing.T, env string) string {
	if code, out, _ := runSuggest(t, "render", env, "--keep", "none"); code == 0 {
		return out
	}
	return ""
}

func writeText(t *testing.T, name, text string) {
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// documentsOf returns documents as another reader of YAML reads them.
func documentsOf(t *testing.T, text string) (docs []any) {
	dec := yaml.NewDecoder(strings.NewReader(text))
	for {
		var v any
		err := dec.Decode(&v)
		if errors.Is(err, io.EOF) {
			return docs
		}
		if err != nil {
			t.Fatalf("%s\n%s", err, text)
		}
		docs = append(docs, v)
	}
}

// sortedTexts returns documents as texts, in an order that does not depend on theirs.
func sortedTexts(t *testing.T, docs []any) (texts []string) {
	for _, d := range docs {
		text, err := yaml.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if s := string(text); s != "{}\n" && s != "[]\n" && s != "null\n" {
			texts = append(texts, s)
		}
	}
	slices.Sort(texts)
	return texts
}

// sourcesOf returns the files of the current directory, except those of the test.
func sourcesOf(t *testing.T) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".out") {
			return err
		}
		data, err := os.ReadFile(name)
		all[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func changedSince(t *testing.T, sources map[string]string) string {
	var b strings.Builder
	for name, text := range sourcesOf(t) {
		if sources[name] != text {
			fmt.Fprintf(&b, "-- %s --\n%s", name, text)
		}
	}
	return b.String()
}

// randomEditor edits documents as people do: at random.
type randomEditor struct{ *rand.Rand }

// documents edits one of the documents, adds one, or removes one.
func (e randomEditor) documents(docs []any) []any {
	docs = slices.Clone(docs)
	switch n := e.IntN(12); {
	case n == 0 && len(docs) > 1:
		i := e.IntN(len(docs))
		return slices.Delete(docs, i, i+1)
	case n == 1 || len(docs) == 0:
		return append(docs, map[string]any{
			"kind": "Extra", "metadata": map[string]any{"name": fmt.Sprintf("x%d", e.IntN(3))}, "data": e.value(2),
		})
	}
	i := e.IntN(len(docs))
	docs[i] = e.edit(docs[i], 0)
	return docs
}

// edit changes something in a value.
func (e randomEditor) edit(v any, depth int) any {
	deeper := depth < 2 || e.IntN(4) > 0
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return map[string]any{"new": e.scalar()}
		}
		keys := slices.Sorted(func(yield func(string) bool) {
			for k := range v {
				if !yield(k) {
					return
				}
			}
		})
		copied := map[string]any{}
		for k, x := range v {
			copied[k] = x
		}
		key := keys[e.IntN(len(keys))]
		switch n := e.IntN(10); {
		case n == 0 && depth > 0 && len(keys) > 1:
			delete(copied, key)
		case n == 1:
			copied["added"+fmt.Sprint(e.IntN(3))] = e.value(2)
		case n == 2 && depth > 1:
			copied[key] = e.value(1)
		default:
			copied[key] = e.edit(copied[key], depth+1)
		}
		return copied
	case []any:
		list := slices.Clone(v)
		switch n := e.IntN(6); {
		case n == 0 && len(list) > 1:
			i := e.IntN(len(list))
			return slices.Delete(list, i, i+1)
		case n == 1:
			return slices.Insert(list, e.IntN(len(list)+1), e.like(list))
		case n == 2 && len(list) > 1:
			i := e.IntN(len(list) - 1)
			list[i], list[i+1] = list[i+1], list[i]
			return list
		case len(list) > 0 && deeper:
			i := e.IntN(len(list))
			list[i] = e.edit(list[i], depth+1)
			return list
		}
		return append(list, e.like(list))
	case string:
		if strings.Contains(v, "\n") {
			lines := strings.Split(v, "\n")
			lines[e.IntN(len(lines))] = "edited: " + fmt.Sprint(e.IntN(9))
			return strings.Join(lines, "\n")
		}
		if e.IntN(3) == 0 {
			return v + "x"
		}
	case int:
		return v + 1 + e.IntN(3)
	case bool:
		return !v
	}
	return e.scalar()
}

// like returns a new item for a list.
func (e randomEditor) like(list []any) any {
	if len(list) > 0 {
		if m, ok := list[0].(map[string]any); ok && m["name"] != nil {
			return map[string]any{"name": fmt.Sprintf("new%d", e.IntN(9)), "value": e.scalar()}
		}
		if _, ok := list[0].(map[string]any); ok {
			return e.value(1)
		}
	}
	return e.scalar()
}

func (e randomEditor) value(depth int) any {
	switch n := e.IntN(4); {
	case n == 0 && depth > 0:
		return map[string]any{"a": e.value(depth - 1), "b.c/d": e.scalar()}
	case n == 1 && depth > 0:
		return []any{e.value(depth - 1), e.scalar()}
	}
	return e.scalar()
}

func (e randomEditor) scalar() any {
	return []any{
		"text", "", "two\nlines\n", "no end\nhere", "- #@ x", "#! comment", "on", "0644", "1.10", "null", "a: b",
		0, 7, -3, 1.5, true, false, nil, " leading", "tab\there", "(@= 1 @)", "é ‹›", "{}", "*x", "&y", "!!z", "'q'",
	}[e.IntN(27)]
}
