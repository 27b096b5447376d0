package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A result that is being printed when the time is over is printed to its end, however slowly it is
// read, and the exit code says that it is there.
func TestTimeoutWhilePrinting(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yml")
	if err := os.WriteFile(file, []byte("a: "+strings.Repeat("x", 1<<20)+"\n---\nb: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-f", file, "--timeout", "20ms"},
		{"-f", file, "--timeout", "20ms", "-o", "json"},
		{"-f", file, "--timeout", "20ms", "-o", "pos"},
		{"-f", file, "--timeout", "20ms", "--files-inspect"},
	} {
		var whole, got, stderr bytes.Buffer
		if code := Main(append(args[:2:2], args[4:]...), nil, &whole, &stderr); code != exitOK {
			t.Fatalf("exit code %d, %s", code, stderr.String())
		}
		slow := writerFunc(func(p []byte) (int, error) {
			time.Sleep(3 * grace)
			return got.Write(p)
		})
		code := Main(args, nil, slow, &stderr)
		switch {
		case code == exitOK && got.String() == whole.String():
		case code == exitError && got.Len() == 0: // it was over before the first byte
		default:
			t.Errorf(
				"%q: exit code %d, %d of %d bytes, %s",
				args[4:],
				code,
				got.Len(),
				whole.Len(),
				stderr.String(),
			)
		}
	}
}

// Whoever begins to print too late prints nothing.
func TestStopped(t *testing.T) {
	var b bytes.Buffer
	out := &stdout{w: &b}
	if !out.begin() || out.stop() {
		t.Error("stopped while something was being written")
	}
	out.end()
	if !out.stop() {
		t.Error("not stopped, but nobody writes")
	}
	if n, err := out.Write([]byte("x")); n != 0 || err == nil || b.Len() > 0 || out.begin() {
		t.Errorf("wrote %q after the end", b.String())
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
		if code := Main(strings.Fields(args), nil, full, &stderr); code == exitOK ||
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
			code != exitOK && !strings.Contains(args, "--diff") {
			t.Errorf("%s, read by nobody: exit code %d, %q", args, code, stderr.String())
		}
	}
}
