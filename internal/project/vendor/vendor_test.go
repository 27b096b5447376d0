package vendor

import (
	"context"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"weft/internal/lang/diag"
	"weft/internal/project"
)

// upstream is a git repository with releases, which a test serves.
type upstream struct {
	t   *testing.T
	dir string
}

func newUpstream(t *testing.T) *upstream {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	u := &upstream{t, filepath.Join(t.TempDir(), "lantern")}
	if err := os.MkdirAll(u.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	u.git("init", "-q", "-b", "main")
	u.release("v2.4.1", "deploy/lantern.yml", "kind: ConfigMap\n")
	return u
}

func (u *upstream) git(args ...string) string {
	u.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.email=a@example.com", "-c", "user.name=a"}, args...)...)
	cmd.Dir = u.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		u.t.Fatalf("git %s: %s", args, out)
	}
	return strings.TrimSpace(string(out))
}

// release commits a file, and tags the commit unless the tag is "".
func (u *upstream) release(tag, name, text string) {
	u.t.Helper()
	put(u.t, filepath.Join(u.dir, name), text)
	u.git("add", "-A")
	u.git("commit", "-qm", "change")
	if tag != "" {
		u.git("tag", tag)
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// serve serves the repository with git's own program, and counts the requests.
func (u *upstream) serve(tls bool) (url string, requests *atomic.Int64) {
	u.t.Helper()
	path := filepath.Join(u.git("--exec-path"), "git-http-backend")
	if _, err := os.Stat(path); err != nil {
		u.t.Skip("git http-backend is needed")
	}
	backend := &cgi.Handler{Path: path, Env: []string{
		"GIT_PROJECT_ROOT=" + filepath.Dir(u.dir), "GIT_HTTP_EXPORT_ALL=1", "HOME=" + os.Getenv("HOME"),
	}}
	requests = &atomic.Int64{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		backend.ServeHTTP(w, r)
	})
	server := httptest.NewUnstartedServer(handler)
	if tls {
		server.StartTLS()
		ca := filepath.Join(u.t.TempDir(), "ca.pem")
		put(u.t, ca, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
		u.t.Setenv("SSL_CERT_FILE", ca)
		u.t.Setenv("GIT_SSL_CAINFO", "")
	} else {
		server.Start()
	}
	u.t.Cleanup(server.Close)
	return server.URL + "/lantern", requests
}

// open opens the project in the current directory, after writing weft.yml unless the text is empty.
func open(t *testing.T, text string) *Vendor {
	t.Helper()
	if text != "" {
		put(t, "weft.yml", "weft: 2026\n"+text)
	}
	v, err := opened()
	if err != nil {
		t.Fatal(messages(err))
	}
	return v
}

// opened opens the project in the current directory.
func opened() (*Vendor, error) {
	p, err := project.Open(project.Options{Path: "weft.yml"})
	if err != nil {
		return nil, err
	}
	return Open(p)
}

// messages returns the texts of all diagnostics of an error, with their hints.
func messages(err error) string {
	if err == nil {
		return ""
	}
	list := diag.Of(err)
	if f := diag.FailureOf(err); f != nil {
		list = f.List
	}
	var all []string
	for _, d := range list {
		all = append(all, d.Message+" | "+d.Hint)
	}
	if all == nil {
		return err.Error()
	}
	return strings.Join(all, "\n")
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// update fetches and writes the newest versions that weft.yml allows.
func update(t *testing.T, v *Vendor, opts Options, wants ...Want) {
	t.Helper()
	v, err := v.For(context.Background(), wants)
	if err != nil {
		t.Fatal(messages(err))
	}
	list, err := v.Candidates(context.Background(), wants, false, opts)
	if err == nil {
		err = v.Write(context.Background(), list)
	}
	if err != nil {
		t.Fatal(messages(err))
	}
}

// TestGit locks, restores, checks and updates a source that git serves over http and https.
func TestGit(t *testing.T) {
	for _, tls := range []bool{false, true} {
		t.Run(map[bool]string{true: "https", false: "http"}[tls], func(t *testing.T) {
			u := newUpstream(t)
			url, requests := u.serve(tls)
			t.Chdir(t.TempDir())
			opts := Options{AllowOutside: []string{url}}
			ctx := context.Background()
			v := open(t, "vendor: {lantern: {git: '"+url+"', version: ^2.4, paths: ['deploy/*.yml']}}\n")
			if _, err := v.Restore(ctx, nil, false, opts); !strings.Contains(messages(err), "weft vendor update lantern") {
				t.Fatalf("a source that is not locked: got %s", messages(err))
			}
			update(t, v, opts)
			if got := read(t, "vendor/lantern/lantern.yml"); got != "kind: ConfigMap\n" {
				t.Errorf("got %q", got)
			}
			lock := read(t, "weft.lock")
			for _, want := range []string{
				"  from: git+" + url + "\n", "  version: v2.4.1\n", "  commit: " + u.git("rev-parse", "v2.4.1") + "\n",
				"  tree: sha256:",
			} {
				if !strings.Contains(lock, want) {
					t.Errorf("the lock has no %q:\n%s", want, lock)
				}
			}
			u.release("v2.5.0", "deploy/lantern.yml", "kind: Secret\n")
			u.release("v3.0.0", "deploy/lantern.yml", "kind: Other\n")

			before := requests.Load()
			if _, err := open(t, "").Restore(ctx, nil, false, opts); err != nil || requests.Load() != before {
				t.Errorf("a second run made %d requests: %s", requests.Load()-before, messages(err))
			}
			if err := os.RemoveAll("vendor"); err != nil {
				t.Fatal(err)
			}
			if _, err := open(t, "").Restore(ctx, nil, false, opts); err != nil {
				t.Fatal(messages(err))
			}
			if got := read(t, "vendor/lantern/lantern.yml"); got != "kind: ConfigMap\n" || read(t, "weft.lock") != lock {
				t.Errorf("restored %q", got)
			}
			list, err := open(t, "").Outdated(ctx, nil, opts)
			if err != nil || list[0].Current != "v2.4.1" || list[0].Wanted != "v2.5.0" || list[0].Latest != "v3.0.0" {
				t.Errorf("got %+v, %v", list, err)
			}
			update(t, open(t, ""), opts)
			if got := read(t, "vendor/lantern/lantern.yml"); got != "kind: Secret\n" {
				t.Errorf("updated to %q", got)
			}
			update(t, open(t, ""), opts, Want{"lantern", "3.0.0"})
			if got := read(t, "weft.yml"); !strings.Contains(got, "^3.0") {
				t.Errorf("weft.yml does not allow the wanted version:\n%s", got)
			}
			if found, err := open(t, "").Check(ctx, nil); err != nil || len(found) > 0 {
				t.Errorf("got %v, %v", found, err)
			}
		})
	}
}

// TestFlippedBytes checks that each kind of local change is found, and not overwritten.
func TestFlippedBytes(t *testing.T) {
	u := newUpstream(t)
	u.release("v2.5.0", "deploy/more/other.yml", "a: 1\n")
	url := "file://" + filepath.ToSlash(u.dir)
	opts := Options{AllowOutside: []string{url}}
	for name, change := range map[string]func() error{
		"one bit":     func() error { return os.WriteFile("vendor/l/deploy/lantern.yml", []byte("kind: ConfigMaq\n"), 0o644) },
		"a new file":  func() error { return os.WriteFile("vendor/l/new.yml", nil, 0o644) },
		"a lost file": func() error { return os.Remove("vendor/l/deploy/lantern.yml") },
		"another name": func() error {
			return os.Rename("vendor/l/deploy/lantern.yml", "vendor/l/deploy/lanterN.yml")
		},
		"a program": func() error { return os.Chmod("vendor/l/deploy/lantern.yml", 0o755) },
		"a link": func() error {
			if err := os.Rename("vendor/l/deploy/lantern.yml", "vendor/l/deploy/x.yml"); err != nil {
				return err
			}
			return os.Symlink("x.yml", "vendor/l/deploy/lantern.yml")
		},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && name == "a program" {
				t.Skip("there are no such permissions")
			}
			t.Chdir(t.TempDir())
			update(t, open(t, "vendor: {l: {git: '"+url+"'}}\n"), opts)
			if err := change(); err != nil {
				t.Fatal(err)
			}
			v := open(t, "")
			found, err := v.Check(context.Background(), nil)
			if err != nil || len(found) != 1 || found[0].Problem.Code != CodeChanged {
				t.Fatalf("got %v, %v", found, messages(err))
			}
			if _, err := v.Restore(context.Background(), nil, false, opts); !strings.Contains(messages(err), "--force l") {
				t.Errorf("restoring overwrites it: %v", messages(err))
			}
			if _, err := v.Candidates(context.Background(), nil, false, opts); err == nil {
				t.Error("updating overwrites it")
			}
			if _, err := v.Restore(context.Background(), nil, true, opts); err != nil {
				t.Fatal(messages(err))
			}
			if found, err := v.Check(context.Background(), nil); err != nil || len(found) > 0 {
				t.Errorf("after --force: got %v, %v", found, err)
			}
		})
	}
}

// TestMovedTag checks that a tag that names another commit today does not change what is restored, and that
// a commit which is gone is an error.
func TestMovedTag(t *testing.T) {
	u := newUpstream(t)
	url := "file://" + filepath.ToSlash(u.dir)
	opts := Options{AllowOutside: []string{url}}
	t.Chdir(t.TempDir())
	update(t, open(t, "vendor: {l: {git: '"+url+"', version: 2.4.1}}\n"), opts)
	u.release("", "deploy/lantern.yml", "kind: Evil\n")
	u.git("tag", "-f", "v2.4.1")
	if err := os.RemoveAll("vendor"); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, "").Restore(context.Background(), nil, false, opts); err != nil {
		t.Fatal(messages(err))
	}
	if got := read(t, "vendor/l/deploy/lantern.yml"); got != "kind: ConfigMap\n" {
		t.Errorf("restored %q", got)
	}
	list, err := open(t, "").Outdated(context.Background(), nil, opts)
	if err != nil || !list[0].Moved {
		t.Errorf("the tag has moved, but outdated says %+v, %v", list, err)
	}
	if err := os.RemoveAll("vendor"); err != nil {
		t.Fatal(err)
	}
	lock := read(t, "weft.lock")
	put(t, "weft.lock", strings.Replace(lock, "  commit: ", "  commit: 0123456789abcdef0123456789abcdef01234567 #", 1))
	if _, err := open(t, "").Restore(context.Background(), nil, false, opts); err == nil {
		t.Error("a commit that does not exist was restored")
	}
	if _, err := os.Stat("vendor/l"); err == nil {
		t.Error("a folder is left behind")
	}
	// Once the commit is gone, nothing else is restored: only an update takes what the tag is today.
	put(t, "weft.lock", lock)
	old := strings.TrimSpace(strings.Split(strings.Split(lock, "  commit: ")[1], "\n")[0])
	u.git("checkout", "-q", "--orphan", "other")
	u.git("commit", "-qm", "all")
	u.git("tag", "-f", "v2.4.1")
	u.git("branch", "-qD", "main")
	u.git("reflog", "expire", "--expire=now", "--all")
	u.git("gc", "-q", "--prune=now")
	today := u.git("rev-parse", "HEAD")
	_, err = open(t, "").Restore(context.Background(), nil, false, opts)
	for _, want := range []string{"version v2.4.1 of source 'l' has moved", old, today, "weft vendor update l"} {
		if !strings.Contains(messages(err), want) {
			t.Errorf("no %q in %s", want, messages(err))
		}
	}
	var notes []string
	opts.Note = func(n string) { notes = append(notes, n) }
	update(t, open(t, ""), opts)
	if len(notes) != 1 || !strings.Contains(notes[0], "l: version v2.4.1 has moved: it was "+old) {
		t.Errorf("an update says %q", notes)
	}
	// A branch is expected to move.
	notes = nil
	u.release("", "deploy/lantern.yml", "kind: Branch\n")
	update(t, open(t, "vendor: {l: {git: '"+url+"', version: other}}\n"), opts)
	u.release("", "deploy/lantern.yml", "kind: Next\n")
	update(t, open(t, ""), opts)
	if len(notes) > 0 || read(t, "vendor/l/deploy/lantern.yml") != "kind: Next\n" {
		t.Errorf("a branch that moved: %q", notes)
	}
}

