package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"weft/internal/serve/lsp/protocol"
)

// TestContent says when the files of a snapshot may have changed: not when a document is opened or closed
// with the text on disk.
func TestContent(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "app.yml")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a: 1\n")
	s := NewSession(Options{Trusted: true, Encoding: protocol.UTF16})
	defer s.Close()
	s.AddFolder(protocol.URIOf(dir))
	uri := protocol.URIOf(name)
	open := func(text string) {
		var p protocol.DidOpenParams
		p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text = uri, 1, text
		if err := s.Open(p); err != nil {
			t.Fatal(err)
		}
	}
	hide := func() {
		if err := s.CloseDocument(uri); err != nil {
			t.Fatal(err)
		}
	}
	change := func(text string) {
		if err := s.Change(protocol.DidChangeParams{
			TextDocument:   protocol.VersionedDocument{URI: uri, Version: 2},
			ContentChanges: []protocol.ContentChange{{Text: text}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	last := s.list()[0].Snapshot().Content
	for _, step := range []struct {
		name    string
		do      func()
		changes bool
	}{
		{"open the same text", func() { open("a: 1\n") }, false},
		{"close it", hide, false},
		{"open another text", func() { open("a: 2\n") }, true},
		{"edit it", func() { change("a: 3\n") }, true},
		{"close the edited text", hide, true},
		{"a file is written", func() {
			write("a: 4\n")
			s.FilesChanged([]protocol.DocumentURI{uri})
		}, true},
		{"open the text that was written", func() { open("a: 4\n") }, false},
		{"other settings", func() { s.Configure(Settings{Inputs: []string{"app.yml"}}) }, true},
	} {
		step.do()
		now := s.list()[0].Snapshot().Content
		if (now != last) != step.changes {
			t.Errorf("%s: %d after %d, want a change: %t", step.name, now, last, step.changes)
		}
		last = now
	}
}
