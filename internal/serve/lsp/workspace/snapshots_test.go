package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weft/internal/serve/lsp/protocol"
)

// tried is a session with one folder of files.
type tried struct {
	*testing.T
	dir string
	s   *Session
	n   int // the version of the document that was changed last
}

func try(t *testing.T, files map[string]string) *tried {
	t.Helper()
	r := &tried{T: t, dir: t.TempDir(), n: 1}
	for name, text := range files {
		r.write(name, text)
	}
	r.s = NewSession(Options{Trusted: true, Encoding: protocol.UTF16, Log: t.Logf})
	t.Cleanup(r.s.Close)
	r.s.AddFolder(protocol.URIOf(r.dir))
	return r
}

func (r *tried) write(name, text string) {
	r.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}

func (r *tried) uri(name string) protocol.DocumentURI {
	return protocol.URIOf(filepath.Join(r.dir, name))
}

func (r *tried) open(name, text string) {
	r.Helper()
	var p protocol.DidOpenParams
	p.TextDocument.URI, p.TextDocument.Text, p.TextDocument.Version = r.uri(name), text, 1
	if err := r.s.Open(p); err != nil {
		r.Fatal(err)
	}
}

func (r *tried) change(name, text string) {
	r.Helper()
	r.n++
	if err := r.s.Change(protocol.DidChangeParams{
		TextDocument:   protocol.VersionedDocument{URI: r.uri(name), Version: r.n},
		ContentChanges: []protocol.ContentChange{{Text: text}},
	}); err != nil {
		r.Fatal(err)
	}
}

func (r *tried) snap() *Snapshot { return r.s.list()[0].Snapshot() }

// The text that a document is opened with counts as its last version without errors if an edit follows before
// anything else happens.
func TestLastGoodOfOpened(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"#@data/values\n---\na: 1\n", "a: 1\n"} {
		r := try(t, map[string]string{"weft.yml": "weft: 2026\ninputs: [a.yml]\n", "a.yml": ""})
		r.open("a.yml", text)
		r.change("a.yml", text+"b: [\n")
		r.change("a.yml", text+"b: [1\n")
		doc := r.snap().Document("a.yml")
		doc.LoadNew(t.Context())
		if good, _ := doc.LastGood(); good == nil || string(good.File.Data()) != text {
			t.Errorf("%q: got %v", text, good)
		}
		if got := r.snap().Stale(); !slices.Equal(got, []string{"a.yml"}) {
			t.Errorf("%q: stale: %q", text, got)
		}
	}
}

// Documents of a template are those of its text now, or of the version that the index has.
func TestLiteralDocsAfterUndo(t *testing.T) {
	t.Parallel()
	r := try(t, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [a.yml, b.yml]\n", "a.yml": "", "b.yml": "#@ 1\n",
	})
	kinds := func() (list []string) {
		for _, d := range r.snap().Document("b.yml").LiteralDocs(t.Context()) {
			v, _ := d.Value.Lookup("kind")
			list = append(list, v.Text())
		}
		return list
	}
	r.open("a.yml", "#@ x = 1\nkind: A\n")
	_ = r.snap().Document("a.yml").Analysis()
	r.change("a.yml", "#@ x = 1 +\nkind: B\n")
	_ = kinds()
	r.change("a.yml", "#@ x = 1 +\nkind: C\n")
	if got := kinds(); !slices.Equal(got, []string{"C"}) && !slices.Equal(got, []string{"A"}) {
		t.Errorf("after C: got %q", got)
	}
	r.change("a.yml", "#@ x = 1\nkind: A\n")
	if got := kinds(); !slices.Equal(got, []string{"A"}) {
		t.Errorf("after undo: got %q", got)
	}
}

// hooked calls a function after a directory was listed.
type hooked struct {
	fs.FS
	listed func(name string)
	read   func(name string)
}

func (h *hooked) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(h.FS, name)
	if h.listed != nil {
		h.listed(name)
	}
	return list, err
}

func (h *hooked) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(h.FS, name)
	if h.read != nil {
		h.read(name)
	}
	return data, err
}

func (h *hooked) Stat(name string) (fs.FileInfo, error)  { return fs.Stat(h.FS, name) }
func (h *hooked) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(h.FS, name) }
func (h *hooked) ReadLink(name string) (string, error)   { return fs.ReadLink(h.FS, name) }

