//go:build unix

package lsp_test

import (
	"os"
	"path/filepath"
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
