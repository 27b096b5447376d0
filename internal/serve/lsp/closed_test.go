package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// Edits of paths are edits of the text on disk if a document was closed without being saved.
func TestRenameFilesAfterClose(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [a.yml, b.lib.yml]\n",
		"a.yml":    "#@ load(\"b.lib.yml\", \"f\")\na: #@ f()\n", "b.lib.yml": "#@ def f():\n#@ return 1\n#@ end\n",
	})
	c := dial(t, dir, nil)
	c.open("a.yml", "\n\n\n#@ load(\"b.lib.yml\", \"f\")\na: #@ f()\n")
	c.settle()
	c.conn.Notify("textDocument/didClose", c.document("a.yml"))
	var got json.RawMessage
	c.call("workspace/willRenameFiles", map[string]any{"files": []any{map[string]any{
		"oldUri": c.uri("b.lib.yml"), "newUri": c.uri("c.lib.yml"),
	}}}, &got)
	if strings.Contains(string(got), `"line":3`) || !strings.Contains(string(got), `"line":0`) {
		t.Errorf("got %s", got)
	}
}

// Data values are checked as soon as their JSON Schema exists.
func TestSchemaIsCreated(t *testing.T) {
	dir := t.TempDir()
	const app = "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.x\n"
	write(t, dir, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [a.yml]\nvaluesSchema: s.json\nvalues: {x: 1}\n",
		"a.yml":    app, "s.json": "{\"$ref\": \"parts.json\"}",
	})
	c := dial(t, dir, nil)
	c.open("a.yml", app)
	c.settle()
	if len(c.files()) == 0 {
		t.Fatal("expected a diagnostic: parts.json does not exist")
	}
	write(t, dir, map[string]string{"parts.json": "{}"})
	c.conn.Notify("workspace/didChangeWatchedFiles", map[string]any{
		"changes": []any{map[string]any{"uri": c.uri("parts.json"), "type": 1}},
	})
	c.settle()
	if got := c.files(); len(got) > 0 {
		t.Errorf("got diagnostics of %v: %v %v", got, c.diagnostics("s.json"), c.diagnostics("weft.yml"))
	}
}
