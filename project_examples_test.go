package weft_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProjectExamples renders the example projects, and compares what they write with what the
// scripts write that they replace.
func TestProjectExamples(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	for _, x := range []struct {
		name  string
		files []string // that both write
		flags []string
	}{
		{"project-files", []string{"deploy/full.yml", "deploy/minimal.yml"}, nil},
		{
			"project-variants",
			[]string{"out/dev.yml", "out/rapid.yml", "out/outside.yml", "out/release.yml"},
			[]string{"-v", "dev.version=0.1.0"},
		},
		{
			"project-scenarios",
			[]string{"scenarios/single/rendered.yml", "scenarios/replicated/rendered.yml"},
			nil,
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			script, project := copied(t, x.name), copied(t, x.name)
			run(t, script, shell, "-c", `ytt() { weft "$@"; }; . ./before.sh`)
			run(t, project, "weft", append([]string{"fleet"}, x.flags...)...)
			for _, name := range x.files {
				want, err := os.ReadFile(filepath.Join(script, name))
				if err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(filepath.Join(project, name))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" || len(want) == 0 {
					t.Errorf("%s (-script +project):\n%s", name, diff)
				}
			}
		})
	}
}

// copied is a copy of an example.
func copied(t *testing.T, example string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("examples", example))); err != nil {
		t.Fatal(err)
	}
	return dir
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %s\n%s", name, args, err, out)
	}
}
