package vendor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/internal/project/archive"
)

// A repository in the folder of a source is not among the files that are locked, so it must not be deleted
// with them.
func TestHasGit(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("a: 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("x/a.yml")
	before, err := onDisk(dir)
	if err != nil || hasGit(dir) {
		t.Fatalf("%v; a folder of files belongs to git: %v", err, hasGit(dir))
	}
	write("x/.git/config")
	after, err := onDisk(dir)
	if err != nil || before.Hash() != after.Hash() {
		t.Fatalf("%v; the files that are locked changed", err)
	}
	if !hasGit(dir) {
		t.Error("a repository in the folder is not noticed")
	}
	dir = t.TempDir()
	for _, name := range []string{"HEAD", "objects/x", "refs/y"} {
		write(name)
	}
	if !hasGit(dir) {
		t.Error("a folder that is a repository is not noticed")
	}
}

// Git runs what the config of a repository says, also if its folder has another name than .git.
func TestTakesNoRepository(t *testing.T) {
	var list []archive.File
	for _, name := range []string{"s/HEAD", "s/objects/x", "s/refs/y", "s/config", "s/app.yml"} {
		list = append(list, archive.File{Name: name})
	}
	all, err := archive.New("upstream", list)
	if err != nil {
		t.Fatal(err)
	}
	for _, paths := range [][]string{nil, {"s/"}, {"s/**/*"}} {
		if _, _, err := taken(all, paths, nil); err == nil || !strings.Contains(err.Error(), "for a repository") {
			t.Errorf("%v: got %v", paths, err)
		}
		if _, _, err := taken(all, paths, []string{"s/HEAD"}); err != nil {
			t.Errorf("%v without HEAD: %v", paths, err)
		}
	}
}

// A lock that someone else wrote has no files removed outside of the project: the folder of sources may be a
// link, which no key of weft.yml needs to name.
func TestRemovesNothingOutside(t *testing.T) {
	base := t.TempDir()
	put(t, filepath.Join(base, "outside", "l", "a.yml"), "a: 1\n")
	tree, err := onDisk(filepath.Join(base, "outside", "l"))
	if err != nil {
		t.Fatal(err)
	}
	lock := string(format(map[string]Entry{"l": {From: "https://example.com/a.yml", Tree: tree.Hash()}}))
	for name, link := range map[string]func() error{
		"the folder of sources": func() error { return os.Symlink(filepath.Join("..", "outside"), "vendor") },
		"the folder of one": func() error {
			if err := os.Mkdir("vendor", 0o755); err != nil {
				return err
			}
			return os.Symlink(filepath.Join("..", "..", "outside", "l"), filepath.Join("vendor", "l"))
		},
	} {
		dir := filepath.Join(base, strings.ReplaceAll(name, " ", "-"))
		put(t, filepath.Join(dir, "weft.lock"), lock)
		t.Chdir(dir)
		if err := link(); err != nil {
			t.Skip(err)
		}
		v := open(t, "inputs: []\n")
		if err := v.Write(t.Context(), nil); err != nil {
			t.Fatal(messages(err))
		}
		if got := read(t, filepath.Join(base, "outside", "l", "a.yml")); got != "a: 1\n" {
			t.Errorf("%s is a link: %q", name, got)
		}
	}
}

func TestAllowedFiles(t *testing.T) {
	f := &fetcher{opts: Options{AllowOutside: []string{"file:///srv/ok"}}}
	for url, want := range map[string]bool{
		"file:///srv/ok": true, "file:///srv/ok/a.git": true, "file:///srv/ok/": true,
		"file:///srv/okay": false, "file:///srv/ok/../up": false, "file:///srv/ok/%2e%2e/up": false,
		"file:///srv": false, "https://srv/ok": false,
	} {
		if got := f.allowed(url); got != want {
			t.Errorf("%s: got %v", url, got)
		}
	}
}

// A commit that weft.yml names is the one that is locked, and a range is never satisfied by a lock without a
// version.
func TestSatisfies(t *testing.T) {
	commit, other := strings.Repeat("a1", 20), strings.Repeat("b2", 20)
	for _, tt := range []struct {
		entry Entry
		spec  string
		want  bool
	}{
		{Entry{Commit: commit}, commit, true},
		{Entry{Commit: commit}, commit[:8], true},
		{Entry{Commit: commit}, other, false},
		{Entry{Commit: commit}, "^2.4", false},
		{Entry{Commit: commit}, "", true},
		{Entry{Commit: commit, Version: "v2.4.1"}, "^2.4", true},
		{Entry{Commit: commit, Version: "v2.4.1"}, "^3", false},
		{Entry{Commit: commit, Version: "v2.4.1"}, commit, true},
		{Entry{Commit: commit, Version: "main"}, "main", true},
		{Entry{Digest: "sha256:1"}, "sha256:1", true},
		{Entry{Digest: "sha256:1"}, "sha256:2", false},
	} {
		if got := tt.entry.satisfies(tt.spec); got != tt.want {
			t.Errorf("%+v and %q: got %v", tt.entry, tt.spec, got)
		}
	}
}
