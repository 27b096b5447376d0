package load

import (
	"os"
	"path/filepath"
	"testing"

	"weft/internal/lang/source"
)

// TestLibraries checks that the folder of a library is read once a file names it, and kept then.
func TestLibraries(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	in := write("in/a.star", "x = 1")
	write("one/f.star", `load("@two:g.star", "g")`)
	write("two/g.star", "g = 1")
	opt := Options{Paths: []string{filepath.Join(dir, "in")}, Libraries: []Library{
		{Name: "one", Dir: filepath.Join(dir, "one")},
		{Name: "two", Dir: filepath.Join(dir, "two")},
	}}
	set := &source.Set{}
	first, err := Read(set, opt)
	if err != nil || len(first) != 1 {
		t.Fatalf("read %d files although nothing names a library: %v", len(first), err)
	}
	write("in/a.star", `load("@one:f.star", "f")`)
	second, read, same, err := Refresh(set, opt, first, []string{in})
	if err != nil || !same || read != 3 || len(second) != 3 || second[2].Path != "vendor/_ytt_lib/two/g.star" {
		t.Fatalf("got %d files, %d of them read: %v", len(second), read, err)
	}
	if fresh, err := Read(&source.Set{}, opt); err != nil || len(fresh) != len(second) {
		t.Fatalf("reading everything gives %d files: %v", len(fresh), err)
	}
	third, read, err := Reload(set, opt, second, func(string) bool { return false })
	if err != nil || read != 0 || len(third) != 3 || third[2].File != second[2].File {
		t.Fatalf("nothing has changed, but %d files were read: %v", read, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "two")); err != nil {
		t.Fatal(err)
	}
	fourth, _, err := Reload(set, opt, third, func(string) bool { return false })
	if err != nil || len(fourth) != 2 {
		t.Fatalf("got %d files after a library was removed: %v", len(fourth), err)
	}
}
