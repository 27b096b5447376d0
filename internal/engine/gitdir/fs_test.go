package gitdir

import (
	"io/fs"
	"testing"
	"testing/fstest"
)

// Links of a file system are followed one by one, and those that lead out of it are found.
func TestInFS(t *testing.T) {
	link := func(to string) *fstest.MapFile {
		return &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte(to)}
	}
	files := fstest.MapFS{
		".git/config": {}, "a/x": {}, "a/b/y": {}, "bare/HEAD": {}, "bare/objects/o": {}, "bare/refs/r": {},
		"a/file": link("../.git/config"), "git": link(".git/"), "two": link("git"), "deep": link("a/b"),
		"a/up": link("../../x"), "back": link("deep/../file"), "abs": link("/etc/passwd"), "loop": link("loop"),
		"store": link("bare"), "new": link(".git/hooks/new"), "fine": link("./a//x"),
	}
	for _, tt := range []struct {
		name, real  string
		out, belong bool
	}{
		{name: "a/x", real: "a/x"},
		{name: ".", real: "."},
		{name: "none/x", real: "none/x"},
		{name: "fine", real: "a/x"},
		{name: "deep/y", real: "a/b/y"},
		{name: "a/file", real: ".git/config", belong: true},
		{name: "two/config", real: ".git/config", belong: true},
		{name: "back", real: ".git/config", belong: true},
		{name: "new", real: ".git/hooks/new", belong: true},
		{name: "store/config", real: "bare/config", belong: true},
		{name: "a/up", real: "../x", out: true},
		{name: "abs", real: "/etc/passwd", out: true},
		{name: "loop/x", real: "loop", out: true},
	} {
		if real, ok := RealIn(files, tt.name); real != tt.real || ok == tt.out {
			t.Errorf("RealIn(%q) = %q, %t", tt.name, real, ok)
		}
		if got := InFS(files, tt.name); got != tt.belong {
			t.Errorf("InFS(%q) = %t", tt.name, got)
		}
	}
}
