package integrationtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weft/tools/integrationtest"
)

// TestPreCommit commits to a repository that uses the hooks: first what they have something against,
// and then what they have not.
func TestPreCommit(t *testing.T) {
	integrationtest.Program(t, "pre-commit")
	git := integrationtest.Program(t, "git")
	s := committer(t)
	hooks, err := os.ReadFile(filepath.Join("..", "..", ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	s.Write("hooks/.pre-commit-hooks.yaml", string(hooks))
	s.Run(git, "init", "-q", "hooks")
	s.Run(git, "-C", "hooks", "add", "-A")
	s.Run(git, "-C", "hooks", "commit", "-qm", "hooks")
	rev := strings.TrimSpace(s.Run(git, "-C", "hooks", "rev-parse", "HEAD"))

	hooked := filepath.Join(s.Dir, "hooks")
	s.Dir = filepath.Join(s.Dir, "project")
	s.Write(".pre-commit-config.yaml", "repos:\n- repo: '"+hooked+"'\n  rev: "+rev+"\n  hooks:\n"+
		"  - {id: weft-fmt}\n  - {id: weft-lint}\n  - {id: weft-render}\n  - {id: weft-test}\n")
	s.Write("weft.yml", "weft: ytt\ninputs: [config]\nenvironments:\n  dev: {}\n  prod: {values: {replicas: 3}}\n"+
		"fmt: {exclude: [vendor]}\n")
	s.Write("config/schema.yml", "#@data/values-schema\n---\nreplicas: 1\n")
	s.Write("vendor/release.yml", "a:\n    b: 1\n")
	s.Write("config/app.yml", "#@ load(\"@ytt:data\", \"data\")\n---\nkind: A\nspec:\n    replicas: #@ data.values.replica\n")
	s.Run(git, "init", "-q", ".")
	s.Run(git, "add", "-A")
	s.Run("pre-commit", "install")

	refused := s.Try(git, "commit", "-qm", "wrong")
	want(t, "the exit code of a commit that hooks refuse", refused.Code, 1)
	wantText(t, "the hooks", refused.Stdout+refused.Stderr, "weft fmt", "Failed", "files were modified by this hook",
		"weft lint", "Failed", "weft render --all -o none", "Failed", "did you mean .replicas?")
	wantText(t, "the formatted file", s.Read("config/app.yml"), "spec:\n  replicas: #@ data.values.replica\n")

	want(t, "a file that weft.yml excludes", s.Read("vendor/release.yml"), "a:\n    b: 1\n")

	s.Write("config/app.yml", strings.ReplaceAll(s.Read("config/app.yml"), "values.replica\n", "values.replicas\n"))
	s.Write("tests/app.test.yml", "tests:\n- name: production is large\n  envs: [prod]\n  expect:\n"+
		"  - select: kind=A\n    equal: {spec.replicas: 3}\n")
	s.Run(git, "add", "-A")
	accepted := s.Try(git, "commit", "-qm", "right")
	if accepted.Code != 0 {
		t.Errorf("the hooks refuse a commit with nothing wrong:\n%s%s", accepted.Stdout, accepted.Stderr)
	}
}

// committer is a sandbox with git and pre-commit as someone has them who never used them.
func committer(t *testing.T) *integrationtest.Sandbox {
	t.Helper()
	s := integrationtest.NewSandbox(t)
	s.Set("GIT_CONFIG_GLOBAL", filepath.Join(s.Home, "gitconfig"), "GIT_CONFIG_NOSYSTEM", "1",
		"GIT_AUTHOR_NAME", "a", "GIT_AUTHOR_EMAIL", "a@example.com",
		"GIT_COMMITTER_NAME", "a", "GIT_COMMITTER_EMAIL", "a@example.com",
		"PRE_COMMIT_HOME", filepath.Join(s.Home, "pre-commit"))
	return s
}

// TestPreCommitBuilds has pre-commit build weft with Go, from the last commit of this repository.
func TestPreCommitBuilds(t *testing.T) {
	integrationtest.Program(t, "pre-commit")
	git := integrationtest.Program(t, "git")
	s := committer(t)
	root := absolute(t, "..")
	s.Set("GOFLAGS", "-trimpath -pgo=off") // the second time, it comes from the build cache
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY"} {
		s.Set(name, goSetting(t, name))
	}
	rev := strings.TrimSpace(s.Run(git, "-C", root, "rev-parse", "HEAD"))
	s.Write(".pre-commit-config.yaml", "repos:\n- repo: '"+root+"'\n  rev: "+rev+"\n  hooks:\n"+
		"  - {id: weft-fmt, language: golang}\n")
	s.Write("app.yml", "a:\n    b: 1\n")
	s.Run(git, "init", "-q", ".")
	s.Run(git, "add", "-A")
	s.Set("PATH", withoutWeft(t)) // so that it is the one that pre-commit has built
	changed := s.Try("pre-commit", "run", "weft-fmt")
	want(t, "the exit code", changed.Code, 1)
	wantText(t, "pre-commit", changed.Stdout+changed.Stderr, "weft fmt", "files were modified by this hook")
	want(t, "the formatted file", s.Read("app.yml"), "a:\n  b: 1\n")
}

// goSetting is a setting of Go outside the sandbox.
func goSetting(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// withoutWeft is PATH without directories that have a weft.
func withoutWeft(t *testing.T) string {
	t.Helper()
	dirs := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(dir string) bool {
		_, err := exec.LookPath(filepath.Join(dir, "weft"))
		return err == nil
	})
	return strings.Join(dirs, string(filepath.ListSeparator))
}
