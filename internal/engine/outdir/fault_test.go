//go:build linux

package outdir

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"weft/internal/engine/emit"
	"weft/internal/testing/cases"
)

// What holds must hold whenever a run ends: killed, interrupted, out of disk space, without
// permission. For that the tests start themselves again as a program that writes one generation of
// files.
func TestMain(m *testing.M) {
	if dir := os.Getenv("WEFT_TEST_WRITE"); dir != "" {
		os.Exit(writeGeneration(dir))
	}
	os.Exit(m.Run())
}

func writeGeneration(dir string) int {
	n, err := strconv.Atoi(os.Getenv("WEFT_TEST_GENERATION"))
	if err == nil {
		_, err = Target{
			Dir:     dir,
			Emptied: os.Getenv("WEFT_TEST_EMPTIED") != "",
		}.Write(
			context.Background(),
			generation(n),
		)
	}
	if err != nil {
		fmt.Print(err)
		return 1
	}
	return 0
}

// generation is files that tell by their contents when they were made and what they are. Every
// second generation lacks some. They are few, so that a test can afford to be stopped at many
// points.
func generation(n int) []emit.File {
	var files []emit.File
	for i := range 24 - n%2*8 {
		p := fmt.Sprintf("d%d/f%d.yml", i%5, i)
		files = append(files, emit.File{Path: p, Data: generationData(p, n)})
	}
	return files
}

func generationData(p string, n int) []byte {
	line := fmt.Sprintf("%d %s\n", n, p)
	return []byte(line + strings.Repeat("x", 3000) + "\n" + line)
}

// generationOf is the generation of a file, or -1 if it is of none or not whole.
func generationOf(p, data string) int {
	number, _, _ := strings.Cut(data, " ")
	n, err := strconv.Atoi(number)
	if err != nil || data != string(generationData(p, n)) {
		return -1
	}
	return n
}

func child(dir string, n int, emptied bool) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	// Under the race detector each run would wait a second before it ends.
	cmd.Env = append(
		os.Environ(),
		"GORACE=atexit_sleep_ms=0",
		"WEFT_TEST_WRITE="+dir,
		"WEFT_TEST_GENERATION="+strconv.Itoa(n),
	)
	if emptied {
		cmd.Env = append(cmd.Env, "WEFT_TEST_EMPTIED=1")
	}
	return cmd
}

// faults is how often a test lets things go wrong. The moments are random, so that many runs find
// what one does not.
func faults() int { return int(cases.Number(20, 200)) }

func TestKilled(t *testing.T) {
	runs := faults()
	for _, emptied := range []bool{false, true} {
		parent := t.TempDir()
		dir := filepath.Join(parent, "out")
		began := time.Now()
		if out, err := child(dir, 0, emptied).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		killed, changed, w := 0, 0, window(time.Since(began))
		before := contents(t, dir)
		n := 1
		// On a busy machine it takes a while to find out how long a run takes.
		for ; n <= runs || (killed == 0 || changed == 0) && n <= 200; n++ {
			cmd := child(dir, n, emptied)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(w.some())
			if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
			done := cmd.Wait() == nil
			if !done {
				killed++
			}
			w.adapt(done)
			now := contents(t, dir)
			checkWhole(t, now, emptied)
			if !maps.Equal(before, now) {
				changed++
				before = now
			}
			if t.Failed() {
				t.Fatalf("emptied %t, run %d", emptied, n)
			}
		}
		if killed == 0 || changed == 0 {
			t.Errorf(
				"%d of %d runs were killed and %d changed something: this tests nothing",
				killed,
				n-1,
				changed,
			)
		}
		if out, err := child(dir, n, emptied).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for p := range contents(t, parent) {
			if strings.Contains(p, "weft") {
				t.Errorf("emptied %t: %s was left behind", emptied, p)
			}
		}
		checkGeneration(t, contents(t, dir), n)
		t.Logf(
			"emptied %t: %d of %d runs were killed, %d changed something",
			emptied,
			killed,
			n-1,
			changed,
		)
	}
}

// window is the time in which a run is ended. It follows the speed of the machine, so that some
// runs are ended at any point of their work and some come to an end by themselves.
type window time.Duration

func (w window) some() time.Duration { return time.Duration(rand.Int64N(int64(w) + 1)) }

