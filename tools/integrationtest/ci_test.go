package integrationtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"weft/tools/integrationtest"
)

// npm is the path of a program that npm ci has installed in this directory.
func npm(t *testing.T, name string) string {
	t.Helper()
	integrationtest.Wanted(t)
	path, err := filepath.Abs(filepath.Join("node_modules", ".bin", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%s is not installed: run npm ci in tools/integrationtest", name)
	}
	return path
}

// repository is a sandbox with a project in a git repository, and a change that is not committed.
func repository(t *testing.T) *integrationtest.Sandbox {
	t.Helper()
	git := integrationtest.Program(t, "git")
	s := integrationtest.NewSandbox(t)
	s.Set("GIT_CONFIG_GLOBAL", filepath.Join(s.Home, "gitconfig"), "GIT_CONFIG_NOSYSTEM", "1")
	s.Write("weft.yml", "weft: ytt\ninputs: [config]\nenvironments:\n  dev: {}\n  prod: {values: {replicas: 3}}\n")
	s.Write("config/schema.yml", "#@data/values-schema\n---\nreplicas: 1\n")
	s.Write("config/app.yml", "#@ load(\"@ytt:data\", \"data\")\n---\nkind: A\nmetadata:\n  name: a\nspec:\n"+
		"  replicas: #@ data.values.replicas\n")
	s.Run(git, "init", "-q", "-b", "main", ".")
	s.Run(git, "config", "user.name", "a")
	s.Run(git, "config", "user.email", "a@example.com")
	s.Run(git, "add", "-A")
	s.Run(git, "commit", "-qm", "first")
	s.Write("config/schema.yml", "#@data/values-schema\n---\nreplicas: 2\n")
	s.Run(git, "add", "-A")
	s.Run(git, "commit", "-qm", "second")
	return s
}

// TestGitHubAction validates the action, and runs its script as a job would.
func TestGitHubAction(t *testing.T) {
	validator := npm(t, "action-validator")
	bash := integrationtest.Program(t, "bash")
	s := repository(t)
	s.Write("action.yml", read(t, "github-action", "action.yml"))
	s.Run(validator, "action.yml")
	s.Write("wrong.yml", strings.ReplaceAll(s.Read("action.yml"), "    shell: bash\n", "    shel: bash\n"))
	want(t, "whether the validator sees a mistake", s.Try(validator, "wrong.yml").Code != 0, true)

	summary, outputs := filepath.Join(s.Home, "summary"), filepath.Join(s.Home, "outputs")
	s.Set("GITHUB_STEP_SUMMARY", summary, "GITHUB_OUTPUT", outputs, "WEFT_BASE", "HEAD~1", "RUNNER_TEMP", s.Home)
	check := absolute(t, "github-action", "check")
	out := s.Run(bash, check)
	wantText(t, "the log", out, "::group::weft fmt", "::group::weft lint", "::group::weft render", "::group::weft diff")
	wantText(t, "the summary", home(t, s, "summary"), "dev", "replicas")
	changed, report, _ := strings.Cut(home(t, s, "outputs"), "\n")
	want(t, "the output changed", changed, "changed=true")
	report = strings.TrimSuffix(strings.TrimPrefix(report, "report="), "\n")
	wantText(t, "the report", home(t, s, filepath.Base(report)), "dev", "replicas")

	s.Write("config/app.yml", strings.ReplaceAll(s.Read("config/app.yml"), "values.replicas", "values.replica"))
	failed := s.Try(bash, check)
	want(t, "the exit code if something is wrong", failed.Code, 1)
	wantText(t, "the log of it", failed.Stdout, "::error ", "file=config/app.yml", "::error::failed: weft lint,weft render")

	s.Set("WEFT_CHECKS", "fmt lnt")
	wantText(t, "a check that does not exist", s.Try(bash, check).Stdout, "::error::there is no check 'lnt'")
	s.Set("WEFT", "weft-that-is-not-there")
	wantText(t, "without weft", s.Try(bash, check).Stdout, "::error::weft-that-is-not-there is not installed")
}

// TestGitHubActionEngines runs the script of the action in a repository of kustomizations, without and with
// weft-engines.
func TestGitHubActionEngines(t *testing.T) {
	integrationtest.Wanted(t)
	bash, git := integrationtest.Program(t, "bash"), integrationtest.Program(t, "git")
	engines := filepath.Join(t.TempDir(), "weft-engines")
	build := exec.Command("go", "build", "-o", engines, ".")
	build.Dir = filepath.Join("..", "..", "engines")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building weft-engines: %v\n%s", err, out)
	}
	s := repository(t)
	s.Write("overlays/prod/kustomization.yaml", "namePrefix: a-\nresources: [cm.yaml]\n")
	s.Write("overlays/prod/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\n")
	s.Run(git, "rm", "-qr", "config", "weft.yml")
	s.Run(git, "add", "-A")
	s.Run(git, "commit", "-qm", "third")
	s.Write("overlays/prod/kustomization.yaml", "namePrefix: b-\nresources: [cm.yaml]\n")
	s.Run(integrationtest.Weft(t), "init", "--write", "--engines", engines)

	summary := filepath.Join(s.Home, "summary")
	s.Set("GITHUB_STEP_SUMMARY", summary, "WEFT_BASE", "HEAD", "RUNNER_TEMP", s.Home)
	check := absolute(t, "github-action", "check")
	without := s.Try(bash, check)
	want(t, "the exit code without weft-engines", without.Code, 1)
	wantText(t, "the log without weft-engines", without.Stdout, "::error::the project has charts or "+
		"kustomizations: install weft-engines next to weft, or set the input engines")

	s.Set("WEFT_ENGINES", engines)
	s.Run(bash, check)
	wantText(t, "the summary", home(t, s, "summary"), "a-cm", "b-cm")
}

