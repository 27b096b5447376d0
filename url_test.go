package weft_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/serve/cli"
)

// URLs work wherever a file does. A server is more than a testscript can have, so they are held to
// it here.
func TestURLs(t *testing.T) {
	files := map[string]string{
		"/config.yml":        "#@ load(\"@ytt:data\", \"data\")\n---\nname: #@ data.values.name\nmotd: #@ data.values.motd\n",
		"/schema.yml":        "#@data/values-schema\n---\nname: \"\"\nmotd: \"\"\n",
		"/values/prod":       "name: prod\n",
		"/motd":              "hello\n",
		"/x/secret.yml":      "a: 1\n",
		"/broken/config.yml": "a: *x\n",
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if text, ok := files[r.URL.Path]; ok {
			_, _ = w.Write([]byte(text))
			return
		}
		http.Error(w, "gone", http.StatusNotFound)
	})
	mux.HandleFunc("/moved.yml", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/x/secret.yml", http.StatusMovedPermanently)
	})
	mux.HandleFunc(
		"/slow.yml",
		func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	)
	s := httptest.NewServer(mux)
	defer s.Close()

	tests := []struct {
		name   string
		args   string // URL stands for the server
		code   int
		stdout string
		stderr string
	}{
		{
			"template",
			"-f URL/config.yml -f URL/schema.yml --data-values-file URL/values/prod --data-value-file motd=URL/motd",
			0,
			"name: prod\nmotd: |\n  hello\n",
			"",
		},
		{"redirect", "-f URL/moved.yml", 0, "a: 1\n", ""},
		{
			"files are named by the URL",
			"-f URL/x/secret.yml -f d/new.yml=URL/x/secret.yml --files-inspect",
			0,
			"- secret.yml\n- d/new.yml\n",
			"",
		},
		{
			"missing",
			"-f URL/none.yml",
			1,
			"",
			"weft: error: requesting URL 'URL/none.yml': 404 Not Found [load/url]\n",
		},
		{
			"missing data values",
			"-f URL/config.yml --data-values-file URL/values/none",
			1,
			"",
			"--data-values-file URL/values/none: error: requesting URL 'URL/values/none': 404 Not Found [load/url]\n   |\n 1 | URL/values/none\n   | ^^^^^^^^^^^^^^^\n",
		},
		{
			"missing data value",
			"-f URL/config.yml --data-value-file motd=URL/none",
			1,
			"",
			"--data-value-file motd=URL/none: error: requesting URL 'URL/none': 404 Not Found [load/url]\n   |\n 1 | motd=URL/none\n   |      ^^^^^^^^\n",
		},
		{
			"errors inside have places",
			"-f URL/broken/config.yml",
			1,
			"",
			"URL/broken/config.yml:1:4: error: unknown anchor 'x' referenced [yaml/anchor]\n  |\n1 | a: *x\n  |    ^^\nhint: no anchor above has this name: write `&x` before the value it stands for, or put it in quotes if it is text: '*x'\n",
		},
		{
			"a time-out of the run ends a request",
			"-f URL/slow.yml --timeout 50ms",
			1,
			"",
			"weft: error: the run took longer than 50ms, the limit set by --timeout [run/timeout]\nhint: use --timings to see where the time goes\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			args := strings.Fields(strings.ReplaceAll(tt.args, "URL", s.URL))
			code := cli.Main(args, strings.NewReader(""), &stdout, &stderr)
			if code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if diff := cmp.Diff(stdout.String(), tt.stdout); diff != "" {
				t.Errorf("standard output (-got +want):\n%s", diff)
			}
			got := strings.NewReplacer(s.URL, "URL", strings.Repeat("^", len(s.URL)), "^^^").
				Replace(stderr.String())
			if diff := cmp.Diff(got, tt.stderr); diff != "" {
				t.Errorf("standard error (-got +want):\n%s", diff)
			}
		})
	}
}
