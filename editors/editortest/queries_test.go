package editortest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"weft/editors/editortest"
)

// TestQueries compiles the queries of Zed, Helix and Neovim with the grammar for YAML, and finds code and annotations
// with those that color.
func TestQueries(t *testing.T) {
	nvim, grammar := editortest.Newer(t, "nvim-newest"), editortest.Newer(t, "libtree-sitter-yaml.so")
	colors := map[string][2]string{ // the names of code and annotations
		absolute(t, "..", "zed", "languages", "weft-yaml", "highlights.scm"):            {"embedded", "attribute"},
		absolute(t, "..", "helix", "runtime", "queries", "weft-yaml", "highlights.scm"): {"special", "attribute"},
		absolute(t, "..", "neovim", "after", "queries", "yaml", "highlights.scm"):       {},
		absolute(t, "..", "neovim", "after", "queries", "yaml", "injections.scm"):       {},
	}
	var paths []string
	for path := range colors {
		paths = append(paths, path)
	}
	list, err := json.Marshal(paths)
	if err != nil {
		t.Fatal(err)
	}
	template := filepath.Join(t.TempDir(), "app.yml")
	if err := os.WriteFile(template, []byte("#! a comment\n#@ x = 1\n#@overlay/match by=\"a\"\na: #@ x\nb: 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Error    string
		Captures map[string]map[string]string
	}
	editortest.Run(t, &got, t.TempDir(), []string{"GRAMMAR=" + grammar, "TEMPLATE=" + template, "QUERIES=" + string(list)},
		nvim, "--headless", "-u", "NORC", "-i", "NONE", "-n", "-c", "luafile "+absolute(t, "testdata", "queries.lua"))
	if got.Error != "" {
		t.Fatal(got.Error)
	}
	for path, names := range colors {
		if names[0] == "" {
			continue
		}
		want(t, "code, in "+path, got.Captures[path][names[0]], "#@ x = 1\n#@ x\n")
		want(t, "annotations, in "+path, got.Captures[path][names[1]], "#@overlay/match by=\"a\"\n")
	}
}