func (w *window) adapt(done bool) {
	if done {
		*w -= *w / 5
	} else {
		*w += *w / 10
	}
}

// checkWhole finds every file whole; if the directory was emptied, it finds one generation and
// nothing else.
func checkWhole(t *testing.T, found map[string]string, emptied bool) {
	t.Helper()
	newest, files := -1, 0
	for p, data := range found {
		if strings.HasSuffix(p, "/") || strings.HasPrefix(p, stagingName) {
			continue
		}
		files++
		n := generationOf(p, data)
		if n < 0 {
			t.Errorf("%s is not whole: %d bytes", p, len(data))
		}
		newest = max(newest, n)
	}
	if newest < 0 {
		t.Error("there are no files")
	} else if emptied {
		checkGeneration(t, found, newest)
		if want := len(generation(newest)); files != want {
			t.Errorf("there are %d files, but generation %d has %d", files, newest, want)
		}
	}
}

// checkGeneration finds the files of one generation, and those of earlier ones only where it has
// none.
func checkGeneration(t *testing.T, found map[string]string, n int) {
	t.Helper()
	for _, f := range generation(n) {
		if found[f.Path] != string(f.Data) {
			t.Errorf("%s is not of generation %d", f.Path, n)
		}
	}
}

func TestInterrupted(t *testing.T) {
	for _, emptied := range []bool{false, true} {
		parent := t.TempDir()
		target := Target{Dir: filepath.Join(parent, "out"), Emptied: emptied}
		began := time.Now()
		write(t, target, generation(0))
		stopped, w := 0, window(time.Since(began))
		for n := 1; n <= faults()/2 || stopped == 0 && n <= 200; n++ {
			ctx, cancel := context.WithTimeout(t.Context(), w.some())
			_, err := target.Write(ctx, generation(n))
			cancel()
			if err != nil {
				stopped++
			}
			w.adapt(err == nil)
			found := contents(t, target.Dir)
			checkWhole(t, found, emptied)
			for p := range contents(t, parent) {
				if strings.Contains(p, "weft") {
					t.Errorf("%s was left behind", p)
				}
			}
			if err == nil {
				checkGeneration(t, found, n)
			}
		}
		if stopped == 0 {
			t.Error("no run was interrupted: this tests nothing")
		}
	}
}

