package lsp_test

import (
	"os"
	"path/filepath"
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
