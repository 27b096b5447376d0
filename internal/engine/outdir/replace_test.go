package outdir

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"weft/internal/lang/diag"
)

func replacement(dir, name, old, new string) Replacement {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // the directory for temporary files may be behind a link
	}
	return Replacement{Path: filepath.Join(dir, name), Old: []byte(old), New: []byte(new)}
}

func TestReplace(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	put(t, a, map[string]string{"x": "1", "y": "2"})
	put(t, b, map[string]string{"z": "3"})
	for _, held := range []bool{true, false} {
		h := &Hold{}
		if held {
			var err error
			if h, err = HoldDirs(t.Context(), []string{a, b, a, filepath.Join(a, "nowhere")}); err != nil {
				t.Fatal(err)
			}
		}
		if err := h.Replace(t.Context(), []Replacement{replacement(a, "x", "1", "one"), replacement(b, "z", "3", "three")}); err != nil {
			t.Fatal(err)
		}
		expect(t, a, map[string]string{"x": "one", "y": "2"})
		expect(t, b, map[string]string{"z": "three"})
		if err := h.Replace(t.Context(), []Replacement{replacement(a, "x", "one", "1"), replacement(b, "z", "three", "3")}); err != nil {
			t.Fatal(err)
		}
		h.Release()
		h.Release()
	}
}

// If one of several files cannot be written, all of them stay, and new ones and their folders are gone.
func TestChange(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	was := map[string]string{"a.yml": "1", "z.yml": "2"}
	put(t, dir, was)
	created := Replacement{Path: filepath.Join("new", "deep", "x.yml"), New: []byte("x")}
	a := Replacement{Path: "a.yml", Old: []byte("1"), New: []byte("one")}
	for name, last := range map[string]Replacement{
		"changed": {Path: "z.yml", Old: []byte("other"), New: []byte("two")},
		"exists":  {Path: "z.yml", New: []byte("two")},
		"missing": {Path: "gone.yml", Old: []byte("2"), New: []byte("two")},
	} {
		if err := Change(t.Context(), dir, []Replacement{created, a, last}); err == nil {
			t.Errorf("%s: no error", name)
		}
		expect(t, dir, was)
		if _, err := os.Lstat(filepath.Join(dir, "new")); err == nil {
			t.Errorf("%s: a new folder is left", name)
		}
	}
	if err := Change(t.Context(), dir, []Replacement{created, a}); err != nil {
		t.Fatal(err)
	}
	expect(t, dir, map[string]string{"a.yml": "one", "z.yml": "2", "new/": "", "new/deep/": "", "new/deep/x.yml": "x"})
}

// Calls at the same time lose nothing: each has either written all of its files or none, in the order in which
// they succeed.
func TestChangesInTurn(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"list": "0\n"})
	var runs sync.WaitGroup
	var done atomic.Int32
	for range 4 {
		runs.Go(func() {
			for range 25 {
				old, err := os.ReadFile(filepath.Join(dir, "list"))
				if err != nil {
					t.Error(err)
					return
				}
				name := fmt.Sprintf("f%d", strings.Count(string(old), "\n"))
				err = Change(t.Context(), dir, []Replacement{
					{Path: "list", Old: old, New: []byte(string(old) + name + "\n")},
					{Path: filepath.Join("new", name), New: old},
					{Path: name, New: old},
				})
				switch list := diag.Of(err); {
				case err == nil:
					done.Add(1)
				case list[0].Code != CodeChanged || !strings.Contains(list[0].Hint, "nothing was written"):
					t.Error(err)
				}
			}
		})
	}
	runs.Wait()
	list, err := os.ReadFile(filepath.Join(dir, "list"))
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(list))[1:]
	if len(names) != int(done.Load()) || len(names) == 0 {
		t.Errorf("%d calls have written, and %d files are listed", done.Load(), len(names))
	}
	for _, name := range names {
		for _, file := range []string{name, filepath.Join("new", name)} {
			if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
				t.Error(err)
			}
		}
	}
}

// A file that someone else has changed is not written over, and neither is any other.
func TestReplaceChanged(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	put(t, a, map[string]string{"x": "1"})
	put(t, b, map[string]string{"z": "of somebody else"})
	err := (&Hold{}).Replace(
		t.Context(),
		[]Replacement{replacement(a, "x", "1", "one"), replacement(b, "z", "3", "three")},
	)
	if list := diag.Of(err); len(list) != 1 || list[0].Code != CodeChanged ||
		!strings.Contains(list[0].Hint, "nothing was written") {
		t.Fatalf("got %v", err)
	}
	expect(t, a, map[string]string{"x": "1"})
	expect(t, b, map[string]string{"z": "of somebody else"})
	if err := (&Hold{}).Replace(t.Context(), []Replacement{replacement(a, "gone", "1", "2")}); err == nil {
		t.Error("a file that is gone was written")
	}
	if err := (&Hold{}).Replace(t.Context(), []Replacement{replacement(filepath.Join(a, "gone"), "x", "1", "2")}); err == nil {
		t.Error("a file of a directory that is gone was written")
	}
}

// While directories are held, others wait, until they lose their patience.
func TestHold(t *testing.T) {
	unixOnly(t)
	dir := t.TempDir()
	h, err := HoldDirs(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := HoldDirs(ctx, []string{dir}); err != context.DeadlineExceeded {
		t.Errorf("got %v", err)
	}
	h.Release()
	other, err := HoldDirs(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	other.Release()
}

// Of very many directories none is held, so that there are enough open files for the work itself.
func TestHoldMany(t *testing.T) {
	dir := t.TempDir()
	var dirs []string
	for i := range maxHeld + 1 {
		d := filepath.Join(dir, strings.Repeat("d", i+1))
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, d)
	}
	h, err := HoldDirs(t.Context(), dirs)
	if err != nil || len(h.dirs) != 0 {
		t.Fatalf("%d are held, %v", len(h.dirs), err)
	}
}
