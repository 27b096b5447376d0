package kustomization_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// FuzzNoWrongLine builds a resource with a patch, a prefix and labels. Each line that an origin names is
// changed, and the lines that name it must change with it.
func FuzzNoWrongLine(f *testing.F) {
	f.Add("a", "b: c\n  list:\n  - x\n  - y: z", "b: d", true)
	f.Add("web", "text: |\n    one\n    two\n  empty: ''", "text: three\n  more: [1, 2]", false)
	f.Add("x", "n: 1\n  map: {a: b, c: d}", "map: null", true)
	f.Add("x", "a: &x same\n  b: *x", "b: same", false)
	f.Fuzz(func(t *testing.T, name, data, patch string, labels bool) {
		if len(name)+len(data)+len(patch) > 300 || strings.ContainsAny(name+data+patch, "\r#") {
			t.Skip("only lines that say something")
		}
		head := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\ndata:\n  ", name)
		k := "resources: [cm.yaml]\npatches:\n- path: patch.yaml\n"
		if labels {
			k += "namePrefix: pre-\nlabels:\n- pairs: {team: red}\n"
		}
		files := fstest.MapFS{
			"app/kustomization.yaml": {Data: []byte(k)},
			"app/cm.yaml":            {Data: []byte(head + data + "\n")},
			"app/patch.yaml":         {Data: []byte(head + patch + "\n")},
		}
		a := build(t, files, "app", true)
		if a.Error != nil {
			t.Skip(a.Error.Message)
		}
		for at, list := range namedLines(a) {
			perturb(t, files, at, list, text(a))
		}
	})
}
