package lsp_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"weft/internal/serve/lsp"
	"weft/internal/serve/lsp/protocol"
)

// typingDebounce is the pause before everything is evaluated; after three more, everything is linted.
const typingDebounce = 400 * time.Millisecond

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
	c := dialWith(t, dir, lsp.Options{MaxWait: time.Minute, Debounce: typingDebounce}, nil)
	for path, text := range files {
		c.open(path, text)
	}
	c.settle()
	c.wants("config/wrong.yml", "binary op")
	return c, files
}

// wants fails unless a file has a diagnostic for each text, and no other, once the quick tiers are
// done.
func (c *client) wants(path string, texts ...string) {
	c.t.Helper()
	synctest.Wait()
	got := c.diagnostics(path)
	if len(got) != len(texts) || slices.ContainsFunc(texts, func(text string) bool {
		return !slices.ContainsFunc(got, func(d protocol.Diagnostic) bool {
			return strings.Contains(d.Message, text)
		})
	}) {
		c.t.Errorf("%s: expected %q, but found %v", path, texts, got)
	}
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
			synctest.Test(t, func(t *testing.T) { halfType(t, path, text) })
		})
	}
}

// halfType gives a file a text with errors, waits until the server is at rest, and takes it back.
func halfType(t *testing.T, path, text string) {
	c, files := typing(t)
	others := map[string]int{"config/wrong.yml": 1, "config/right.yml": 0, "config/schema.yml": 0}
	c.mu.Lock()
	c.observe = func(p protocol.PublishDiagnosticsParams) {
		for other, n := range others {
			if p.URI == c.uri(other) && other != path && len(p.Diagnostics) != n {
				t.Errorf("%s has %d diagnostics while %s is half typed", other, len(p.Diagnostics), path)
			}
		}
	}
	c.mu.Unlock()
	c.change(path, protocol.ContentChange{Text: text})
	time.Sleep(2 * typingDebounce) // everything is evaluated, but not linted
	c.mu.Lock()
	c.observe = nil
	c.mu.Unlock()
	c.settle()
	wrong := maps.Clone(files)
	wrong[path] = text
	dir := t.TempDir()
	write(t, dir, wrong)
	c.compare("at rest", weftDiagnostics(t, dir, lawCase{files: wrong}), wrong)
	c.change(path, protocol.ContentChange{Text: files[path]})
	c.settle()
	c.wants("config/wrong.yml", "binary op")
}

// A template that is edited while data values are half typed is evaluated with those that there
// were.
func TestTemplatesWithHalfTypedValues(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testTemplatesWithHalfTypedValues)
}

func testTemplatesWithHalfTypedValues(t *testing.T) {
	c, files := typing(t)
	c.change("values.yml", protocol.ContentChange{Text: "name: web\nport: [80\n"})
	c.wants("values.yml", "never closed")
	text := strings.Replace(files["config/right.yml"], "values.name", "values.nome", 1)
	c.change("config/right.yml", protocol.ContentChange{Text: text})
	c.wants("config/right.yml", "nome")
	c.settle()
	c.wants("config/right.yml") // which the command line does not get to
}
