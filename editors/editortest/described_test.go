package editortest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weft/editors/editortest"
)

// describedFile is a file that weft itself defines, and what an editor has to show of it.
type describedFile struct {
	File   string `json:"file"`
	Line   int    `json:"line"` // of the key to ask about, which begins with 1
	Column int    `json:"column"`
	Typed  string `json:"typed"` // a line to complete
	Wrong  string `json:"wrong"` // a line with a key that does not exist

	Unknown string `json:"unknown"` // that key, which a diagnostic names

	hover, symbol, lens, completion string
	known                           string // the key that the diagnostic proposes
}

var describedFiles = []describedFile{
	{
		File: "weft.yml", Line: 4, Column: 2, Typed: "fm", Wrong: "outptu: {}",
		hover: "environment", symbol: "environments", completion: "fmt", Unknown: "outptu", known: "output",
	},
	{
		File: "tests/app.test.yml", Line: 5, Column: 5, Typed: "  - sel", Wrong: "  - selekt: kind=Service",
		hover: "document", symbol: "large", lens: "run test", completion: "select", Unknown: "selekt", known: "select",
	},
	{
		File: "fn.yml", Line: 5, Column: 4, Typed: "  inl", Wrong: "  inlnie: {}",
		hover: "edition", symbol: "spec", completion: "inline", Unknown: "inlnie", known: "inline",
	},
}

// describe adds the configuration of weft krm to a project, and returns describedFiles as JSON.
func describe(t *testing.T, dir string) string {
	t.Helper()
	config := "apiVersion: weft/v1\nkind: Weft\nmetadata: {name: fn}\nspec:\n  edition: 2026\n"
	if err := os.WriteFile(filepath.Join(dir, "fn.yml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	cases, err := json.Marshal(describedFiles)
	if err != nil {
		t.Fatal(err)
	}
	return string(cases)
}

// TestNeovimDescribed edits weft.yml, a test file and the configuration of weft krm in Neovim.
func TestNeovimDescribed(t *testing.T) {
	t.Run("system", func(t *testing.T) { testNeovimDescribed(t, editortest.Program(t, "nvim")) })
	newerNeovims(t, testNeovimDescribed)
}

func testNeovimDescribed(t *testing.T, nvim string) {
	dir := editortest.Project(t)
	broken := filepath.Join(dir, "config", "broken.yml")
	if err := os.Remove(broken); err != nil { // so that all diagnostics are about these files
		t.Fatal(err)
	}
	cases := describe(t, dir)
	var got struct {
		Error    string
		Timeouts []string
		Seen     map[string]struct {
			Hover                                    string
			Symbols, Lenses, Completion, Diagnostics []string
		}
	}
	editortest.Run(t, &got, dir, []string{"CASES=" + cases}, nvim, "--headless", "-u", "NORC", "-i", "NONE",
		"-n", "--cmd", "let &runtimepath = '"+absolute(t, "..", "neovim")+",' . &runtimepath",
		"-c", "luafile "+absolute(t, "testdata", "neovim-described.lua"))
	if got.Error != "" {
		t.Error(got.Error)
	}
	for _, what := range got.Timeouts {
		t.Errorf("waited for %s, which did not come", what)
	}
	for _, c := range describedFiles {
		seen := got.Seen[c.File]
		wantText(t, "the hover of "+c.File, seen.Hover, c.hover)
		for what, in := range map[string]struct {
			list []string
			item string
		}{
			"symbols": {seen.Symbols, c.symbol}, "completion": {seen.Completion, c.completion}, "lenses": {seen.Lenses, c.lens},
		} {
			if in.item != "" && !slices.Contains(in.list, in.item) {
				t.Errorf("%s of %s: got %q, want %q", what, c.File, in.list, in.item)
			}
		}
		wantText(t, "the diagnostics of "+c.File, strings.Join(seen.Diagnostics, "\n"), c.Unknown, c.known)
	}
}
