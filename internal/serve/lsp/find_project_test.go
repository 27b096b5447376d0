package lsp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/internal/serve/lsp/protocol"
)

// TestWhichProject opens files of a workspace without a weft.yml.
func TestWhichProject(t *testing.T) {
	t.Parallel()
	const values = "#@data/values\n---\ndb:\n  host: x\n"
	wrong := strings.Replace(readsHost, "host", "hots", 1)
	for name, test := range map[string]struct {
		files   map[string]string
		open    string
		want    []string // diagnostics
		rename  string   // why db.host is not renamed; or the number of files
		unknown bool
	}{
		"data values in a folder without templates": {
			files: map[string]string{"c/app.yml": wrong, "c/values/all.yml": values},
			open:  "c/values/all.yml", want: []string{"c/app.yml:2 eval/error"}, rename: "1",
		},
		"data values for templates in folders": {
			files: map[string]string{"c/deep/er/app.yml": readsHost, "c/values.yml": values, "d/wrong.yml": "a: #@ b\n"},
			open:  "c/deep/er/app.yml", rename: "2",
		},
		"a project next to another": {
			files: map[string]string{"a/v.yml": values, "a/t.yml": readsHost, "b/v.yml": values, "b/t.yml": wrong},
			open:  "a/t.yml", rename: "2",
		},
		"a project in another": {
			files: map[string]string{"v.yml": values, "t.yml": readsHost, "b/v.yml": values, "b/t.yml": readsHost},
			open:  "b/t.yml", rename: "t.yml:2:22 has 'host', too",
		},
		"an overlay next to it": {
			files: map[string]string{"a/v.yml": values, "a/t.yml": readsHost, "env/prod.yml": values},
			open:  "a/t.yml", rename: "env/prod.yml:4:3 has 'host', too",
		},
		"plain data values next to it": {
			files: map[string]string{"a/v.yml": values, "a/t.yml": readsHost, "env/prod.yml": "db: {host: y}\n"},
			open:  "a/t.yml", rename: "env/prod.yml:1:6 has 'host', too",
		},
		"other YAML next to it": {
			files: map[string]string{"a/v.yml": values, "a/t.yml": readsHost, "x.yml": "name: z\ndb: {host: y}\n"},
			open:  "a/t.yml", rename: "2",
		},
		"not known": {
			files: map[string]string{"a/v.yml": values, "a/t.yml": readsHost, "env/t.yml": wrong + "b: #@ data.values.db.host\n"},
			open:  "env/t.yml", rename: "weft does not know which files are rendered together with env/t.yml", unknown: true,
		},
		"not known, but the file itself is wrong": {
			files: map[string]string{"a/v.yml": values, "a/t.yml": readsHost, "env/t.yml": "a: #@ (\n#! data.values.db.host\n"},
			open:  "env/t.yml", want: []string{"env/t.yml:1 script/syntax"}, unknown: true,
		},
		"a library": {
			files: map[string]string{"c/_ytt_lib/l/t.yml": readsHost, "c/_ytt_lib/l/v.yml": values, "c/v.yml": values, "c/t.yml": readsHost},
			open:  "c/t.yml", rename: "2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, test.files)
			c := dial(t, dir, func(p *protocol.InitializeParams) {
				p.Capabilities.Workspace.ApplyEdit = true
				p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges = true
				p.Capabilities.Workspace.WorkspaceEdit.ResourceOperations = []string{"create"}
			})
			text := test.files[test.open]
			c.open(test.open, text)
			c.settle()
			c.expect("diagnostics", c.lines(), test.want...)
			if test.rename != "" {
				where := "host"
				if !strings.Contains(text, "  host:") {
					where = "values.db.|host"
				}
				var edit protocol.WorkspaceEdit
				err := c.try("textDocument/rename", protocol.RenameParams{
					PositionParams: c.at(test.open, text, where), NewName: "name",
				}, &edit)
				switch {
				case len(test.rename) > 1:
					if err == nil || !strings.Contains(err.Error(), test.rename) {
						t.Errorf("the rename: got %v and %+v, want %s", err, edit, test.rename)
					}
				case err != nil || len(edit.DocumentChanges) != int(test.rename[0]-'0'):
					t.Errorf("the rename: got %v and %+v, want %s files", err, edit, test.rename)
				}
			}
			var actions []struct{ Title string }
			c.call("textDocument/codeAction", protocol.CodeActionParams{
				RangeParams: protocol.RangeParams{DocumentParams: c.document(test.open)},
			}, &actions)
			if offered := len(actions) > 0 && actions[len(actions)-1].Title == "make a weft.yml here"; offered != test.unknown {
				t.Errorf("the actions are %v", actions)
			}
		})
	}
}

// TestMakeProject answers to the question whether to make a weft.yml.
func TestMakeProject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{"a/v.yml": "#@data/values\n---\ndb:\n  host: x\n", "a/t.yml": readsHost, "b/t.yml": readsHost}
	write(t, dir, files)
	c := dial(t, dir, func(p *protocol.InitializeParams) {
		p.Capabilities.Workspace.ApplyEdit = true
		p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges = true
		p.Capabilities.Workspace.WorkspaceEdit.ResourceOperations = []string{"create"}
	})
	asked := make(chan string, 1)
	applied := make(chan json.RawMessage, 1)
	c.mu.Lock()
	c.answers = map[string]func(json.RawMessage) any{
		"window/showMessageRequest": func(p json.RawMessage) any {
			asked <- string(p)
			return protocol.MessageAction{Title: "make a weft.yml here"}
		},
		"workspace/applyEdit": func(p json.RawMessage) any {
			applied <- p
			return map[string]bool{"applied": true}
		},
	}
	c.mu.Unlock()
	c.open("b/t.yml", files["b/t.yml"])
	c.open("a/t.yml", files["a/t.yml"])
	if q := <-asked; !strings.Contains(q, "rendered together with b/t.yml") {
		t.Errorf("the question is %s", q)
	}
	var p struct {
		Edit struct {
			DocumentChanges []struct {
				Kind  string
				URI   protocol.DocumentURI
				Edits []protocol.TextEdit
			}
		}
	}
	if err := json.Unmarshal(<-applied, &p); err != nil {
		t.Fatal(err)
	}
	made := p.Edit.DocumentChanges
	if len(made) != 2 || made[0].Kind != "create" || made[0].URI != c.uri("weft.yml") || len(made[1].Edits) != 1 {
		t.Fatalf("the edit is %+v", made)
	}
	if err := os.WriteFile(filepath.Join(dir, "weft.yml"), []byte(made[1].Edits[0].NewText), 0o644); err != nil {
		t.Fatal(err)
	}
	c.conn.Notify("workspace/didChangeWatchedFiles", protocol.WatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: c.uri("weft.yml"), Type: 1}},
	})
	c.settle()
	c.expect("with a weft.yml", c.lines())
}
