package gitdir

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestIsName(t *testing.T) {
	for _, name := range []string{
		".git", ".GIT", ".Git", ".giT", ".git.", ".git ", ".git. .", ".git...", ".git::$INDEX_ALLOCATION",
		".GIT:stream", ".git :x", "git~1", "GIT~1", "Git~12", "git~1.", "GIT~1 ", "git~1:x",
		".g\u200cit", ".git\u200d", "\ufeff.git", "\u200e.\u200fg\u202ai\u202et\u206a", ".gi\u206ft",
		".g\u00adit", ".git\ufe0f", ".g\u034fIT", "G\u200cIT~1",
	} {
		if !IsName(name) {
			t.Errorf("%q is not taken for .git", name)
		}
	}
	for _, name := range []string{
		"", ".", "..", ".gi", "git", ".gitignore", ".github", ".gitmodules", ".git-x", "x.git", "git~",
		"git~a", "git~1a", "agit~1", ".git~1", ".gitt", ". git", " .git", "..git", ".g.it", ".gıt",
	} {
		if IsName(name) {
			t.Errorf("%q is taken for .git", name)
		}
	}
}

func TestIsCheckout(t *testing.T) {
	for _, name := range []string{
		".gitignore", ".GITIGNORE", ".gitattributes", ".gitAttributes. ", ".gitignore::$DATA", ".git\u200cignore",
	} {
		if !IsCheckout(name) {
			t.Errorf("%q is not taken for a file that changes what git checks out", name)
		}
	}
	for _, name := range []string{"", ".git", "gitignore", ".gitmodules", ".dockerignore", "a.gitignore", ".gitkeep"} {
		if IsCheckout(name) {
			t.Errorf("%q is taken for a file that changes what git checks out", name)
		}
	}
}

func TestIsBelow(t *testing.T) {
	for _, path := range []string{
		".git", "./.git", ".git/config", "a/.git", "a/.GIT/hooks/x", `a\.git\config`, `.git\x`,
		"/a/.git/", "a/git~1/x", "a//.git", ".git/modules/sub/config", `C:\repo\.git`,
	} {
		if !IsBelow(path) {
			t.Errorf("%q is not taken for one below .git", path)
		}
	}
	for _, path := range []string{"", "/", "a/b", "a/.github/x", ".gitignore", "x.git/config", "a/git/b"} {
		if IsBelow(path) {
			t.Errorf("%q is taken for one below .git", path)
		}
	}
}

