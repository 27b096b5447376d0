package feature

import (
	"encoding/json"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// runTest is the command of clients that runs tests. The client runs it, because tests take their time and
// people want to watch them.
const runTest = "weft.runTest"

// tests adds a lens that runs each test, and one that runs all of them.
func (l *lenses) tests() {
	dir := path.Dir(l.doc.Path())
	if p := l.doc.Project(); p != nil && p.File() != "" {
		dir = path.Dir(p.File())
	}
	t := ownAnalysis(l.doc).Tree
	eachTest(t, func(key, value yaml.NodeID) {
		if t.IsString(key, "tests") {
			l.test(t.Span(key), "run all tests of this file", dir, "")
		} else {
			l.test(t.Span(key), "run test", dir, text(t, value))
		}
	})
}

// eachTest calls do with the key `tests` of a test file and its list, and with the key `name` of each test and
// its name.
func eachTest(t *yaml.Tree, do func(key, value yaml.NodeID)) {
	if !t.More(t.First()) {
		return
	}
	for key, list := range pairs(t, t.Root(t.First())) {
		if !t.IsString(key, "tests") || t.Kind(list) != yaml.Sequence {
			continue
		}
		do(key, list)
		for item := range t.Items(list) {
			for key, value := range pairs(t, item) {
				if t.IsString(key, "name") && text(t, value) != "" {
					do(key, value)
				}
			}
		}
	}
}

// test adds a lens at a key that runs the test with a name, or all of them.
func (l *lenses) test(at source.Span, title, dir, name string) {
	run, ok := testRun(l.doc, dir, name)
	if !ok {
		return
	}
	argument, err := json.Marshal(run)
	if err != nil {
		return // strings can always be encoded
	}
	l.list = append(l.list, protocol.CodeLens{
		Range: l.doc.Mapper().Range(at.Offset(), at.End()),
		Command: &protocol.Command{
			Title: title, Command: runTest, Arguments: []json.RawMessage{argument},
		},
	})
}

// testRun returns the command line that runs the test with a name, or all tests of a file if it is "", in a
// directory. It returns false for an open file that is in no folder.
func testRun(doc *workspace.TextDocument, dir, name string) (run protocol.TestRun, ok bool) {
	root := doc.Snapshot().Folder().Root()
	file, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(doc.Path()))
	if err != nil || root == "" {
		return run, false
	}
	run = protocol.TestRun{
		Title: "weft test", Directory: filepath.Join(root, filepath.FromSlash(dir)),
		Arguments: []string{"test", "." + string(filepath.Separator) + file},
	}
	if name != "" {
		run.Title += " " + name
		run.Arguments = append(run.Arguments, "--run", titlePattern(name))
	}
	return run, true
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
