package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A directory exists if it is on disk, or if a document in it is open and not saved yet.
func TestFilesStat(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "saved.yml"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := openDisk(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	files := &Files{disk: d, open: map[string][]byte{"new/app.yml": []byte("a: 1\n")}}
	for name, wantDir := range map[string]bool{".": true, "new": true, "new/app.yml": false, "saved.yml": false} {
		info, err := files.Stat(name)
		if err != nil || info.IsDir() != wantDir {
			t.Errorf("%s: %v, error %v", name, info, err)
		}
	}
	for _, name := range []string{"none", "ne", "new/none.yml"} {
		if _, err := files.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
