package lsp_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
)

const unsavedURI = protocol.DocumentURI("untitled:Untitled-1")

const unsavedText = "#@ name = \"shop\"\n#@ def title(x):\n#@   return x.upper()\n#@ end\n" +
	"name: #@ name\nshown: #@ title(name)\n"

// openUnsaved opens a document that has not been saved.
func (c *client) openUnsaved(language, text string) {
	var p protocol.DidOpenParams
	d := &p.TextDocument
	d.URI, d.LanguageID, d.Version, d.Text = unsavedURI, language, 1, text
	c.conn.Notify("textDocument/didOpen", p)
}

func (c *client) changeUnsaved(version int, text string) {
	c.conn.Notify("textDocument/didChange", protocol.DidChangeParams{
		TextDocument:   protocol.VersionedDocument{URI: unsavedURI, Version: version},
		ContentChanges: []protocol.ContentChange{{Text: text}},
	})
}

func (c *client) unsavedDiagnostics() []protocol.Diagnostic {
	c.settle()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.found[unsavedURI].Diagnostics
}

func unsaved() protocol.DocumentParams {
	return protocol.DocumentParams{TextDocument: protocol.DocumentIdentifier{URI: unsavedURI}}
}

// A document that has not been saved is evaluated by itself: it sees no file of the workspace.
func TestUnsavedDocument(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{`{}`, `{"inputs": ["config"], "dataValues": ["a=1"], "fileMarks": ["x:exclude=true"]}`} {
		dir := t.TempDir()
		write(t, dir, map[string]string{
			"weft.yml": "weft: 2026\ninputs: [config]\n", "config/a.yml": "#@ load(\"lib.star\", \"x\")\na: 1\n",
			"config/lib.star": "x = 1\n",
		})
		c := dial(t, dir, func(p *protocol.InitializeParams) { p.InitializationOptions = json.RawMessage(settings) })
		c.openUnsaved("weft-yaml", unsavedText)
		if found := c.unsavedDiagnostics(); len(found) > 0 {
			t.Errorf("found %v", found)
		}
		preview := func() (p protocol.Preview) {
			c.call("weft/preview", protocol.PreviewParams{DocumentParams: unsaved(), Scope: protocol.ScopeFile}, &p)
			return p
		}
		p := preview()
		if p.Text != "name: shop\nshown: SHOP\n" || len(p.Errors) > 0 {
			t.Errorf("the preview is %+v", p)
		}
		if len(p.Sources) != 1 || p.Sources[0] != unsavedURI || len(p.Map) != 4 || p.Map[3] != 5 {
			t.Errorf("its lines come from %v %v", p.Sources, p.Map)
		}
		var hover struct{ Contents struct{ Value string } }
		c.call("textDocument/hover", protocol.PositionParams{
			DocumentParams: unsaved(), Position: protocol.Position{Line: 5, Character: 12},
		}, &hover)
		if !strings.Contains(hover.Contents.Value, "title(x)") {
			t.Errorf("the hover is %q", hover.Contents.Value)
		}
		var completion struct{ Items []struct{ Label string } }
		c.call("textDocument/completion", protocol.PositionParams{
			DocumentParams: unsaved(), Position: protocol.Position{Line: 5, Character: 12},
		}, &completion)
		offered := false
		for _, item := range completion.Items {
			offered = offered || item.Label == "title"
		}
		if !offered {
			t.Errorf("the completion is %v", completion.Items)
		}

		c.changeUnsaved(2, strings.Replace(unsavedText, "title(name)", "fail(title(name))", 1))
		if found := c.unsavedDiagnostics(); len(found) != 1 || found[0].Range.Start.Line != 5 {
			t.Errorf("found %v", found)
		}
		if p := preview(); !p.Stale || len(p.Errors) != 1 || !strings.HasPrefix(p.Errors[0], "Untitled-1.yml:6:") {
			t.Errorf("the preview is %+v", p)
		}
		c.changeUnsaved(3, "#@ load(\"config/lib.star\", \"x\")\na: #@ x\n")
		if found := c.unsavedDiagnostics(); len(found) == 0 {
			t.Error("it loads a file of the workspace")
		}
		c.conn.Notify("textDocument/didClose", unsaved())
		if found := c.unsavedDiagnostics(); len(found) > 0 {
			t.Errorf("closed, it has %v", found)
		}
		c.openUnsaved("weft-star", "def f():\n  return 1\nend\n")
		if found := c.unsavedDiagnostics(); len(found) > 0 {
			t.Errorf("as a module it has %v", found)
		}
	}
}

// In a workspace that is not trusted, its code does not run, either.
func TestUnsavedUntrusted(t *testing.T) {
	t.Parallel()
	c := dial(t, t.TempDir(), func(p *protocol.InitializeParams) {
		p.InitializationOptions = json.RawMessage(`{"trusted": false}`)
	})
	c.openUnsaved("weft-yaml", "a: #@ fail()\nb: #@ nope\n")
	if found := c.unsavedDiagnostics(); len(found) != 1 || found[0].Range.Start.Line != 1 {
		t.Errorf("found %v", found)
	}
	err := c.try("weft/preview", protocol.PreviewParams{DocumentParams: unsaved()}, nil)
	if failed := (*wire.Error)(nil); !errors.As(err, &failed) || failed.Code != wire.RequestFailed {
		t.Errorf("the preview answers %v", err)
	}
}