// A path is in a directory of git by its name, by what is in the directory, by links, and by what
// .git files say, whatever the repository was made with.
func TestOf(t *testing.T) {
	dir := realTemp(t)
	mkdir := func(name string) { must(t, os.MkdirAll(filepath.Join(dir, name), 0o755)) }
	write := func(name, text string) {
		mkdir(filepath.Dir(name))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for _, name := range []string{
		"repo/.git/hooks", "repo/src/deep", "bare/objects", "bare/refs", "bare/hooks", "half/objects",
		"half/refs", "store/x", "shared/hooks", "tree/src",
	} {
		mkdir(name)
	}
	write("bare/HEAD", "ref: refs/heads/main\n")
	write("half/readme", "")
	write("tree/.git", "gitdir: ../store\r\n") // to what is not yet a repository
	write("store/commondir", "../shared\n")
	write("linked/HEAD", "")
	write("linked/commondir", "../shared\n")
	write("strange/.git", "something else")
	links := runtime.GOOS != "windows"
	if links {
		must(t, os.Symlink(filepath.Join(dir, "repo/.git"), filepath.Join(dir, "out")))
		must(t, os.Symlink("bare/hooks", filepath.Join(dir, "hooks")))
		must(t, os.Symlink("repo/.git/new", filepath.Join(dir, "dangling")))
		must(t, os.Symlink("loop", filepath.Join(dir, "loop")))
		mkdir("moved/inner")
		must(t, os.Symlink("inner", filepath.Join(dir, "moved/.git")))
		for _, name := range []string{"old/info", "apart/objects", "apart/refs"} {
			mkdir(name)
		}
		must(t, os.Symlink("refs/heads/main", filepath.Join(dir, "old/HEAD"))) // a branch without a file
		must(t, os.Symlink("../apart/objects", filepath.Join(dir, "old/objects")))
		must(t, os.Symlink("../apart/refs", filepath.Join(dir, "old/refs")))
	}
	tests := []struct {
		path, want string
		link       bool
	}{
		{path: "repo"},
		{path: "repo/src/deep/new/file.yml"},
		{path: "repo/.git", want: "repo/.git"},
		{path: "repo/.git/hooks/x", want: "repo/.git"},
		{path: "repo/src/.GIT/x", want: "repo/src/.GIT"},
		{path: "bare", want: "bare"},
		{path: "bare/hooks/post-checkout", want: "bare"},
		{path: "bare/new/dir/x", want: "bare"},
		{path: "half/x"},
		{path: "linked/x", want: "linked"},
		{path: "strange/x"},
		{path: "out/config", want: "repo/.git", link: true},
		{path: "hooks/x", want: "bare", link: true},
		{path: "dangling/x", want: "repo/.git", link: true},
		{path: "loop/x", link: true},
		{path: "moved/inner/config", want: "moved/inner", link: true},
		{path: "old/config", want: "old", link: true},
	}
	for _, tt := range tests {
		if tt.link && !links {
			continue
		}
		want := tt.want
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if got := Of(filepath.Join(dir, tt.path)); got != want {
			t.Errorf("%s: got %q, want %q", tt.path, got, want)
		}
	}
	t.Chdir(filepath.Join(dir, "tree/src")) // its .git leads elsewhere
	for path, want := range map[string]string{
		"../../store/config": "store", "../../store": "store", "../../shared/hooks/x": "shared",
		"x": "", "../../repo/x": "",
	} {
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if got := Of(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// What git itself makes is recognized: repositories, bare ones, work trees and submodules.
func TestOfGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := realTemp(t)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{
			"-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "protocol.file.allow=always",
		}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %s", args, out)
		}
	}
	git("init", "-q", "repo")
	git("-C", "repo", "commit", "-q", "--allow-empty", "-m", "x")
	git("init", "-q", "--bare", "bare")
	git("init", "-q", "--separate-git-dir", "apart", "work")
	git("-C", "repo", "worktree", "add", "-q", "../tree")
	git("-C", "repo", "submodule", "add", "-q", filepath.Join(dir, "repo"), "sub")
	for path, want := range map[string]string{
		"repo/.git/config":              "repo/.git",
		"repo/sub/.git":                 "repo/sub/.git",
		"repo/.git/modules/sub/hooks/x": "repo/.git",
		"repo/.git/worktrees/tree/HEAD": "repo/.git",
		"bare/config":                   "bare",
		"apart/config":                  "apart",
		"tree/.git":                     "tree/.git",
		"repo/x":                        "",
		"work/x":                        "",
		"tree/x":                        "",
		"repo/sub/x":                    "",
	} {
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if got := Of(filepath.Join(dir, path)); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// A Finder looks at directories once, and says the same as Of.
func TestFinder(t *testing.T) {
	dir := realTemp(t)
	must(t, os.MkdirAll(filepath.Join(dir, "a/.git"), 0o755))
	var f Finder
	for range 2 {
		for _, path := range []string{"a", "a/b", "a/.git/x", "a/b/c"} {
			path = filepath.Join(dir, path)
			if got, want := f.Of(path), Of(path); got != want {
				t.Errorf("%s: got %q, want %q", path, got, want)
			}
		}
	}
}

func realTemp(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A path may have thousands of directories. The time must not grow with the cube of their number, as it did:
// names of directories get longer, so that it grows with the square.
func TestDeepPaths(t *testing.T) {
	dir := t.TempDir()
	least := func(depth int) time.Duration {
		best := time.Hour
		for range 3 {
			now := time.Now()
			if found := Of(dir + strings.Repeat("/a", depth)); found != "" {
				t.Fatalf("found %s", found)
			}
			best = min(best, time.Since(now))
		}
		return best
	}
	few, many := least(100), least(1000)
	t.Logf("%s for 100 directories, %s for 1000", few, many)
	if many > 400*few {
		t.Error("the time grows too fast")
	}
}