// TestOneClone checks that sources of one repository ask it once, and may be restored by two runs at once.
func TestOneClone(t *testing.T) {
	u := newUpstream(t)
	u.release("v2.5.0", "crds/a.yml", "a: 1\n")
	url, requests := u.serve(false)
	t.Chdir(t.TempDir())
	opts := Options{AllowOutside: []string{url}}
	update(t, open(t, "vendor:\n  one: {git: '"+url+"', paths: ['deploy/*']}\n  two: {git: '"+url+
		"', paths: ['crds/*']}\n  three: {git: '"+url+"', paths: ['**/*.yml']}\n"), opts)
	restore := func() int64 {
		if err := os.RemoveAll("vendor"); err != nil {
			t.Fatal(err)
		}
		before := requests.Load()
		if _, err := open(t, "").Restore(context.Background(), nil, false, opts); err != nil {
			t.Fatal(messages(err))
		}
		return requests.Load() - before
	}
	counts := counted(&opts)
	three := restore()
	if got := counts(); !strings.HasPrefix(got, "3 of 3 sources, 1 addresses, ") {
		t.Errorf("the progress ends with %s", got)
	}
	opts.Bytes, opts.Sources = nil, nil
	if _, err := os.Stat("vendor/three/crds/a.yml"); err != nil {
		t.Error(err)
	}
	put(t, "weft.yml", "weft: 2026\nvendor:\n  one: {git: '"+url+"', paths: ['deploy/*']}\n")
	if one := restore(); three != one {
		t.Errorf("three sources of one repository need %d requests, one needs %d", three, one)
	}
	if err := os.RemoveAll("vendor"); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		v := open(t, "")
		wg.Go(func() { _, errs[i] = v.Restore(context.Background(), nil, false, opts) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			t.Error(messages(err))
		}
	}
}

