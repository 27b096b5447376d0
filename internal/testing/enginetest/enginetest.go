// Package enginetest builds the program weft-engines for tests.
package enginetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// ErrModules means that the modules of weft-engines cannot be had, so it cannot be built.
var ErrModules = errors.New("the modules of weft-engines cannot be downloaded")

// start is the directory that the test was started in. Scripts change it while others run.
var start, _ = os.Getwd()

// Build builds weft-engines as a file.
func Build(file string) error {
	_, here, _, _ := runtime.Caller(0)
	dir := filepath.Join(filepath.Dir(here), "..", "..", "..", "engines")
	if !filepath.IsAbs(here) { // built with -trimpath: the path begins with the name of the module
		find := exec.Command("go", "env", "GOMOD")
		find.Dir = start
		root, err := find.Output()
		if err != nil {
			return err
		}
		dir = filepath.Join(filepath.Dir(strings.TrimSpace(string(root))), "engines")
	}
	cmd := exec.Command("go", "build", "-o", file, ".")
	cmd.Dir = dir
	// The race detector needs cgo, which would compile most of weft-engines a second time.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	for _, sign := range []string{"dial tcp", "GOPROXY", "no such host", "module lookup disabled"} {
		if err != nil && strings.Contains(string(out), sign) {
			return fmt.Errorf("%w: %s", ErrModules, out)
		}
	}
	if err != nil {
		return fmt.Errorf("go build in %s: %w\n%s", dir, err, out)
	}
	return nil
}
