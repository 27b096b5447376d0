package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"weft"
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
			if code != exitInternal || stdout.Len() > 0 {
				t.Errorf(
					"exit code %d and %q on stdout, want %d and nothing",
					code,
					stdout.String(),
					exitInternal,
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
	if code := Main([]string{"-f", "-"}, strings.NewReader("a: 1\n"), broken, &stderr); code != exitOK ||
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
	if got, want := stderr.String(), "weft: error: writing output: no space left on device [cli/output]\n"; code != exitError ||
		got != want {
		t.Errorf("exit code %d, %q, want 1, %q", code, got, want)
	}
}

func TestReport(t *testing.T) {
	_, err := weft.Render(
		t.Context(),
		weft.Options{Files: []weft.File{{Path: "a.yml", Data: []byte("a: *b\n")}}},
	)
	var b strings.Builder
	(&messages{out: &b}).report(fmt.Errorf("wrapped: %w", err))
	if got, want := b.String(), "a.yml:1:4: error: unknown anchor 'b' referenced [yaml/anchor]\n  |\n1 | a: *b\n  |    ^^\nhint: "; !strings.HasPrefix(
		got,
		want,
	) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestColor(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	device, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminal to be had:", err)
	}
	defer device.Close()
	tests := []struct {
		name          string
		flag          colorFlag
		to            io.Writer
		noColor, term string
		want          bool
	}{
		{"terminal", auto, device, "", "xterm", true},
		{"file", auto, file, "", "xterm", false},
		{"device that nobody watches", auto, null, "", "xterm", false},
		{"not a file", auto, io.Discard, "", "xterm", false},
		{"NO_COLOR", auto, device, "1", "xterm", false},
		{"dumb terminal", auto, device, "", "dumb", false},
		{"always", always, file, "1", "dumb", true},
		{"never", never, device, "", "xterm", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("NO_COLOR", tt.noColor)
			t.Setenv("TERM", tt.term)
			if got := tt.flag.enabled(tt.to); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestVersionOf(t *testing.T) {
	setting := func(k, v string) debug.BuildSetting { return debug.BuildSetting{Key: k, Value: v} }
	tests := []struct {
		name string
		info debug.BuildInfo
		want string
	}{
		{"release", debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3"},
		{"no repository", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "dev"},
		{
			"commit",
			debug.BuildInfo{
				Settings: []debug.BuildSetting{
					setting("vcs.revision", "0123456789abcdef"),
					setting("vcs.modified", "false"),
				},
			},
			"dev-0123456789ab",
		},
		{
			"changed",
			debug.BuildInfo{
				Settings: []debug.BuildSetting{
					setting("vcs.modified", "true"),
					setting("vcs.revision", "0123"),
				},
			},
			"dev-0123-changed",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := versionOf(&tt.info); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
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
		{"--nope --diagnostics json", true, exitError},
		{"--diagnostics=json --nope", true, exitError},
		{"--nope -f --diagnostics json", false, exitError}, // the name of a file, and a word
		{"--nope -- --diagnostics json", false, exitError},
		{"--diagnostics xml", false, exitError},
		{"override --nope x.yml --diff", false, exitTrouble},
		{"override --nope x.yml --diff=false", false, exitError},
		{"verson --diff --diagnostics json", true, exitTrouble},
		{"-f missing.yml --diff --output-files out", false, exitTrouble},
	} {
		var stderr bytes.Buffer
		code := Main(strings.Fields(tt.args), strings.NewReader(""), io.Discard, &stderr)
		if json := strings.HasPrefix(stderr.String(), "{"); json != tt.json || code != tt.code {
			t.Errorf("%s: exit code %d, want %d:\n%s", tt.args, code, tt.code, stderr.String())
		}
	}
}
