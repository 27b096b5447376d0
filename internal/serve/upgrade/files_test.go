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
		"vendor/same/b.yml": {Data: []byte("same")}, "vendor/same/new.yml": {}, "vendor/same/other.yml": {},
	}
	f := newFiles([]mount{{".", disk, "."}})
	f.replace("vendor/old", []archive.File{{Name: "a.yml", Data: []byte("new")}, {Name: "sub/c.yml", Data: []byte("c")}})
	f.replace("other/fresh", []archive.File{{Name: "d.yml", Data: []byte("d"), Executable: true}})
	f.replace("empty/none", nil)
	f.change("vendor/same", []archive.File{{Name: "b.yml"}, {Name: "new.yml"}}, []archive.File{{Name: "b.yml"}, {Name: "was.yml"}})
	if err := fstest.TestFS(f, "weft.yml", "vendor/old/a.yml", "vendor/old/sub/c.yml", "vendor/same/b.yml", "vendor/same/was.yml", "vendor/same/other.yml",
		"other/fresh/d.yml", "empty/none"); err != nil {
		t.Error(err)
	}
	if data, err := fs.ReadFile(f, "vendor/old/a.yml"); err != nil || string(data) != "new" {
		t.Errorf("got %q, %v", data, err)
	}
	for _, name := range []string{"vendor/old/gone.yml", "vendor/same/new.yml"} {
		if _, err := fs.Stat(f, name); err == nil {
			t.Errorf("%s is there", name)
		}
	}
}