// TestGitLabComponent runs the job of the component, without a container.
func TestGitLabComponent(t *testing.T) {
	local := npm(t, "gitlab-ci-local")
	git := integrationtest.Program(t, "git")
	s := repository(t)
	s.Write("templates/weft.yml", read(t, "gitlab", "templates", "weft.yml"))
	s.Write(".gitlab-ci.yml", "include:\n- local: templates/weft.yml\n  inputs: {job: checks, tests: true, directory: .}\n")
	s.Write("tests/app.test.yml", "tests:\n- name: production is large\n  envs: [prod]\n  expect:\n"+
		"  - select: kind=A\n    equal: {spec.replicas: 3}\n")
	s.Run(git, "remote", "add", "origin", "git@gitlab.example.com:platform/app.git")
	s.Run(git, "add", "-A")
	s.Run(git, "commit", "-qm", "third")
	wantText(t, "the job", s.Run(local, "--list"), "checks", "test")

	args := []string{
		"checks", "--force-shell-executor", "--shell-isolation", "--quiet=false",
		"--variable", "CI_MERGE_REQUEST_DIFF_BASE_SHA=HEAD~2",
	}
	s.Run(local, args...)
	wantText(t, "the diff", s.Read(".gitlab-ci-local/artifacts/checks/weft-diff.md"), "dev", "replicas")
	wantText(t, "the findings", s.Read(".gitlab-ci-local/artifacts/checks/weft.sarif"), `"version":`)

	s.Write("config/app.yml", strings.ReplaceAll(s.Read("config/app.yml"), "values.replicas", "values.replica"))
	s.Run(git, "commit", "-qam", "wrong")
	want(t, "whether a job with an error succeeds", s.Try(local, args...).Code == 0, false)
}

// read is the text of a file below integrations.
func read(t *testing.T, elements ...string) string {
	t.Helper()
	data, err := os.ReadFile(absolute(t, elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// home is the text of a file in the home directory of a sandbox.
func home(t *testing.T, s *integrationtest.Sandbox, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.Home, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
