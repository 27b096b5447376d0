package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// namesFiles is a project whose documents are hard to name: namespaces, two groups of one kind, duplicates,
// names with dots, spaces and stars, documents without a kind, keys that need quotes.
var namesFiles = map[string]string{
	"weft.yml": `weft: 2026
inputs: [config]
environments:
  prod: {values: {n: 3}}
  dev: {values: {n: 1}}
`,
	"config/schema.yml": "#@data/values-schema\n---\nn: 1\n",
	"config/app.yml": `#@ load("@ytt:data", "data")
#@ n = data.values.n
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {n: #@ n
}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: blog}, spec: {n: #@ n
}}
---
{apiVersion: example.com/v1, kind: Service, metadata: {name: web.api}, spec: {n: #@ n
}}
---
{apiVersion: v1, kind: Service, metadata: {name: web.api}, spec: {n: #@ n
}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: "two words"}, data: {"a.b/c": #@ str(n)
, "x y": #@ str(n)
}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: twice}, data: {a: #@ str(n)
}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: twice}, data: {a: #@ str(n + 1)
}}
---
{apiVersion: batch/v1, kind: Job, metadata: {generateName: run-}, spec: {n: #@ n
}}
---
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: "a b", n: #@ n
}]}}
---
plain: #@ n
---
plain: #@ n + 1
`,
	"config/overlay.yml": `#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.all, expects="1+"
---
#@overlay/match missing_ok=True
"x.y/z": [{name: a}]
`,
	"tests/all.test.yml": `tests:
- name: none
  envs: [prod]
  expect:
  - {select: "metadata.namespace=shop", equal: {spec.n: 9}}
  - {select: "apiVersion=example.com/v1", equal: {spec.n: 9}}
  - {select: "metadata.name=twice,data.a=4", equal: {data.a: 9}}
  - {select: "metadata.name=p", equal: {"spec.containers[0].n": 9}}
  - {select: "plain=4", equal: {plain: 9}}
`,
}

// docPath is a name of a document that a command prints, and a path in it.
type docPath struct{ name, path string }

