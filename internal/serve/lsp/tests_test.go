package lsp_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/serve/lsp/protocol"
)

// listed is the answer to weft/tests as lines: files, and below each its tests with their lines.
func (c *client) listed() (lines []string) {
	c.t.Helper()
	var got protocol.Tests
	c.call("weft/tests", nil, &got)
	for _, f := range got.Files {
		rel, err := filepath.Rel(c.root, f.Run.Directory)
		if err != nil {
			c.t.Error(err)
		}
		lines = append(lines, fmt.Sprintf("%s: %s$ %s", strings.TrimPrefix(string(f.URI), string(c.uri(""))+"/"),
			filepath.ToSlash(rel), filepath.ToSlash(strings.Join(f.Run.Arguments, " "))))
		for _, test := range f.Tests {
			if test.Run.Directory != f.Run.Directory || !slices.Contains(test.Run.Arguments, "--run") {
				c.t.Errorf("%s runs %v", test.Name, test.Run)
			}
			lines = append(lines, fmt.Sprintf("  %d %s", test.Range.Start.Line, test.Name))
		}
	}
	return lines
}

func runsTests(p *protocol.InitializeParams) {
	p.InitializationOptions = json.RawMessage(`{"runsTests": true}`)
}

// The tests are those that weft test runs, of all projects, also if no file is open; an open text counts.
func TestTestsOfWorkspace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"weft.yml":                        "weft: 2026\ninputs: [a.yml]\n",
		"a.yml":                           "a: 1\n",
		"tests/a.test.yml":                "tests:\n- name: one\n  expect: []\n- expect: []\n  name: \"two\"\n",
		"tests/deep/b.test.yml":           "tests: [{name: deep}]\n",
		"tests/none.yml":                  "tests: [{name: no}]\n",
		"app/weft.yml":                    "weft: 2026\ninputs: [x.yml]\ntest: {files: [\"checks/*.test.yml\", \"sub/odd.yml\"]}\n",
		"app/checks/c.test.yml":           "tests:\n- name: three\n- 7\n- name: [x]\n- name: {a: b}\n  x: [",
		"app/sub/weft.yml":                "weft: 2026\ninputs: [y.yml]\n",
		"app/sub/odd.yml":                 "tests: [{name: below another weft.yml}]\n",
		"app/tests/d.test.yml":            "tests: [{name: not named by weft.yml}]\n",
		"node_modules/m/weft.yml":         "weft: 2026\n",
		"node_modules/m/tests/a.test.yml": "tests: [{name: foreign}]\n",
	})
	c := dial(t, dir, runsTests)
	want := []string{
		"app/checks/c.test.yml: app$ test ./checks/c.test.yml",
		"  1 three",
		"app/sub/odd.yml: app$ test ./sub/odd.yml",
		"  0 below another weft.yml",
		"tests/a.test.yml: .$ test ./tests/a.test.yml",
		"  1 one",
		"  4 two",
		"tests/deep/b.test.yml: .$ test ./tests/deep/b.test.yml",
		"  0 deep",
	}
	if diff := cmp.Diff(want, c.listed()); diff != "" {
		t.Error(diff)
	}
	c.open("tests/a.test.yml", "#\ntests:\n- name: other\n")
	if diff := cmp.Diff([]string{"  2 other"}, c.listed()[5:6]); diff != "" {
		t.Error(diff)
	}
	write(t, dir, map[string]string{"tests/new.test.yml": "tests: [{name: new}]\n"})
	c.conn.Notify("workspace/didChangeWatchedFiles", protocol.WatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: c.uri("tests/new.test.yml"), Type: 1}},
	})
	if got := c.listed(); !slices.Contains(got, "  0 new") {
		t.Errorf("a new file is not listed: %q", got)
	}
}

// Whoever does not run tests gets none, so nothing of a workspace that is not trusted is read for them.
func TestTestsAreNotListed(t *testing.T) {
	t.Parallel()
	for _, options := range []string{`{}`, `{"trusted": false, "runsTests": true}`} {
		dir := t.TempDir()
		write(t, dir, map[string]string{
			"weft.yml": "weft: 2026\ninputs: [a.yml]\n", "tests/a.test.yml": "tests: [{name: a}]\n",
		})
		c := dial(t, dir, func(p *protocol.InitializeParams) { p.InitializationOptions = json.RawMessage(options) })
		c.open("tests/a.test.yml", "tests: [{name: a}]\n")
		var got struct{ Files []json.RawMessage }
		c.call("weft/tests", nil, &got)
		if got.Files == nil || len(got.Files) > 0 {
			t.Errorf("%s: the files are %s", options, got.Files)
		}
	}
}
