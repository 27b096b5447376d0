package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// command is a program to run.
type command struct {
	dir  string
	env  []string // in addition to that of this process
	args []string
}

// run runs a command and returns its output without the last newline.
func run(ctx context.Context, c command) (string, error) {
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), c.env...)
	cmd.WaitDelay = 10 * time.Second // for child processes of the program
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("a release needs %s, which is not installed", c.args[0])
	case err != nil:
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(c.args, " "), err, &stderr, out)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// runGo runs the go command in a copy of the sources.
func runGo(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	return run(ctx, command{
		dir: dir, env: append(goEnvironment(dir), env...), args: append([]string{"go"}, args...),
	})
}

// goEnvironment returns variables for reproducible builds, independent of the settings of the machine
// and of a repository around the copied sources.
func goEnvironment(dir string) []string {
	return []string{
		"GOFLAGS=", "GOWORK=off", "GOEXPERIMENT=", "GODEBUG=", "GOFIPS140=off", "GOAMD64=v1",
		"GOARM64=v8.0", "CGO_ENABLED=0", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir),
	}
}
