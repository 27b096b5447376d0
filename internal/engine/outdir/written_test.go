package outdir

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Files that are known to be as they were left are not read again. What someone has changed, replaced
// or removed is written again.
func TestWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	target := Target{Dir: dir, Written: &Written{}}
	files := text("a", "1", "b", "1", "sub/c", "1", "d", "1")
	write(t, target, files)
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"a", "b", "sub/c", "d"} {
		chtime(t, dir, name, old)
	}
	if done := write(t, target, files); len(done.Unchanged) != 4 {
		t.Error(done)
	}

	put(t, dir, map[string]string{"a": "2", "d": "2"})
	chtime(t, dir, "d", old) // as if no one had touched it: this is how one sees that it is not read
	if err := os.Remove(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "sub/c"), filepath.Join(dir, "sub/moved")); err != nil {
		t.Fatal(err)
	}
	done := write(t, target, files)
	want := Changes{
		Created:   target.created(files),
		Updated:   []string{filepath.Join(dir, "a")},
		Unchanged: []string{filepath.Join(dir, "d")},
	}
	if diff := cmp.Diff(want, done); diff != "" {
		t.Error(diff)
	}
	expect(t, dir, map[string]string{
		"a": "1", "b": "1", "d": "2", "sub/": "", "sub/c": "1", "sub/moved": "1",
	})

	write(t, target, text("a", "1", "d", "3"))
	expect(t, dir, map[string]string{
		"a": "1", "b": "1", "d": "3", "sub/": "", "sub/c": "1", "sub/moved": "1",
	})
}

func chtime(t *testing.T, dir, name string, to time.Time) {
	t.Helper()
	if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(name)), to, to); err != nil {
		t.Fatal(err)
	}
}
