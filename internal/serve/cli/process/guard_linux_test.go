package process

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// inGuard is set for the process in which TestGuarded is weft.
const inGuard = "WEFT_TEST_IN_GUARD"

// guardedRun starts weft under a limit of memory, where it waits for standard input, and gives it
// with the id of the process that does the work.
func guardedRun(t *testing.T) (cmd *exec.Cmd, child string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command("sh", "-c", `ulimit -v 64000000; exec "$0" -test.run '^TestGuarded$'`, exe)
	cmd.Env = append(os.Environ(), inGuard+"=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for range 200 {
		if child := childOf(cmd.Process.Pid); child != "" {
			return cmd, child
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("weft starts no child")
	return nil, ""
}

// childOf is the id of a process that one of the threads of another has started, or "".
func childOf(pid int) string {
	threads, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	for _, children := range threads {
		if text, err := os.ReadFile(children); err == nil && len(text) > 0 {
			return strings.Fields(string(text))[0]
		}
	}
	return ""
}

// TestGuarded is weft in the processes that the tests of this file start.
func TestGuarded(t *testing.T) {
	if os.Getenv(inGuard) == "" {
		t.Skip("it is for other tests")
	}
	if code, done := (Program{}).Guard(); done {
		os.Exit(code)
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // which does not end
	os.Exit(0)
}

// The child ends with its parent, however that ends: no one knows the child, and no one would stop
// it.
func TestGuardEndsChild(t *testing.T) {
	for _, sent := range []syscall.Signal{
		syscall.SIGKILL, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP,
	} {
		t.Run(sent.String(), func(t *testing.T) {
			if signal.Ignored(sent) {
				t.Skip("whoever runs the tests has it ignored, as nohup does")
			}
			cmd, child := guardedRun(t)
			if err := cmd.Process.Signal(sent); err != nil {
				t.Fatal(err)
			}
			for range 200 {
				if gone(t, child) {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
			t.Error("the child goes on")
		})
	}
}

// gone reports whether a process is gone, or only its exit code is left.
func gone(t *testing.T, pid string) bool {
	t.Helper()
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return true
	}
	_, state, _ := strings.Cut(string(text), ") ")
	return strings.HasPrefix(state, "Z")
}
