package gitdir_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/internal/engine/gitdir"
)

// What the names of a tree say is what git's rule says about the files on disk.
func TestInTree(t *testing.T) {
	for files, want := range map[string]string{
		"a.yml":                             "",
		"HEAD objects/x refs/y":             ".",
		"a/b.yml a/HEAD a/objects/x a/refs": "",
		"a/HEAD a/objects/p/x a/refs/h/y":   "a",
		"x/y/HEAD x/y/commondir":            "x/y",
		"HEAD commondir/x":                  "",
		"HEAD objects refs/y":               "",
		"objects/x refs/y":                  "",
	} {
		list := strings.Fields(files)
		got, ok := gitdir.InTree(list)
		if got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %v", files, got, ok)
		}
		dir := t.TempDir()
		for _, name := range list {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if on := gitdir.IsRepository(filepath.Join(dir, filepath.FromSlash(want))); on != (want != "") {
			t.Errorf("%s: on disk %v", files, on)
		}
	}
	for _, files := range []string{
		"a/head a/OBJECTS/x a/Refs/y", "a/HEAD a/object\u017f/x a/ref\u017f/y", "a/HE\u200cAD a/objects/x a/refs/y",
		"a/HEAD. a/objects/x a/refs::$DATA/y",
	} {
		if got, _ := gitdir.InTree(strings.Fields(files)); got != "a" {
			t.Errorf("%q, which some file systems take for a repository: %q", files, got)
		}
	}
}
