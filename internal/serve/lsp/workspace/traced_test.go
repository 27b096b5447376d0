package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"weft/internal/engine/compile"
	"weft/internal/serve/lsp/protocol"
)

// TestTraceAll: evaluations for the linter share what the views have read, and leave the indexes of files that are
// not open. They see open files as they are, even those that are evaluated in an older version.
func TestTraceAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"weft.yml":   "weft: 2026\ninputs: [schema.yml, app.yml, other.yml]\nenvironments: {dev: {}, prod: {}}\n",
		"schema.yml": "#@data/values-schema\n---\na: 1\n",
		"app.yml":    "a: #@ 1\n",
		"other.yml":  "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.a\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := NewSession(Options{Trusted: true, Encoding: protocol.UTF16})
	defer s.Close()
	s.AddFolder(protocol.URIOf(dir))
	app := protocol.VersionedDocument{URI: protocol.URIOf(filepath.Join(dir, "app.yml"))}
	traceAll := func(broken bool) (read int) {
		t.Helper()
		snap := s.list()[0].Snapshot()
		_ = snap.Document("app.yml").Analysis() // the last version without errors is known from it
		p := snap.Document("app.yml").Project()
		for _, v := range p.Views() {
			v.Evaluate(t.Context(), snap)
		}
		n := 0
		p.TraceAll(t.Context(), snap, func(_ *View, traced *Traced) {
			if (traced.Failure != nil) != broken {
				t.Errorf("the errors are %v", traced.Failure)
			}
			read += traced.Session.Stats().Read
			n++
		})
		if n != 2 {
			t.Fatalf("%d environments were traced", n)
		}
		return read
	}
	var opened protocol.DidOpenParams
	opened.TextDocument.URI, opened.TextDocument.Text = app.URI, "a: #@ 2\n"
	if err := s.Open(opened); err != nil {
		t.Fatal(err)
	}
	if n := traceAll(false); n != 0 {
		t.Errorf("%d files were read again", n)
	}
	f := s.list()[0]
	if f.fileIndexes.known[fileIndexKey{"other.yml", asInput, compile.YAML}].file == nil {
		t.Errorf("other.yml has no index: there are %v", f.fileIndexes.known)
	}
	app.Version = 1
	err := s.Change(protocol.DidChangeParams{
		TextDocument: app, ContentChanges: []protocol.ContentChange{{Text: "a: #@ 2 +\n"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := traceAll(true); n != 1 {
		t.Errorf("%d files were read again, want the broken one", n)
	}
}
