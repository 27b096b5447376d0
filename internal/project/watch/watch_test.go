package watch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// modes are the two ways to watch.
var modes = map[string]bool{"notify": false, "poll": true}

// Each way in which people and editors change files is reported once, with the paths that changed.
func TestChanges(t *testing.T) {
	tests := []struct {
		name string
		edit func(t *testing.T, dir string)
		want []string
	}{
		{"write", func(t *testing.T, dir string) { write(t, dir, "d/a", "new") }, []string{"d/a"}},
		{"same size", func(t *testing.T, dir string) { write(t, dir, "d/a", "A") }, []string{"d/a"}},
		{"create", func(t *testing.T, dir string) { write(t, dir, "d/b", "b") }, []string{"d/b"}},
		{"remove", func(t *testing.T, dir string) { remove(t, dir, "d/a") }, []string{"d/a"}},
		{"file by name", func(t *testing.T, dir string) { write(t, dir, "f", "x") }, []string{"f"}},
		{"not its neighbor", func(t *testing.T, dir string) {
			write(t, dir, "other", "x")
			write(t, dir, "f", "x")
		}, []string{"f"}},
		{"file that comes", func(t *testing.T, dir string) { write(t, dir, "late", "x") }, []string{"late"}},
		{"directory that comes", func(t *testing.T, dir string) {
			write(t, dir, "deep/er/x", "x")
		}, []string{"deep/er/x"}},
		{"written beside and renamed", func(t *testing.T, dir string) {
			write(t, dir, "d/.a.tmp", "A")
			rename(t, dir, "d/.a.tmp", "d/a")
		}, []string{"d/a"}},
		{"moved away and written anew", func(t *testing.T, dir string) {
			rename(t, dir, "f", "f~")
			write(t, dir, "f", "x")
		}, []string{"f"}},
		{"new directories", func(t *testing.T, dir string) {
			write(t, dir, "d/x/y/z", "z")
		}, []string{"d/x/y/z"}},
		{"renamed directory", func(t *testing.T, dir string) {
			rename(t, dir, "d/sub", "d/bus")
		}, []string{"d/bus/c", "d/sub/c"}},
		{"two within the quiet time", func(t *testing.T, dir string) {
			write(t, dir, "d/a", "1")
			time.Sleep(quiet / 2)
			write(t, dir, "d/sub/c", "2")
		}, []string{"d/a", "d/sub/c"}},
		{"results are left out", func(t *testing.T, dir string) {
			write(t, dir, "d/out/r", "r")
			write(t, dir, "d/.git/index", "r")
			write(t, dir, "f", "x")
		}, []string{"f"}},
	}
	for mode, poll := range modes {
		for _, test := range tests {
			t.Run(mode+"/"+test.name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				for _, name := range []string{"d/a", "d/sub/c", "f", "d/out/old", "d/.git/index"} {
					write(t, dir, name, "a")
				}
				w := newWatcher(t, poll)
				w.Ignore(filepath.Join(dir, "d", "out"))
				for _, root := range []string{"d", "f", "late", "deep/er"} {
					w.Add(filepath.Join(dir, filepath.FromSlash(root)))
				}
				test.edit(t, dir)
				got := next(t, w, dir)
				for len(got) < len(test.want) { // the machine was busy for longer than it was quiet
					got = append(got, next(t, w, dir)...)
					slices.Sort(got)
					got = slices.Compact(got)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Error(diff)
				}
				nothing(t, w)
			})
		}
	}
}

// A directory that is removed and made again is still watched.
func TestDirectoryComesBack(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "d/a", "1")
			w := newWatcher(t, poll)
			w.Add(filepath.Join(dir, "d"))
			for i := range 3 {
				remove(t, dir, "d")
				if i%2 == 0 {
					next(t, w, dir)
				}
				write(t, dir, "d/a", fmt.Sprint("back ", i))
				next(t, w, dir)
				write(t, dir, "d/a", fmt.Sprint("again ", i))
				if diff := cmp.Diff([]string{"d/a"}, next(t, w, dir)); diff != "" {
					t.Fatal(diff)
				}
			}
		})
	}
}

