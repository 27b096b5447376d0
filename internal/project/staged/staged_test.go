package staged

import (
	"io/fs"
	"testing"
	"testing/fstest"
)

// TestWrite checks that single files replace those on disk, and that new ones are found in their folders.
func TestWrite(t *testing.T) {
	f := New(fstest.MapFS{"envs/prod.yml": {Data: []byte("a")}, "envs/dev.yml": {Data: []byte("d")}})
	f.Write("envs/prod.yml", []byte("b"))
	f.Write("overlays/new/edits.yml", []byte("c"))
	f.Write("envs/prod.yml", []byte("bb"))
	if err := fstest.TestFS(f, "envs/prod.yml", "envs/dev.yml", "overlays/new/edits.yml"); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"envs/prod.yml": "bb", "envs/dev.yml": "d", "overlays/new/edits.yml": "c",
	} {
		if data, err := fs.ReadFile(f, name); err != nil || string(data) != want {
			t.Errorf("%s: got %q, %v", name, data, err)
		}
	}
	if _, err := fs.Stat(f, "envs/other.yml"); err == nil {
		t.Error("a file that nobody wrote is there")
	}
}
