package lsp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/serve/lsp/protocol"
)

// typicalPlace is a file that is half typed, and what should be offered at its cursor.
type typicalPlace struct{ path, name, text, want string }

// readPlaces returns the places of testdata/places, each also with the line ends of Windows.
func readPlaces(t testing.TB) (list []typicalPlace) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/places/typical.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path, rest, _ := strings.Cut(f.Name, ": ")
		name, want, ok := strings.Cut(rest, " → ")
		if text := string(f.Data); ok && strings.Count(text, "‸") == 1 {
			list = append(list, typicalPlace{path, name, text, want},
				typicalPlace{path, name + ", CRLF", strings.ReplaceAll(text, "\n", "\r\n"), want})
			continue
		}
		t.Errorf("%s: write PATH: NAME → ITEM, and one cursor", f.Name)
	}
	return list
}

// typicalProject returns a project with everything that typicalPlaces refer to.
func typicalProject(t testing.TB) map[string]string {
	t.Helper()
	files := map[string]string{
		"weft.yml": "weft: 2026\ninputs: [config]\nvaluesSchema: limits.json\n" +
			"overrides: [{file: web.yml, select: {kind: Deployment}}]\n" +
			"output:\n  validate: {kubernetes: '1.31', schemas: [schemas, crds.yml]}\n" +
			"environments:\n  dev: {valueFiles: [envs/dev.yml]}\n  prod: {}\n",
		"limits.json": `{"properties": {"limits": {"properties": {"mode": {"enum": ["strict", "lax"]}}}}}`,
		"config/schema.yml": "#@data/values-schema\n---\nreplicas: 1\n" +
			"#@schema/validation one_of=[\"small\", \"large\"]\nsize: small\n#@schema/type any=True\nlimits: {}\n",
		"config/app.yml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app\n---\n" +
			"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  selector: {}\n  template: {}\n",
		"config/t.yml": "", "config/o.yml": "", "config/v.yml": "", "web.yml": "", "tests/a.test.yml": "",
		"fn.yml":       "",
		"envs/dev.yml": "replicas: 2\n",
		"crds.yml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" +
			"metadata: {name: gadgets.acme.example}\nspec:\n  group: acme.example\n  names: {kind: Gadget}\n" +
			"  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        type: object\n" +
			"        properties:\n" +
			"          spec:\n            type: object\n            properties:\n" +
			"              size: {type: string, enum: [small, large]}\n",
	}
	dir := "../../../testdata/kubernetes/v1.31.0-standalone-strict"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files["schemas/v1.31.0-standalone-strict/"+e.Name()] = string(text)
	}
	return files
}

func TestTypicalPlaces(t *testing.T) {
	t.Parallel()
	files := typicalProject(t)
	dir := t.TempDir()
	write(t, dir, files)
	c := dial(t, dir, nil)
	for path, text := range files {
		if !strings.HasPrefix(path, "schemas/") {
			c.open(path, text)
		}
	}
	c.settle()
	places := readPlaces(t)
	if len(places) < 2*40 {
		t.Errorf("there are only %d places", len(places))
	}
	for _, p := range places {
		before, after, _ := strings.Cut(p.text, "‸")
		c.change(p.path, protocol.ContentChange{Text: before + after})
		labels := c.offered(p.path, before)
		if i := slices.Index(labels, p.want); i < 0 || i >= 5 {
			t.Errorf("%s: %s is not among the first five of %q", p.name, p.want, labels)
		}
		c.change(p.path, protocol.ContentChange{Text: files[p.path]})
		c.settle()
	}
}

// offered returns the labels that an editor shows at the end of a text: those of the items that begin with
// what they would replace.
func (c *client) offered(path, before string) (labels []string) {
	c.t.Helper()
	line := strings.Count(before, "\n")
	start := strings.LastIndexByte(before, '\n') + 1
	at := protocol.Position{Line: line, Character: len(before) - start}
	var list protocol.CompletionList
	c.call("textDocument/completion", protocol.CompletionParams{PositionParams: protocol.PositionParams{
		DocumentParams: protocol.DocumentParams{TextDocument: protocol.DocumentIdentifier{URI: c.uri(path)}},
		Position:       at,
	}}, &list)
	slices.SortStableFunc(list.Items, func(a, b protocol.CompletionItem) int {
		return strings.Compare(a.SortText, b.SortText)
	})
	for _, item := range list.Items {
		if item.TextEdit.Range.End != at || item.TextEdit.Range.Start.Line != line {
			c.t.Errorf("%s: the edit of %s is not at the cursor", path, item.Label)
			continue
		}
		typed := before[start+item.TextEdit.Range.Start.Character:]
		if strings.HasPrefix(strings.ToLower(item.Label), strings.ToLower(typed)) {
			labels = append(labels, item.Label)
		}
	}
	return labels
}

// A project without schemas says once how to get them, and uses them as soon as weft.yml names them.
func TestSchemasMissing(t *testing.T) {
	t.Parallel()
	files := typicalProject(t)
	files["weft.yml"] = "weft: 2026\ninputs: [config]\n"
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
	c.change("config/t.yml", protocol.ContentChange{Text: "apiVersion: v1\nkind: Service\nspec: {type: x}\n"})
	c.settle()
	if found := c.diagnostics("config/t.yml"); !slices.ContainsFunc(found, func(d protocol.Diagnostic) bool {
		return d.Code == "kubernetes/value"
	}) {
		t.Errorf("the linter does not use the schemas: %v", found)
	}
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
	files := typicalProject(t)
	dir := t.TempDir()
	write(t, dir, files)
	c := dial(t, dir, nil)
	for path, text := range files {
		if !strings.HasPrefix(path, "schemas/") {
			c.open(path, text)
		}
	}
	c.settle()
	for i, p := range readPlaces(t) {
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
		c.change(p.path, protocol.ContentChange{Text: files[p.path]})
	}
}

// BenchmarkSchemaPlaces measures completion and hover at places that schemas describe.
func BenchmarkSchemaPlaces(b *testing.B) {
	files := typicalProject(b)
	dir := b.TempDir()
	write(b, dir, files)
	c := dial(b, dir, nil)
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
