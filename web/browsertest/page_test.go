package browsertest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/web/browsertest"
)

// Tests that find no problems mean something only if problems are found.
func TestProblemsAreFound(t *testing.T) {
	beside(t)
	b := browsertest.Start(t)
	t.Run("console and network", func(t *testing.T) { findsProblems(t, b) })
	t.Run("axe", func(t *testing.T) { findsViolations(t, b) })
}

func findsProblems(t *testing.T, b *browsertest.Browser) {
	tests := []struct{ name, body, want string }{
		{"an error", `<script>console.error("broken", 1)</script>`, "error: broken 1"},
		{"a warning", `<script>console.warn("odd")</script>`, "warning: odd"},
		{"an exception", `<script>missing()</script>`, "missing is not defined"},
		{"a rejected promise", `<script>Promise.reject(new Error("late"))</script>`, "Error: late"},
		{"a file beside it", `<img src="other.png">`, "other.png"},
		{"an image", `<img src="http://weft.invalid/image">`, "http://weft.invalid/image"},
		{"a style", `<style>@import "//weft.invalid/style";</style>`, "file://weft.invalid/style"},
		{
			"a request", `<script>fetch("http://weft.invalid/fetch").catch(() => {})</script>`,
			"http://weft.invalid/fetch",
		},
		{
			"a beacon", `<script>navigator.sendBeacon("http://weft.invalid/beacon")</script>`,
			"http://weft.invalid/beacon",
		},
		{
			"a socket", `<script>new WebSocket("ws://weft.invalid/socket")</script>`,
			"ws://weft.invalid/socket",
		},
		{"an address", `<img src="http://127.0.0.1:8765/">`, "NOT_RESOLVED (http://127.0.0.1:8765/"},
	}
	body := "<p>hello"
	for _, tt := range tests {
		body += tt.body
	}
	found := strings.Join(b.Open(t, write(t, body)).Problems(), "\n")
	for _, tt := range tests {
		if !strings.Contains(found, tt.want) {
			t.Errorf("%s was not found: expected %s in\n%s", tt.name, tt.want, found)
		}
	}
	quiet := `<p>hello<script>console.log("fine")</script><img src="data:image/svg+xml,">`
	if got := b.Open(t, write(t, quiet)).Problems(); len(got) > 0 {
		t.Errorf("found %q in a page without problems", got)
	}
}

func findsViolations(t *testing.T, b *browsertest.Browser) {
	got := b.Open(t, write(t, `<main><h1>Title</h1><img src="data:,"><p style="color: #ddd">dim</p>
		</main>`)).Axe()
	for _, want := range []string{"image-alt", "color-contrast"} {
		if !strings.Contains(strings.Join(got, "\n"), want) {
			t.Errorf("found %q, expected %s", got, want)
		}
	}
	if got := b.Open(t, write(t, `<main><h1>Title</h1><p>text</main>`)).Axe(); len(got) > 0 {
		t.Errorf("found %q in a page without problems", got)
	}
}

// write makes a page with this body.
func write(t *testing.T, body string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pagé #1?.html") // a name that a URL must escape
	head := `<!doctype html><html lang="en"><meta charset="utf-8"><title>Test</title>`
	if err := os.WriteFile(file, []byte(head+body), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
