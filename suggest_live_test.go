package weft_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"
)

// TestLiveKinds reads objects of all kinds that people have as a cluster has them: without drift, nothing is
// suggested, and each drift is the only thing that is. The objects are written by hand from the documentation of
// Kubernetes.
func TestLiveKinds(t *testing.T) {
	names, err := filepath.Glob("testdata/live/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		blocks := strings.Split(strings.TrimSpace(string(ar.Comment)), "\n\n")
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, f := range ar.Files {
				writeText(t, f.Name, string(f.Data))
			}
			live := string(ar.Files[1].Data)
			for form, text := range liveForms(t, live) {
				if changes, out := driftOf(t, text); changes != 0 {
					t.Errorf("%s: without drift:\n%s", form, out)
				}
			}
			for _, block := range blocks[1:] {
				edit, want, _ := strings.Cut(block, "\n= ")
				changes, out := driftOf(t, parseLabelled(t, edit).edit(t, live))
				if changes != 1 || !strings.Contains(out, want) {
					t.Errorf("%s\n%d changes:\n%s", block, changes, out)
				}
			}
		})
	}
}

// liveForms returns objects in the forms that kubectl prints.
func liveForms(t *testing.T, text string) map[string]string {
	docs := documentsOf(t, text)
	list := map[string]any{"apiVersion": "v1", "kind": "List", "items": docs, "metadata": map[string]any{}}
	data, err := json.MarshalIndent(list, "", "    ")
	if err != nil {
		t.Fatal(err)
	}
	asYAML, err := yaml.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"documents": text, "a List in YAML": string(asYAML), "a List in JSON": string(data)}
}

// driftOf returns how many things differ from source.yml, and the report.
func driftOf(t *testing.T, text string) (changes int, out string) {
	writeText(t, "live.out", text)
	with := []string{"suggest", "-f", "source.yml", "--to", "live.out", "--live", "--as", "overlay"}
	_, out, stderr := runSuggest(t, with...)
	_, asJSON, _ := runSuggest(t, append(with, "-o", "json")...)
	var report struct{ Changes int }
	if err := json.Unmarshal([]byte(asJSON), &report); err != nil {
		t.Fatalf("%s\n%s%s", err, out, stderr)
	}
	return report.Changes, out + stderr
}