// A file that is created while its directory is listed is there in the next snapshot.
func TestListedWhileCreated(t *testing.T) {
	t.Parallel()
	r := try(t, map[string]string{"a.yml": "a: 1\n"})
	f := r.s.list()[0]
	done := false
	f.disk.fsys = &hooked{FS: f.disk.fsys, listed: func(string) {
		if !done {
			done = true
			r.write("b.yml", "b: 1\n")
			r.s.FilesChanged([]protocol.DocumentURI{r.uri("b.yml")})
		}
	}}
	_, _ = r.snap().Files().ReadDir(".")
	list, _ := r.snap().Files().ReadDir(".")
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, []string{"a.yml", "b.yml"}) {
		t.Errorf("got %q", names)
	}
}

// An index has the text on disk of a file that was closed without being saved.
func TestIndexAfterClose(t *testing.T) {
	t.Parallel()
	r := try(t, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [a.yml, b.lib.yml]\n",
		"a.yml":    "#@ load(\"b.lib.yml\", \"f\")\na: #@ f()\n", "b.lib.yml": "#@ def f():\n#@ return 1\n#@ end\n",
	})
	r.open("a.yml", "\n\n\n#@ load(\"b.lib.yml\", \"f\")\na: #@ f()\n")
	s := r.snap()
	if _, err := s.Document("a.yml").View().Session(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := r.s.CloseDocument(r.uri("a.yml")); err != nil {
		t.Fatal(err)
	}
	s = r.snap()
	list, err := s.Indexes(t.Context(), []Move{{"b.lib.yml", "c.lib.yml"}})
	if err != nil {
		t.Fatal(err)
	}
	got := string(list[0].Source("a.yml").File.Text.Data())
	if want := string(s.Document("a.yml").File().Data()); got != want {
		t.Errorf("the index has %q, the file is %q", got, want)
	}
}

