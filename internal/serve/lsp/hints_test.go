package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"weft/internal/serve/lsp/protocol"
)

// hintsOf are the hints of a file.
func (c *client) hintsOf(path string) (list []protocol.InlayHint) {
	c.t.Helper()
	p := protocol.InlayHintParams{}
	p.DocumentParams = c.document(path)
	p.Range.End.Line = 1000
	c.call("textDocument/inlayHint", p, &list)
	return list
}

// lensesOf are the lenses of a file, with what they say.
func (c *client) lensesOf(path string) (list []protocol.CodeLens) {
	c.t.Helper()
	c.call("textDocument/codeLens", protocol.CodeLensParams{DocumentParams: c.document(path)}, &list)
	for i := range list {
		if list[i].Command != nil && list[i].Command.Command == "weft.runTest" {
			continue // it is complete: it only depends on the text
		}
		if list[i].Command != nil {
			c.t.Errorf("%s: a lens has a command before it is resolved", path)
		}
		c.call("codeLens/resolve", list[i], &list[i])
	}
	return list
}

// hints(NAME): the hints of the file.
func (r *markerRun) hints(at place, args []string) {
	var b strings.Builder
	for _, h := range r.hintsOf(at.path) {
		fmt.Fprintf(&b, "%d:%d %s\n", h.Position.Line+1, h.Position.Character+1, h.Label)
	}
	r.golden(args[0], b.String())
}

// lenses(NAME): the lenses of the file.
func (r *markerRun) lenses(at place, args []string) {
	var b strings.Builder
	for _, l := range r.lensesOf(at.path) {
		fmt.Fprintf(&b, "%s: %s", showRange(l.Range), l.Command.Title)
		if l.Command.Command != "" {
			fmt.Fprintf(&b, " (%s)", l.Command.Command)
			if len(l.Command.Arguments) != 1 {
				r.t.Errorf("the command has %d arguments", len(l.Command.Arguments))
			}
		}
		b.WriteByte('\n')
	}
	r.golden(args[0], b.String())
}

// Hints are off unless someone wants them, and are told again when they change; lenses can be turned
// off.
func TestHintSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const text = "#@ x = 1\na: #@ x + 1\n"
	const over = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\na: 5\n"
	write(t, dir, map[string]string{"a.yml": text, "over.yml": over})
	c := dial(t, dir, func(p *protocol.InitializeParams) {
		p.Capabilities.Workspace.InlayHint.RefreshSupport = true
		p.Capabilities.Workspace.CodeLens.RefreshSupport = true
		p.InitializationOptions = json.RawMessage(`{"inlayHints": "yes", "unknown": 1, "inputs": null}`)
	})
	c.open("a.yml", text)
	c.open("over.yml", over)
	c.settle()
	if list := c.hintsOf("a.yml"); len(list) > 0 {
		t.Errorf("got %v", list)
	}
	if list := c.lensesOf("over.yml"); len(list) != 1 || list[0].Command.Title != "matches 1 document · 1 change" {
		t.Errorf("got %v", list)
	}
	if asked := c.askedFor(); !slices.Contains(asked, "workspace/codeLens/refresh") ||
		slices.Contains(asked, "workspace/inlayHint/refresh") {
		t.Errorf("the server has asked %q", asked)
	}
	c.mu.Lock()
	if !slices.ContainsFunc(c.logged, func(s string) bool { return strings.Contains(s, "weft.inlayHints") }) {
		t.Errorf("the wrong setting is not logged: %q", c.logged)
	}
	c.mu.Unlock()
	c.conn.Notify("workspace/didChangeConfiguration", protocol.DidChangeConfigurationParams{
		Settings: json.RawMessage(`{"weft": {"inlayHints": true, "codeLenses": false}}`),
	})
	c.settle()
	if list := c.hintsOf("a.yml"); len(list) != 1 || list[0].Label != "= 2 → 5 (over.yml:4)" {
		t.Errorf("got %v", list)
	}
	c.change("over.yml", protocol.ContentChange{Text: strings.Replace(over, "a: 5", "b: 5", 1)})
	c.change("over.yml", protocol.ContentChange{Text: strings.Replace(over, "a: 5", "#@overlay/match missing_ok=True\nb: 5", 1)})
	c.settle()
	if list := c.hintsOf("a.yml"); len(list) != 1 || list[0].Label != "= 2" {
		t.Errorf("got %v", list)
	}
	if list := c.lensesOf("over.yml"); len(list) > 0 {
		t.Errorf("got %v", list)
	}
	if asked := c.askedFor(); !slices.Contains(asked, "workspace/inlayHint/refresh") {
		t.Errorf("the server has asked %q", asked)
	}
	c.change("a.yml", protocol.ContentChange{Text: "#! 🙂\n" + text + "b: #@ x\n"})
	if list := c.hintsOf("a.yml"); len(list) > 0 && list[0].Position.Line != 2 {
		t.Errorf("got %v", list)
	}
}

// askedFor are the requests of the server.
func (c *client) askedFor() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.asked)
}
