package lsp_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"weft/internal/serve/lsp/protocol"
)

const suggestProject = `weft: 2026
inputs: [config]
environments:
  dev: {values: {replicas: 1}}
  prod: {values: {replicas: 3}}
`

func suggestFiles() map[string]string {
	return map[string]string{
		"weft.yml":          suggestProject,
		"config/schema.yml": "#@data/values-schema\n---\nreplicas: 1\n",
		"config/app.yml": "#@ load(\"@ytt:data\", \"data\")\nkind: Deployment\nmetadata: {name: 'system:web'}\n" +
			"spec:\n  replicas: #@ data.values.replicas\n  name: fixed\n  args:\n  - a\n  - #@ \"s\" * 3\n",
	}
}

// suggested are the answer to weft/suggest, and the texts after its first suggestion.
func (c *client) suggested(
	files map[string]string, p protocol.SuggestParams,
) (*rawSuggestions, map[string]string) {
	c.t.Helper()
	var got rawSuggestions
	c.call("weft/suggest", p, &got)
	after := maps.Clone(files)
	if len(got.Suggestions) > 0 {
		c.applyTo(after, got.Suggestions[0].Edit)
	}
	return &got, after
}

// rawSuggestions is protocol.Suggestions as a client reads it.
type rawSuggestions struct {
	Suggestions []struct {
		Title string
		Edit  struct {
			DocumentChanges []json.RawMessage
		}
	}
	Problems []string
}

// applyTo makes the edits of a workspace edit.
func (c *client) applyTo(files map[string]string, edit struct{ DocumentChanges []json.RawMessage }) {
	c.t.Helper()
	pathOf := func(uri protocol.DocumentURI) string {
		return strings.TrimPrefix(string(uri), string(c.uri(""))+"/")
	}
	for _, raw := range edit.DocumentChanges {
		var change struct {
			Kind string
			URI  protocol.DocumentURI
			protocol.TextDocumentEdit
		}
		if err := json.Unmarshal(raw, &change); err != nil {
			c.t.Fatal(err)
		}
		if change.Kind == "create" {
			if _, ok := files[pathOf(change.URI)]; ok {
				c.t.Errorf("%s exists", change.URI)
			}
			files[pathOf(change.URI)] = ""
			continue
		}
		name := pathOf(change.TextDocument.URI)
		text, ok := files[name]
		if !ok {
			c.t.Fatalf("%s is edited, but does not exist", name)
		}
		files[name] = applyEdits(text, change.Edits)
	}
}

// Another value in a line of the preview leads to changes of the sources. They give that output, and the
// server writes nothing.
func TestSuggest(t *testing.T) {
	t.Parallel()
	files := suggestFiles()
	dir := t.TempDir()
	write(t, dir, files)
	c := dial(t, dir, func(p *protocol.InitializeParams) {
		p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges = true
		p.Capabilities.Workspace.WorkspaceEdit.ResourceOperations = []string{"create"}
	})
	c.open("config/app.yml", files["config/app.yml"])
	for _, test := range []struct {
		old, value, title string
	}{
		{"  replicas: 3", "5", "weft.yml:5 replicas: 3 → 5  (value, 1 document)"},
		{"  name: fixed", "other", "new overlay"},
		{"  - a", "b", "new overlay"},
		{"  - sss", "'5'", "new overlay"},
	} {
		want := renderAll(t, files)
		head, prod, _ := strings.Cut(want, "environment prod\n")
		if !strings.Contains(prod, test.old) {
			t.Fatalf("%q is not in\n%s", test.old, prod)
		}
		at := strings.Count(prod[:strings.Index(prod, test.old)], "\n")
		cut := strings.LastIndexAny(test.old, " ") + 1
		prod = strings.Replace(prod, test.old, test.old[:cut]+test.value, 1)
		got, after := c.suggested(files, protocol.SuggestParams{
			PreviewParams: protocol.PreviewParams{
				DocumentParams: c.document("config/app.yml"), Environment: "prod", Scope: protocol.ScopeFile,
			},
			Line: &at, Value: test.value,
		})
		if len(got.Suggestions) == 0 || !strings.Contains(got.Suggestions[0].Title, test.title) {
			t.Errorf("%s: got %+v, want %q", test.old, got, test.title)
			continue
		}
		if now := renderAll(t, after); now != head+"environment prod\n"+prod {
			t.Errorf("%s: the files give\n%s\nwant\n%s", test.old, now, head+"environment prod\n"+prod)
		}
	}
}

