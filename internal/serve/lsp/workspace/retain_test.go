package workspace

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"weft/internal/serve/lsp/protocol"
)

// TestRetainedProject keeps what is known about a project when a document is opened while an evaluation ends:
// the project is read again then, and the evaluation retains what was read before.
func TestRetainedProject(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"weft.yml", "app.yml", "new.yml"} {
		text := map[string]string{"weft.yml": "weft: 2026\ninputs: [app.yml, new.yml]\n"}[name]
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := NewSession(Options{Trusted: true, Encoding: protocol.UTF16})
	defer s.Close()
	s.AddFolder(protocol.URIOf(dir))
	f := s.list()[0]
	open := func(name string) *Snapshot {
		var p protocol.DidOpenParams
		p.TextDocument.URI, p.TextDocument.Version = protocol.URIOf(filepath.Join(dir, name)), 1
		if err := s.Open(p); err != nil {
			t.Fatal(err)
		}
		return f.Snapshot()
	}
	first := open("app.yml")
	evaluated := first.OpenProjects()
	for _, v := range evaluated[0].Views() {
		v.Evaluate(context.Background(), first)
	}
	second := open("new.yml")
	again := second.Document("new.yml").Project()
	if again == evaluated[0] {
		t.Fatal("the project was not read again")
	}
	f.Retain(evaluated)
	if got := second.Document("new.yml").View(); got.LastGood() == nil {
		t.Error("the last evaluation was forgotten")
	}
}
