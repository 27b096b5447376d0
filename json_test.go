package weft_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// jsonProject has something to say for every command that reports.
const jsonProject = `-- weft.yml --
weft: 2026
inputs: [config]
vendor: {notes: {dir: tests}}
environments:
  dev:
    values: {replicas: 1}
  prod:
    labels: {region: eu}
    values: {replicas: 4}
    output: {dir: out/prod}
-- config/schema.yml --
#@data/values-schema
---
replicas: 1
#@schema/nullable
host: ""
unread: 1
-- config/app.yml --
#@ load("@ytt:data", "data")
kind: Deployment
metadata:
  name: web
spec:
  replicas: #@ data.values.replicas
  #@ if data.values.host:
  host: #@ data.values.host
  #@ end
-- config/notes.txt --
(@ load("@ytt:data", "data") @)replicas (@= str(data.values.replicas) @)
-- config/overlay.yml --
#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.subset({"kind": "Deployment"})
---
metadata:
  #@overlay/match missing_ok=True
  labels: {app: web}
#@overlay/match by=overlay.subset({"kind": "Job"}), expects="0+"
---
spec: {}
-- tests/web.test.yml --
tests:
- name: replicas
  envs: [prod]
  expect:
  - select: Deployment/web
    equal: {spec.replicas: 7}
`

// jsonRuns are command lines by the section of docs/reference/json.md that describes what they print. The
// ones that begin with ! report nothing.
func jsonRuns() map[string][]string {
	return map[string][]string{
		"blame":   {"blame prod", "blame prod Deployment/web --prove", "blame -f config/schema.yml"},
		"explain": {"explain prod", "!explain -f config/schema.yml"},
		"impact":  {"impact prod replicas", "impact dev host --prove"},
		"diff": {
			"diff dev prod", "!diff dev dev", "impact prod --set replicas=9", "!impact prod --set replicas=4",
		},
		"diff --summary": {"diff dev prod --summary"},
		"lint":           {"lint --info", "!lint -f config/app.yml --static"},
		"lint --list":    {"lint --list"},
		"test":           {"test"},
		"env":            {"env", "!env -l region=us"},
		"env ENV":        {"env prod"},
		"env --inputs":   {"env prod --inputs"},

		"vendor outdated": {"vendor outdated"},
		"vendor update":   {"vendor update --dry-run"},
		"env --changed":   {"env --changed HEAD~1", "!env --changed HEAD"},
		"Several environments": {
			"blame --all", "explain --all", "impact --all replicas", "impact --all --set replicas=4",
			"diff --rev HEAD~1", "diff --rev HEAD~1 --summary", "!diff --rev HEAD",
		},
	}
}

// TestJSON runs each command with -o json: it prints one value, as docs/reference/json.md describes it. The
// examples of the page are values of the same kind.
func TestJSON(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	sections := jsonSections(t)
	t.Chdir(t.TempDir())
	writeJSONProject(t, strings.Replace(jsonProject, "replicas: 4", "replicas: 3", 1))
	gitCommit(t)
	writeJSONProject(t, jsonProject)
	gitCommit(t)
	for name, runs := range jsonRuns() {
		section, ok := sections[name]
		if !ok {
			t.Errorf("json.md does not have %q", name)
			continue
		}
		delete(sections, name)
		if len(section.examples) == 0 {
			t.Errorf("json.md has no example of %q", name)
		}
		for _, example := range section.examples {
			section.check(t, "the example of "+name, example)
		}
		for _, run := range runs {
			args, nothing := strings.CutPrefix(run, "!")
			out, _, messages := ran(append(strings.Fields(args), "-o", "json")...)
			if out == "" {
				t.Errorf("weft %s prints nothing:\n%s", args, messages)
				continue
			}
			v := section.check(t, "weft "+args, out)
			if list, ok := v.([]any); ok && nothing != (len(list) == 0) {
				t.Errorf("weft %s: got a list of %d, but want none: %t\n%s", args, len(list), nothing, out)
			}
			if section.schema["type"] == "array" && !strings.HasPrefix(args, "blame") {
				checkLines(t, args, v)
			}
			section.refuses(t, args, v)
		}
	}
	for name := range sections {
		t.Errorf("json.md has %q, which no command prints", name)
	}
}

