package integrationtest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"weft/tools/integrationtest"
)

// TestKustomizations builds the kustomizations with which weft-engines is tested. weft-engines lets them read
// the whole repository, as kustomize does without its load restrictor.
func TestKustomizations(t *testing.T) {
	kustomize := integrationtest.Tool(t, integrationtest.Kustomize)
	names, err := filepath.Glob("../../engines/kustomization/testdata/*.txtar")
	if err != nil || len(names) < 30 {
		t.Fatalf("%d kustomizations: %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			s := integrationtest.NewSandbox(t)
			for _, f := range a.Files {
				s.Write(f.Name, string(f.Data))
			}
			out := s.Run(kustomize, "build", "--load-restrictor", "LoadRestrictionsNone", "app")
			want(t, "what kustomize builds", out, s.Read("want.yaml"))
		})
	}
}
