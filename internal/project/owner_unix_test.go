//go:build unix

package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A project file that is found is not used if another user may have put it there.
func TestPlanted(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make files of another user")
	}
	const other = 12345
	dir := filepath.Join(t.TempDir(), "shared")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, FileName)
	if err := os.WriteFile(file, []byte("weft: 2026\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		owner   int
		mode    os.FileMode
		sudo    string
		refused bool
	}{
		{0, 0o777, "", false},
		{other, 0o755, "", false},
		{other, 0o777, "", true},
		{other, 0o777 | os.ModeSticky, "", true},
		{other, 0o777, "12345", false},
		{other, 0o777, "12346", true},
	} {
		t.Setenv("SUDO_UID", tt.sudo)
		if err := os.Chown(file, tt.owner, tt.owner); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, tt.mode); err != nil {
			t.Fatal(err)
		}
		_, err := Open(Options{Dir: dir})
		refused := err != nil && strings.Contains(err.Error(), "belongs to another user")
		if refused != tt.refused {
			t.Errorf("%+v: got %v", tt, err)
		}
		if _, err := Open(Options{Path: file}); err != nil {
			t.Errorf("%+v, named: got %v", tt, err)
		}
	}
	// A link of another user counts, whatever it leads to.
	real := file + ".real"
	if err := os.Rename(file, real); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(real, 0, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, file); err != nil {
		t.Fatal(err)
	}
	if err := os.Lchown(file, other, other); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Dir: dir}); err == nil {
		t.Error("a link of another user is followed")
	}
}
