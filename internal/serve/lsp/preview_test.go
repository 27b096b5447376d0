package lsp_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
)

const previewProject = "weft: 2026\ninputs: [app.yml]\nenvironments: {dev: {values: {a: 1}}, prod: {values: {a: 2}}}\n"

func (c *client) previewOf(path string) (p protocol.Preview) {
	c.t.Helper()
	c.call("weft/preview", protocol.PreviewParams{
		DocumentParams: c.document(path), Scope: protocol.ScopeFile,
	}, &p)
	return p
}

// A preview is of the newest text. While that has errors, it is what was made before, and the map
// leads to where lines are now.
func TestPreviewStale(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const good = "#@ load(\"@ytt:data\", \"data\")\r\na: #@ data.values.a\r\nb: '🙂'\r\n"
	write(t, dir, map[string]string{"weft.yml": previewProject, "app.yml": good})
	c := dial(t, dir, nil)
	c.open("app.yml", good)
	if p := c.previewOf("app.yml"); p.Text != "a: 1\nb: '🙂'\n" || p.Stale || len(p.Errors) > 0 {
		t.Errorf("got %+v", p)
	}
	c.change("app.yml", protocol.ContentChange{Text: "#! new\r\n" + good + "c: d: e\r\n"})
	p := c.previewOf("app.yml")
	if p.Text != "a: 1\nb: '🙂'\n" || !p.Stale || len(p.Errors) != 1 ||
		!strings.HasPrefix(p.Errors[0], "app.yml:5:") {
		t.Errorf("got %+v", p)
	}
	if want := []int{0, 2, 0, 3}; len(p.Sources) != 1 || !slices.Equal(p.Map, want) {
		t.Errorf("got the map %v of %v, want %v", p.Map, p.Sources, want)
	}
	c.change("app.yml", protocol.ContentChange{Text: "a: #@ fail()\n"})
	if p := c.previewOf("app.yml"); !p.Stale || p.Text == "" || len(p.Errors) != 1 {
		t.Errorf("got %+v", p)
	}
	c.change("app.yml", protocol.ContentChange{Text: "a: 3\n"})
	if p := c.previewOf("app.yml"); p.Stale || p.Text != "a: 3\n" {
		t.Errorf("got %+v", p)
	}
}

// Edits of overrides count, as those of other files.
func TestPreviewAfterOverrides(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [app.yml]\noverrides: [o.yml]\n", "app.yml": "a: 1\n", "o.yml": "a: 2\n",
	})
	c := dial(t, dir, nil)
	c.open("app.yml", "a: 1\n")
	c.open("o.yml", "a: 2\n")
	for _, text := range []string{"a: 2\n", "a: 3\n"} {
		c.change("o.yml", protocol.ContentChange{Text: text})
		if p := c.previewOf("app.yml"); p.Text != text {
			t.Errorf("got %+v, want %q", p, text)
		}
	}
}

// An error in a file that the project does not read makes its preview no older.
func TestPreviewBesideErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const other = "#@ x = 1\na: #@ x\n"
	write(t, dir, map[string]string{"weft.yml": previewProject, "app.yml": "a: 1\n", "other.yml": other})
	c := dial(t, dir, nil)
	c.open("app.yml", "a: 1\n")
	c.open("other.yml", other)
	c.settle()
	c.change("other.yml", protocol.ContentChange{Text: "#@ x = (\n"})
	c.settle()
	if len(c.diagnostics("other.yml")) == 0 {
		t.Error("the other file has no error")
	}
	if p := c.previewOf("app.yml"); p.Stale || len(p.Errors) > 0 {
		t.Errorf("got %+v", p)
	}
}

// The preview of a file without output of its own is that of the project, and overlays are mapped.
func TestPreviewOfOverlay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const over = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\na: 2\n"
	write(t, dir, map[string]string{
		"app.yml": "a: 1\nb: 1\n", "over.yml": over, "none.yml": "#@ if False:\nc: 1\n#@ end\n",
	})
	c := dial(t, dir, nil)
	c.open("over.yml", over)
	p := c.previewOf("over.yml")
	if p.Text != "a: 2\nb: 1\n" || p.Map[1] != 3 || !strings.HasSuffix(string(p.Sources[p.Map[0]]), "/over.yml") {
		t.Errorf("got %+v", p)
	}
	if p := c.previewOf("app.yml"); p.Text != "a: 2\nb: 1\n" {
		t.Errorf("got %+v", p)
	}
}

// What cannot be done is an error with a code that clients know.
func TestCommandErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{"weft.yml": previewProject, "app.yml": "a: 1\n"})
	c := dial(t, dir, nil)
	doc := c.document("app.yml")
	argument := func(p protocol.CommandParams) []json.RawMessage {
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return []json.RawMessage{text}
	}
	for _, tt := range []struct {
		name, method string
		params       any
		code         wire.Code
		message      string
	}{
		{
			"environment", "weft/setEnvironment",
			protocol.SetEnvironmentParams{DocumentParams: doc, Environment: "x"},
			wire.InvalidParams, "dev, prod",
		},
		{
			"environment of a preview", "weft/preview",
			protocol.PreviewParams{DocumentParams: doc, Environment: "x"},
			wire.InvalidParams, "dev, prod",
		},
		{
			"command", "workspace/executeCommand",
			protocol.ExecuteCommandParams{Command: "x"},
			wire.InvalidParams, "command x",
		},
		{
			"arguments", "workspace/executeCommand",
			protocol.ExecuteCommandParams{Command: "weft.render"},
			wire.InvalidParams, "one argument",
		},
		{
			"nothing to blame", "workspace/executeCommand",
			protocol.ExecuteCommandParams{
				Command: "weft.blame", Arguments: argument(protocol.CommandParams{DocumentParams: doc}),
			},
			wire.InvalidParams, "needs a position",
		},
		{
			"another file", "weft/preview",
			protocol.PreviewParams{DocumentParams: c.document("../x.yml")},
			wire.InvalidParams, "not open",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := c.try(tt.method, tt.params, nil)
			if err == nil || !strings.Contains(err.Error(), tt.message) {
				t.Errorf("got %v, want %q", err, tt.message)
			}
			if e := codeOf(err); e != tt.code {
				t.Errorf("got the code %d, want %d", e, tt.code)
			}
		})
	}
}

// A workspace that is not trusted has a language for each document, and no previews.
func TestUntrustedPreview(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{"app.yml": "a: 1\n"})
	c := dial(t, dir, func(p *protocol.InitializeParams) {
		p.InitializationOptions = json.RawMessage(`{"trusted": false}`)
	})
	c.open("app.yml", "a: #@ 1\n")
	var lang protocol.LanguageOf
	c.call("weft/languageOf", c.document("app.yml"), &lang)
	if lang.LanguageID != protocol.LanguageTemplate {
		t.Errorf("got %q", lang.LanguageID)
	}
	if err := c.try("weft/preview", protocol.PreviewParams{DocumentParams: c.document("app.yml")}, nil); codeOf(err) != wire.RequestFailed {
		t.Errorf("got %v", err)
	}
	c.call("weft/languageOf", c.document("unopened.yml"), &lang)
	if lang.LanguageID != "" {
		t.Errorf("got %q", lang.LanguageID)
	}
}

// codeOf is the code of the error of a request.
func codeOf(err error) wire.Code {
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return e.Code
	}
	return 0
}
