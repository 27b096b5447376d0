package gitdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A fence shows what it should, also through links, and nothing else.
func TestFence(t *testing.T) {
	dir := realTemp(t)
	for _, name := range []string{"repo/a/x", "out/y", "out/deep/z", "secret/s"} {
		must(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
	}
	for name, to := range map[string]string{
		"repo/in": "a/x", "repo/abs": filepath.Join(dir, "repo/a"), "repo/up": "../out", "repo/bad": "../secret/s",
		"repo/worse": filepath.Join(dir, "secret"), "out/back": "../repo/abs/x", "repo/two": "worse/s",
		"repo/etc": "/etc", "repo/loop": "loop",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("needs symbolic links")
		}
	}
	files := func(base string, shown ...string) *Fence {
		root, err := os.OpenRoot(base)
		must(t, err)
		t.Cleanup(func() { root.Close() })
		return NewFence(root.FS(), base, shown)
	}
	wide, whole := files(dir, "repo", "out"), files(filepath.Join(dir, "repo"), ".")
	for _, tt := range []struct {
		fsys       *Fence
		name, want string // "" is an error
	}{
		{wide, "repo/a/x", "repo/a/x"},
		{wide, "repo/in", "repo/a/x"},
		{wide, "repo/abs/x", "repo/a/x"},
		{wide, "repo/up/deep/z", "out/deep/z"},
		{wide, "out/back", "repo/a/x"},
		{wide, "repo/bad", ""},
		{wide, "repo/worse/s", ""},
		{wide, "repo/two", ""},
		{wide, "repo/etc/passwd", ""},
		{wide, "repo/loop", ""},
		{wide, "secret/s", ""},
		{wide, "../secret/s", ""},
		{whole, "a/x", "repo/a/x"},
		{whole, "abs/x", "repo/a/x"},
		{whole, "up/y", ""},
		{whole, "bad", ""},
		{whole, "etc/passwd", ""},
	} {
		data, err := fs.ReadFile(tt.fsys, tt.name)
		if string(data) != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: got %q, %v", tt.name, data, err)
		}
		_, err = fs.Stat(tt.fsys, tt.name)
		if _, ok := RealIn(tt.fsys, tt.name); ok != (tt.want != "") || ok != (err == nil) {
			t.Errorf("%s: it is shown: %t, %v", tt.name, ok, err)
		}
	}
	for name, want := range map[string]int{".": 2, "repo": 9, "repo/up": 3, "secret": -1} {
		list, err := fs.ReadDir(wide, name)
		if len(list) != want && (want >= 0 || err == nil) {
			t.Errorf("%s: got %v, %v", name, list, err)
		}
	}
	if _, err := wide.Open("."); !errors.Is(err, errOutside) {
		t.Errorf("the folder above can be opened: %v", err)
	}
	if _, err := fs.Lstat(wide, "repo/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}
