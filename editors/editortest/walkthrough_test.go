package editortest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"weft/editors/editortest"
)

// fence finds the code of a Markdown page.
var fence = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

// blocks are the parts of a page that are code in a language.
func blocks(t *testing.T, page, language string) (list []string) {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range fence.FindAllStringSubmatch(string(data), -1) {
		if m[1] == language {
			list = append(list, m[2])
		}
	}
	return list
}

// TestWalkthrough makes the project that the pages of VS Code's walkthrough show, and does what they say.
func TestWalkthrough(t *testing.T) {
	pages := filepath.Join("..", "vscode", "walkthrough")
	rendered := blocks(t, filepath.Join(pages, "render.md"), "yaml")
	files := map[string]string{
		"weft.yml":           blocks(t, filepath.Join(pages, "open.md"), "yaml")[0],
		"config/schema.yml":  rendered[0],
		"config/app.yml":     rendered[1],
		"tests/app.test.yml": blocks(t, filepath.Join(pages, "test.md"), "yaml")[0],
	}
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	weft := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(editortest.Weft(t), args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("weft %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	want(t, "the output", weft("render", "prod"), rendered[2])
	want(t, "the history of a line", weft("blame", "prod", "--long", "config/app.yml#1", "spec.replicas"),
		blocks(t, filepath.Join(pages, "origin.md"), "")[0])
	wantText(t, "the outcome of the test", weft("test"), "ok ", "1 test")
	first, _, _ := strings.Cut(blocks(t, filepath.Join(pages, "change.md"), "")[0], "\n")
	_, change, _ := strings.Cut(first, " ")
	wantText(t, "the suggested change", weft("suggest", "prod", "--set", "config/app.yml#1:spec.replicas=6"),
		"weft.yml:7", change)
}
