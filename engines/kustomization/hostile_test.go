package kustomization_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"weft/internal/project/engines/wire"
)

// tree returns a file system with files, each after a line `-- NAME --`.
func tree(text string) fstest.MapFS {
	files := fstest.MapFS{}
	for part := range strings.SplitSeq("\n"+text, "\n-- ") {
		name, content, ok := strings.Cut(part, " --\n")
		if ok {
			files[name] = &fstest.MapFile{Data: []byte(content + "\n")}
		}
	}
	return files
}

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}"

// TestErrors builds kustomizations that must fail, and compares the error and its place.
func TestErrors(t *testing.T) {
	for _, test := range []struct{ name, files, code, at, message string }{
		{"nothing", "-- app/x.yaml --\n", wire.CodeMissing, ":0", "no kustomization.yaml"},
		{
			"a remote base", "-- app/kustomization.yaml --\nresources:\n- a.yaml\n- github.com/org/repo//base?ref=v1",
			wire.CodeRemote, "app/kustomization.yaml:3", "resources: 'github.com/org/repo//base?ref=v1' is not in",
		},
		{
			"a remote base over ssh", "-- app/kustomization.yaml --\nbases: [git@example.com:org/repo]",
			wire.CodeRemote, "app/kustomization.yaml:1", "bases: 'git@example.com:org/repo'",
		},
		{
			"a forced protocol", "-- app/kustomization.yaml --\ncomponents: ['Git::HTTPS://example.com/org/repo']",
			wire.CodeRemote, "app/kustomization.yaml:1", "components: ",
		},
		{
			"a repository on the disk", "-- app/kustomization.yaml --\nresources: ['file:///etc']",
			wire.CodeRemote, "app/kustomization.yaml:1", "resources: ",
		},
		{
			"a remote file", "-- app/kustomization.yaml --\nresources: ['https://example.com/a.yaml']",
			wire.CodeRemote, "app/kustomization.yaml:1", "resources: ",
		},
		{
			"a remote patch", "-- app/kustomization.yaml --\npatches:\n- path: https://example.com/a.yaml",
			wire.CodeRemote, "app/kustomization.yaml:2", "patches: ",
		},
		{
			"a remote file of a generator",
			"-- app/kustomization.yaml --\nconfigMapGenerator:\n- name: a\n  files:\n  - k=http://example.com/a",
			wire.CodeRemote, "app/kustomization.yaml:4", "configMapGenerator: ",
		},
		{
			"a remote file in the base of a base",
			"-- app/kustomization.yaml --\nresources: [../b]\n-- b/kustomization.yaml --\nresources: [c]\n" +
				"-- b/c/kustomization.yaml --\nresources:\n- https://example.com/a.yaml",
			wire.CodeRemote, "b/c/kustomization.yaml:2", "resources: ",
		},
		{
			"a remote file of a transformer's configuration",
			"-- app/kustomization.yaml --\nresources: [a.yaml]\ntransformers: [t.yaml]\n-- app/a.yaml --\n" + configMap +
				"\n-- app/t.yaml --\napiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: t}\n" +
				"path: http://127.0.0.1:1/a.yaml", "", "app/kustomization.yaml:0", "127.0.0.1:1",
		},
		{
			"charts", "-- app/kustomization.yaml --\nnamespace: a\nhelmCharts:\n- name: nginx",
			wire.CodeHelm, "app/kustomization.yaml:3", "helmCharts: weft renders charts itself",
		},
		{
			"charts by a generator", "-- app/kustomization.yaml --\ngenerators: [g.yaml]\n-- app/g.yaml --\n" +
				"apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: g}\nname: nginx",
			wire.CodeHelm, "app/kustomization.yaml:0", "HelmChartInflationGenerator: weft renders charts itself",
		},
		{
			"a function", "-- app/kustomization.yaml --\ntransformers: [f.yaml]\n-- app/f.yaml --\n" +
				"apiVersion: v1\nkind: F\nmetadata:\n  name: f\n  annotations:\n" +
				"    config.kubernetes.io/function: |\n      exec: {path: touch, args: [/tmp/x]}",
			wire.CodePlugin, "app/kustomization.yaml:0", "unable to load external plugin 'F'",
		},
		{
			"a missing file", "-- app/kustomization.yaml --\nresources:\n- ../base\n-- base/kustomization.yaml --\n" +
				"resources:\n- a.yaml\n- b.yaml\n-- base/a.yaml --\n" + configMap,
			wire.CodeMissing, "base/kustomization.yaml:3", "resources: 'b.yaml' does not exist",
		},
		{"a missing file of a generator", "-- app/kustomization.yaml --\nconfigMapGenerator:\n- name: a\n" +
			"  files: [b=c.txt]", wire.CodeMissing, "app/kustomization.yaml:3", "configMapGenerator: 'c.txt' does not"},
		{
			"a path out of the repository", "-- app/kustomization.yaml --\nresources: [../../../etc/passwd]\n" +
				"-- etc/passwd --\n" + configMap,
			wire.CodeMissing, "app/kustomization.yaml:1", "'../../../etc/passwd' is outside of the repository",
		},
		{
			"a directory out of the repository", "-- app/kustomization.yaml --\nresources: [../../b]\n" +
				"-- b/kustomization.yaml --\nnamePrefix: a-",
			wire.CodeMissing, "app/kustomization.yaml:1", "'../../b' is outside of the repository",
		},
		{"a file with an absolute name", "-- app/kustomization.yaml --\nresources: [/etc/passwd]\n-- etc/passwd --\n" +
			configMap, wire.CodeMissing, "app/kustomization.yaml:1", "'/etc/passwd' is outside of the repository"},
		{
			"a denied file", "-- app/kustomization.yaml --\nresources: [denied.yaml]", "",
			"app/kustomization.yaml:0", "denied.yaml: links out of the repository",
		},
		{
			"a cycle", "-- app/kustomization.yaml --\nresources: [../b]\n-- b/kustomization.yaml --\nresources: [../app]",
			"", "b/kustomization.yaml:0", "cycle detected: candidate root 'app' contains visited root 'app'",
		},
		{"YAML that is not valid", "-- app/kustomization.yaml --\nresources: [a.yaml]\n-- app/a.yaml --\n" +
			configMap + "\n---\na: b\nc: d: e", "", "app/a.yaml:6", "mapping values are not allowed"},
		{
			"an unknown field", "-- app/kustomization.yaml --\nresource: [a.yaml]", "",
			"app/kustomization.yaml:0", `unknown field "resource"`,
		},
		{
			"two kustomizations", "-- app/kustomization.yaml --\nnamePrefix: a\n-- app/Kustomization --\nnamePrefix: a", "",
			"app/kustomization.yaml:0", "Found multiple kustomization files",
		},
		{"a patch without a target", "-- app/kustomization.yaml --\nresources: [a.yaml]\npatches:\n- patch: |-\n" +
			"    " + strings.ReplaceAll(strings.Replace(configMap, "name: a", "name: b", 1), "\n", "\n    ") +
			"\n-- app/a.yaml --\n" + configMap, "", "app/kustomization.yaml:0", "no matches for Id"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := build(t, denying{tree(test.files)}, "app", true)
			if a.Error == nil {
				t.Fatalf("built: %v", a.Docs)
			}
			at := fmt.Sprintf("%s:%d", a.Error.File, a.Error.Line)
			if a.Error.Code != test.code || at != test.at || !strings.Contains(a.Error.Message, test.message) {
				t.Errorf("%s: %q: %s, want %s: %q: %s", at, a.Error.Code, a.Error.Message,
					test.at, test.code, test.message)
			}
			if strings.Contains(a.Error.Message, "/repository") {
				t.Errorf("the message has paths of this program: %s", a.Error.Message)
			}
		})
	}
}

