package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"weft/internal/serve/cli/process"
)

// What people see of the commands is in testdata/script at the root; here are the corners that a
// script cannot reach.

func TestPanicIsOneLine(t *testing.T) {
	stdin := readerFunc(func([]byte) (int, error) { panic("the sky fell") })
	for _, tt := range []struct {
		name, env string
		trace     bool
	}{
		{"quiet", "", false},
		{"with stack", "1", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("WEFT_DEBUG_PANIC", tt.env)
			var stdout, stderr bytes.Buffer
			code := Main([]string{"-f", "-"}, stdin, &stdout, &stderr)
			if code != process.ExitInternal || stdout.Len() > 0 {
				t.Errorf(
					"exit code %d and %q on stdout, want %d and nothing",
					code,
					stdout.String(),
					process.ExitInternal,
				)
			}
			first, rest, _ := strings.Cut(stderr.String(), "\n")
			if !strings.HasPrefix(first, "weft: internal error: the sky fell (") ||
				!strings.Contains(first, "please report it") {
				t.Errorf("got %q", first)
			}
			if strings.Contains(rest, "goroutine ") != tt.trace {
				t.Errorf("behind the first line: %q", rest)
			}
		})
	}
}

func TestBrokenPipe(t *testing.T) {
	broken := writerFunc(func([]byte) (int, error) {
		return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
	})
	var stderr bytes.Buffer
	if code := Main([]string{"-f", "-"}, strings.NewReader("a: 1\n"), broken, &stderr); code != process.ExitOK ||
		stderr.Len() > 0 {
		t.Errorf("exit code %d, %q on stderr, want a quiet 0", code, stderr.String())
	}
}

func TestFailedWrite(t *testing.T) {
	full := writerFunc(
		func([]byte) (int, error) { return 0, errors.New("no space left on device") },
	)
	var stderr bytes.Buffer
	code := Main([]string{"-f", "-"}, strings.NewReader("a: 1\n"), full, &stderr)
	if got, want := stderr.String(), "weft: error: writing output: no space left on device [cli/output]\n"; code != process.ExitError ||
		got != want {
		t.Errorf("exit code %d, %q, want 1, %q", code, got, want)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// The flags that say how errors are told hold also where they follow the mistake, and nowhere else.
func TestMisread(t *testing.T) {
	for _, tt := range []struct {
		args string
		json bool
		code int
	}{
		{"--nope --diagnostics json", true, process.ExitTrouble},
		{"--diagnostics=json --nope", true, process.ExitTrouble},
		{"--nope -f --diagnostics json", false, process.ExitError}, // the name of a file, and a word
		{"--nope -- --diagnostics json", false, process.ExitTrouble},
		{"--diagnostics xml", false, process.ExitTrouble},
		{"override --nope x.yml --diff", false, process.ExitTrouble},
		{"override --nope x.yml --diff=false", false, process.ExitTrouble},
		{"verson --diff --diagnostics json", true, process.ExitTrouble},
		{"-f missing.yml --diff --output-files out", false, process.ExitError},
	} {
		var stderr bytes.Buffer
		code := Main(strings.Fields(tt.args), strings.NewReader(""), io.Discard, &stderr)
		if json := strings.HasPrefix(stderr.String(), "{"); json != tt.json || code != tt.code {
			t.Errorf("%s: exit code %d, want %d:\n%s", tt.args, code, tt.code, stderr.String())
		}
	}
}
