//go:build unix

package lsp_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"weft/internal/serve/lsp"
	"weft/internal/serve/lsp/protocol"
)

// Requests that users wait for are answered before all files of a workspace are read, and say what is known.
func TestAnswersBeforeLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const text = "#@ load(\"@ytt:json\", \"json\")\na: #@ json.encode({})\n"
	write(t, dir, map[string]string{"weft.yml": "weft: 2026\ninputs: [app.yml, pipe.yml]\n", "app.yml": text})
	pipe := filepath.Join(dir, "pipe.yml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	c := dialWith(t, dir, lsp.Options{MaxWait: time.Millisecond}, nil)
	t.Cleanup(func() { // what reads the pipe gets to its end
		f, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			t.Errorf("the server has not read the pipe: %s", err)
			return
		}
		f.Close()
	})
	c.open("app.yml", text)
	at := c.at("app.yml", text, "json.|encode(")
	var hover *protocol.Hover
	c.call("textDocument/hover", at, &hover)
	if hover == nil {
		t.Error("there is no hover")
	}
	var list protocol.CompletionList
	c.call("textDocument/completion", at, &list)
	if len(list.Items) == 0 || !list.IsIncomplete {
		t.Errorf("got %d items, incomplete: %v", len(list.Items), list.IsIncomplete)
	}
	var help *protocol.SignatureHelp
	c.call("textDocument/signatureHelp", c.at("app.yml", text, "encode(|{"), &help)
	if help == nil {
		t.Error("there is no signature")
	}
}

// A hover of an overlay does not wait for an evaluation. It shows what the overlay matched the last time, and
// the evaluation that it began goes on.
func TestHoverShowsLastMatches(t *testing.T) {
	t.Parallel()
	const template = "---\nname: one\n"
	const overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"name\": \"one\"})\n" +
		"---\n#@overlay/match missing_ok=True\nmore: 1\n"
	const slow = "#@ def slow():\n#@ for i in range(10000000):\n#@ x = i\n#@ end\n#@ end\n---\nname: one\nx: #@ slow()\n"
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.yml": template, "overlay.yml": overlay})
	c := dialWith(t, dir, lsp.Options{MaxWait: time.Millisecond, Debounce: time.Hour}, nil)
	c.open("overlay.yml", overlay)
	hover := func() string {
		var h *protocol.Hover
		c.call("textDocument/hover", c.at("overlay.yml", overlay, "overlay/|match by"), &h)
		if h == nil {
			return ""
		}
		return h.Contents.Value
	}
	const want = "Matches 1 document"
	deadline := time.Now().Add(time.Minute)
	for !strings.Contains(hover(), want) {
		if time.Now().After(deadline) {
			t.Fatalf("the evaluation does not go on: %s", hover())
		}
		time.Sleep(time.Millisecond)
	}
	c.open("a.yml", slow)
	if got := hover(); !strings.Contains(got, want) {
		t.Errorf("got %s", got)
	}
}
