package upgrade

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"weft/internal/project/archive"
)

// TestFiles checks that replaced folders look as if they were on disk.
func TestFiles(t *testing.T) {
	disk := fstest.MapFS{
		"weft.yml": {Data: []byte("a")}, "vendor/old/a.yml": {Data: []byte("old")}, "vendor/old/gone.yml": {Data: []byte("x")},
		"vendor/same/b.yml": {Data: []byte("same")},
	}
	f := &files{disk: disk, nodes: map[string]*node{}}
	f.replace("vendor/old", []archive.File{{Name: "a.yml", Data: []byte("new")}, {Name: "sub/c.yml", Data: []byte("c")}})
	f.replace("other/fresh", []archive.File{{Name: "d.yml", Data: []byte("d"), Executable: true}})
	f.replace("empty/none", nil)
	if err := fstest.TestFS(f, "weft.yml", "vendor/old/a.yml", "vendor/old/sub/c.yml", "vendor/same/b.yml",
		"other/fresh/d.yml", "empty/none"); err != nil {
		t.Error(err)
	}
	if data, err := fs.ReadFile(f, "vendor/old/a.yml"); err != nil || string(data) != "new" {
		t.Errorf("got %q, %v", data, err)
	}
	if _, err := fs.Stat(f, "vendor/old/gone.yml"); err == nil {
		t.Error("a file of the old folder is there")
	}
}
