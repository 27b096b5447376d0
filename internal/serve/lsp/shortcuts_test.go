package lsp_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"weft"
	"weft/internal/serve/lsp"
	"weft/internal/serve/lsp/protocol"
)

// A short cut that matches nothing in any environment is one error, as `weft lint` has it, and one that
// matches in some environment a warning.
func TestUnmatchedShortCuts(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"weft.yml": "weft: 2026\ninputs: [config]\nkubernetes: {images: {nginx: {tag: \"2\"}}}\n" +
			"environments:\n  dev: {values: {side: none}}\n  prod: {values: {side: none}}\n",
		"config/schema.yml": "#@data/values-schema\n---\nside: \"\"\n",
		"config/app.yml": "#@ load(\"@ytt:data\", \"data\")\n---\napiVersion: v1\nkind: Pod\n" +
			"metadata:\n  name: a\nspec:\n  containers:\n  - name: a\n    image: #@ data.values.side\n",
	}
	dir := t.TempDir()
	write(t, dir, files)
	c := dialWith(t, dir, lsp.Options{MaxWait: time.Minute, MaxKeptTrace: -1}, nil)
	for path, text := range files {
		c.open(path, text)
	}
	for _, edit := range []struct{ path, old, text, want string }{
		{"weft.yml", "", "", "error: no object has the image 'nginx' in any of the 2 environments that use it"},
		{
			"config/schema.yml", "side", "#! a note\nside",
			"error: no object has the image 'nginx' in any of the 2 environments that use it",
		},
		{
			"weft.yml", "prod: {values: {side: none}}", "prod: {values: {side: nginx}}",
			"warning: no object has the image 'nginx'",
		},
		{"weft.yml", "dev: {values: {side: none}}", "dev: {values: {side: nginx}}", ""},
	} {
		files[edit.path] = strings.Replace(files[edit.path], edit.old, edit.text, 1)
		c.change(edit.path, protocol.ContentChange{Text: files[edit.path]})
		c.settle()
		write(t, dir, files)
		lint := shortCutsOfLint(t, dir)
		if edit.want != "" && !slices.Contains(lint, edit.want) || edit.want == "" && len(lint) > 0 {
			t.Errorf("%q: weft lint has %q, want %q", edit.text, lint, edit.want)
		}
		var got []string
		for _, d := range c.diagnostics("weft.yml") {
			message, _, _ := strings.Cut(d.Message, "\nhint: ")
			message, _, _ = strings.Cut(message, " (") // the names of environments
			got = append(got, severityNames[d.Severity]+": "+message)
		}
		slices.Sort(got)
		if diff := cmp.Diff(lint, got); diff != "" {
			t.Errorf("%q (-weft lint +server):\n%s", edit.text, diff)
		}
	}
	c.healthy()
}

// shortCutsOfLint returns what weft lint finds in weft.yml.
func shortCutsOfLint(t *testing.T, dir string) []string {
	t.Helper()
	fsys := os.DirFS(dir)
	p, err := weft.OpenProject(t.Context(), weft.ProjectOptions{Path: "weft.yml", FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	var envs []weft.Options
	for _, name := range p.Names() {
		opts, err := p.Options(name, weft.Options{FS: fsys})
		if err != nil {
			t.Fatal(err)
		}
		envs = append(envs, opts)
	}
	report, err := weft.Lint(t.Context(), envs, p.LintSettings(weft.LintOptions{All: true}))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range report.Findings() {
		if f.File == "weft.yml" {
			found = append(found, string(f.Severity)+": "+f.Message)
		}
	}
	slices.Sort(found)
	return found
}
