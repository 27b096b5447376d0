package vendor

import (
	"os"
	"path/filepath"
	"testing"
)

// A repository in the folder of a source is not among the files that are locked, so it must not be deleted
// with them.
func TestHasGit(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("a: 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("x/a.yml")
	before, err := onDisk(dir)
	if err != nil || hasGit(dir) {
		t.Fatalf("%v; a folder of files belongs to git: %v", err, hasGit(dir))
	}
	write("x/.git/config")
	after, err := onDisk(dir)
	if err != nil || before.Hash() != after.Hash() {
		t.Fatalf("%v; the files that are locked changed", err)
	}
	if !hasGit(dir) {
		t.Error("a repository in the folder is not noticed")
	}
}
