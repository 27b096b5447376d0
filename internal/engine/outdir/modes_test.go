//go:build linux || darwin

package outdir

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
)

// A run does not wait for ever for another one, and stops when it is told to.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	first, err := openDir(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openDirWithin(t.Context(), dir, 20*time.Millisecond); err == nil ||
		!strings.Contains(err.Error(), "has held a lock on the directory") {
		t.Errorf("got %v, want that it is locked", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := openDir(ctx, dir); err != context.DeadlineExceeded {
		t.Errorf("got %v, want the context's error", err)
	}
	first.close()
	second, err := openDir(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	second.close()
}

// TestModes has new files and directories, which have the mode that the umask leaves, and old ones,
// which keep theirs.
func TestModes(t *testing.T) {
	for _, mask := range []int{0o022, 0o077, 0} {
		for _, emptied := range []bool{false, true} {
			dir := filepath.Join(t.TempDir(), "x", "out")
			masked(mask, func() {
				write(
					t,
					Target{Dir: dir, Emptied: emptied},
					text("a.yml", "1", "d/b.yml", "1", "d/c.yml", "1"),
				)
			})
			expectModes(
				t,
				dir,
				map[string]fs.FileMode{
					"":        0o755 &^ fs.FileMode(mask),
					"a.yml":   0o644 &^ fs.FileMode(mask),
					"d":       0o755 &^ fs.FileMode(mask),
					"d/b.yml": 0o644 &^ fs.FileMode(mask),
				},
			)

			chmodTo(t, filepath.Join(dir, "a.yml"), 0o600)
			chmodTo(t, filepath.Join(dir, "d/b.yml"), 0o755)
			chmodTo(t, filepath.Join(dir, "d/c.yml"), 0o644)
			chmodTo(t, filepath.Join(dir, "d"), 0o711)
			chmodTo(t, dir, 0o750)
			var done Changes
			masked(mask, func() {
				done = write(
					t,
					Target{Dir: dir, Emptied: emptied},
					text("a.yml", "2", "d/b.yml", "1", "d/c.yml", "2", "n.yml", "1"),
				)
			})
			expectModes(
				t,
				dir,
				map[string]fs.FileMode{
					"":        0o750,
					"a.yml":   0o600,
					"d":       0o711,
					"d/b.yml": 0o755,
					"d/c.yml": 0o644,
					"n.yml":   0o644 &^ fs.FileMode(mask),
				},
			)
			at := func(names ...string) (paths []string) {
				for _, n := range names {
					paths = append(paths, filepath.Join(dir, n))
				}
				return paths
			}
			want := Changes{
				Created:   at("a.yml", "d/b.yml", "d/c.yml", "n.yml"),
				Updated:   at("a.yml", "d/c.yml"),
				Unchanged: at("d/b.yml"),
			}
			if diff := cmp.Diff(want, done); diff != "" {
				t.Errorf("emptied %t (-want +got)\n%s", emptied, diff)
			}
			done = write(
				t,
				Target{Dir: dir, Emptied: emptied},
				text("a.yml", "2", "d/b.yml", "1", "d/c.yml", "2", "n.yml", "1"),
			)
			if diff := cmp.Diff(Changes{Created: want.Created, Unchanged: want.Created}, done); diff != "" {
				t.Errorf("emptied %t, again (-want +got)\n%s", emptied, diff)
			}
		}
	}
}

func expectModes(t *testing.T, dir string, want map[string]fs.FileMode) {
	t.Helper()
	for p, mode := range want {
		info, err := os.Stat(filepath.Join(dir, p))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%q: got %v, %v, want %v", p, info.Mode(), err, mode)
		}
	}
}

func chmodTo(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// masked calls f with a umask.
func masked(mask int, f func()) {
	defer syscall.Umask(syscall.Umask(mask))
	f()
}

// A name that the file system refuses, a pipe, and a manifest that is none are reported before
// anything is written, and by a diff, too.
func TestStrangeObstacles(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		files   []emit.File
		code    diag.Code
		message string
	}{
		{text("new.yml", "1", long, "2"), CodeWrite, "file name too long"},
		{text("new.yml", "1", long+"/b.yml", "2"), CodeWrite, "file name too long"},
		{text("new.yml", "1", "pipe", "2"), CodePath, "is not a regular file"},
		{text("new.yml", "1", "dir", "2"), CodePath, "directory has that name"},
		{text("new.yml", "1"), CodePath, "to be a file that weft wrote"},
	} {
		dir := t.TempDir()
		put(t, dir, map[string]string{"dir/x": "2", manifestName + "/x": "3"})
		if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
			t.Fatal(err)
		}
		target := Target{Dir: dir, Prune: true}
		refused(t, target, c.files, c.code, c.message)
		if _, err := os.Lstat(filepath.Join(dir, "new.yml")); err == nil {
			t.Errorf("%s: a file is written before", c.message)
		}
		same, err := target.Diff(t.Context(), io.Discard, c.files)
		if same || err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("the diff says %v, want %q", err, c.message)
		}
	}
}