// The target of a link counts, wherever it is, and a link that leads back to where it is does not
// lead in circles.
func TestLinks(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "elsewhere/target", "1")
			write(t, dir, "d/a", "1")
			for link, target := range map[string]string{"d/link": "elsewhere/target", "d/circle": "d"} {
				err := os.Symlink(filepath.Join(dir, target), filepath.Join(dir, link))
				if err != nil && runtime.GOOS == "windows" {
					t.Skip(err)
				} else if err != nil {
					t.Fatal(err)
				}
			}
			w := newWatcher(t, poll)
			w.Add(filepath.Join(dir, "d"))
			write(t, dir, "elsewhere/target", "2")
			if diff := cmp.Diff([]string{"d/link"}, next(t, w, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Whatever happens to files, someone who reads those that Next names when it returns, who looks
// whether those are still there that passed by, or that are below a directory that did, and who lists
// all of them if it is unsure, knows the content of all of them in the end.
func TestNothingIsMissed(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "d")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			w := newWatcher(t, poll)
			w.Add(dir)
			over := make(chan bool)
			go func() {
				defer close(over)
				edit(t, dir, 300)
			}()
			known := map[string]string{}
			for done := false; !done; {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				changed, err := w.Next(ctx)
				cancel()
				if err != nil {
					<-over
					done = true
				}
				for p := range known {
					suspect := changed.Unsure || slices.ContainsFunc(changed.Passed, func(dir string) bool {
						return isBelow(p, dir)
					})
					if _, err := os.Stat(p); suspect && err != nil {
						delete(known, p)
					}
				}
				for _, p := range changed.Files {
					time.Sleep(time.Duration(rand.IntN(3)) * time.Millisecond) // as a render takes time
					if data, err := os.ReadFile(p); err == nil {
						known[p] = string(data)
					} else {
						delete(known, p)
					}
				}
			}
			if diff := cmp.Diff(contents(t, dir), known); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(namesOf(looked(t, dir)), namesOf(w.files)); diff != "" {
				t.Error(diff)
			}
			if w.ambiguous {
				t.Error("it looks at everything each time")
			}
		})
	}
}

// looked is the files of a watcher that begins now.
func looked(t *testing.T, dir string) snapshot {
	w := newWatcher(t, true)
	w.Add(dir)
	return w.files
}

func namesOf(files snapshot) []string { return slices.Sorted(maps.Keys(files)) }