// namesRun runs a command and returns what it prints.
func namesRun(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// printed returns the names and paths in the text of a command: the groups "name" and "path" of a pattern.
func printed(t *testing.T, pattern string, args ...string) (list []docPath) {
	t.Helper()
	_, stdout, stderr := namesRun(t, args...)
	re := regexp.MustCompile("(?m)" + pattern)
	for _, m := range re.FindAllStringSubmatch(stdout, -1) {
		x := docPath{name: m[re.SubexpIndex("name")]}
		if i := re.SubexpIndex("path"); i >= 0 {
			x.path = m[i]
		}
		list = append(list, x)
	}
	if len(list) == 0 {
		t.Fatalf("weft %q names nothing:\n%s%s", args, stdout, stderr)
	}
	return list
}

// inJSON returns the names and paths in the JSON of a command: the strings at the keys object and path.
func inJSON(t *testing.T, args ...string) (list []docPath) {
	t.Helper()
	_, stdout, stderr := namesRun(t, args...)
	var all any
	if err := json.Unmarshal([]byte(stdout), &all); err != nil {
		t.Fatalf("weft %q: %v\n%s%s", args, err, stdout, stderr)
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			if name, ok := v["object"].(string); ok && name != "" {
				way, _ := v["path"].(string)
				list = append(list, docPath{name, way})
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(all)
	if len(list) == 0 {
		t.Fatalf("weft %q names nothing:\n%s", args, stdout)
	}
	return list
}

// Whatever a command prints as the name of a document, or as a path in it, every command accepts.
func TestPrintedNamesSelect(t *testing.T) {
	t.Chdir(t.TempDir())
	writeAll(t, namesFiles)
	_, out, _ := namesRun(t, "render", "prod")
	writeAll(t, map[string]string{"out.yml": out})
	from := map[string][]docPath{
		"explain":      printed(t, `^  config/\S+:\d+ (?P<name>.*)$`, "explain", "prod"),
		"explain path": printed(t, `^  config/\S+:\d+ (?P<name>.*)\n    (?P<path>[^:]+): `, "explain", "prod"),
		"diff":         printed(t, `^ *[~+-] (?P<name>.*?)  (?P<path>.+?)(?:: .*)?$`, "diff", "prod", "dev"),
		"diff json":    inJSON(t, "diff", "prod", "dev", "-o", "json"),
		"summary":      printed(t, `^[~+-] (?P<name>.*?)  \d+ changes?$`, "diff", "prod", "dev", "--summary"),
		"impact":       printed(t, `^  (?P<name>\S.*?)  +(?P<path>\S.*?)  +[=~?>] `, "impact", "prod", "n"),
		"impact json":  inJSON(t, "impact", "prod", "n", "-o", "json"),
		"blame json":   inJSON(t, "blame", "prod", "-o", "json"),
		"lint":         printed(t, `: the output has (?P<name>.*) twice`, "lint", "prod", "--info"),
		"test":         printed(t, `:\d+: (?P<name>.*) (?P<path>\S+): expected`, "test"),
		"override": printed(t, `^(?:out.yml )?(?P<name>.+?): (?P<path>"x.y/z"\[name=a\]\.b): `, "override", "out.yml",
			"--overrides", `{"x.y/z": [{name: a, b: 1}]}`, "--explain"),
	}
	names := map[string]bool{}
	for _, list := range from {
		for _, x := range list {
			names[x.name] = true
		}
	}
	const fewest = 13
	if len(names) < fewest {
		t.Fatalf("expected at least %d names, but found %q", fewest, slices.Sorted(maps.Keys(names)))
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for _, args := range selecting(t, name) {
			code, stdout, stderr := namesRun(t, args...)
			if code == 2 || strings.Contains(stderr, "matches no document") || strings.Contains(stderr, "is called") {
				t.Errorf("weft %q: exit code %d\n%s%s", args, code, stdout, stderr)
			}
		}
	}
	for command, list := range from {
		for _, x := range list {
			if x.path == "" || strings.HasPrefix(x.name, "out.yml#") {
				continue
			}
			way := strings.TrimSuffix(x.path, ".b") // which only the override has
			for _, args := range [][]string{{"blame", "prod", x.name, way}, {"diff", "prod", "dev", "--ignore", way}} {
				code, _, stderr := namesRun(t, args...)
				if code != 0 && args[0] == "blame" || code == 2 {
					t.Errorf("weft %q, from %s: exit code %d\n%s", args, command, code, stderr)
				}
			}
		}
	}
}

// selecting returns the commands that select a document by its name.
func selecting(t *testing.T, name string) [][]string {
	t.Helper()
	override := []string{"override", "out.yml", "--strict", "--select", name, "--overrides", "{new: 1}", "-o", "yaml"}
	if strings.HasPrefix(name, "out.yml#") {
		return [][]string{override}
	}
	count := "1"
	if name == "ConfigMap/twice" || name == "Service/web.api" { // of both, and of all groups
		count = "2"
	}
	writeAll(t, map[string]string{
		"one/one.test.yml": "tests:\n- name: one\n  envs: [prod]\n  expect:\n  - select: " + jsonText(t, name) +
			"\n    count: " + count + "\n",
	})
	list := [][]string{
		{"blame", "prod", name},
		{"diff", "prod", "dev", "--select", name},
		{"impact", "prod", "n", "--select", name},
		{"impact", "--all", "n", "--select", name},
		{"explain", "prod", "--select", name},
		{"lint", "--select", name},
	}
	if code, stdout, stderr := namesRun(t, "test", "one"); code != 0 {
		t.Errorf("test with select %q: exit code %d\n%s%s", name, code, stdout, stderr)
	}
	if strings.Contains(name, "app.yml") { // the source, which the file of the output is not
		return list
	}
	return append(list, override)
}

func jsonText(t *testing.T, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A name with a number selects one of several documents that are called the same, and a list in braces those
// that weft diff reports together.
func TestSelectOneOfSeveral(t *testing.T) {
	t.Chdir(t.TempDir())
	writeAll(t, namesFiles)
	_, out, _ := namesRun(t, "render", "prod")
	if err := os.WriteFile("out.yml", []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		want int
	}{
		{"ConfigMap/twice", 2},
		{"ConfigMap/twice#2", 1},
		{"Deployment/web", 2},
		{"Deployment/{shop,blog}/web", 2},
		{"Deployment/blog/web", 1},
		{"Service/web.api", 2},
		{"Service.example.com/web.api", 1},
		{"{Service,Deployment}/*", 4},
		{"out.yml#3", 1},
		{"document#3", 1},
	} {
		args := []string{"override", "out.yml", "--select", tt.name, "--overrides", "{new: 1}"}
		if _, stdout, stderr := namesRun(t, args...); strings.Count(stdout, "new: 1") != tt.want {
			t.Errorf("%s: %d documents are changed, want %d\n%s", tt.name, strings.Count(stdout, "new: 1"), tt.want, stderr)
		}
	}
}
