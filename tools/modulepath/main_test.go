package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A copy of this repository is moved, and Go finds all of its packages under the new path.
func TestMove(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, source(t)); err != nil {
		t.Fatal(err)
	}
	const to = "example.com/team/weft"
	changed, err := move(dir, to)
	if err != nil || changed < 100 {
		t.Fatalf("%d files changed, error %v", changed, err)
	}
	packages, imports := goList(t, dir)
	for _, want := range []string{to, to + "/internal/lang/yaml", to + "/cmd/weft"} {
		if !slices.Contains(packages, want) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, path := range imports {
		if path == "weft" || strings.HasPrefix(path, "weft/") {
			t.Errorf("%s is imported by its old path", path)
		}
		if strings.HasPrefix(path, to) && !slices.Contains(packages, path) {
			t.Errorf("%s is imported, but missing", path)
		}
	}
	other, err := os.ReadFile(filepath.Join(dir, "tools", "site", "generator", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"module " + to + "/tools/site/generator\n", "\t" + to + " v0.0.0\n", "replace " + to + " => ../../..\n",
	} {
		if !strings.Contains(string(other), want) {
			t.Errorf("the module that requires this one does not have %q:\n%s", want, other)
		}
	}
	if again, err := move(dir, to); again != 0 || err != nil {
		t.Errorf("the second time %d files changed, error %v", again, err)
	}
}

// goList is the packages below dir, and what they and their tests import.
func goList(t *testing.T, dir string) (packages, imports []string) {
	t.Helper()
	list := exec.Command("go", "list", "-find", "-f",
		"{{.ImportPath}} {{.Imports}} {{.TestImports}} {{.XTestImports}}", "./...")
	list.Dir = dir
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, err.(*exec.ExitError).Stderr)
	}
	for line := range strings.Lines(string(out)) {
		path, imported, _ := strings.Cut(line, " ")
		packages = append(packages, path)
		imports = append(imports, strings.FieldsFunc(imported, func(r rune) bool {
			return strings.ContainsRune("[] \n", r)
		})...)
	}
	return packages, imports
}

// source is the repository without what Go does not need.
func source(t *testing.T) sourceFS {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return sourceFS{root}
}

func TestBadPaths(t *testing.T) {
	for _, to := range []string{"", "weft", "example.com", "/example.com/weft", "example.com/a b", "https://example.com/weft"} {
		if _, err := move(t.TempDir(), to); err == nil ||
			!strings.Contains(err.Error(), "expected a path such as") {
			t.Errorf("%q: error %v", to, err)
		}
	}
}

func TestRewriteText(t *testing.T) {
	text := "-X weft/internal/serve/cli/process.version=1\nsee a/weft/internal/x, weft/internal/engine and weft itself\nweft FuzzTemplate\n"
	want := "-X h.io/w/internal/serve/cli/process.version=1\nsee a/weft/internal/x, h.io/w/internal/engine and weft itself\nh.io/w FuzzTemplate\n"
	if got, _ := rewriteText([]byte(text), "weft", "h.io/w"); string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