// mount mounts a small file system in memory, if the test may do that.
func mount(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("cannot mount a file system: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
}

// Whenever the disk is full, all is as it was; otherwise all is new.
func TestFullDisk(t *testing.T) {
	disk := filepath.Join(t.TempDir(), "disk")
	mount(t, disk)
	for _, emptied := range []bool{false, true} {
		target := Target{Dir: filepath.Join(disk, "out"), Emptied: emptied}
		write(t, target, generation(0)) // 24 files that take 4 KB each
		before, failed := contents(t, disk), 0
		for n := 1; n <= faults(); n++ {
			filler := filepath.Join(disk, "filler")
			if err := os.WriteFile(filler, make([]byte, rand.IntN(140<<10)), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := target.Write(t.Context(), generation(n))
			if e := os.Remove(filler); e != nil {
				t.Fatal(e)
			}
			if err == nil {
				found := contents(t, target.Dir)
				checkWhole(t, found, emptied)
				checkGeneration(t, found, n)
				before = contents(t, disk)
				continue
			}
			failed++
			if !strings.HasSuffix(err.Error(), "no space left on device") {
				t.Error(err)
			}
			expect(t, disk, before)
		}
		if failed == 0 || failed == faults() {
			t.Errorf("%d of %d runs failed: this tests nothing", failed, faults())
		}
		t.Logf("emptied %t: %d of %d runs found the disk full", emptied, failed, faults())
	}
}

// A directory inside may be a file system of its own, as volumes of containers are.
func TestMountInside(t *testing.T) {
	dir := t.TempDir()
	mount(t, filepath.Join(dir, "volume"))
	put(t, dir, map[string]string{"volume/.weft-tmp-b.yml": "of a run that was killed"})
	write(
		t,
		Target{Dir: dir, Sync: true},
		text("a.yml", "1", "volume/b.yml", "2", "volume/sub/c.yml", "3"),
	)
	expect(t, dir, map[string]string{
		"a.yml": "1", "volume/": "", "volume/b.yml": "2", "volume/sub/": "", "volume/sub/c.yml": "3",
	})
	refused(
		t,
		Target{Dir: filepath.Join(dir, "volume"), Emptied: true},
		text("a.yml", "1"),
		CodeWrite,
		"device or resource busy",
	)
	expect(t, dir, map[string]string{
		"a.yml": "1", "volume/": "", "volume/b.yml": "2", "volume/sub/": "", "volume/sub/c.yml": "3",
	})
}

// otherUser is a folder that everybody can enter, and a way to write to what is in it as someone
// whom permissions hold for: root has every permission.
func otherUser(t *testing.T) (folder string, as func(*exec.Cmd), own func(dir string)) {
	t.Helper()
	const nobody = 65534
	folder, err := os.MkdirTemp("", "weft-permission")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	program := filepath.Join(folder, "program")
	data, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = errors.Join(os.WriteFile(program, data, 0o755), os.Chmod(folder, 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 {
		return folder, func(*exec.Cmd) {}, func(string) {}
	}
	as = func(cmd *exec.Cmd) {
		cmd.Path = program
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Credential: &syscall.Credential{Uid: nobody, Gid: nobody},
		}
	}
	own = func(dir string) {
		err := filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Chown(p, nobody, nobody))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder, as, own
}

func chmod(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// Without permission for one of the files, none is written.
func TestNoPermission(t *testing.T) {
	folder, as, own := otherUser(t)
	for name, tt := range map[string]struct {
		emptied bool
		locked  string
	}{
		"directory":                {false, "."},
		"directory in it":          {false, "d3"},
		"parent of the emptied":    {true, ".."},
		"the emptied":              {true, "."},
		"directory in the emptied": {true, "d3"},
	} {
		t.Run(name, func(t *testing.T) {
			top := filepath.Join(folder, filepath.Base(t.TempDir()))
			dir := filepath.Join(top, "out")
			write(t, Target{Dir: dir}, generation(0))
			before := contents(t, top)
			own(top)
			at := filepath.Join(dir, tt.locked)
			chmod(t, at, 0o500)
			defer chmod(t, at, 0o700)
			cmd := child(dir, 2, tt.emptied)
			as(cmd)
			out, err := cmd.Output() // not standard error: a program built for coverage warns there
			if err == nil || !strings.HasSuffix(string(out), "permission denied") {
				t.Errorf("got %v, %s, want that permission is denied", err, out)
			}
			chmod(t, at, 0o700)
			expect(t, top, before)
		})
	}
}

// Permissions that are taken away while a run writes may stop it anywhere, and still every file is
// whole.
func TestRevoked(t *testing.T) {
	folder, as, own := otherUser(t)
	for _, emptied := range []bool{false, true} {
		top := filepath.Join(folder, strconv.FormatBool(emptied))
		dir := filepath.Join(top, "out")
		if err := os.Mkdir(top, 0o700); err != nil {
			t.Fatal(err)
		}
		own(top)
		runs, locked := faults()/2, dir
		if emptied {
			locked = top
		}
		began := time.Now()
		first := child(dir, 0, emptied)
		as(first)
		if out, err := first.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		failed, w := 0, window(time.Since(began))
		for n := 1; n <= runs || failed == 0 && n <= 200; n++ {
			cmd := child(dir, n, emptied)
			as(cmd)
			var out bytes.Buffer
			cmd.Stdout = &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(w.some())
			chmod(t, locked, 0o500)
			err := cmd.Wait()
			chmod(t, locked, 0o700)
			if err != nil {
				failed++
				if !strings.HasSuffix(out.String(), "permission denied") {
					t.Errorf("run %d: %v: %s", n, err, out.String())
				}
			}
			w.adapt(err == nil)
			found := contents(t, dir)
			checkWhole(t, found, emptied)
			if err == nil {
				checkGeneration(t, found, n)
			}
		}
		if failed == 0 {
			t.Errorf("no run failed: this tests nothing")
		}
		cmd := child(dir, 201, emptied)
		as(cmd)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		for p := range contents(t, top) {
			if strings.Contains(p, "weft") {
				t.Errorf("emptied %t: %s was left behind", emptied, p)
			}
		}
		t.Logf("emptied %t: %d of %d runs were stopped", emptied, failed, runs)
	}
}
