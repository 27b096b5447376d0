package lsp_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"weft/internal/serve/lsp"
	"weft/internal/serve/lsp/protocol"
)

// typing is a project in which a template is wrong, and a client that types slowly enough to see
// what the server says before it is at rest.
func typing(t *testing.T) (*client, map[string]string) {
	files := map[string]string{
		"weft.yml":          "weft: 2026\ninputs: [config]\nvalueFiles: [values.yml]\n",
		"values.yml":        "name: web\nport: 80\n",
		"config/schema.yml": "#@data/values-schema\n---\nname: \"\"\nport: 0\n",
		"config/lib.star":   "def label(x):\n    return x\nend\n",
		"config/wrong.yml": "#@ load(\"@ytt:data\", \"data\")\n" +
			"name: #@ data.values.name + data.values.port\n",
		"config/right.yml": "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"lib.star\", \"label\")\n" +
			"name: #@ label(data.values.name)\n",
	}
	dir := t.TempDir()
	write(t, dir, files)
	c := dialWith(t, dir, lsp.Options{MaxWait: time.Minute, Debounce: 400 * time.Millisecond}, nil)
	for path, text := range files {
		c.open(path, text)
	}
	c.settle()
	c.wants("config/wrong.yml", "binary op")
	return c, files
}

// wants fails unless a file has a diagnostic for each text, and no other. It waits a moment for it.
func (c *client) wants(path string, texts ...string) {
	c.t.Helper()
	var got []protocol.Diagnostic
	for range 200 {
		got = c.diagnostics(path)
		if len(got) == len(texts) && !slices.ContainsFunc(texts, func(text string) bool {
			return !slices.ContainsFunc(got, func(d protocol.Diagnostic) bool {
				return strings.Contains(d.Message, text)
			})
		}) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.t.Errorf("%s: expected %q, but found %v", path, texts, got)
}

// While a file is half typed, others keep their diagnostics, and get none for what is not their
// fault. At rest, the server says what the command line does.
func TestHalfTypedFiles(t *testing.T) {
	t.Parallel()
	for path, text := range map[string]string{
		"values.yml":       "name: web\nport: [80\n",
		"config/lib.star":  "def label(x\n",
		"config/right.yml": "name: #@ (1\n",
		"weft.yml":         "weft: 2026\ninputs: [config\nvalueFiles: [values.yml]\n",
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			c, files := typing(t)
			seen := c.watch("config/wrong.yml", "config/right.yml", "config/schema.yml")
			c.change(path, protocol.ContentChange{Text: text})
			time.Sleep(900 * time.Millisecond) // tier 3 is over, but no one is at rest
			for other, n := range seen() {
				if other != path && n != map[string]int{"config/wrong.yml": 1}[other] {
					t.Errorf("%s has %d diagnostics while %s is half typed", other, n, path)
				}
			}
			c.settle()
			wrong := map[string]string{}
			for name, now := range files {
				wrong[name] = now
			}
			wrong[path] = text
			dir := t.TempDir()
			write(t, dir, wrong)
			c.compare("at rest", saidBy(t, dir, lawCase{files: wrong}), wrong)
			c.change(path, protocol.ContentChange{Text: files[path]})
			c.settle()
			c.wants("config/wrong.yml", "binary op")
		})
	}
}

// watch gives the fewest diagnostics, or the most if there were none at first, that files have had
// since.
func (c *client) watch(paths ...string) func() map[string]int {
	end, ended := make(chan struct{}), make(chan map[string]int)
	first := map[string]int{}
	for _, p := range paths {
		first[p] = len(c.diagnostics(p))
	}
	go func() {
		seen := map[string]int{}
		for p, n := range first {
			seen[p] = n
		}
		for {
			for p, n := range first {
				if now := len(c.diagnostics(p)); now != n {
					seen[p] = now
				}
			}
			select {
			case <-end:
				ended <- seen
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	return func() map[string]int { close(end); return <-ended }
}

// A template that is edited while data values are half typed is evaluated with those that there
// were.
func TestTemplatesBesideHalfTypedValues(t *testing.T) {
	t.Parallel()
	c, files := typing(t)
	c.change("values.yml", protocol.ContentChange{Text: "name: web\nport: [80\n"})
	c.wants("values.yml", "never closed")
	text := strings.Replace(files["config/right.yml"], "values.name", "values.nome", 1)
	c.change("config/right.yml", protocol.ContentChange{Text: text})
	c.wants("config/right.yml", "nome")
	c.settle()
	c.wants("config/right.yml") // which the command line does not get to
}