// Lines that cannot be changed are reported, and the edited text of a whole preview works as well.
func TestSuggestRefuses(t *testing.T) {
	t.Parallel()
	files := suggestFiles()
	dir := t.TempDir()
	write(t, dir, files)
	c := dial(t, dir, func(p *protocol.InitializeParams) {
		p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges = true
	})
	// the open text counts, not that on disk
	files["config/app.yml"] = "#! new\r\n" + strings.ReplaceAll(files["config/app.yml"], "\n", "\r\n")
	c.open("config/app.yml", files["config/app.yml"])
	ask := func(line int, value, text string) protocol.SuggestParams {
		p := protocol.SuggestParams{Value: value, Text: text}
		p.DocumentParams, p.Environment, p.Scope = c.document("config/app.yml"), "prod", protocol.ScopeProject
		if line >= 0 {
			p.Line = &line
		}
		return p
	}
	for _, test := range []struct {
		line        int
		value, want string
	}{
		{1, "x", "line 2 has a map or a list"},
		{99, "x", "the preview has no line 100"},
		{4, "[", "the value"},
		{-1, "", "weft/suggest needs a line"},
	} {
		err := c.try("weft/suggest", ask(test.line, test.value, ""), nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("line %d: got %v, want %q", test.line, err, test.want)
		}
	}
	for _, test := range []struct {
		line        int
		value, want string
	}{
		{4, "3", "nothing changes"},
		{5, "other", "the change needs a new file, which the editor cannot create"},
	} {
		got, _ := c.suggested(files, ask(test.line, test.value, ""))
		if len(got.Suggestions) > 0 || !strings.Contains(strings.Join(got.Problems, "\n"), test.want) {
			t.Errorf("line %d: got %+v, want %q", test.line, got, test.want)
		}
	}
	_, prod, _ := strings.Cut(renderAll(t, files), "environment prod\n")
	edited := strings.Replace(prod, "replicas: 3", "replicas: 7", 1)
	got, after := c.suggested(files, ask(-1, "", edited))
	if len(got.Suggestions) == 0 || !strings.HasSuffix(renderAll(t, after), "environment prod\n"+edited) {
		t.Errorf("got %+v and\n%s", got, after["weft.yml"])
	}
}

// Keys that are not strings have values, too. A new overlay is a file of the workspace; if that is
// not an input, nothing names it.
func TestSuggestWithoutProject(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"folder": {map[string]string{
			"schema.yml": "#@data/values-schema\n---\nports: {}\n",
			"app.yml":    "#@ load(\"@ytt:data\", \"data\")\nports:\n  80: #@ \"web\"\n",
		}, "overlay-edits.yml new overlay"},
		"folder below": {map[string]string{
			"sub/schema.yml": "#@data/values-schema\n---\nports: {}\n",
			"sub/app.yml":    "#@ load(\"@ytt:data\", \"data\")\nports:\n  80: #@ \"web\"\n",
		}, "without a weft.yml no file can name it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, test.files)
			c := dial(t, dir, func(p *protocol.InitializeParams) {
				p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges = true
				p.Capabilities.Workspace.WorkspaceEdit.ResourceOperations = []string{"create"}
			})
			app := slices.Sorted(maps.Keys(test.files))[0]
			c.open(app, test.files[app])
			line := 1
			p := protocol.SuggestParams{Line: &line, Value: "api"}
			p.DocumentParams, p.Scope = c.document(app), protocol.ScopeProject
			got, _ := c.suggested(test.files, p)
			text := strings.Join(got.Problems, "\n")
			for _, x := range got.Suggestions {
				text += x.Title
			}
			if !strings.Contains(text, test.want) {
				t.Errorf("got %q, want %q", text, test.want)
			}
		})
	}
}
