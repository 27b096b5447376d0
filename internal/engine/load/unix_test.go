//go:build unix

package load

import (
	"net"
	"os"
	"strconv"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamedPipe(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe.yml", 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	done := make(chan error, 1)
	go func() { done <- os.WriteFile("pipe.yml", []byte("a: 1\n"), 0) }()
	got, err := read(Options{Paths: []string{"pipe.yml"}})
	if diff := cmp.Diff([]string{"pipe.yml yaml t-o =a: 1\n"}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestSocket(t *testing.T) {
	t.Chdir(t.TempDir())
	mkdir(t, "d")
	l, err := net.Listen("unix", "d/s.yml")
	if err != nil {
		t.Skip("no sockets here:", err)
	}
	defer l.Close()
	_, err = read(Options{Paths: []string{"d/s.yml"}})
	checkError(t, err, "load/irregular: 'd/s.yml' is not a regular file", "")
	_, err = read(Options{Paths: []string{"d"}})
	const hint = "weft reads only regular files in a directory: move it elsewhere, or exclude it with --file-mark s.yml:exclude=true"
	checkError(t, err, "load/irregular: 'd/s.yml' is not a regular file", hint)
	if got, err := read(Options{Paths: []string{"d"}, Marks: []string{"s.yml:exclude=true"}}); err != nil ||
		len(got) > 0 {
		t.Errorf("left out: got %v, %v", got, err)
	}
}

// A pipe in a directory is never waited for, whatever its name.
func TestPipeInDirectory(t *testing.T) {
	for _, name := range []string{"p.yml", "p.txt", "p.star", "p"} {
		t.Chdir(t.TempDir())
		mkdir(t, "d")
		if err := syscall.Mkfifo("d/"+name, 0o600); err != nil {
			t.Skip("no pipes here:", err)
		}
		_, err := read(Options{Paths: []string{"d"}})
		checkError(
			t,
			err,
			"load/irregular: 'd/"+name+"' is not a regular file",
			"weft reads only regular files in a directory: move it elsewhere, or exclude it with --file-mark "+name+":exclude=true",
		)
		if err := os.Symlink(name, "d/link.yml"); err != nil {
			t.Fatal(err)
		}
		_, err = read(
			Options{
				Paths:    []string{"d"},
				Marks:    []string{name + ":exclude=true"},
				Symlinks: Symlinks{All: true},
			},
		)
		checkError(
			t,
			err,
			"load/irregular: 'd/link.yml' is not a regular file",
			"weft reads only regular files in a directory: move it elsewhere, or exclude it with --file-mark link.yml:exclude=true",
		)
	}
}

func TestDevice(t *testing.T) {
	_, err := read(Options{Paths: []string{"/dev/null"}})
	checkError(t, err, "load/irregular: '/dev/null' is not a regular file", "")
}

// The shell's <(command) hands over a link to a pipe that has no other name.
func TestDescriptor(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString("a: 1\n"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	path := "/dev/fd/" + strconv.Itoa(int(r.Fd()))
	if _, err := os.Stat(path); err != nil {
		t.Skip("no /dev/fd here:", err)
	}
	got, err := read(Options{Paths: []string{"p.yml=" + path}})
	if diff := cmp.Diff([]string{"p.yml yaml t-o =a: 1\n"}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestUnreadable(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "d/a.yml", "")
	if err := os.Chmod("d/a.yml", 0); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	_, err := read(Options{Paths: []string{"d"}})
	checkError(t, err, "load/unreadable: reading file 'd/a.yml': permission denied", "")
}