// denying denies one file.
type denying struct{ fs.FS }

func (d denying) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, "denied.yaml") {
		return nil, fs.ErrPermission
	}
	return d.FS.Open(name)
}

// TestBombs builds small kustomizations that ask for very much. Each must fail, and soon.
func TestBombs(t *testing.T) {
	doubling := fstest.MapFS{}
	for i := range 30 {
		next := fmt.Sprintf("resources: [../../l%d/a, ../../l%d/b]\n", i+1, i+1)
		if i == 29 {
			next = "resources: [../../cm.yaml]\n"
		}
		for _, side := range []string{"a", "b"} {
			doubling[fmt.Sprintf("l%d/%s/kustomization.yaml", i, side)] = &fstest.MapFile{
				Data: fmt.Appendf(nil, "namePrefix: %s-\n%s", side, next),
			}
		}
	}
	doubling["cm.yaml"] = &fstest.MapFile{Data: []byte(configMap)}
	loop := tree("-- app/kustomization.yaml --\nresources: [a.yaml]\n-- app/a.yaml --\n" + configMap +
		"\na: &a [*a]")
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		ref := fmt.Sprintf("*a%d", i)
		laughs += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(ref+", ", 9))
	}
	for name, bomb := range map[string]struct {
		files fs.FS
		dir   string
	}{
		"bases that double":        {doubling, "l0/a"},
		"an alias in its own node": {loop, "app"},
		"aliases": {tree("-- app/kustomization.yaml --\nresources: [a.yaml]\n-- app/a.yaml --\n" +
			configMap + "\n" + laughs), "app"},
		"aliases in a kustomization": {tree("-- app/kustomization.yaml --\nresources: [a.yaml]\n" + laughs +
			"\n-- app/a.yaml --\n" + configMap), "app"},
	} {
		t.Run(name, func(t *testing.T) {
			done := make(chan *wire.Answer)
			go func() { done <- build(t, bomb.files, bomb.dir, true) }()
			select {
			case a := <-done:
				if a.Error == nil {
					t.Errorf("built %d documents", len(a.Docs))
				}
			case <-time.After(2 * time.Minute):
				t.Error("not done after two minutes")
			}
		})
	}
}

