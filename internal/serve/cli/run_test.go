package cli

import (
	"bytes"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"weft/internal/serve/cli/process"
)

// No one looks at the context while standard input is waited for; the run ends all the same.
func TestTimeoutWhileReading(t *testing.T) {
	release := make(chan bool)
	defer close(release)
	stdin := readerFunc(func([]byte) (int, error) {
		<-release
		return 0, os.ErrClosed
	})
	var stdout, stderr bytes.Buffer
	began := time.Now()
	code := Main([]string{"-f", "-", "--timeout", "30ms"}, stdin, &stdout, &stderr)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
	if want := "weft: error: the run took longer than 30ms, the limit set by --timeout [run/timeout]\n"; code != process.ExitError ||
		!strings.HasPrefix(stderr.String(), want) {
		t.Errorf("exit code %d, %q, want 1, %q", code, stderr.String(), want)
	}
}

// A panic is told as one, on whichever goroutine it happens.
func TestPanicBeforeTimeout(t *testing.T) {
	stdin := readerFunc(func([]byte) (int, error) { panic("the sky fell") })
	for _, form := range []string{"text", "json"} {
		var stdout, stderr bytes.Buffer
		code := Main(
			[]string{"-f", "-", "--timeout", "1m", "--diagnostics", form},
			stdin,
			&stdout,
			&stderr,
		)
		want := map[string]string{
			"text": "weft: internal error: the sky fell (",
			"json": `{"severity":"error","code":"internal","message":"internal error: the sky fell (`,
		}[form]
		if code != process.ExitInternal || !strings.HasPrefix(stderr.String(), want) ||
			strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf(
				"%s: exit code %d, %q, want 2, one line that begins with %q",
				form,
				code,
				stderr.String(),
				want,
			)
		}
	}
}

// --jobs holds for its run alone: it is no matter of the process.
func TestJobs(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	during := 0
	stdin := readerFunc(func(p []byte) (int, error) {
		during = runtime.GOMAXPROCS(0)
		return copy(p, "a: 1\n"), os.ErrClosed
	})
	var stdout, stderr bytes.Buffer
	Main([]string{"-f", "-", "--jobs", "1"}, stdin, &stdout, &stderr)
	if during != before {
		t.Errorf("%d processors before, %d during", before, during)
	}
}
