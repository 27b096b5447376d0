package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writing are the commands that may write sources, and what makes them do it.
var writing = map[string]string{
	"init": "--write", "migrate": "--write", "fmt": "always", "override": "--write", "schema": "export --write",
	"vendor": "add and update", "suggest": "--write", "edit": "after asking", "playground": "--write",
}

// reading are command lines of all others, and of those that write only on request.
var reading = map[string][]string{
	"weft":       {"weft", "weft config", "weft -f config -o json"},
	"render":     {"render prod", "render --all", "render --all -o none", "render prod --diff"},
	"override":   {"override plain/a.yml --overrides {a:\u00a02}"},
	"blame":      {"blame prod", "blame prod Deployment/web spec.replicas --prove", "blame prod -o html"},
	"explain":    {"explain prod"},
	"impact":     {"impact prod replicas", "impact prod --set replicas=4"},
	"diff":       {"diff dev prod", "diff plain/a.yml plain/b.yml"},
	"fmt":        {"fmt --check", "fmt --diff"},
	"lint":       {"lint", "lint --info"},
	"test":       {"test", "test --coverage"},
	"init":       {"init"},
	"env":        {"env", "env prod", "env --schema"},
	"migrate":    {"migrate --to ytt"},
	"schema":     {"schema export -f config"},
	"vendor":     {"vendor --check"},
	"suggest":    {"suggest prod --set Deployment/web:spec.replicas=9", "suggest prod --to plain/a.yml -o json"},
	"playground": {"playground --help"},
	"lsp":        {"lsp"},
	"mcp":        {"mcp"},
	"krm":        {"krm"},
	"argocd":     {"argocd parameters"},
	"help":       {"help topics"},
	"man":        {"man"},
}

// TestOnlySomeCommandsWriteSources runs every command on a copy of a project, and compares all files: rendering,
// checks and servers never write sources, and others only on request.
func TestOnlySomeCommandsWriteSources(t *testing.T) {
	for _, o := range others() {
		if name := o.names[0]; !o.hidden && reading[name] == nil && writing[name] == "" {
			t.Errorf("%s is not tested", name)
		}
	}
	t.Chdir(t.TempDir())
	for name, text := range hintFiles {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(".git", 0o755); err != nil {
		t.Fatal(err)
	}
	before := filesHere(t)
	for name, lines := range reading {
		for _, line := range lines {
			args := strings.Fields(strings.TrimPrefix(line, "weft"))
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "\u00a0", " ")
			}
			var out, errs bytes.Buffer
			Main(args, strings.NewReader(""), &out, &errs)
			if strings.Contains(errs.String(), "[cli/usage]") && name != "vendor" && name != "weft" && name != "argocd" {
				t.Errorf("%s: %s", line, errs.String())
			}
			if diff := cmp.Diff(before, filesHere(t)); diff != "" {
				t.Fatalf("%s writes:\n%s", line, diff)
			}
		}
	}
}

// filesHere returns the files of the current directory.
func filesHere(t *testing.T) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
