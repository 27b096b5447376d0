package lsp_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/serve/lsp/protocol"
)

// folders tells the server that workspace folders were added or removed.
func (c *client) folders(added, removed []string) {
	var p protocol.DidChangeFoldersParams
	for _, dir := range added {
		p.Event.Added = append(p.Event.Added, protocol.WorkspaceFolder{URI: c.uri(dir)})
	}
	for _, dir := range removed {
		p.Event.Removed = append(p.Event.Removed, protocol.WorkspaceFolder{URI: c.uri(dir)})
	}
	c.conn.Notify("workspace/didChangeWorkspaceFolders", p)
}

// lines is what the client has been reported files, a line for each finding that is not of the linter.
func (c *client) lines() []string {
	var list []string
	for _, path := range c.files() {
		for _, d := range c.diagnostics(path) {
			if d.Source == "weft" {
				list = append(list, fmt.Sprintf("%s:%d %s", path, d.Range.Start.Line+1, d.Code))
			}
		}
	}
	return list
}

// noFolders is a client that has opened no folder.
func noFolders(p *protocol.InitializeParams) { p.WorkspaceFolders = nil }

const readsHost = "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.db.host\n"

// TestFolderComesAndGoes edits a document before its folder is opened, while it is, and after.
func TestFolderComesAndGoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{"p/schema.yml": schemaText, "p/app.yml": readsHost, "p/b.yml": "a: #@ 1 +\n"})
	c := dial(t, dir, noFolders)
	wrong := strings.Replace(readsHost, "host", "hots", 1)
	c.open("p/app.yml", readsHost)
	c.change("p/app.yml", protocol.ContentChange{Text: wrong})
	c.settle()
	c.expect("without a folder", c.lines())
	c.folders([]string{"p"}, nil)
	c.settle()
	c.expect("with a folder", c.lines(), "p/b.yml:1 script/syntax")
	write(t, dir, map[string]string{"p/b.yml": "a: 1\n"})
	c.conn.Notify("workspace/didChangeWatchedFiles", protocol.WatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: c.uri("p/b.yml"), Type: 2}},
	})
	c.settle()
	c.expect("with a change on disk", c.lines(), "p/app.yml:2 eval/error")
	c.folders(nil, []string{"p"})
	c.settle()
	c.expect("without the folder", c.lines())
	broken := wrong + "b: #@ (\n"
	c.change("p/app.yml", protocol.ContentChange{Text: broken})
	c.settle()
	c.expect("edited without the folder", c.lines(), "p/app.yml:3 script/syntax")
	c.folders([]string{"p"}, nil)
	c.change("p/app.yml", protocol.ContentChange{Text: wrong})
	c.settle()
	c.expect("with the folder again", c.lines(), "p/app.yml:2 eval/error")
	c.folders([]string{"p"}, []string{"p"})
	c.folders([]string{"p"}, nil)
	c.settle()
	c.expect("taken and given at once", c.lines(), "p/app.yml:2 eval/error")
}

// TestClosedOutsideOfFolders takes back what was wrong in a document that is in no folder.
func TestClosedOutsideOfFolders(t *testing.T) {
	t.Parallel()
	c := dial(t, t.TempDir(), noFolders)
	c.open("x.yml", "a: #@ 1 +\n")
	c.settle()
	if got := c.lines(); len(got) != 1 {
		t.Errorf("open: got %q", got)
	}
	c.conn.Notify("textDocument/didClose", protocol.DidCloseParams{DocumentParams: c.document("x.yml")})
	c.settle()
	c.expect("closed", c.lines())
}

// TestNestedFolders edits a document of a folder in another one: both see the edit.
func TestNestedFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"weft.yml":      "weft: 2026\ninputs: [top.yml, in/lib.star, in/schema.yml]\n",
		"top.yml":       "#@ load(\"lib.star\", \"f\")\na: #@ f()\n",
		"in/lib.star":   "def f():\n  return 1\nend\n",
		"in/schema.yml": schemaText, "in/weft.yml": "weft: 2026\ninputs: [lib.star, schema.yml, app.yml]\n",
		"in/app.yml": readsHost,
	}
	write(t, dir, files)
	c := dial(t, dir, noFolders)
	c.folders([]string{".", "in"}, nil)
	for _, name := range []string{"top.yml", "in/lib.star", "in/app.yml"} {
		c.open(name, files[name])
	}
	c.settle()
	c.expect("at the beginning", c.lines())
	c.change("in/lib.star", protocol.ContentChange{Text: "def g():\n  return 1\nend\n"})
	c.settle()
	c.expect("edited", c.lines(), "top.yml:1 eval/load")
	c.change("in/app.yml", protocol.ContentChange{Text: strings.Replace(readsHost, "host", "x", 1)})
	c.settle()
	c.expect("both edited", c.lines(), "in/app.yml:2 eval/error", "top.yml:1 eval/load")
	c.folders(nil, []string{"."})
	c.settle()
	c.expect("the inner folder alone", c.lines(), "in/app.yml:2 eval/error")
	c.folders([]string{"."}, []string{"in"})
	c.settle()
	c.expect("the outer folder alone", c.lines(), "in/app.yml:2 eval/error", "top.yml:1 eval/load")
}

// TestFoldersLaw opens, edits and closes documents while folders come and go, at random. In the end
// the client knows what a client would that opens the same folders and documents at once.
func TestFoldersLaw(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 26))
			dir := t.TempDir()
			write(t, dir, map[string]string{
				"schema.yml": schemaText, "a.yml": readsHost, "in/weft.yml": "weft: 2026\ninputs: [.]\n",
				"in/schema.yml": schemaText, "in/b.yml": readsHost, "in/deep/c.yml": "x: 1\n",
			})
			texts := []string{
				readsHost, strings.Replace(readsHost, "host", "hots", 1), "a: #@ (\n", "b: 1\nb: 2\n", "c: 1\n",
			}
			dirs, names := []string{".", "in", "in/deep"}, []string{"a.yml", "in/b.yml", "in/deep/c.yml"}
			c := dial(t, dir, noFolders)
			open, folders := map[string]string{}, map[string]bool{}
			for range 25 {
				name, text, folder := names[r.IntN(3)], texts[r.IntN(len(texts))], dirs[r.IntN(3)]
				switch _, isOpen := open[name]; {
				case r.IntN(2) == 0:
					if folders[folder] {
						c.folders(nil, []string{folder})
					} else {
						c.folders([]string{folder}, nil)
					}
					folders[folder] = !folders[folder]
				case !isOpen:
					c.open(name, text)
					open[name] = text
				case r.IntN(4) == 0:
					c.conn.Notify("textDocument/didClose", protocol.DidCloseParams{DocumentParams: c.document(name)})
					delete(open, name)
				default:
					c.change(name, protocol.ContentChange{Text: text})
					open[name] = text
				}
				if r.IntN(3) == 0 {
					c.settle()
				}
			}
			c.settle()
			fresh := dial(t, dir, noFolders)
			for _, folder := range dirs {
				if folders[folder] {
					fresh.folders([]string{folder}, nil)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(open)) {
				fresh.open(name, open[name])
			}
			fresh.settle()
			if diff := cmp.Diff(fresh.lines(), c.lines()); diff != "" {
				t.Errorf("folders %v, documents %q (-fresh +got):\n%s", folders, open, diff)
			}
		})
	}
}
