package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// list is what `git ls-tree -r -z --long` prints of a repository. The ids of the files are their contents.
const list = "100644 blob one 3\tconfig/a.yml\x00" +
	"100755 blob two       3\tconfig/bin/run\x00" +
	"120000 blob a.yml 5\tconfig/link.yml\x00" +
	"120000 blob ../../outside 13\tconfig/out.yml\x00" +
	"120000 blob /etc/passwd 11\tconfig/abs.yml\x00" +
	"120000 blob round.yml 9\tconfig/round.yml\x00" +
	"120000 blob bin 3\tconfig/dir\x00" +
	"160000 commit 0123 -\tconfig/sub\x00" +
	"120000 blob long 9999\tconfig/long.yml\x00" +
	"100644 blob other 5\telsewhere.yml\x00"

func read(id string) ([]byte, error) { return []byte(id), nil }

func TestTree(t *testing.T) {
	tree, err := parseTree([]byte(list), "config/", read)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := parseTree([]byte(list[:strings.Index(list, "120000")]), "config/", read)
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(plain, "a.yml", "bin/run"); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"a.yml": "one", "link.yml": "one", "dir/run": "two", "bin/run": "two",
	} {
		data, err := fs.ReadFile(tree, name)
		if err != nil || string(data) != want {
			t.Errorf("%s: got %q, %v", name, data, err)
		}
	}
	for name, want := range map[string]string{
		"missing":       "file does not exist",
		"elsewhere.yml": "file does not exist",
		"out.yml":       "outside the revision",
		"abs.yml":       "outside the revision",
		"round.yml":     "too many symbolic links",
		"long.yml":      "is too long",
		"sub":           "is a submodule",
		"sub/x":         "is a submodule",
		"../x":          "invalid",
	} {
		if _, err := tree.Open(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	info, err := tree.Lstat("link.yml")
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("got %v, %v", info, err)
	}
	if target, err := tree.ReadLink("link.yml"); err != nil || target != "a.yml" {
		t.Errorf("got %q, %v", target, err)
	}
	if _, err := tree.ReadLink("a.yml"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("got %v", err)
	}
	const file, sub = "100644 blob 1 1\t", "160000 commit 1 -\t"
	for _, hostile := range []string{
		file + "..", file + "../x", file + "a/../x", file + "./x", file + "a/.", file + "/x", file + "a//x", file + "a/", file,
		file + "a\x00" + file + "a", file + "a\x00" + file + "a/b", file + "a/b\x00" + file + "a", sub + "a\x00" + file + "a/b",
		file + ".", sub + "..", file + strings.Repeat("a/", 3000) + "b",
	} {
		_, err := parseTree([]byte(hostile+"\x00"), "", read)
		if err == nil || !strings.Contains(err.Error(), "made to attack") {
			t.Errorf("%q: got %v", hostile, err)
		}
	}
	if _, err := parseTree([]byte("nonsense\x00"), "", read); err == nil {
		t.Error("nonsense is a list")
	}
}

// A revision is read although the files are others by now, or gone.
func TestRevision(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed")
	}
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %s", args, out)
		}
	}
	const odd = "config/a\tb ü.yml"
	git("init", "-q", "-b", "main")
	write(odd, "a: 1\r\n\x00")
	write("top.yml", "b: 1\n")
	git("add", "-A")
	git("-c", "user.email=a@example.com", "-c", "user.name=a", "commit", "-qm", "one")
	if err := os.Remove(filepath.Join(dir, odd)); err != nil {
		t.Fatal(err)
	}
	write("top.yml", "b: 2\n")

	r, err := Open(context.Background(), filepath.Join(dir, "config"), "main")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 2 {
		data, err := fs.ReadFile(r, strings.TrimPrefix(odd, "config/"))
		if err != nil || string(data) != "a: 1\r\n\x00" {
			t.Errorf("got %q, %v", data, err)
		}
	}
	if _, err := fs.ReadFile(r, "top.yml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	for name, want := range map[string]string{
		"mian": "unknown revision 'mian'", "-x": "unknown revision '-x'", "": "unknown revision ''",
		"^main": "unknown revision '^main'",
	} {
		if _, err := Open(context.Background(), dir, name); err == nil || err.Error() != want {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := Open(context.Background(), t.TempDir(), "main"); err == nil ||
		!strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("got %v", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ended, dir, "main"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Open(context.Background(), dir, "main"); err == nil ||
		!strings.Contains(err.Error(), "--rev needs git") {
		t.Errorf("got %v", err)
	}
}
