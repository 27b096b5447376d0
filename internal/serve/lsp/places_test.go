package lsp_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/serve/lsp/protocol"
)

// typedPlace is a file that is half typed, with its cursor at ‸, and items that should be among the first five
// there.
type typedPlace struct {
	path, name, text string
	want             []string
}

// placesIn is a file of testdata/places: a project, and places in it. An entry is a file of the project, or
// `PATH: NAME → ITEM | ITEM`. A project that names the folder schemas gets the schemas of Kubernetes there.
type placesIn struct {
	name  string
	files map[string]string
	list  []typedPlace
}

func readPlaces(t testing.TB, name string) placesIn {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata/places", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	in := placesIn{name: name, files: map[string]string{}}
	for _, f := range archive.Files {
		path, rest, isPlace := strings.Cut(f.Name, ": ")
		if !isPlace {
			in.files[f.Name] = string(f.Data)
			continue
		}
		name, want, ok := strings.Cut(rest, " → ")
		if !ok || strings.Count(string(f.Data), "‸") != 1 {
			t.Fatalf("%s: write PATH: NAME → ITEM, and one cursor", f.Name)
		}
		in.list = append(in.list, typedPlace{path, name, string(f.Data), strings.Split(want, " | ")})
	}
	if strings.Contains(in.files["weft.yml"], "schemas: [schemas") {
		in.addSchemas(t)
	}
	return in
}

// addSchemas adds the schemas of Kubernetes in the folder schemas.
func (in placesIn) addSchemas(t testing.TB) {
	t.Helper()
	dir := "../../../testdata/kubernetes"
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rest, _ := filepath.Rel(dir, path)
		in.files["schemas/"+filepath.ToSlash(rest)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// dial returns a client that has opened the files of the project in which there are no places.
func (in placesIn) dial(t testing.TB) *client {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, in.files)
	c := dial(t, dir, nil)
	for path, text := range in.files {
		typed := slices.ContainsFunc(in.list, func(p typedPlace) bool { return p.path == path })
		if !typed && !strings.HasPrefix(path, "schemas/") {
			c.open(path, text)
		}
	}
	c.settle()
	return c
}

// TestPlaces completes at places that people complete at: what they want is among the first five items that an
// editor shows.
func TestPlaces(t *testing.T) {
	paths, err := filepath.Glob("testdata/places/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < 5 {
		t.Errorf("there are only %d lists", len(paths))
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := readPlaces(t, name)
			c := in.dial(t)
			// with the race detector, all take minutes, and their goroutines meet in the same way
			if testing.Short() {
				in.list = in.list[:min(12, len(in.list))]
			}
			for i, p := range in.list {
				if i > 0 && (p.path != in.list[i-1].path || p.path == "weft.yml") {
					c.settle() // what was typed before is closed again
				}
				in.try(t, c, p)
				p.text, p.name = strings.ReplaceAll(p.text, "\n", "\r\n"), p.name+", CRLF"
				in.try(t, c, p)
			}
			t.Logf("%d places", len(in.list))
		})
	}
}

func (in placesIn) try(t *testing.T, c *client, p typedPlace) {
	labels := c.offered(p.path, p.text)
	top := labels[:min(5, len(labels))]
	for _, want := range p.want {
		wanted := func(got string) bool { return got == want || strings.Trim(got, "=: ") == want }
		if !slices.ContainsFunc(top, wanted) {
			t.Errorf("%s: %s: %s is not among the first five items: %q\n%s", in.name, p.name, want,
				labels[:min(8, len(labels))], p.text)
		}
	}
}

// completeTyped opens a file with a cursor at ‸, or writes it over the file that is open, and returns the items
// there as editors show them: those that begin with the word before the cursor, sorted.
func (c *client) completeTyped(path, text string) (items []protocol.CompletionItem) {
	c.t.Helper()
	before, after, _ := strings.Cut(text, "‸")
	if strings.Trim(after, "\r\n") == "" {
		after = ""
	}
	c.open(path, before+after)
	defer c.conn.Notify("textDocument/didClose", protocol.DidCloseParams{DocumentParams: c.document(path)})
	line := before[strings.LastIndexByte(before, '\n')+1:]
	at := protocol.Position{Line: strings.Count(before, "\n"), Character: len(utf16.Encode([]rune(line)))}
	var list protocol.CompletionList
	c.call("textDocument/completion", protocol.CompletionParams{PositionParams: protocol.PositionParams{
		DocumentParams: c.document(path), Position: at,
	}}, &list)
	slices.SortStableFunc(list.Items, func(a, b protocol.CompletionItem) int {
		return strings.Compare(a.SortText, b.SortText)
	})
	others := "" // an item that does not begin with the word
	for _, item := range list.Items {
		r := item.TextEdit.Range
		if r.End != at || r.Start.Line != at.Line {
			c.t.Errorf("%s: the edit of %s is not at the cursor", path, item.Label)
			continue
		}
		word := line[max(0, len(line)-(r.End.Character-r.Start.Character)):]
		filter := cmp.Or(item.FilterText, item.Label)
		if strings.HasPrefix(strings.ToLower(filter), strings.ToLower(word)) {
			items = append(items, item)
			if others != "" { // a client that hides nothing shows it, too
				c.t.Errorf("%s: %s comes before %s, which begins with %q", path, others, item.Label, word)
				others = ""
			}
		} else {
			others = item.Label
		}
	}
	return items
}

