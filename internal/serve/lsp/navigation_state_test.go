package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"weft/internal/serve/lsp"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/testing/cases"
)

// at is the place of a text in a file: at its `|`, or at its beginning.
func (c *client) at(path, text, where string) protocol.PositionParams {
	c.t.Helper()
	left, right, cut := strings.Cut(where, "|")
	off := strings.Index(text, left+right)
	if off < 0 {
		c.t.Fatalf("%q is not in %q", where, text)
	}
	if cut {
		off += len(left)
	}
	line := strings.Count(text[:off], "\n")
	start := strings.LastIndex(text[:off], "\n") + 1
	return protocol.PositionParams{
		DocumentParams: c.document(path),
		Position:       protocol.Position{Line: line, Character: len(utf16.Encode([]rune(text[start:off])))},
	}
}

// places are the answer to a request, as PATH:RANGE.
func (c *client) places(method string, params any) []string {
	c.t.Helper()
	var list []protocol.Location
	c.call(method, params, &list)
	var out []string
	for _, l := range list {
		rel, _ := filepath.Rel(c.root, l.URI.Path())
		out = append(out, filepath.ToSlash(rel)+":"+showRange(l.Range))
	}
	return out
}

func (c *client) expect(what string, got []string, want ...string) {
	c.t.Helper()
	if !slices.Equal(got, want) {
		c.t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// apply makes the edits of a client that knows no versions of documents.
func (c *client) apply(edit protocol.WorkspaceEdit, files map[string]string) {
	for uri, list := range edit.Changes {
		rel, _ := filepath.Rel(c.root, uri.Path())
		rel = filepath.ToSlash(rel)
		files[rel] = applyEdits(files[rel], list)
	}
}

const schemaText = "#@data/values-schema\n---\ndb:\n  host: x\n"

// TestHalfTyped asks while a file cannot be read: about lines that were right before, whose places
// have moved, and about the line that is being typed.
func TestHalfTyped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const text = "#@ load(\"@ytt:data\", \"data\")\n#@ def f(x):\n#@   return x\n#@ end\n" +
		"a: #@ f(1)\nb: #@ data.values.db.host\nc: #@ f(2)\n"
	write(t, dir, map[string]string{"schema.yml": schemaText, "app.yml": text})
	c := dial(t, dir, nil)
	c.open("app.yml", text)
	c.settle()
	broken := strings.Replace(text, "a: #@ f(1)\n", "z: [\na: #@ f(1\n🙂: x: y\nd: #@ data.values.db.host\n", 1)
	c.change("app.yml", protocol.ContentChange{Text: broken})
	c.expect("a name", c.places("textDocument/definition", c.at("app.yml", broken, "|f(2)")),
		"app.yml:2:8-2:9")
	c.expect("a data value", c.places("textDocument/declaration", c.at("app.yml", broken, "b: #@ data.values.db.|host")),
		"schema.yml:4:3-4:7")
	c.expect("references", c.places("textDocument/references", c.at("app.yml", broken, "def |f")),
		"app.yml:10:7-10:8")
	c.settle()
	later := strings.Replace(text, "c: #@ f(2)", "c: #@ data.values.db.host + f(", 1)
	c.change("app.yml", protocol.ContentChange{Text: later})
	c.expect("a definition above", c.places("textDocument/definition", c.at("app.yml", later, "a: #@ |f(1)")),
		"app.yml:2:8-2:9")
	edited := strings.Replace(later, "a: #@ f(1)", "a: #@ f(data.values.db.host)", 1)
	c.change("app.yml", protocol.ContentChange{Text: edited})
	c.expect("in an edited line", c.places("textDocument/declaration", c.at("app.yml", edited, "f(data.values.db.|host")),
		"schema.yml:4:3-4:7")
	err := c.try("textDocument/rename", protocol.RenameParams{
		PositionParams: c.at("app.yml", edited, "def |f"), NewName: "g",
	}, nil)
	if err == nil || !strings.Contains(err.Error(), "app.yml has errors") {
		t.Errorf("a rename in a file with errors: %v", err)
	}
}

// TestNavigationUntrusted asks in a workspace whose files are not read: the open document is all there is.
func TestNavigationUntrusted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const text = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"lib.star\", \"g\")\n#@ def f(x):\n#@   return x\n" +
		"#@ end\na: #@ f(1)\nb: #@ data.values.db.host\nc: #@ g(data.values.db.host)\n"
	write(t, dir, map[string]string{
		"schema.yml": schemaText, "app.yml": text, "lib.star": "def g(x):\n  return x\nend\n",
	})
	c := dial(t, dir, func(p *protocol.InitializeParams) {
		p.InitializationOptions = []byte(`{"trusted": false}`)
	})
	c.open("app.yml", text)
	c.settle()
	c.expect("a name", c.places("textDocument/definition", c.at("app.yml", text, "|f(1)")), "app.yml:3:8-3:9")
	c.expect("a loaded name", c.places("textDocument/definition", c.at("app.yml", text, "|g(data")),
		"app.yml:2:22-2:23")
	c.expect("a data value", c.places("textDocument/declaration", c.at("app.yml", text, "b: #@ data.values.db.|host")))
	c.expect("references", c.places("textDocument/references", c.at("app.yml", text, "b: #@ data.values.db.|host")),
		"app.yml:7:22-7:26", "app.yml:8:24-8:28")
	c.expect("an overlay", c.places("textDocument/implementation", c.at("app.yml", text, "a:")))
	var links []protocol.DocumentLink
	c.call("textDocument/documentLink", c.document("app.yml"), &links)
	if len(links) != 0 {
		t.Errorf("links lead to files that may not be read: %v", links)
	}
	var symbols []protocol.SymbolInformation
	c.call("workspace/symbol", protocol.WorkspaceSymbolParams{}, &symbols)
	if len(symbols) != 1 || symbols[0].Name != "f" {
		t.Errorf("the symbols are %v", symbols)
	}
	var edit protocol.WorkspaceEdit
	c.call("textDocument/rename", protocol.RenameParams{
		PositionParams: c.at("app.yml", text, "def |f"), NewName: "h",
	}, &edit)
	if len(edit.Changes) != 1 || len(edit.Changes[c.uri("app.yml")]) != 2 {
		t.Errorf("the rename is %+v", edit)
	}
	err := c.try("textDocument/rename", protocol.RenameParams{
		PositionParams: c.at("app.yml", text, "b: #@ data.values.db.|host"), NewName: "h",
	}, nil)
	if err == nil {
		t.Error("a data value is renamed without its schema")
	}
}