// TestDir checks that a directory of the repository is locked and not copied.
func TestDir(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "notes/a.yml", "a: 1\n")
	v := open(t, "vendor: {notes: {dir: notes}}\n")
	update(t, v, Options{})
	if _, err := os.Stat("vendor"); err == nil {
		t.Error("it was copied")
	}
	if !strings.Contains(read(t, "weft.lock"), "from: dir+notes\n") {
		t.Error(read(t, "weft.lock"))
	}
	put(t, "notes/a.yml", "a: 2\n")
	_, err := open(t, "").Restore(context.Background(), nil, false, Options{})
	if !strings.Contains(messages(err), "weft vendor update notes") {
		t.Errorf("got %s", messages(err))
	}
	update(t, open(t, ""), Options{})
	if _, err := open(t, "").Restore(context.Background(), nil, false, Options{}); err != nil {
		t.Error(messages(err))
	}
	// What weft.yml no longer has leaves the lock.
	update(t, open(t, "vendor: {}\n"), Options{})
	if got := read(t, "weft.lock"); strings.Contains(got, "notes") {
		t.Errorf("got %s", got)
	}
}

// TestDirPaths checks that of a directory of the repository, only the files that the source takes are locked.
func TestDirPaths(t *testing.T) {
	newUpstream(t)
	t.Chdir(t.TempDir())
	put(t, "notes/a.yml", "a: 1\n")
	put(t, "notes/skip.md", "1\n")
	put(t, "notes/sub/b.yml", "b: 1\n")
	repo := upstream{t, "."}
	update(t, open(t, "vendor: {notes: {dir: notes, paths: ['**/*.yml'], exclude: [sub]}}\n"), Options{})
	repo.git("init", "-q")
	repo.git("add", "-A")
	repo.git("commit", "-qm", "a")
	put(t, "notes/skip.md", "2\n")
	put(t, "notes/sub/b.yml", "b: 2\n")
	if found, err := open(t, "").Check(context.Background(), nil); err != nil || len(found) > 0 {
		t.Errorf("files that are not taken matter: %v, %s", found, messages(err))
	}
	if list, err := open(t, "").Outdated(context.Background(), nil, Options{}); err != nil || list[0].IsOutdated() {
		t.Errorf("got %+v, %v", list, err)
	}
	put(t, "notes/a.yml", "a: 3\n")
	found, err := open(t, "").Check(context.Background(), nil)
	if err != nil || len(found) != 1 || !strings.Contains(string(found[0].Patch), "+a: 3") ||
		strings.Contains(string(found[0].Patch), "skip") {
		t.Errorf("got %v, %v", found, err)
	}
	_, err = open(t, "vendor: {notes: {dir: notes, paths: ['*.star']}}\n").Candidates(context.Background(), nil, false,
		Options{})
	if !strings.Contains(messages(err), "none of the 3 files of the source matches") {
		t.Errorf("got %s", messages(err))
	}
}