// Where the system says what has changed, nothing else is looked at. Where it cannot say, everything
// is.
func TestLooksWhereSomethingHappens(t *testing.T) {
	for name, c := range map[string]struct {
		add   string // besides d
		signs []sign
		want  []string
	}{
		"named":       {"", []sign{{true, "d/a", true}}, []string{"d/a"}},
		"below":       {"", []sign{{true, "d/sub", true}}, []string{"d/sub/c"}},
		"attributes":  {"", []sign{{true, "d/a", false}, {true, "d/new", false}}, []string{"d/a", "d/new"}},
		"too many":    {"", []sign{{true, "d/a", true}, {happened: true}}, everything},
		"neighbor":    {"", []sign{{true, "other", true}}, everything},
		"second name": {"d/../d", []sign{{true, "d/a", true}}, []string{"d/a"}},
		"absolute":    {"ABS", []sign{{true, "d/a", true}}, everything},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			write(t, dir, "d/a", "1")
			write(t, dir, "d/b", "1")
			write(t, dir, "d/sub/c", "1")
			w := newWatcher(t, false)
			w.Add("d")
			if c.add == "ABS" {
				w.Add(filepath.Join(dir, "d"))
			} else if c.add != "" {
				w.Add(c.add)
			}
			for _, name := range []string{"d/a", "d/b", "d/sub/c", "d/new"} {
				write(t, dir, name, "changed")
			}
			for _, s := range c.signs {
				w.touch(s)
			}
			if !w.scan() {
				t.Error("nothing was found")
			}
			got := slices.DeleteFunc(slices.Sorted(maps.Keys(w.changed)), filepath.IsAbs)
			for i := range got {
				got[i] = filepath.ToSlash(got[i])
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

var everything = []string{"d/a", "d/b", "d/new", "d/sub/c"}

// If the system has no notifications left to give, files are looked at in intervals from then on, and
// nothing that happened in between is missed.
func TestLimit(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "d/a", "1")
	w := newWatcher(t, false)
	n := 0
	w.notify.add = func(string) error {
		if n++; n > 2 {
			return syscall.ENOSPC
		}
		return nil
	}
	w.Add(filepath.Join(dir, "d"))
	if reason := w.Polling(); reason != "" {
		t.Fatal(reason)
	}
	write(t, dir, "d/sub/b", "1")
	w.touch(sign{true, filepath.Join(dir, "d", "sub"), true})
	w.scan()
	if reason := w.Polling(); reason != syscall.ENOSPC.Error() {
		t.Fatal(reason)
	}
	write(t, dir, "d/a", "2")
	if diff := cmp.Diff([]string{"d/a", "d/sub/b"}, next(t, w, dir)); diff != "" {
		t.Error(diff)
	}
	write(t, dir, "d/sub/b", "2")
	if diff := cmp.Diff([]string{"d/sub/b"}, next(t, w, dir)); diff != "" {
		t.Error(diff)
	}
}

// A watcher that waits does nothing, or next to nothing where it has to look.
func TestWaitingIsIdle(t *testing.T) {
	dir := t.TempDir()
	for i := range 100 {
		write(t, dir, fmt.Sprint(i), "x")
	}
	w := newWatcher(t, false)
	w.Add(dir)
	before := testing.AllocsPerRun(1, func() {})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	allocs := testing.AllocsPerRun(1, func() { _, _ = w.Next(ctx) })
	if allocs-before > 100 {
		t.Errorf("%.0f allocations while nothing happened", allocs)
	}
}

func edit(t *testing.T, dir string, n int) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	names := []string{"a", "b", "s/a", "s/b", "s/t/a", "s/t/b"}
	for i := range n {
		name := names[r.IntN(len(names))]
		path := filepath.Join(dir, filepath.FromSlash(name))
		text := []byte(fmt.Sprint(r.IntN(10)))
		var err error
		switch r.IntN(5) {
		case 0:
			err = os.RemoveAll(path)
		case 1:
			err = os.RemoveAll(filepath.Dir(path))
			if err == nil {
				err = os.MkdirAll(dir, 0o755)
			}
		case 2:
			_ = os.MkdirAll(filepath.Dir(path), 0o755)
			beside := filepath.Join(dir, "tmp")
			if err = os.WriteFile(beside, text, 0o644); err == nil {
				err = os.Rename(beside, path)
			}
		default:
			_ = os.MkdirAll(filepath.Dir(path), 0o755)
			err = os.WriteFile(path, text, 0o644)
		}
		if err != nil && runtime.GOOS != "windows" { // where one who reads a file is in the way
			t.Error(i, err)
		}
		if r.IntN(10) == 0 {
			time.Sleep(time.Duration(r.IntN(80)) * time.Millisecond)
		}
	}
}

func contents(t *testing.T, dir string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func newWatcher(t *testing.T, poll bool) *Watcher {
	w := New(poll)
	t.Cleanup(w.Close)
	w.interval = quiet
	if !poll && w.Polling() != "" {
		t.Skip("no notifications: " + w.Polling())
	}
	return w
}

// next is what changed, below dir.
func next(t *testing.T, w *Watcher, dir string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	now, err := w.Next(ctx)
	if err != nil {
		t.Fatal("nothing was reported")
	}
	changed := now.Files
	for i, p := range changed {
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			t.Fatal(err)
		}
		changed[i] = filepath.ToSlash(rel)
	}
	return changed
}

// nothing fails if something is reported.
func nothing(t *testing.T, w *Watcher) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*quiet)
	defer cancel()
	if changed, err := w.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error("also reported:", changed, err)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, dir, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		t.Fatal(err)
	}
}
