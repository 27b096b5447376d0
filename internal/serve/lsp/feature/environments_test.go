package feature

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
)

// A question that a document overtakes, which is opened just after it, is to be asked again: a project that was not
// opened to the end has no environments.
func TestEnvironmentsAreNotGuessed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"weft.yml": "weft: 2026\nenvironments:\n  dev: {}\n  prod: {}\n", "app.yml": "a: 1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := workspace.NewSession(workspace.Options{Trusted: true, Encoding: protocol.UTF16})
	defer s.Close()
	s.AddFolder(protocol.URIOf(dir))
	uri := protocol.URIOf(filepath.Join(dir, "app.yml"))
	before := s.Document(uri)
	var p protocol.DidOpenParams
	p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text = uri, 1, "a: 2\n"
	if err := s.Open(p); err != nil {
		t.Fatal(err)
	}
	got, err := Environments(t.Context(), before, protocol.EnvironmentsParams{})
	if !errors.Is(err, wire.ErrModified) {
		t.Errorf("overtaken: got %+v, %v", got, err)
	}
	if _, err := Preview(t.Context(), before, protocol.PreviewParams{}); !errors.Is(err, wire.ErrModified) {
		t.Errorf("an overtaken preview: got %v", err)
	}
	got, err = Environments(t.Context(), s.Document(uri), protocol.EnvironmentsParams{})
	if err != nil || len(got.Names) != 2 {
		t.Errorf("afterwards: got %+v, %v", got, err)
	}
}
