package feature

import (
	"encoding/json"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/protocol"
)

// runTest is the command of clients that runs tests. The client runs it, because tests take their time and
// people want to watch them.
const runTest = "weft.runTest"

// testRun is the argument of runTest: a command line, and where to run it.
type testRun struct {
	Title     string   `json:"title"`
	Directory string   `json:"directory"` // the folder of weft.yml, or of the file
	Arguments []string `json:"arguments"` // of weft; none is for a shell
}

// tests adds a lens that runs each test, and one that runs all of them.
func (l *lenses) tests() {
	t := ownAnalysis(l.doc).Tree
	if !t.More(t.First()) {
		return
	}
	for key, list := range pairs(t, t.Root(t.First())) {
		if !t.IsString(key, "tests") || t.Kind(list) != yaml.Sequence {
			continue
		}
		l.test(t, key, "run all tests of this file", "")
		for item := range t.Items(list) {
			for key, value := range pairs(t, item) {
				if name := text(t, value); t.IsString(key, "name") && name != "" {
					l.test(t, key, "run test", name)
				}
			}
		}
	}
}

// test adds a lens at a key that runs the test with a name, or all of them.
func (l *lenses) test(t *yaml.Tree, key yaml.NodeID, title, name string) {
	root := l.doc.Snapshot().Folder().Root()
	dir := path.Dir(l.doc.Path())
	if p := l.doc.Project(); p != nil && p.File() != "" {
		dir = path.Dir(p.File())
	}
	file, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(l.doc.Path()))
	if err != nil || root == "" {
		return // an open file that is in no folder
	}
	run := testRun{
		Title: "weft test", Directory: filepath.Join(root, filepath.FromSlash(dir)),
		Arguments: []string{"test", "." + string(filepath.Separator) + file},
	}
	if name != "" {
		run.Title += " " + name
		run.Arguments = append(run.Arguments, "--run", titlePattern(name))
	}
	argument, err := json.Marshal(run)
	if err != nil {
		return // strings can always be encoded
	}
	at := t.Span(key)
	l.list = append(l.list, protocol.CodeLens{
		Range: l.doc.Mapper().Range(at.Offset(), at.End()),
		Command: &protocol.Command{
			Title: title, Command: runTest, Arguments: []json.RawMessage{argument},
		},
	})
}

// titlePattern returns a regular expression for the titles of a test: in each environment, and for each
// directory.
func titlePattern(name string) string {
	pattern := regexp.QuoteMeta(name)
	for _, hole := range []string{"{dir}", "{env}"} {
		pattern = strings.ReplaceAll(pattern, regexp.QuoteMeta(hole), ".*")
	}
	return "^" + pattern + `( \[[^\]]*\])?$`
}
