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
	found, all, few := 0, 0, uint64(12)
	if testing.Short() {
		few = 4
	}
	for seed := range cases.Number(few, 300) {
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

// TestSuggestEngines is the same law for charts and kustomizations.
func TestSuggestEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds weft-engines")
	}
	found, all := 0, 0
	for _, name := range cases.Paths(t, "testdata/suggest/*.txtar") {
		ar := cases.Archive(t, name)
		if !needsEngines(ar) {
			continue
		}
		for seed := range cases.Number(2, 60) {
			t.Run(fmt.Sprintf("%s/%d", strings.TrimSuffix(filepath.Base(name), ".txtar"), seed), func(t *testing.T) {
				l := suggestLaw{
					r: rand.New(rand.NewPCG(seed, 34)), envs: []string{"dev", "prod"},
					flags: []string{"--engines", withEngines(t)},
				}
				inRepository(t, ar)
				if l.check(t) {
					found++
				}
				all++
			})
		}
	}
	t.Logf("%d of %d edits have a suggestion", found, all)
	if found*10 < all*8 {
		t.Errorf("only %d of %d edits have a suggestion", found, all)
	}
}

// checkSuggest edits the output of a random project, and reports whether there was a suggestion.
func checkSuggest(t *testing.T, seed uint64) bool {
	l := suggestLaw{r: rand.New(rand.NewPCG(seed, 33)), envs: []string{"dev", "staging", "prod"}}
	dir := t.TempDir()
	if seed%3 == 0 {
		if err := os.CopyFS(dir, os.DirFS("examples/vendor")); err != nil {
			t.Fatal(err)
		}
		t.Chdir(dir)
	} else {
		p := generateProject(l.r)
		addSuggestible(p)
		l.envs, l.others = slices.Clone(p.names), p.each
		if seed%5 == 0 { // it does not render: the schema has a number
			p.names, l.others = append(p.names, "broken"), append(l.others, "broken")
			p.envs["broken"] = settings{values: []string{"count: text"}}
		}
		t.Chdir(dir)
		p.write(t)
	}
	if err := os.Mkdir(".git", 0o755); err != nil {
		t.Fatal(err)
	}
	return l.check(t)
}

// suggestLaw is the project in the current directory, of which one environment is edited.
type suggestLaw struct {
	r      *rand.Rand
	envs   []string
	others []string // environments that no overlay can be for alone
	flags  []string // of each command
}

// check edits an environment, and reports whether there was a suggestion.
func (l suggestLaw) check(t *testing.T) bool {
	before := map[string]string{}
	for _, env := range slices.Concat(l.envs, l.others) {
		before[env] = l.render(t, env)
	}
	env := l.envs[l.r.IntN(len(l.envs))]
	if before[env] == "" {
		return true // it does not render
	}
	l.checkUnedited(t, env, before[env])
	docs, e := nodesOf(t, before[env]), randomEditor{l.r}
	for range 1 + l.r.IntN(5) {
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
	return l.checkWritten(t, env, before, meaningsOf(t, edited.String()))
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
numbers: {whole: 2.0, power: 2e3, large: 12345678901234567890123, 1.0: x}
computed: #@ 5 * 1.0
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
flow: [1, 2, 3.0]
`
}

// checkUnedited checks that nothing is suggested if nothing was edited.
func (l suggestLaw) checkUnedited(t *testing.T, env, text string) {
	writeText(t, "same.out", text)
	if code, out, stderr := l.run(t, "suggest", env, "--to", "same.out"); code != 0 ||
		!strings.HasPrefix(out, "nothing to change") {
		t.Fatalf("without an edit: exit code %d\n%s%s", code, out, stderr)
	}
}

// checkWritten writes the suggestion, and checks what all environments render.
func (l suggestLaw) checkWritten(t *testing.T, env string, before map[string]string, want []string) bool {
	sources := sourcesOf(t)
	code, first, stderr := l.run(t, "suggest", env, "--to", "edited.out", "-o", "json")
	again, second, _ := l.run(t, "suggest", env, "--to", "edited.out", "-o", "json")
	if code != again || first != second {
		t.Fatalf("two runs differ:\n%s", cmp.Diff(first, second))
	}
	if diff := cmp.Diff(sources, sourcesOf(t)); diff != "" {
		t.Fatalf("files changed without --write:\n%s", diff)
	}
	if code != 0 && code != 1 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	code, text, stderr := l.run(t, "suggest", env, "--to", "edited.out", "--write")
	if code != 0 {
		if diff := cmp.Diff(sources, sourcesOf(t)); diff != "" {
			t.Fatalf("files changed without a suggestion:\n%s", diff)
		}
		t.Logf("%s%s\n%s\n%s", text, stderr, cmp.Diff(meaningsOf(t, before[env]), want), sources["weft.yml"])
		return false
	}
	if diff := cmp.Diff(want, meaningsOf(t, l.render(t, env))); diff != "" {
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
		if before[other] == "" {
			t.Errorf("%s does not render, so it is not known whether it changes", other)
		}
		if diff := cmp.Diff(meaningsOf(t, before[other]), meaningsOf(t, l.render(t, other))); diff != "" {
			t.Errorf("%s changed, too:\n%s", other, diff)
		}
	}
	return true
}

// run runs a command with the flags of the project.
func (l suggestLaw) run(t *testing.T, args ...string) (code int, out, stderr string) {
	t.Helper()
	return runSuggest(t, append(args, l.flags...)...)
}

// render returns what an environment prints, or "" if it does not render.
func (l suggestLaw) render(t *testing.T, env string) string {
	if code, out, _ := l.run(t, "render", env); code == 0 {
		return out
	}
	return ""
}

func runSuggest(t *testing.T, args ...string) (code int, out, stderr string) {
	t.Helper()
	var stdout, messages bytes.Buffer
	code = cli.Main(args, strings.NewReader(""), &stdout, &messages)
	return code, stdout.String(), messages.String()
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