// TestSchemaOfAnotherBuild builds two kustomizations in a row. The schema of the first must not matter for
// the second: with it, the list of widgets is merged by name.
func TestSchemaOfAnotherBuild(t *testing.T) {
	const second = "-- app/kustomization.yaml --\nresources: [a.yaml]\npatches: [{path: p.yaml}]\n" +
		"-- app/a.yaml --\napiVersion: example.com/v1\nkind: Shop\nmetadata: {name: a}\nspec:\n  widgets:\n" +
		"  - {name: x, size: 1}\n  - {name: y, size: 2}\n" +
		"-- app/p.yaml --\napiVersion: example.com/v1\nkind: Shop\nmetadata: {name: a}\nspec:\n  widgets:\n" +
		"  - {name: y, size: 3}\n"
	first := strings.Replace(second, "patches:", "openapi: {path: s.json}\npatches:", 1) + `
-- app/s.json --
{"definitions": {"v1.Shop": {"properties": {"spec": {"properties": {"widgets": {"type": "array",
  "items": {"properties": {"name": {"type": "string"}, "size": {"type": "integer"}}},
  "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}}}},
  "x-kubernetes-group-version-kind": [{"group": "example.com", "kind": "Shop", "version": "v1"}]}}}
`
	want := build(t, tree(second), "app", false).Docs[0].Text
	merged := build(t, tree(first), "app", false).Docs[0].Text
	if want == merged {
		t.Fatal("the schema changes nothing, so the test tests nothing")
	}
	if got := build(t, tree(second), "app", false).Docs[0].Text; got != want {
		t.Errorf("after a kustomization with a schema:\n%swant:\n%s", got, want)
	}
}