// A values file is changed while it is read for an index.
func TestIndexWhileChanged(t *testing.T) {
	t.Parallel()
	r := try(t, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [a.yml]\nvalueFiles: [v.yml]\n",
		"a.yml":    "#@ 1\n", "v.yml": "old: 1\n",
	})
	r.open("a.yml", "#@ 1\n")
	f := r.s.list()[0]
	if p := r.snap().Document("a.yml").Project(); p.Failure() != nil {
		t.Fatal(p.Problem())
	}
	done := false
	h := &hooked{FS: f.disk.fsys}
	f.disk.fsys = h
	s := r.snap()
	if _, err := s.Document("a.yml").View().Session(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	h.read = func(name string) {
		if name == "v.yml" && !done {
			done = true
			r.write("v.yml", "new: 1\n")
			r.s.FilesChanged([]protocol.DocumentURI{r.uri("v.yml")})
		}
	}
	text := func(s *Snapshot) string {
		all, _, err := s.Document("a.yml").Index(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		if src := all.Source("v.yml"); src != nil {
			return string(src.File.Text.Data())
		}
		return ""
	}
	_ = text(s)
	if got := text(r.snap()); !done || got != "new: 1\n" {
		t.Errorf("got %q", got)
	}
}

// A request for an older snapshot, in which a values file is open, is answered after it was closed.
func TestIndexOfOlderSnapshot(t *testing.T) {
	t.Parallel()
	r := try(t, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [a.yml]\nvalueFiles: [v.yml]\n",
		"a.yml":    "#@ 1\n", "v.yml": "disk: 1\n",
	})
	r.open("a.yml", "#@ 1\n")
	r.open("v.yml", "unsaved: 1\n")
	s := r.snap()
	_ = s.Document("a.yml").Project()
	if _, err := s.Document("a.yml").View().Session(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := r.s.CloseDocument(r.uri("v.yml")); err != nil {
		t.Fatal(err)
	}
	text := func(s *Snapshot) string {
		all, _, err := s.Document("a.yml").Index(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		if all.Source("v.yml") == nil {
			t.Fatal("no v.yml")
		}
		return string(all.Source("v.yml").File.Text.Data())
	}
	_ = text(s)
	if got := text(r.snap()); got != "disk: 1\n" {
		t.Errorf("got %q", got)
	}
}

// An error does not make the server forget what has read data values before it.
func TestReadsAfterError(t *testing.T) {
	t.Parallel()
	r := try(t, map[string]string{
		"weft.yml":   "weft: 2026\ninputs: [schema.yml, a.yml, b.yml]\n",
		"schema.yml": "#@data/values-schema\n---\nx: 1\n",
		"a.yml":      "#@ load(\"@ytt:data\", \"data\")\na: #@ getattr(data.values, \"x\")\n",
		"b.yml":      "b: #@ 1\n",
	})
	r.open("b.yml", "b: #@ 1\n")
	trace := func() int {
		s := r.snap()
		_ = s.Document("b.yml").Analysis()
		p := s.Document("b.yml").Project()
		v := p.Views()[0]
		v.Evaluate(t.Context(), s)
		p.TraceAll(t.Context(), s, func(*View, *Traced) {})
		return len(v.RunTimeReads(t.Context(), s).Of("", []string{"x"}))
	}
	if n := trace(); n != 1 {
		t.Fatalf("%d reads", n)
	}
	r.change("b.yml", "b: #@ 1 +\n")
	if n := trace(); n != 1 {
		t.Errorf("%d reads after an error", n)
	}
}

// A request for an older snapshot is answered after a JSON Schema was edited.
func TestOutlineOfOlderSnapshot(t *testing.T) {
	t.Parallel()
	r := try(t, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [a.yml]\nvaluesSchema: schema.json\n",
		"a.yml":    "#@ 1\n", "schema.json": "{}",
	})
	r.open("a.yml", "#@ 1\n")
	r.open("schema.json", `{"properties": {"old": {}}}`)
	if p := r.snap().Document("a.yml").Project(); p.Failure() != nil {
		t.Fatal(p.Problem())
	}
	s := r.snap()
	v := s.Document("a.yml").View()
	r.change("schema.json", `{"properties": {"new": {}}}`)
	keys := func(s *Snapshot) (list []string) {
		for _, k := range v.ValuesOutline(t.Context(), s).Fields() {
			list = append(list, k.Name)
		}
		return list
	}
	_ = keys(s)
	if got := keys(r.snap()); !slices.Equal(got, []string{"new"}) {
		t.Errorf("got %q", got)
	}
}

// Places of an evaluation are where they are on disk after a document was closed without being saved.
func TestPlacesAfterClose(t *testing.T) {
	t.Parallel()
	r := try(t, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [a.yml, b.yml]\n", "a.yml": "a: 1\n", "b.yml": "b: 1\n",
	})
	r.open("b.yml", "b: 1\n")
	r.open("a.yml", "# a comment\n\n\na: 1\n")
	s := r.snap()
	out := s.Document("b.yml").View().Evaluate(t.Context(), s)
	if err := r.s.CloseDocument(r.uri("a.yml")); err != nil {
		t.Fatal(err)
	}
	s = r.snap()
	in, _ := out.Input("a.yml")
	at := in.File.Span(14, 15) // the key a
	if loc, ok := s.LocationNow(out.Result.Files, at); !ok || loc.Range.Start.Line != 0 {
		t.Errorf("the place is %v, %t", loc.Range, ok)
	}
	e := Edits{}
	if !e.Add(s, in.File, at.Offset(), at.End(), "z") || e["a.yml"][0].Range.Start.Line != 0 {
		t.Errorf("the edit is %v", e)
	}
}

// Expressions that have read data values are found in a file that has changed on disk since.
func TestReadsAfterChangeOnDisk(t *testing.T) {
	t.Parallel()
	text := "#@ load(\"@ytt:data\", \"data\")\na: #@ getattr(data.values, \"x\")\n"
	r := try(t, map[string]string{
		"weft.yml":   "weft: 2026\ninputs: [schema.yml, a.yml, b.yml]\n",
		"schema.yml": "#@data/values-schema\n---\nx: 1\n", "a.yml": text, "b.yml": "b: #@ 1\n",
	})
	r.open("b.yml", "b: #@ 1\n")
	s := r.snap()
	v := s.Document("b.yml").View()
	v.Evaluate(t.Context(), s)
	s.Document("b.yml").Project().TraceAll(t.Context(), s, func(*View, *Traced) {})
	r.write("a.yml", "# "+strings.Repeat("a long comment ", 10)+"\n"+text)
	r.s.FilesChanged([]protocol.DocumentURI{r.uri("a.yml")})
	s = r.snap()
	reads := v.RunTimeReads(t.Context(), s)
	f := s.Document("a.yml").File()
	for _, read := range reads.Of("", []string{"x"}) {
		at, ok := reads.In(f, read)
		if got := string(f.Data()[at.Start:at.End]); ok && !strings.Contains(got, "getattr") {
			t.Errorf("got %q", got)
		}
	}
}
