// Package integrationtest tests the files in integrations with the programs that they are for. Programs
// written in Go are tools of this module; the first run builds them, which takes minutes, and later runs
// find them in the build cache. So the tests are skipped unless WEFT_TEST_INTEGRATIONS=1 is set, as CI
// does, and those with the largest programs unless WEFT_TEST_LONG=1 is set, as .ci/long does.
package integrationtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The tools of this module.
const (
	Helm3     = "helm.sh/helm/v3/cmd/helm"
	Helm4     = "helm.sh/helm/v4/cmd/helm"
	Kustomize = "sigs.k8s.io/kustomize/kustomize/v5"
	Krew      = "sigs.k8s.io/krew/cmd/krew"

	Kubeconform = "github.com/yannh/kubeconform/cmd/kubeconform"
)

// The tools of the module in carvel, which need other versions of dependencies that Helm also has.
const (
	Kapp = "carvel.dev/kapp/cmd/kapp"
	Kbld = "carvel.dev/kbld/cmd/kbld"
)

// Wanted skips the test unless WEFT_TEST_INTEGRATIONS=1 is set.
func Wanted(t testing.TB) {
	t.Helper()
	if os.Getenv("WEFT_TEST_INTEGRATIONS") != "1" {
		t.Skip("set WEFT_TEST_INTEGRATIONS=1 to test with other programs")
	}
}

// slow are the tools that take minutes to build: they contain most of Kubernetes.
var slow = []string{Helm3, Helm4, Krew, Kapp, Kbld}

// Tool returns the path of a tool of this module. It builds the tool if needed.
func Tool(t testing.TB, name string) string {
	t.Helper()
	Wanted(t)
	if slices.Contains(slow, name) && os.Getenv("WEFT_TEST_LONG") == "" {
		t.Skipf("building %s takes minutes: set WEFT_TEST_LONG=1", name)
	}
	cmd := exec.Command("go", "tool", "-n", name)
	if strings.HasPrefix(name, "carvel.dev/") {
		cmd.Dir = "carvel"
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("building %s: %v\n%s", name, err, stderrOf(err))
	}
	return strings.TrimSpace(string(out))
}

// Program returns the path of an installed program.
func Program(t testing.TB, name string) string {
	t.Helper()
	Wanted(t)
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is not installed", name)
	}
	return path
}

func stderrOf(err error) []byte {
	if e, ok := err.(*exec.ExitError); ok {
		return e.Stderr
	}
	return nil
}

var build struct {
	once sync.Once
	dir  string
	err  error
	out  []byte
}

// weftName returns the name of the program.
func weftName() string {
	if runtime.GOOS == "windows" {
		return "weft.exe"
	}
	return "weft"
}

// Weft returns the path of weft, built from this repository. It builds weft if needed.
func Weft(t testing.TB) string {
	t.Helper()
	build.once.Do(func() {
		if build.dir, build.err = os.MkdirTemp("", "weft-integrationtest-"); build.err != nil {
			return
		}
		cmd := exec.Command("go", "build", "-pgo=off", "-o", filepath.Join(build.dir, weftName()), "./cmd/weft")
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // like the earlier build of CI, so that it is cached
		build.out, build.err = cmd.CombinedOutput()
	})
	if build.err != nil {
		t.Fatalf("building weft: %v\n%s", build.err, build.out)
	}
	return filepath.Join(build.dir, weftName())
}

// RemoveWeft removes the weft that Weft has built.
func RemoveWeft() {
	if build.dir != "" {
		_ = os.RemoveAll(build.dir) // it is in a temporary directory
	}
}

// Sandbox is a directory and an environment to run programs in. weft is on PATH, and HOME is an empty
// directory, so that settings of the user have no effect.
type Sandbox struct {
	Dir, Home string
	path      string
	env       []string
	t         testing.TB
}

// NewSandbox makes a sandbox with a copy of a directory below integrations.
func NewSandbox(t testing.TB, elements ...string) *Sandbox {
	t.Helper()
	Wanted(t)
	s := &Sandbox{Dir: filepath.Join(t.TempDir(), "a directory"), Home: t.TempDir(), t: t}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if len(elements) > 0 {
		from := filepath.Join(append([]string{"..", "..", "integrations"}, elements...)...)
		if err := os.CopyFS(s.Dir, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	s.path = os.Getenv("PATH")
	s.Before(filepath.Dir(Weft(t)))
	s.Set("HOME", s.Home, "USERPROFILE", s.Home, "XDG_CONFIG_HOME", "", "NO_COLOR", "1")
	return s
}

// Set sets variables.
func (s *Sandbox) Set(pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		s.env = append(s.env, pairs[i]+"="+pairs[i+1])
	}
}

// Before prepends a directory to PATH.
func (s *Sandbox) Before(dir string) {
	s.path = dir + string(filepath.ListSeparator) + s.path
	s.Set("PATH", s.path)
}

// Write writes a file.
func (s *Sandbox) Write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// Read returns the text of a file.
func (s *Sandbox) Read(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.Dir, filepath.FromSlash(name)))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// Result is the result of a run.
type Result struct {
	Code           int
	Stdout, Stderr string
}

// Try runs a program.
func (s *Sandbox) Try(program string, args ...string) Result {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(s.t.Context(), program, args...)
	cmd.Dir, cmd.Env = s.Dir, append(os.Environ(), s.env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		s.t.Fatalf("%s: %v", program, err)
	}
	return Result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// Run runs a program that must succeed, and returns its standard output.
func (s *Sandbox) Run(program string, args ...string) string {
	s.t.Helper()
	r := s.Try(program, args...)
	if r.Code != 0 {
		s.t.Fatalf("%s %q ended with %d\n%s%s", program, args, r.Code, r.Stdout, r.Stderr)
	}
	return r.Stdout
}
