package lsp_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft"
	"weft/internal/cases"
	"weft/internal/lint"
	"weft/internal/lsp/project"
	"weft/internal/lsp/protocol"
)

// saidBy is what weft says about a folder on the command line: each code with its file and line, of
// rendering all environments and of the linter.
func saidBy(t *testing.T, dir string) []string {
	t.Helper()
	said := map[string]bool{}
	add := func(d weft.Diagnostic) {
		if d.File != "" {
			said[fmt.Sprintf("%s:%d: %s", filepath.ToSlash(d.File), d.Line, d.Code)] = true
		}
	}
	fail := func(err error) {
		for _, d := range weft.ErrorOf(err).Diagnostics() {
			add(d)
		}
	}
	base := weft.Options{FS: os.DirFS(dir), MaxSteps: project.MaxSteps, Env: os.Environ()}
	envs, rules := []weft.Options{}, weft.LintOptions{All: true}
	if _, err := os.Stat(filepath.Join(dir, "weft.yml")); err == nil {
		made, err := weft.OpenProject(t.Context(), weft.ProjectOptions{Path: "weft.yml", FS: base.FS})
		if err != nil {
			fail(err)
			return sorted(said)
		}
		rules = made.LintSettings(rules)
		names := made.Names()
		if len(names) == 0 {
			names = []string{""}
		}
		for _, name := range names {
			opts, err := made.Options(name, base)
			if err != nil {
				fail(err)
				continue
			}
			envs = append(envs, opts)
		}
	} else {
		base.Inputs = []string{"."}
		envs = append(envs, base)
	}
	for _, opts := range envs {
		res, err := weft.Render(context.Background(), opts)
		if err != nil {
			fail(err)
			continue
		}
		for _, d := range res.Warnings() {
			add(d)
		}
	}
	linted, err := weft.Lint(t.Context(), envs, rules)
	if err != nil {
		return sorted(said) // the files could not be read, which rendering has told
	}
	for _, f := range linted.Findings() {
		if _, ok := lint.Find(f.Code); ok {
			add(f.Diagnostic)
		}
	}
	return sorted(said)
}

func sorted(set map[string]bool) []string {
	list := make([]string, 0, len(set))
	for line := range set {
		list = append(list, line)
	}
	slices.Sort(list)
	return list
}

// told is what the server has said, in the same form.
func (c *client) told() []string {
	said := map[string]bool{}
	for _, path := range c.files() {
		for _, d := range c.diagnostics(path) {
			said[fmt.Sprintf("%s:%d: %s", path, d.Range.Start.Line+1, d.Code)] = true
		}
	}
	return sorted(said)
}

// Whatever is opened of a project, and whatever it says, the editor shows what the command line does:
// errors of all files, all environments, values, schemas, overlays and libraries, and what the linter
// finds.
func TestProjectsEndLikeTheCommandLine(t *testing.T) {
	t.Parallel()
	for name, files := range projects(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, files)
			want := saidBy(t, dir)
			c := dial(t, dir, nil)
			path := firstTemplate(files)
			c.open(path, "")
			c.settle()
			c.change(path, protocol.ContentChange{Text: files[path]})
			c.settle()
			if diff := cmp.Diff(want, c.told()); diff != "" {
				t.Errorf("diagnostics (-command line +server):\n%s", diff)
			}
			c.healthy()
		})
	}
}

// projects are the goldens that need no flags, and the examples, each of which also with a mistake in
// each of its files.
func projects(t *testing.T) map[string]map[string]string {
	t.Helper()
	list := map[string]map[string]string{}
	step := 12
	if cases.Long() && !cases.Race {
		step = 1
	}
	n := 0
	root := filepath.Join("..", "..", "testdata", "golden")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".txtar") ||
			strings.Contains(filepath.ToSlash(path), "/long/") {
			return err
		}
		files := map[string]string{}
		for _, f := range cases.Archive(t, path).Files {
			if f.Name == "flags" {
				return nil
			}
			if !strings.HasPrefix(f.Name, "want") {
				files[f.Name] = string(f.Data)
			}
		}
		if n++; n%step == 0 && firstTemplate(files) != "" {
			rel, _ := filepath.Rel(root, path)
			list["golden/"+filepath.ToSlash(rel)] = files
		}
		return nil
	})
	if err != nil || n < 100 {
		t.Fatalf("%d goldens: %v", n, err)
	}
	for _, name := range []string{
		"project-files", "project-scenarios", "project-variants", "quickstart", "vendor",
	} {
		files := folder(t, filepath.Join("..", "..", "examples", name))
		list[name] = files
		for path := range files {
			if strings.HasPrefix(path, "tests/") {
				continue // which `weft test` reads
			}
			for i, wrong := range mistakesIn(path, files[path]) {
				changed := map[string]string{}
				for p, text := range files {
					changed[p] = text
				}
				changed[path] = wrong
				list[fmt.Sprintf("%s, mistake %d in %s", name, i, path)] = changed
			}
		}
	}
	return list
}

// mistakesIn are texts of a file that are wrong in different ways.
func mistakesIn(path, text string) []string {
	switch filepath.Ext(path) {
	case ".yml", ".yaml":
		list := []string{text + "nobody: [knows\n", text + "unknown_key: 1\n", text + "x: #@ data.values.nothing\n"}
		if before, after, ok := strings.Cut(text, "expects="); ok {
			list = append(list, before+"expects=17 if True else "+after)
		}
		return list
	case ".star":
		return []string{text + "x = (\n", text + "x = undefined_name\n"}
	}
	return nil
}

// folder is the files below a folder.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", dir, err)
	}
	return files
}

// firstTemplate is the first file that somebody would open, or "".
func firstTemplate(files map[string]string) string {
	var names []string
	for name, text := range files {
		if filepath.Ext(name) == ".yml" && name != "weft.yml" && strings.Contains(text, "#@") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(names)
}