// offered returns the labels of these items. Without a cursor, it is at the end.
func (c *client) offered(path, text string) (labels []string) {
	c.t.Helper()
	for _, item := range c.completeTyped(path, text) {
		labels = append(labels, item.Label)
	}
	return labels
}

// TestSnippets completes blocks with their ends, for clients that can fill them in and before nothing else.
func TestSnippets(t *testing.T) {
	for _, x := range []struct {
		path, text, label, want string
		snippets                bool
	}{
		{"t.yml", "a:\n  #@ fo‸\n", "for", "for ${1:item} in ${2:items}:\n$0\n#@ end", true},
		{"t.yml", "#@ i‸\r\na: 1\r\n", "if", "if ${1:condition}:\r\n$0\r\n#@ end", true},
		{"t.star", "de‸", "def", "def ${1:name}($2):\n  $0\nend", true},
		{"t.yml", "#@ fo‸ x\n", "for", "for", true},
		{"t.yml", "a: #@ [x fo‸\n", "for", "for", true},
		{"t.yml", "#@ fo‸\n", "for", "for", false},
		{"t.txt", "(@ fo‸ @)\n", "for", "for", true},
	} {
		dir := t.TempDir()
		write(t, dir, readPlaces(t, "code").files)
		c := dial(t, dir, func(p *protocol.InitializeParams) {
			p.Capabilities.TextDocument.Completion.Item.Snippets = x.snippets
		})
		got := ""
		for _, item := range c.completeTyped("config/"+x.path, x.text) {
			if item.Label == x.label {
				got = item.TextEdit.NewText
			}
		}
		if got != x.want {
			t.Errorf("%q: got %q, want %q", x.text, got, x.want)
		}
	}
}

// TestNotOffered completes where something must not be among the items: what the override here does not
// change, and names that are computed from secrets.
func TestNotOffered(t *testing.T) {
	in := readPlaces(t, "references")
	in.files["config/secret.yml"] = "#@ load(\"@ytt:data\", \"data\")\n---\nkind: Secret\nmetadata:\n" +
		"  name: #@ data.values.token\n"
	in.files["config/schema.yml"] = "#@data/values-schema\n---\n#@schema/secret\ntoken: abcdef-0815\n"
	c := in.dial(t)
	for _, x := range []struct{ path, text, without string }{
		{"few.yml", "$select: {metadata.name: web}\nspec:\n  ‸\n", "clusterIP"}, // weft.yml selects Deployments
		{"few.yml", "$select: ‸\n", "Secret/‹"},
		{"one.yml", "kind: Deployment\nmetadata: {name: worker}\nspec:\n  template:\n    spec:\n" +
			"      containers:\n      - name: ‸\n", "web"},
	} {
		list := c.offered(x.path, x.text)
		if slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, x.without) }) {
			t.Errorf("%q: offers %s", x.text, x.without)
		}
		if len(list) == 0 {
			t.Errorf("%q: offers nothing", x.text)
		}
	}
}

// TestNoMethods completes members of data values that have no methods.
func TestNoMethods(t *testing.T) {
	in := readPlaces(t, "code")
	in.files["config/_ytt_lib/bare/app.yml"] = "a: 1\n"
	c := in.dial(t)
	const load = "#@ load(\"@ytt:data\", \"data\")\n"
	for _, x := range []struct{ path, text string }{
		{"config/t.yml", "a: #@ data.values.replicas.‸\n"},
		{"config/_ytt_lib/bare/app.yml", "a: #@ data.values.‸\n"},
	} {
		if list := c.offered(x.path, load+x.text); len(list) > 0 {
			t.Errorf("%s: %q: offers %q", x.path, x.text, list)
		}
	}
}

// TestNoCode completes where code is only text: in comments and strings, also in YAML with errors.
func TestNoCode(t *testing.T) {
	in := readPlaces(t, "code")
	c := in.dial(t)
	const load = "#@ load(\"@ytt:data\", \"data\")\n"
	for _, text := range []string{
		"a: |\n  foo #@ data.values.‸\n",
		"a: \"x #@ data.values.‸\"\n",
		"a: \"x #@ data.values.‸\n",
		"a: ['x', 'y #@ data.values.‸\n",
		"#! todo #@ data.values.‸\na: 1\n",
		"a: [1, #! todo #@ data.values.‸\n",
		"a: (@= data.values.‸ @)\n",
		"#@yaml/text-templated-strings\na: 1\n#! (@= data.values.‸ @)\n",
		"a:\n  #@yaml/text-templated-strings\n  b: 1\n  c: (@= data.values.‸ @)\n",
	} {
		if list := c.offered("config/t.yml", load+text); len(list) > 0 {
			t.Errorf("%q: offers %q", text, list)
		}
	}
	if len(c.offered("config/t.yml", load+"a: #@ data.values.‸\n")) == 0 {
		t.Error("offers nothing in code")
	}
}
