package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"weft/internal/serve/cli/process"
)

// Without a verb, and with inputs, every error has the code 1, as in ytt; with a verb --diff tells them
// apart from its answer.
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
		{"wrong input", []string{"-f", "-", "--output-files", same, "--diff"}, "a: *x", 1},
		{"wrong input of a verb", []string{"render", "-f", "-", "--output-files", same, "--diff"}, "a: *x", 2},
		{"wrong usage", []string{"-f", "-", "--diff"}, "a: 1", 1},
		{
			"unknown flag",
			[]string{"--nope", "-f", "-", "--output-files", same, "--diff"},
			"a: 1",
			1,
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
	if got := Main(args, strings.NewReader("a: 1"), broken, &stderr); got != process.ExitDifferent ||
		stderr.Len() > 0 {
		t.Errorf("exit code %d, %q on stderr, want a quiet 1", got, stderr.String())
	}
}

// A result that is being printed when the time is over is printed to its end, however slowly it is
// read, and the exit code says that it is there. The clock of the test goes on only while the writer
// sleeps, so that the time is over in the middle of the result.
func TestTimeoutWhilePrinting(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yml")
	if err := os.WriteFile(file, []byte("a: "+strings.Repeat("x", 1<<20)+"\n---\nb: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, form := range [][]string{nil, {"-o", "json"}, {"-o", "pos"}, {"--files-inspect"}} {
		args := append([]string{"-f", file}, form...)
		var whole, got, stderr bytes.Buffer
		// This run also has the runtime listen for signals, which cannot begin in a bubble.
		if code := Main(args, nil, &whole, &stderr); code != process.ExitOK {
			t.Fatalf("exit code %d, %s", code, stderr.String())
		}
		synctest.Test(t, func(t *testing.T) {
			slow := writerFunc(func(p []byte) (int, error) {
				time.Sleep(300 * time.Millisecond)
				return got.Write(p)
			})
			code := Main(append(args, "--timeout", "20ms"), nil, slow, &stderr)
			if code != process.ExitOK || got.String() != whole.String() {
				t.Errorf("%q: exit code %d, %d of %d bytes, %s", form, code, got.Len(), whole.Len(), stderr.String())
			}
		})
	}
}

// What cannot be printed is an error of every command, also of those that do not look at it.
func TestFailingOutput(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.yml")
	overlay := filepath.Join(dir, "overlay.yml")
	if err := os.WriteFile(file, []byte("a: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, []byte("#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\na: 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	values := filepath.Join(dir, "values.yml")
	if err := os.WriteFile(values, []byte("#@data/values\n---\nv: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"--help", "-h", "help", "help fleet", "fleet --help", "override --help", "explain --help", "completion", "completion --help",
		"version", "--version", "completion bash", "completion zsh", "completion fish", "completion powershell", "man", "man fleet", "__complete fle",
		"-f A", "-f A -o json", "-f A -o pos", "-f A --files-inspect", "-f V --data-values-inspect", "-f A --data-values-schema-inspect -o openapi-v3",
		"-f A --bulk-out", "-f A --output-files D/out", "-f A --output-files D/other --diff", "explain -f A -f O", "explain -f A -f O -o json",
		"override A --overrides {a:2}", "override A --overrides {a:2} -o json", "override A --overrides {a:2} -o yaml",
		"override A --overrides {a:2} --explain", "override A --overrides {a:2} --diff", "template -f A",
	} {
		args = strings.NewReplacer("A", file, "O", overlay, "V", values, "D/", dir+"/").
			Replace(args)
		args = strings.ReplaceAll(args, "{a:2}", `{"a":2}`)
		var stderr bytes.Buffer
		full := writerFunc(func([]byte) (int, error) {
			return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
		})
		want := "weft: error: writing output: " + syscall.ENOSPC.Error() + " [cli/output]\n"
		if code := Main(strings.Fields(args), nil, full, &stderr); code == process.ExitOK ||
			!strings.Contains(stderr.String(), want) {
			t.Errorf("%s: exit code %d, %q", args, code, stderr.String())
		}
		stderr.Reset()
		gone := writerFunc(func([]byte) (int, error) {
			return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
		})
		if code := Main(strings.Fields(args), nil, gone, &stderr); strings.Contains(
			stderr.String(),
			"rror",
		) ||
			code != process.ExitOK && !strings.Contains(args, "--diff") {
			t.Errorf("%s, read by nobody: exit code %d, %q", args, code, stderr.String())
		}
	}
}
