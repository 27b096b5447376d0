package git

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// clone is a repository that someone else made, in a directory with a file that programs touch if
// anything runs them.
type clone struct {
	t      *testing.T
	dir    string
	canary string
}

// newClone makes a repository with two commits. The first one is tagged as old.
func newClone(t *testing.T) *clone {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	above := t.TempDir()
	t.Setenv("HOME", above)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	c := &clone{t: t, dir: filepath.Join(above, "clone"), canary: filepath.Join(above, "canary")}
	c.write("config/a.yml", "a: 1\n")
	c.git("init", "-q", "-b", "main")
	c.commit("one")
	c.git("tag", "old")
	c.write("config/a.yml", "a: 2\n")
	c.commit("two")
	return c
}

func (c *clone) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		c.t.Fatal(err)
	}
}

func (c *clone) commit(message string) {
	c.t.Helper()
	c.git("add", "-A")
	c.git("-c", "user.email=a@example.com", "-c", "user.name=a", "commit", "-qm", message)
}

// git runs git as a person does.
func (c *clone) git(args ...string) string {
	c.t.Helper()
	out, err := c.plain(args...)
	if err != nil {
		c.t.Fatalf("git %s: %s", args, out)
	}
	return strings.TrimSpace(out)
}

func (c *clone) plain(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// program is a shell command that touches the canary.
func (c *clone) program() string { return "touch '" + c.canary + "'; false" }

// partial makes the repository one whose missing objects come from a remote, and removes one.
func (c *clone) partial(object string, remote ...string) {
	c.t.Helper()
	c.git("config", "core.repositoryFormatVersion", "1")
	c.git("config", "extensions.partialClone", "origin")
	c.git("config", "remote.origin.promisor", "true")
	for i := 0; i < len(remote); i += 2 {
		c.git("config", remote[i], remote[i+1])
	}
	if err := os.Remove(filepath.Join(c.dir, ".git", "objects", object[:2], object[2:])); err != nil {
		c.t.Fatal(err)
	}
}

// ran reports whether a program ran, and forgets it.
func (c *clone) ran() bool { return os.Remove(c.canary) == nil }

// readAll opens a revision below a directory of the clone and reads all its files.
func (c *clone) readAll(dir, name string) (text string, err error) {
	r, err := Open(context.Background(), filepath.Join(c.dir, dir), name)
	if err != nil {
		return "", err
	}
	defer r.Close()
	err = fs.WalkDir(r, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(r, p)
		text += string(data)
		return err
	})
	return text, err
}

// TestLazyFetch checks that an object that the repository says is on a remote is an error, while git
// by itself runs the program that the repository names to get it.
func TestLazyFetch(t *testing.T) {
	for name, remote := range map[string]func(c *clone) []string{
		"ssh": func(c *clone) []string {
			return []string{"remote.origin.url", "ssh://host/x", "core.sshCommand", c.program()}
		},
		"ext": func(c *clone) []string {
			c.write("run", "#!/bin/sh\n"+c.program())
			return []string{"remote.origin.url", "ext::" + filepath.Join(c.dir, "run"), "protocol.ext.allow", "always"}
		},
		"file": func(c *clone) []string {
			return []string{"remote.origin.url", c.dir, "remote.origin.uploadpack", c.program() + ";"}
		},
		"proxy": func(c *clone) []string {
			c.write("run", "#!/bin/sh\n"+c.program())
			return []string{
				"remote.origin.url", "git://host/x",
				"core.gitProxy", filepath.Join(c.dir, "run"),
			}
		},
	} {
		for _, missing := range []string{"old^{tree}", "old:config/a.yml"} {
			t.Run(name+" "+missing, func(t *testing.T) {
				c := newClone(t)
				id := c.git("rev-parse", missing)
				c.partial(id, remote(c)...)
				_, _ = c.plain("cat-file", "-p", id)
				if !c.ran() {
					t.Fatal("git does not run the program: the test shows nothing")
				}
				if text, err := c.readAll(".", "old"); err == nil || !strings.Contains(err.Error(), "partial") {
					t.Errorf("got %q, %v", text, err)
				}
				if c.ran() {
					t.Error("the program ran")
				}
				if text, err := c.readAll(".", "main"); err != nil || !strings.Contains(text, "a: 2\n") {
					t.Errorf("another revision: got %q, %v", text, err)
				}
			})
		}
	}
}