// TestNavigationCRLF counts in UTF-16, with line breaks of Windows.
func TestNavigationCRLF(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	schema := crlf("#@data/values-schema\n---\n\"🙂🙂\": {host: x}\n")
	text := crlf("\ufeff#@ load(\"@ytt:data\", \"data\")\n---\n\"🙂\": #@ \"🙂\" + data.values[\"🙂🙂\"].host\n")
	files := map[string]string{"schema.yml": schema, "app.yml": text}
	write(t, dir, files)
	c := dial(t, dir, nil)
	c.open("app.yml", text)
	c.settle()
	c.expect("a data value", c.places("textDocument/declaration", c.at("app.yml", text, "].|host")),
		"schema.yml:3:10-3:14")
	c.expect("a key", c.places("textDocument/declaration", c.at("app.yml", text, "[\"|🙂🙂")),
		"schema.yml:3:1-3:7")
	c.expect("references", c.places("textDocument/references", protocol.ReferenceParams{
		PositionParams: c.at("app.yml", text, "].|host"),
		Context:        protocol.ReferenceContext{IncludeDeclaration: true},
	}), "schema.yml:3:10-3:14", "app.yml:3:37-3:41")
	var edit protocol.WorkspaceEdit
	c.call("textDocument/rename", protocol.RenameParams{
		PositionParams: c.at("app.yml", text, "].|host"), NewName: "name",
	}, &edit)
	before := renderAll(t, files)
	c.apply(edit, files)
	if want := strings.Replace(text, ".host", ".name", 1); files["app.yml"] != want {
		t.Errorf("got %q, want %q", files["app.yml"], want)
	}
	if after := renderAll(t, files); after != before {
		t.Errorf("the output is %q, before it was %q", after, before)
	}
}

