package browsertest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
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

// Binary returns the path of weft, which is built once for all tests.
func Binary(t testing.TB) string {
	t.Helper()
	return binary(t, builtWeft)
}

// BinaryWithPage returns the path of a weft that contains the page of the playground.
func BinaryWithPage(t testing.TB) string {
	t.Helper()
	return binary(t, builtWithPage)
}

func binary(t testing.TB, build func() (string, error)) string {
	t.Helper()
	if path := os.Getenv("WEFT_TEST_BINARY"); path != "" {
		return path
	}
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var builtWeft = sync.OnceValues(buildWeft)

var builtWithPage = sync.OnceValues(func() (string, error) {
	if err := inRepository("go", "run", "./tools/web"); err != nil { // which go build embeds
		return "", err
	}
	return buildWeft()
})

func buildWeft() (string, error) {
	dir, err := newFolder("weft-binary-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "weft.exe") // Windows needs the extension, and other systems accept it
	return path, inRepository("go", "build", "-pgo=off", "-o", path, "./cmd/weft")
}

// inRepository runs a command in the repository. One runs at a time: they install the same packages.
func inRepository(name string, args ...string) error {
	building.Lock()
	defer building.Unlock()
	cmd := exec.Command(name, args...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as CI builds weft, so that it is cached
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

var (
	building sync.Mutex
	built    []string // folders that this process has created
)

// newFolder makes a folder for what is built.
func newFolder(pattern string) (string, error) {
	building.Lock()
	defer building.Unlock()
	dir, err := os.MkdirTemp("", pattern)
	built = append(built, dir)
	return dir, err
}

// RemoveBuilt removes what this process has built. TestMain calls it.
func RemoveBuilt() {
	for _, dir := range built {
		os.RemoveAll(dir)
	}
}