// checkLines runs a command with -o jsonl: each line is an item of the list that -o json prints.
func checkLines(t *testing.T, args string, list any) {
	out, _, messages := ran(append(strings.Fields(args), "-o", "jsonl")...)
	lines := strings.SplitAfter(out, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	items := []any{}
	for _, line := range lines {
		var item any
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&item); err != nil {
			t.Fatalf("weft %s -o jsonl: %v in %q\n%s", args, err, line, messages)
		}
		items = append(items, item)
	}
	if diff := cmp.Diff(list, any(items)); diff != "" {
		t.Errorf("weft %s (-json +jsonl):\n%s", args, diff)
	}
}

func writeJSONProject(t *testing.T, text string) {
	for _, f := range txtar.Parse([]byte(text)).Files {
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// jsonSection is a section of the page.
type jsonSection struct {
	schema   map[string]any
	examples []string
}

// jsonSections returns the sections of the page by their headings.
func jsonSections(t *testing.T) map[string]jsonSection {
	page, err := os.ReadFile("docs/reference/json.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```json\n(.*?)```\n")
	sections := map[string]jsonSection{}
	for _, text := range strings.Split(string(page), "\n## ")[1:] {
		name, text, _ := strings.Cut(text, "\n")
		var s jsonSection
		for _, m := range block.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(m[1], `"$schema"`) {
				s.examples = append(s.examples, m[1])
			} else if err := json.Unmarshal([]byte(m[1]), &s.schema); err != nil {
				t.Fatalf("the schema of %s: %v", name, err)
			}
		}
		sections[name] = s
	}
	return sections
}

// check returns the one value of a text, and reports where it differs from the schema.
func (s jsonSection) check(t *testing.T, what, text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Errorf("%s: %v", what, err)
	} else if _, err := d.Token(); err != io.EOF {
		t.Errorf("%s: more than one value:\n%s", what, text)
	} else if wrong := s.misfit(s.schema, v, "$"); wrong != "" {
		t.Errorf("%s: %s\n%s", what, wrong, text)
	}
	return v
}

// refuses checks the check: what a command prints does not fit in a list with a string, or with a member that
// the schema does not name.
func (s jsonSection) refuses(t *testing.T, args string, v any) {
	if list, ok := v.([]any); ok && len(list) == 0 {
		return
	}
	if wrong := s.misfit(s.schema, []any{"x", v}, "$"); wrong == "" {
		t.Errorf("weft %s: the schema allows any list", args)
	}
	object, ok := v.(map[string]any)
	if !ok {
		object = v.([]any)[0].(map[string]any)
	}
	object["unknown"] = "x"
	if wrong := s.misfit(s.schema, v, "$"); wrong == "" {
		t.Errorf("weft %s: the schema allows any member", args)
	}
}

// misfit says where a value differs from a schema, or returns "". It knows the words that json.md uses, and
// takes members that a schema does not name for errors.
func (s jsonSection) misfit(schema map[string]any, v any, at string) string {
	if ref, ok := schema["$ref"].(string); ok {
		def := s.schema["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")]
		return s.misfit(def.(map[string]any), v, at)
	}
	if choices, ok := schema["anyOf"].([]any); ok {
		var all []string
		for _, c := range choices {
			wrong := s.misfit(c.(map[string]any), v, at)
			if wrong == "" {
				return ""
			}
			all = append(all, wrong)
		}
		return strings.Join(all, ", or ")
	}
	want, typed := schema["type"].(string)
	if got := jsonKind(v); typed && got != want && (want != "number" || got != "integer") {
		return fmt.Sprintf("%s is %s, not %s", at, got, want)
	}
	switch v := v.(type) {
	case []any:
		if items, ok := schema["items"].(map[string]any); ok {
			for i, x := range v {
				if wrong := s.misfit(items, x, fmt.Sprintf("%s[%d]", at, i)); wrong != "" {
					return wrong
				}
			}
		}
	case map[string]any:
		if typed {
			return s.misfitObject(schema, v, at)
		}
	}
	return ""
}

// misfitObject does the same for the members of an object.
func (s jsonSection) misfitObject(schema, v map[string]any, at string) string {
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := v[name.(string)]; !ok {
			return fmt.Sprintf("%s has no member %s", at, name)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, x := range v {
		member, ok := properties[name].(map[string]any)
		if !ok {
			member, ok = schema["additionalProperties"].(map[string]any)
		}
		if !ok {
			return fmt.Sprintf("%s has the member %s, which the schema does not name", at, name)
		}
		if wrong := s.misfit(member, x, at+"."+name); wrong != "" {
			return wrong
		}
	}
	return ""
}

// jsonKind returns the type of a value as schemas name it.
func jsonKind(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return "number"
		}
		return "integer"
	case []any:
		return "array"
	}
	return "object"
}