// TestUnknownVersion checks that messages about versions help.
func TestUnknownVersion(t *testing.T) {
	u := newUpstream(t)
	u.release("v2.6.0", "deploy/lantern.yml", "kind: Secret\n")
	url := "file://" + filepath.ToSlash(u.dir)
	t.Chdir(t.TempDir())
	for version, want := range map[string]string{
		"2.4.2":  "has no version 2.4.2 | did you mean v2.4.1?",
		"^7":     "has no version in the range ^7 | it has v2.6.0, v2.4.1",
		"maim":   "has no version maim | did you mean main?",
		"v2.6.0": "",
		"main":   "",
	} {
		v := open(t, "vendor: {l: {git: '"+url+"', version: '"+version+"'}}\n")
		_, err := v.Candidates(context.Background(), nil, false, Options{AllowOutside: []string{url}})
		if got := messages(err); !strings.Contains(got, want) || (want == "") != (err == nil) {
			t.Errorf("%s: got %q, want %q", version, got, want)
		}
	}
}

// TestHostileURL checks that git never gets a URL that it could read as a flag, or that runs a program.
func TestHostileURL(t *testing.T) {
	newUpstream(t)
	t.Chdir(t.TempDir())
	for _, url := range []string{
		"ext::sh -c touch% canary", "ext::touch canary", "--upload-pack=touch canary", "-oProxyCommand=touch",
		"ssh://-oProxyCommand=touch canary/x", "ssh://-oProxyCommand=touch/x", "ssh://-x@host/y", "git@-oProxy:x",
		"git://127.0.0.1/x", "file:///etc", "http://127.0.0.1:1/x", "fd::17", "https://user:secret@example.com/x",
		"https:///x", "/etc", "https://example.com/\nx", "git@host:-x", "ssh://host:-1/x", "HTTP::x",
	} {
		put(t, "weft.yml", "weft: 2026\nvendor: {l: {git: "+flow(url)+"}}\n")
		_, err := open(t, "").Candidates(context.Background(), nil, false, Options{})
		if err == nil {
			t.Errorf("%s is fetched", url)
		}
		if text := messages(err); strings.Contains(text, "secret") {
			t.Errorf("a password is shown: %s", text)
		}
		if _, err := os.Stat("canary"); err == nil {
			t.Fatalf("%s ran a program", url)
		}
	}
}

