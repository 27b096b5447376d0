package integrationtest_test

import (
	"os/exec"
	"strings"
	"testing"

	"weft/tools/integrationtest"
)

// pipe runs commands in a shell that fails if one of a pipe does.
func pipe(t *testing.T, s *integrationtest.Sandbox, line string) integrationtest.Result {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	return s.Try(bash, "-c", "set -o pipefail; "+line)
}

// TestKbld pipes what weft renders to kbld, with its configuration among the documents, and gets
// digests in place of tags. They are resolved already, so kbld asks no registry.
func TestKbld(t *testing.T) {
	kbld := integrationtest.Tool(t, integrationtest.Kbld)
	s := integrationtest.NewSandbox(t, "kapp", "example")
	s.Set("KBLD", kbld)
	got := pipe(t, s, `weft -f config -v version=1.4 | "$KBLD" -f - --lock-output images.lock.yml`)
	want(t, "the exit code", got.Code, 0)
	wantText(t, "kbld", got.Stdout, "kind: Deployment\n", "image: registry.example.com/shop@sha256:4e38", "name: web\n")
	if strings.Contains(got.Stdout, "kind: Config\n") {
		t.Errorf("kbld leaves its configuration in:\n%s", got.Stdout)
	}
	wantText(t, "the lock file", s.Read("images.lock.yml"), "image: shop:1.4\n", "@sha256:4e38")

	failed := pipe(t, s, `weft -f config -v verson=1.4 | "$KBLD" -f -`)
	want(t, "the exit code if weft fails", failed.Code, 1)
	wantText(t, "its message", failed.Stderr, `hint: did you mean "version"?`)
	if strings.Contains(failed.Stdout, "kind") {
		t.Errorf("if weft fails, kbld prints\n%s", failed.Stdout)
	}
}

// TestKapp pipes what weft renders through kbld to commands of kapp that need no cluster.
func TestKapp(t *testing.T) {
	kapp, kbld := integrationtest.Tool(t, integrationtest.Kapp), integrationtest.Tool(t, integrationtest.Kbld)
	s := integrationtest.NewSandbox(t, "kapp", "example")
	s.Set("KAPP", kapp, "KBLD", kbld)
	got := pipe(t, s, `weft -f config -v version=1.4 | "$KBLD" -f - | "$KAPP" tools inspect -f - --json`)
	want(t, "the exit code", got.Code, 0)
	wantText(t, "kapp", got.Stdout, `"kind": "Deployment"`, `"name": "web"`)
	if strings.Contains(got.Stdout, `"Config"`) {
		t.Errorf("the configuration of kbld reaches kapp:\n%s", got.Stdout)
	}

	s.Run(integrationtest.Weft(t), "-f", "config", "-v", "version=1.3", "--output-files", "old")
	diff := pipe(t, s, `weft -f config -v version=1.4 | "$KAPP" tools diff -c --file - --file2 old`)
	want(t, "the exit code of the comparison", diff.Code, 0)
	wantText(t, "the comparison", diff.Stdout, "- image: shop:1.3", "- image: shop:1.4")
}
