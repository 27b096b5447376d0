// Package editortest tests weft lsp with programs that others have written: the official client of
// the protocol, Neovim with our plugin, and Emacs with eglot. If a program is not installed, its
// tests are skipped, as go test -v shows; with WEFT_TEST_EDITORS=1 they fail, as in CI.
package editortest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Program returns the path of a program.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, "%s is not installed", name)
	}
	return path
}

// NewerEditors is the variable with the folder in which the script newer has put editors.
const NewerEditors = "WEFT_TEST_NEWER_EDITORS"

// Newer returns the path of an editor that is newer than that of the system.
func Newer(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv(NewerEditors)
	if dir == "" {
		t.Skipf("%s is not set to the folder of ./newer FOLDER", NewerEditors)
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Missing skips the test because something that it needs is not installed.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("WEFT_TEST_EDITORS") == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

var build struct {
	once sync.Once
	path string
	err  error
	out  []byte
}

// Weft returns the path of the weft of this repository, or of the one that WEFT_TEST_BINARY names.
func Weft(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("WEFT_TEST_BINARY"); path != "" {
		return path
	}
	build.once.Do(func() {
		dir, err := os.MkdirTemp("", "weft-editortest-") // removed by RemoveWeft
		if err != nil {
			build.err = err
			return
		}
		build.path = filepath.Join(dir, "weft")
		cmd := exec.Command("go", "build", "-pgo=off", "-o", build.path, "./cmd/weft")
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as CI builds it, so that it is cached
		build.out, build.err = cmd.CombinedOutput()
	})
	if build.err != nil {
		t.Fatalf("building weft: %v\n%s", build.err, build.out)
	}
	return build.path
}

// RemoveWeft removes the program that Weft has built.
func RemoveWeft() {
	if build.path != "" {
		_ = os.RemoveAll(filepath.Dir(build.path)) // it is a temporary directory, so errors do not matter
	}
}

// Project returns a copy of testdata/project.
func Project(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a project") // the path contains a space
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "project"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Run runs a program in a directory, with variables added to the environment, and decodes the JSON
// that it prints on standard output. The variable WEFT is the path of weft. Editors get an empty home
// directory, so that settings of the user have no effect.
func Run(t testing.TB, result any, dir string, env []string, name string, args ...string) {
	t.Helper()
	weft := Weft(t) // first, because a busy machine takes minutes to build it
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	home := t.TempDir()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home,
		"XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home, "WEFT="+weft)
	cmd.Env = append(cmd.Env, env...)
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, &stdout, &stderr)
	}
	if err := json.Unmarshal(stdout.Bytes(), result); err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, &stdout, &stderr)
	}
}