// TestRenameInManyEnvironments renames a data value that environments set which nothing looks at while
// someone types.
func TestRenameInManyEnvironments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"config/schema.yml": schemaText,
		"config/app.yml":    "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.db.host\n",
	}
	project := "weft: 2026\ninputs: [config]\nenvironments:\n"
	for i := range 20 {
		project += fmt.Sprintf("  e%d: {inputs: [more%d], valueFiles: [envs/e%d.yml]}\n", i, i, i)
		files[fmt.Sprintf("envs/e%d.yml", i)] = fmt.Sprintf("db: {host: h%d}\n", i)
		files[fmt.Sprintf("more%d/extra.yml", i)] = "#@ load(\"@ytt:data\", \"data\")\nb: #@ data.values.db.host\n"
	}
	files["weft.yml"] = project
	write(t, dir, files)
	c := dial(t, dir, nil)
	c.open("config/app.yml", files["config/app.yml"])
	c.settle()
	var edit protocol.WorkspaceEdit
	c.call("textDocument/rename", protocol.RenameParams{
		PositionParams: c.at("config/app.yml", files["config/app.yml"], "db.|host"), NewName: "name",
	}, &edit)
	before := renderAll(t, files)
	c.apply(edit, files)
	if after := renderAll(t, files); after != before {
		t.Errorf("the output is %q, before it was %q", after, before)
	}
	if n := len(edit.Changes); n != 42 {
		t.Errorf("%d files change, want 42", n)
	}
}

// TestNavigationInNewFiles finds what files say that have come or changed since the last evaluation.
func TestNavigationInNewFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const text = "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.db.host\n"
	write(t, dir, map[string]string{"schema.yml": schemaText, "app.yml": text})
	c := dial(t, dir, nil)
	c.open("app.yml", text)
	c.settle()
	write(t, dir, map[string]string{"values.yml": "#@data/values\n---\ndb:\n  host: y\n"})
	if err := os.Remove(filepath.Join(dir, "schema.yml")); err != nil {
		t.Fatal(err)
	}
	c.conn.Notify("workspace/didChangeWatchedFiles", protocol.WatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: c.uri("values.yml"), Type: 1}, {URI: c.uri("schema.yml"), Type: 3}},
	})
	c.settle()
	c.expect("a data value", c.places("textDocument/definition", c.at("app.yml", text, "db.|host")),
		"values.yml:4:3-4:7")
}

// thousand is a project of a thousand templates.
func thousand(t testing.TB) (dir, text string) {
	dir = t.TempDir()
	files := map[string]string{
		"schema.yml": "#@data/values-schema\n---\napp:\n  name: x\n  size: 1\n  ports:\n  - port: 0\n",
		"lib.star":   "def label(app, more=\"\"):\n  return app.name + more\nend\n",
	}
	for i := range 1000 {
		files[fmt.Sprintf("d%d/t%d.yml", i%20, i)] = fmt.Sprintf(`#@ load("@ytt:data", "data")
#@ load("/lib.star", "label")
#@ app = data.values.app
---
kind: ConfigMap
metadata:
  name: #@ "%d-" + label(app, more="x")
data:
  size: #@ app.size
  name: #@ data.values.app.name
  #@ for p in app.ports:
  port: #@ p.port
  #@ end
`, i)
	}
	write(t, dir, files)
	return dir, files["d0/t0.yml"]
}

// TestNavigationTime measures answers in a project of a thousand templates, each after an edit. The
// limits are far above those of the design, since tests share the machine: they find what grows
// with the square of something.
func TestNavigationTime(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand templates")
	}
	if cases.Race {
		t.Skip("the race detector makes everything slow")
	}
	dir, text := thousand(t)
	c := dialWith(t, dir, lsp.Options{MaxWait: lsp.DefaultMaxWait}, nil)
	c.open("d0/t0.yml", text)
	c.settle()
	at := c.at("d0/t0.yml", text, "values.app.|name")
	for _, m := range []struct {
		method string
		params any
		limit  time.Duration
	}{
		{"textDocument/definition", at, 2 * time.Second},
		{"textDocument/declaration", at, 2 * time.Second},
		{"textDocument/documentHighlight", at, 2 * time.Second},
		{"textDocument/references", at, 5 * time.Second},
		{"textDocument/rename", protocol.RenameParams{PositionParams: at, NewName: "title"}, 30 * time.Second},
		{"workspace/symbol", protocol.WorkspaceSymbolParams{Query: "label"}, 5 * time.Second},
	} {
		if m.method == "textDocument/rename" {
			c.settle() // no one types on and renames at the same time
		}
		var took []time.Duration
		for range 3 {
			if m.method != "textDocument/rename" {
				text += "#! x\n"
				c.change("d0/t0.yml", protocol.ContentChange{Text: text})
			}
			start := time.Now()
			c.call(m.method, m.params, nil)
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		t.Logf("%s: %v", m.method, took)
		if took[0] > m.limit {
			t.Errorf("%s takes at least %v", m.method, took[0])
		}
	}
}