// TestNotIncluded checks what becomes of links and submodules.
func TestNotIncluded(t *testing.T) {
	u := newUpstream(t)
	for link, target := range map[string]string{
		"deploy/link.yml": "lantern.yml", "deploy/out.yml": "../../../etc/passwd", "deploy/abs.yml": "/etc/passwd", "all": "deploy",
	} {
		if err := os.Symlink(target, filepath.Join(u.dir, link)); err != nil {
			t.Skip(err)
		}
	}
	u.git("update-index", "--add", "--cacheinfo", "160000,"+u.git("rev-parse", "HEAD")+",sub")
	u.release("v2.5.0", "deploy/run", "#!/bin/sh\n")
	url := "file://" + filepath.ToSlash(u.dir)
	t.Chdir(t.TempDir())
	var notes []string
	opts := Options{AllowOutside: []string{url}, Note: func(n string) { notes = append(notes, n) }}
	update(t, open(t, "vendor: {l: {git: '"+url+"'}}\n"), opts)
	if got := read(t, "vendor/l/deploy/link.yml"); got != "kind: ConfigMap\n" {
		t.Errorf("the link is %q", got)
	}
	for _, name := range []string{"out.yml", "abs.yml"} {
		if _, err := os.Lstat("vendor/l/deploy/" + name); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	all := strings.Join(notes, "\n")
	for _, want := range []string{"link 'all' to a directory", "'deploy/out.yml' leads out", "'deploy/abs.yml' leads out"} {
		if !strings.Contains(all, want) {
			t.Errorf("no note says %q:\n%s", want, all)
		}
	}
	u.release("v2.6.0", "big.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
	_, err := open(t, "").Candidates(context.Background(), nil, false, opts)
	if !strings.Contains(messages(err), "LFS") {
		t.Errorf("a pointer of git LFS: got %s", messages(err))
	}
}

// TestHostileNames checks that names which cannot be written are refused before anything is, with a hint, and
// that following it helps.
func TestHostileNames(t *testing.T) {
	u := newUpstream(t)
	url := "file://" + filepath.ToSlash(u.dir)
	opts := Options{AllowOutside: []string{url}}
	t.Chdir(t.TempDir())
	blob := u.git("rev-parse", "v2.4.1:deploy/lantern.yml")
	for i, name := range []string{".weft-manifest", ".weft-tmp/x", ".WEFT-TMP/x", "\xff.yml", "C:x", ".GIT/config", "git~1"} {
		list := exec.Command("git", "-c", "core.protectNTFS=false", "-c", "core.protectHFS=false", "mktree", "-z")
		parts := strings.Split(name, "/")
		tree := "100644 blob " + blob + "\t" + parts[len(parts)-1] + "\x00"
		list.Dir, list.Stdin = u.dir, strings.NewReader(tree)
		out, err := list.Output()
		if err == nil && len(parts) > 1 {
			list = exec.Command("git", "mktree", "-z")
			list.Dir = u.dir
			list.Stdin = strings.NewReader("040000 tree " + strings.TrimSpace(string(out)) + "\t" + parts[0] + "\x00")
			out, err = list.Output()
		}
		if err != nil {
			t.Fatal(name, err)
		}
		u.git("tag", fmt.Sprintf("v9.0.%d", i), u.git("commit-tree", "-m", "x", strings.TrimSpace(string(out))))
		_, err = open(t, "vendor: {l: {git: '"+url+"'}}\n").Candidates(t.Context(), nil, false, opts)
		got := messages(err)
		if !strings.Contains(got, strings.ToValidUTF8(parts[0], "")) || strings.HasSuffix(got, "| ") || strings.Contains(got, "--file-mark") {
			t.Errorf("%q: got %q", name, got)
		}
		if _, err := os.Stat("vendor"); err == nil {
			t.Fatalf("%q: something was written", name)
		}
	}
	u.release("v10.0.0", ".weft-manifest", "")
	update(t, open(t, "vendor: {l: {git: '"+url+"', exclude: [.weft-manifest]}}\n"), opts)
	read(t, "vendor/l/deploy/lantern.yml")
}

// TestMergeConflict follows the hint for a lock with conflicts: the result is what one side has locked, and not
// a newer version.
func TestMergeConflict(t *testing.T) {
	u := newUpstream(t)
	url := "file://" + filepath.ToSlash(u.dir)
	opts := Options{AllowOutside: []string{url}}
	t.Chdir(t.TempDir())
	mine := upstream{t, "."}
	mine.git("init", "-q", "-b", "main")
	lock := func(branch string) {
		mine.git("checkout", "-q", "-B", branch, "main")
		update(t, open(t, "vendor: {l: {git: '"+url+"', version: ^2.4}}\n"), opts)
		mine.git("add", "-A")
		mine.git("commit", "-qm", branch)
	}
	mine.git("commit", "-q", "--allow-empty", "-m", "start")
	lock("main")
	u.release("v2.5.0", "deploy/lantern.yml", "kind: Five\n")
	lock("ours")
	u.release("v2.6.0", "deploy/lantern.yml", "kind: Six\n")
	lock("theirs")
	u.release("v2.7.0", "deploy/lantern.yml", "kind: Seven\n")
	for side, want := range map[string]string{"--ours": "kind: Five\n", "--theirs": "kind: Six\n"} {
		mine.git("checkout", "-q", "-f", "-B", "merged", "ours")
		cmd := exec.Command("git", "-c", "user.email=a@example.com", "-c", "user.name=a", "merge", "-q", "theirs")
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Fatalf("no conflict: %s", out)
		}
		if _, err := opened(); !strings.HasSuffix(messages(err), "keep the lines of one side, and fetch what they lock: weft vendor --force") {
			t.Fatalf("got %s", messages(err))
		}
		mine.git("checkout", side, "weft.lock")
		if _, err := open(t, "").Restore(context.Background(), nil, true, opts); err != nil {
			t.Fatal(messages(err))
		}
		if got := read(t, "vendor/l/deploy/lantern.yml"); got != want {
			t.Errorf("%s: got %q", side, got)
		}
	}
}

// TestHostileTree checks that a tree that git would never write is refused in plain words.
func TestHostileTree(t *testing.T) {
	u := newUpstream(t)
	url := "file://" + filepath.ToSlash(u.dir)
	t.Chdir(t.TempDir())
	blob := u.git("rev-parse", "v2.4.1:deploy/lantern.yml")
	for i, name := range []string{"..", ".", ".git", "../../x", "/etc/x"} {
		id, err := hex.DecodeString(blob)
		if err != nil {
			t.Fatal(err)
		}
		put(t, "tree", "100644 "+name+"\x00"+string(id))
		file, err := filepath.Abs("tree")
		if err != nil {
			t.Fatal(err)
		}
		tree := u.git("hash-object", "-t", "tree", "-w", "--literally", file)
		commit := u.git("commit-tree", "-m", "evil", tree)
		u.git("tag", fmt.Sprintf("v9.0.%d", i), commit)
		_, err = open(t, "vendor: {l: {git: '"+url+"'}}\n").Candidates(context.Background(), nil, false,
			Options{AllowOutside: []string{url}})
		if got := messages(err); !strings.Contains(got, "the entry '"+name+"'") || strings.HasSuffix(got, "| ") {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// TestClone checks that a clone of the project has what is locked: whatever upstream tells git to ignore or to
// change, and after the hint was followed, whatever the settings of git are.
func TestClone(t *testing.T) {
	u := newUpstream(t)
	put(t, filepath.Join(u.dir, ".gitattributes"), "*.yml text eol=crlf\n*.md export-ignore\n")
	put(t, filepath.Join(u.dir, ".gitignore"), "*.yml\n")
	put(t, filepath.Join(u.dir, "deploy/.gitignore"), "/*\n")
	put(t, filepath.Join(u.dir, "README.md"), "a\n")
	u.release("", "deploy/other.yml", "a: 1\n")
	u.git("add", "-f", "deploy/other.yml", "deploy/.gitignore")
	u.git("commit", "-qm", "more")
	u.git("tag", "v2.5.0")
	url := "file://" + filepath.ToSlash(u.dir)
	t.Chdir(t.TempDir())
	mine := upstream{t, "."}
	mine.git("init", "-q", "-b", "main")
	var notes []string
	opts := Options{AllowOutside: []string{url}, Note: func(n string) { notes = append(notes, n) }}
	update(t, open(t, "vendor: {l: {git: '"+url+"'}}\n"), opts)
	for i, name := range []string{".gitattributes", ".gitignore", "deploy/.gitignore"} {
		if len(notes) != 3 || !strings.Contains(notes[i], "'"+name+"' is not included") {
			t.Fatalf("the notes are %q", notes)
		}
	}
	commit := func() {
		mine.git("add", "-A")
		mine.git("commit", "-qm", "vendor")
	}
	commit()
	cloned := func(args ...string) []Difference {
		t.Helper()
		dir := filepath.Join(t.TempDir(), "clone")
		mine.git(append(append([]string{"clone", "-q"}, args...), ".", dir)...)
		back, err := os.Getwd()
		if err == nil {
			err = os.Chdir(dir)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.Chdir(back) }()
		read(t, "vendor/l/deploy/other.yml")
		found, err := open(t, "").Check(context.Background(), nil)
		if err != nil {
			t.Fatal(messages(err))
		}
		return found
	}
	if found := cloned(); len(found) > 0 {
		t.Errorf("a clone differs: %v", found[0].Problem)
	}
	found := cloned("-c", "core.autocrlf=true")
	if len(found) != 1 || !strings.Contains(found[0].Problem.Hint, "`vendor/** -text` to .gitattributes") {
		t.Fatalf("with other line ends: %v", found)
	}
	put(t, ".gitattributes", "vendor/** -text\n")
	commit()
	if found := cloned("-c", "core.autocrlf=true"); len(found) > 0 {
		t.Errorf("after the hint, a clone differs: %v", found[0].Problem)
	}
}

// TestHostileClient checks that the settings of the repository that weft runs in do not apply to fetching.
func TestHostileClient(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	u := newUpstream(t)
	url, _ := u.serve(false)
	here := t.TempDir()
	t.Chdir(here)
	canary := filepath.Join(here, "canary")
	put(t, "run", "#!/bin/sh\ntouch '"+canary+"'\n")
	if err := os.Chmod("run", 0o755); err != nil {
		t.Fatal(err)
	}
	mine := upstream{t, here}
	mine.git("init", "-q")
	run := filepath.Join(here, "run")
	for key, value := range map[string]string{
		"core.sshCommand": run, "credential.helper": "!" + run, "core.askPass": run, "core.fsmonitor": run,
		"http.proxy": "http://127.0.0.1:1", "url." + url + "x.insteadOf": url, "core.gitProxy": run,
	} {
		mine.git("config", key, value)
	}
	_ = os.Remove(canary)
	update(t, open(t, "vendor: {l: {git: '"+url+"'}}\n"), Options{AllowOutside: []string{url}})
	if _, err := os.Stat(canary); err == nil {
		t.Error("a program of the repository ran")
	}
}
