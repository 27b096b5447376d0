package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// With --diff an exit code of 1 is an answer, so that everything that is not one has another code.
func TestDiffExitCodes(t *testing.T) {
	dir := t.TempDir()
	same, other := filepath.Join(dir, "same"), filepath.Join(dir, "other")
	for p, data := range map[string]string{filepath.Join(same, "stdin.yml"): "a: 1\n", filepath.Join(other, "stdin.yml"): "a: 2\n"} {
		if err := errors.Join(os.Mkdir(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(data), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name  string
		args  []string
		stdin string
		want  int
	}{
		{"same", []string{"-f", "-", "--output-files", same, "--diff"}, "a: 1", 0},
		{"different", []string{"-f", "-", "--output-files", other, "--diff"}, "a: 1", 1},
		{
			"no directory",
			[]string{"-f", "-", "--output-files", filepath.Join(dir, "new"), "--diff=true"},
			"a: 1",
			1,
		},
		{"wrong input", []string{"-f", "-", "--output-files", same, "--diff"}, "a: *x", 2},
		{"wrong usage", []string{"-f", "-", "--diff"}, "a: 1", 2},
		{
			"unknown flag",
			[]string{"--nope", "-f", "-", "--output-files", same, "--diff"},
			"a: 1",
			2,
		},
		{"switched off", []string{"-f", "-", "--output-files", same, "--diff=false"}, "a: *x", 1},
		{"without", []string{"-f", "-", "--output-files", same}, "a: *x", 1},
		{"behind the flags", []string{"-f", "-", "--", "--diff"}, "a: 1", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if got := Main(tt.args, strings.NewReader(tt.stdin), &stdout, &stderr); got != tt.want {
				t.Errorf(
					"exit code %d, want %d\n%s%s",
					got,
					tt.want,
					stdout.String(),
					stderr.String(),
				)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("a diff wrote something")
	}
}

// A reader that has seen enough of a diff has still seen a difference.
func TestDiffToBrokenPipe(t *testing.T) {
	broken := writerFunc(func([]byte) (int, error) {
		return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
	})
	var stderr bytes.Buffer
	args := []string{"-f", "-", "--output-files", filepath.Join(t.TempDir(), "out"), "--diff"}
	if got := Main(args, strings.NewReader("a: 1"), broken, &stderr); got != exitDifferent ||
		stderr.Len() > 0 {
		t.Errorf("exit code %d, %q on stderr, want a quiet 1", got, stderr.String())
	}
}
