package browsertest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Weft runs weft in a directory and returns what it prints. It runs the weft of this repository, or
// the one that WEFT_TEST_BINARY names.
func Weft(t testing.TB, dir string, args ...string) []byte {
	t.Helper()
	path := Binary(t)
	var stderr bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("weft %q: %v\n%s", args, err, &stderr)
	}
	return out
}

// Binary returns the path of weft, which it builds if need be. It is there until the test ends.
func Binary(t testing.TB) string {
	t.Helper()
	path := os.Getenv("WEFT_TEST_BINARY")
	if path == "" {
		path = filepath.Join(t.TempDir(), "weft.exe") // which Windows needs, and no one else minds
		build := exec.Command("go", "build", "-pgo=off", "-o", path, "./cmd/weft")
		build.Dir = filepath.Join("..", "..")
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as CI builds it before: it is cached
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("building weft: %v\n%s", err, out)
		}
	}
	return path
}
