package lsp_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Links of a chart lead to files of the workspace, and not to those of git.
func TestChartLinksToGit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"weft.yml": "weft: 2026\ncharts:\n" +
			"  a: {chart: a, kubernetes: 1.31, values: [va.yml]}\n  b: {chart: b, kubernetes: 1.31, values: [vb.yml]}\n" +
			"  d: {chart: d, kubernetes: 1.31, values: [vd.yml]}\n",
		"a/Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\n", "va.yml": "x: 1\n",
		"b/Chart.yaml": "apiVersion: v2\nname: b\nversion: 1.0.0\n", "vb.yml": "x: 1\n",
		"d/Chart.yaml": "apiVersion: v2\nname: d\nversion: 1.0.0\n", "vd.yml": "x: 1\n",
		".git/config": "geheim: 1\n", ".git/geheim/values.yaml": "a: 1\n", "plain.yaml": "plain: 1\n",
	}
	write(t, dir, files)
	for name, to := range map[string]string{
		"a/values.yaml": "../.git/config", "b/charts": "../.git", "d/values.yaml": "../plain.yaml",
	} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	c := dial(t, dir, nil)
	for _, name := range []string{"va.yml", "vb.yml", "vd.yml"} {
		c.open(name, "x: 1\n")
	}
	c.settle()
	for name, want := range map[string]bool{"va.yml": false, "vb.yml": false, "vd.yml": true} {
		labels := c.offered(name, "x: 1\n")
		if slices.Contains(labels, "geheim") || slices.Contains(labels, "plain") != want {
			t.Errorf("%s: got %q", name, labels)
		}
	}
}

// A JSON Schema of data values is not one of git, either.
func TestSchemaLinksToGit(t *testing.T) {
	t.Parallel()
	for name, to := range map[string]string{"geheim": ".git/s.json", "plain": "plain.json"} {
		dir := t.TempDir()
		files := map[string]string{
			"weft.yml":    "weft: 2026\ninputs: [config]\nvaluesSchema: s.json\nvalues:\n  x: 1\n",
			".git/s.json": `{"properties": {"geheim": {}}}`, "plain.json": `{"properties": {"plain": {}}}`,
			"config/a.yml": "a: 1\n",
		}
		write(t, dir, files)
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, "s.json")); err != nil {
			t.Skip(err)
		}
		c := dial(t, dir, nil)
		c.open("weft.yml", files["weft.yml"]+"  ")
		c.settle()
		labels := c.offered("weft.yml", files["weft.yml"]+"  ")
		if slices.Contains(labels, name) != (name == "plain") {
			t.Errorf("%s: got %q", name, labels)
		}
	}
}
