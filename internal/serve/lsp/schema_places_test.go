package lsp_test

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"weft/internal/serve/lsp/protocol"
)

// A project without schemas says once how to get them, and uses them as soon as weft.yml names them.
func TestSchemasMissing(t *testing.T) {
	t.Parallel()
	files := readPlaces(t, "kubernetes").files
	files["weft.yml"] = "weft: 2026\ninputs: [config]\n"
	delete(files, "config/reads.yml") // without the other inputs, it reads what is not declared
	dir := t.TempDir()
	write(t, dir, files)
	c := dial(t, dir, nil)
	c.open("weft.yml", files["weft.yml"])
	text := "apiVersion: v1\nkind: Service\nspec:\n  po"
	c.open("config/t.yml", text)
	c.settle()
	for range 2 {
		if got := c.offered("config/t.yml", text); len(got) > 0 {
			t.Errorf("without schemas there is %q", got)
		}
	}
	c.mu.Lock()
	if len(c.shown) != 1 || !strings.Contains(c.shown[0], "output: {validate: {kubernetes:") {
		t.Errorf("the user is shown %q", c.shown)
	}
	c.mu.Unlock()
	c.change("weft.yml", protocol.ContentChange{
		Text: files["weft.yml"] + "output: {validate: {kubernetes: \"1.31\", schemas: [schemas]}}\n",
	})
	c.settle()
	if got := c.offered("config/t.yml", text); !slices.Equal(got, []string{"ports"}) {
		t.Errorf("with schemas there is %q", got)
	}
	c.open("config/t.yml", "apiVersion: v1\nkind: Service\nspec: {type: x}\n")
	c.settle()
	if found := c.diagnostics("config/t.yml"); !slices.ContainsFunc(found, func(d protocol.Diagnostic) bool {
		return d.Code == "kubernetes/value"
	}) {
		t.Errorf("the linter does not use the schemas: %v %v", found, c.lines())
	}
}

// Custom resources that the project defines are known before anything is evaluated.
func TestDefinitionAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [config]\n",
		"config/crd.yml": "kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\n" +
			"metadata: {name: lamps.acme.example}\n" +
			"spec: {group: acme.example, names: {kind: Lamp}, versions: [{name: v1, schema: {openAPIV3Schema: " +
			"{type: object, properties: {spec: {type: object, properties: {watts: {type: integer}}}}}}}]}\n",
	})
	c := dial(t, dir, nil)
	got := c.offered("config/lamp.yml", "apiVersion: acme.example/v1\nkind: Lamp\nspec:\n  ")
	if !slices.Equal(got, []string{"watts"}) {
		t.Errorf("there is %q", got)
	}
	c.settle()
}

// The command line of a lens selects the test and no other, in all of its environments.
func TestRunTestLenses(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"app/weft.yml":           "weft: 2026\ninputs: [a.yml]\n",
		"app/a.yml":              "a: 1\n",
		"app/tests/a.test.yml":   "tests:\n- name: a+b (c) {dir}\n  each: x/*\n  golden: g.yml\n",
		"loose/tests/b.test.yml": "tests: [{name: ü}]\n",
	}
	dir := t.TempDir()
	write(t, dir, files)
	c := dial(t, dir, func(p *protocol.InitializeParams) {
		p.InitializationOptions = json.RawMessage(`{"runsTests": true}`)
	})
	for path, text := range files {
		c.open(path, text)
	}
	c.settle()
	var run struct {
		Directory string   `json:"directory"`
		Arguments []string `json:"arguments"`
	}
	lens := c.lensesOf("app/tests/a.test.yml")
	if len(lens) != 2 {
		t.Fatalf("found %d lenses", len(lens))
	}
	if err := json.Unmarshal(lens[1].Command.Arguments[0], &run); err != nil {
		t.Fatal(err)
	}
	if run.Directory != filepath.Join(dir, "app") ||
		!slices.Equal(run.Arguments[:3], []string{"test", "." + string(filepath.Separator) +
			filepath.Join("tests", "a.test.yml"), "--run"}) {
		t.Errorf("the lens runs %q in %s", run.Arguments, run.Directory)
	}
	pattern := regexp.MustCompile(run.Arguments[3])
	for title, want := range map[string]bool{
		"a+b (c) x/one": true, "a+b (c) x/one [prod]": true, "aab (c) x": false, "a+b (c) x/one [prod] 2": true,
		"my a+b (c) x": false,
	} {
		if pattern.MatchString(title) != want {
			t.Errorf("%s selects %q: %v", pattern, title, !want)
		}
	}
	if lens := c.lensesOf("loose/tests/b.test.yml"); len(lens) != 2 {
		t.Errorf("found %d lenses without a project", len(lens))
	}
}

// However a text is cut, every request about it is answered.
func TestCutPlaces(t *testing.T) {
	t.Parallel()
	in := readPlaces(t, "kubernetes")
	c := in.dial(t)
	for i, p := range in.list {
		c.open(p.path, in.files[p.path])
		text := strings.ReplaceAll(p.text, "‸", "")
		for cut := i % 3; cut < len(text); cut += 3 { // any third byte, also within a character
			before := text[:cut]
			c.change(p.path, protocol.ContentChange{Text: before})
			at := protocol.PositionParams{DocumentParams: c.document(p.path), Position: protocol.Position{
				Line: strings.Count(before, "\n"), Character: cut - strings.LastIndexByte(before, '\n') - 1,
			}}
			c.call("textDocument/completion", protocol.CompletionParams{PositionParams: at}, nil)
			c.call("textDocument/hover", at, nil)
			c.call("textDocument/documentSymbol", at.DocumentParams, nil)
			c.call("textDocument/codeLens", at.DocumentParams, nil)
		}
		c.conn.Notify("textDocument/didClose", protocol.DidCloseParams{DocumentParams: c.document(p.path)})
	}
}

// BenchmarkSchemaPlaces measures completion and hover at places that schemas describe.
func BenchmarkSchemaPlaces(b *testing.B) {
	c := readPlaces(b, "kubernetes").dial(b)
	text := "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n" +
		"      - name: a\n        im"
	c.open("config/t.yml", text)
	c.settle()
	at := protocol.PositionParams{
		DocumentParams: c.document("config/t.yml"), Position: protocol.Position{Line: 7, Character: 10},
	}
	b.Run("completion", func(b *testing.B) {
		for b.Loop() {
			c.call("textDocument/completion", protocol.CompletionParams{PositionParams: at}, nil)
		}
	})
	at.Position = protocol.Position{Line: 5, Character: 8}
	b.Run("hover", func(b *testing.B) {
		for b.Loop() {
			c.call("textDocument/hover", at, nil)
		}
	})
}
