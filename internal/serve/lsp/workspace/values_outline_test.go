package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"weft/internal/serve/lsp/protocol"
)

// What a JSON Schema says is kept until the schema changes, or one that it refers to.
func TestValuesOutlineFollowsReferences(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("weft.yml", "weft: 2026\ninputs: [app.yml]\nvaluesSchema: values.schema.json\n")
	write("app.yml", "a: 1\n")
	write("values.schema.json", `{"properties": {"a": {"$ref": "parts.json"}}}`)
	write("parts.json", `{"type": "string"}`)
	s := NewSession(Options{Trusted: true, Encoding: protocol.UTF16})
	defer s.Close()
	s.AddFolder(protocol.URIOf(dir))
	outline := func() any {
		t.Helper()
		doc := s.Document(protocol.URIOf(filepath.Join(dir, "app.yml")))
		found := doc.View().ValuesOutline(t.Context(), doc.Snapshot())
		if len(found) == 0 {
			t.Fatal("the schemas say nothing")
		}
		return &found[0]
	}
	before := outline()
	if outline() != before {
		t.Error("schemas that have not changed are read again")
	}
	write("parts.json", `{"type": "integer"}`)
	s.FilesChanged([]protocol.DocumentURI{protocol.URIOf(filepath.Join(dir, "parts.json"))})
	if outline() == before {
		t.Error("a schema that another one refers to has changed, and is not read again")
	}
}