// TestCommittedRepository checks that a bare repository among the files of a clone is not the one
// whose revisions are read.
func TestCommittedRepository(t *testing.T) {
	c := newClone(t)
	id := c.git("rev-parse", "old:config/a.yml")
	bare := filepath.Join(c.dir, "sub")
	c.git("clone", "-q", "--bare", ".", "sub")
	c.git("--git-dir", bare, "config", "core.sshCommand", c.program())
	c.git("--git-dir", bare, "branch", "inner", "old")
	if out := c.git("-C", "sub", "rev-parse", "inner"); out == "" {
		t.Fatal("git does not use the repository: the test shows nothing")
	}
	if text, err := c.readAll("sub", "inner"); err == nil {
		t.Errorf("read %q (%s)", text, id)
	}
	// Whoever names the repository means it.
	t.Setenv("GIT_DIR", bare)
	if text, err := c.readAll("sub", "inner"); err != nil || text != "a: 1\n" {
		t.Errorf("with GIT_DIR: got %q, %v", text, err)
	}
}

// programs are settings of a repository that name a program, or a file with more of them.
func (c *clone) programs() map[string]string {
	run := filepath.Join(c.dir, ".git", "run")
	return map[string]string{
		"core.fsmonitor":               run,
		"core.hooksPath":               filepath.Join(c.dir, ".git", "hostile"),
		"core.pager":                   run,
		"core.editor":                  run,
		"core.askPass":                 run,
		"core.sshCommand":              run,
		"core.gitProxy":                run,
		"core.alternateRefsCommand":    run,
		"core.attributesFile":          filepath.Join(c.dir, ".git", "attributes"),
		"pager.remote":                 run,
		"pager.rev-parse":              run,
		"pager.for-each-ref":           run,
		"diff.external":                run,
		"diff.hostile.textconv":        run,
		"diff.hostile.command":         run,
		"filter.hostile.smudge":        run,
		"filter.hostile.clean":         run,
		"filter.hostile.process":       run,
		"merge.hostile.driver":         run,
		"credential.helper":            "!" + run,
		"alias.rev-parse":              "!" + run,
		"alias.ls-tree":                "!" + run,
		"alias.cat-file":               "!" + run,
		"uploadpack.packObjectsHook":   run,
		"log.showSignature":            "true",
		"gpg.program":                  run,
		"gpg.ssh.program":              run,
		"gpg.x509.program":             run,
		"sequence.editor":              run,
		"interactive.diffFilter":       run,
		"remote.origin.vcs":            "hostile",
		"remote.origin.receivepack":    run,
		"submodule.sub.update":         "!" + run,
		"include.path":                 filepath.Join(c.dir, ".git", "more"),
		"init.templateDir":             filepath.Join(c.dir, ".git", "hostile"),
		"trace2.normalTarget":          c.canary,
		"trace2.eventTarget":           c.canary,
		"browser.hostile.cmd":          run,
		"maintenance.auto":             "true",
		"gc.auto":                      "1",
		"gc.recentObjectsHook":         run,
		"fetch.recurseSubmodules":      "true",
		"http.proxy":                   "http://127.0.0.1:1",
		"protocol.allow":               "always",
		"protocol.ext.allow":           "always",
		"safe.bareRepository":          "all",
		"safe.directory":               "*",
		"extensions.worktreeConfig":    "true",
		"core.repositoryFormatVersion": "1",
	}
}

