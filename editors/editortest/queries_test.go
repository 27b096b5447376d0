package editortest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"weft/editors/editortest"
)

// TestQueries compiles the queries of Zed, Helix and Neovim with the grammar for YAML, and finds code and
// annotations with those that color.
func TestQueries(t *testing.T) {
	nvim, grammar := editortest.Newer(t, "nvim-newest"), editortest.Newer(t, "libtree-sitter-yaml.so")
	colors := map[string][2]string{ // the names of code and annotations
		"zed/languages/weft-yaml/highlights.scm":         {"embedded", "attribute"},
		"zed/languages/weft-yaml/brackets.scm":           {},
		"zed/languages/weft-yaml/outline.scm":            {},
		"helix/runtime/queries/weft-yaml/highlights.scm": {"special", "attribute"},
		"neovim/after/queries/yaml/highlights.scm":       {},
		"neovim/after/queries/yaml/injections.scm":       {},
	}
	var paths []string
	for path := range colors {
		paths = append(paths, absolute(t, "..", path))
	}
	list, err := json.Marshal(paths)
	if err != nil {
		t.Fatal(err)
	}
	template := filepath.Join(t.TempDir(), "app.yml")
	text := "#! a comment\n#@ x = 1\n#@overlay/match by=\"a\"\na: #@ x\nb: 2\n\"c\": [{d: 3}, e]\n"
	if err := os.WriteFile(template, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Error    string
		Captures map[string]map[string]string
		Last     map[string]map[string]string
	}
	env := []string{"GRAMMAR=" + grammar, "TEMPLATE=" + template, "QUERIES=" + string(list)}
	editortest.Run(t, &got, t.TempDir(), env, nvim, "--headless", "-u", "NORC", "-i", "NONE", "-n",
		"-c", "luafile "+absolute(t, "testdata", "queries.lua"))
	if got.Error != "" {
		t.Fatal(got.Error)
	}
	for path, names := range colors {
		if names[0] == "" {
			continue
		}
		captures := got.Captures[absolute(t, "..", path)]
		want(t, "code, in "+path, captures[names[0]], "#@ x = 1\n#@ x\n")
		want(t, "annotations, in "+path, captures[names[1]], "#@overlay/match by=\"a\"\n")
	}
	// Zed draws the last one, unlike the others.
	last := got.Last[absolute(t, "..", "zed/languages/weft-yaml/highlights.scm")]
	for text, color := range map[string]string{
		"a": "property", "\"c\"": "property", "d": "property", "3": "number", "e": "string", "{": "punctuation",
	} {
		want(t, "what Zed draws "+text+" as", last[text], color)
	}
}