// TestHostileSettings checks that nothing that the configuration of a repository names is run, and
// that two of its settings are indeed run by git.
func TestHostileSettings(t *testing.T) {
	c := newClone(t)
	c.write(".git/run", "#!/bin/sh\n"+c.program()+"\n")
	c.write(".git/attributes", "* filter=hostile diff=hostile merge=hostile\n")
	c.write(".git/more", fmt.Sprintf("[core]\n\tfsmonitor = %s/.git/run\n", c.dir))
	for _, hook := range []string{"post-index-change", "reference-transaction", "post-checkout"} {
		c.write(".git/hostile/"+hook, "#!/bin/sh\n"+c.program()+"\n")
	}
	for key, value := range c.programs() {
		c.git("config", key, value)
	}
	c.ran()
	for _, command := range [][]string{{"status"}, {"cat-file", "--textconv", "HEAD:config/a.yml"}} {
		if _, _ = c.plain(command...); !c.ran() {
			t.Fatalf("git %s runs no program: the test shows nothing", command)
		}
	}
	for rev, want := range map[string]string{"old": "a: 1\n", "main": "a: 2\n", "HEAD~1": "a: 1\n"} {
		if text, err := c.readAll("config", rev); err != nil || text != want {
			t.Errorf("%s: got %q, %v, want %q", rev, text, err, want)
		}
	}
	for _, rev := range []string{"nothing", "origin/nothing", ":config/a.yml", "main:config", ":/one", "main@{u}"} {
		_, _ = c.readAll(".", rev)
	}
	if c.ran() {
		t.Error("a program ran")
	}
}

// TestReplaced checks that a revision has the files that were committed, also if the repository says
// that others are to be shown in their place.
func TestReplaced(t *testing.T) {
	c := newClone(t)
	c.git("replace", c.git("rev-parse", "old:config/a.yml"), c.git("rev-parse", "main:config/a.yml"))
	if out := c.git("cat-file", "-p", "old:config/a.yml"); out != "a: 2" {
		t.Fatalf("git shows %q: the test shows nothing", out)
	}
	if text, err := c.readAll(".", "old"); err != nil || text != "a: 1\n" {
		t.Errorf("got %q, %v", text, err)
	}
	c.write(".git/info/grafts", c.git("rev-parse", "main")+"\n") // which then has no parent
	if _, err := c.plain("rev-parse", "--verify", "main~1"); err == nil {
		t.Fatal("git does not use grafts: the test shows nothing")
	}
	if text, err := c.readAll(".", "main~1"); err != nil || text != "a: 1\n" {
		t.Errorf("before a graft: got %q, %v", text, err)
	}
}

// TestProgramInPlace checks that a program called git in the current directory is not taken for git.
func TestProgramInPlace(t *testing.T) {
	c := newClone(t)
	c.write("git", "#!/bin/sh\n"+c.program()+"\n")
	t.Chdir(c.dir)
	for _, path := range []string{".", "", "./", "config/.."} {
		t.Setenv("PATH", path+string(os.PathListSeparator)+os.Getenv("PATH"))
		if _, err := c.readAll(".", "main"); err == nil || !strings.Contains(err.Error(), "current directory") {
			t.Errorf("PATH with %q: got %v", path, err)
		}
	}
	if c.ran() {
		t.Error("the program ran")
	}
}

// TestVariables checks which variables git gets.
func TestVariables(t *testing.T) {
	got := environment([]string{
		"HOME=/h", "GIT_DIR=/d", "GIT_SSH_COMMAND=x", "GIT_EXTERNAL_DIFF=x", "GIT_PROXY_COMMAND=x",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*", "git_ssh=x",
		"GIT_TRACE=/x", "GIT_ALLOW_PROTOCOL=ext", "GIT_NO_LAZY_FETCH=0", "SSH_ASKPASS=x", "GIT_GRAFT_FILE=x",
	})
	want := []string{
		"HOME=/h", "GIT_DIR=/d",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
	}
	if len(got) < len(want) || strings.Join(got[:len(want)], "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
	for _, v := range got[len(want):] {
		switch name, value, _ := strings.Cut(v, "="); name {
		case "GIT_ALLOW_PROTOCOL", "GIT_ASKPASS", "SSH_ASKPASS":
			if value != "" {
				t.Errorf("got %s", v)
			}
		case "GIT_NO_LAZY_FETCH", "GIT_NO_REPLACE_OBJECTS":
			if value != "1" {
				t.Errorf("got %s", v)
			}
		case "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS":
			if value != "0" {
				t.Errorf("got %s", v)
			}
		case "GIT_GRAFT_FILE", "LC_ALL":
		default:
			t.Errorf("got %s", v)
		}
	}
}
