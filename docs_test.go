package weft_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/serve/cli"
	"weft/internal/testing/cases"
)

// In the documentation a comment before a block of code says what the block is:
//
//	file: PATH          a file of this repository
//	example: PATH       a file of the page's own folder, which is made of these blocks
//	output: weft ...    what weft prints in that folder, on standard output and then on standard error;
//	                    `< PATH` behind it is standard input
//	made: PATH          a file of that folder that a run has made
//
// The folder also has the repository's examples. A later block may change a file that an earlier
// one made. Readers do not see comments, so the text above a block names its file or command, too.
var docBlock = regexp.MustCompile(
	"(?s)<!-- (file|example|output|made): ([^\n]*) -->\n+```[a-z]*\n(.*?)```\n",
)

// TestDocs holds the documentation to what it shows. With -update, what weft prints and makes is
// rewritten.
func TestDocs(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]int{}
	for _, page := range docPages(t) {
		t.Run(
			filepath.ToSlash(page),
			func(t *testing.T) { checkPage(t, root, filepath.Join(root, page), shown) },
		)
	}
	if shown["file"] == 0 || shown["example"] == 0 || shown["output"] == 0 {
		t.Errorf("the documentation shows %v, want files, examples and output", shown)
	}
}

// docPages are the pages of the documentation.
func docPages(t *testing.T) []string {
	t.Helper()
	pages := []string{"README.md"}
	err := filepath.WalkDir("docs", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// checkPage runs the examples of a page in a folder of their own.
func checkPage(t *testing.T, root, page string, shown map[string]int) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS("examples", os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	var updated bytes.Buffer
	rest := 0 // what follows the last block
	// weft help, which prints these pages, shows the comments.
	printed := filepath.Base(filepath.Dir(page)) == "help"
	for _, m := range docBlock.FindAllSubmatchIndex(text, -1) {
		kind, what, block := string(
			text[m[2]:m[3]],
		), string(
			text[m[4]:m[5]],
		), string(
			text[m[6]:m[7]],
		)
		shown[kind]++
		if !printed && !isShown(kind, what, string(text[rest:m[0]])) {
			t.Errorf("%s %s: the text above the block does not show it", kind, what)
		}
		real := block
		switch kind {
		case "file", "made":
			dir := root
			if kind == "made" {
				dir = "."
			}
			data, err := os.ReadFile(filepath.Join(dir, what))
			if err != nil {
				t.Error(err)
				continue
			}
			real = string(data)
		case "example":
			if err := os.MkdirAll(filepath.Dir(what), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(what, []byte(block), 0o644); err != nil {
				t.Fatal(err)
			}
		case "output":
			args, ok := strings.CutPrefix(what, "weft ")
			if !ok {
				t.Errorf("output of %q: want a command that begins with weft", what)
				continue
			}
			args, in, _ := strings.Cut(args, " < ")
			stdin, err := os.ReadFile(orElse(in, os.DevNull))
			if err != nil {
				t.Fatal(err)
			}
			var screen lockedBuffer
			cli.Main(commandWords(args), bytes.NewReader(stdin), &screen, &screen)
			real = screen.String()
		}
		updated.Write(text[rest:m[6]])
		updated.WriteString(real)
		rest = m[7]
		if diff := cmp.Diff(block, real); diff != "" && !*cases.Update {
			t.Errorf("%s %s: the page shows something else (-page +real):\n%s", kind, what, diff)
		}
	}
	updated.Write(text[rest:])
	if *cases.Update && !bytes.Equal(updated.Bytes(), text) {
		if err := os.WriteFile(page, updated.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// lockedBuffer is a terminal: standard output and standard error in the order in which they are
// written, from several goroutines.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string { return b.text.String() }

var (
	htmlComment = regexp.MustCompile("(?s)<!--.*?-->")
	brokenLine  = regexp.MustCompile(`\\\n *`)
)

// isShown reports whether the text above a block shows its readers what it is: the name of the file
// or the command in backticks, or the command in a block of its own, which may break lines.
func isShown(kind, what, above string) bool {
	above = htmlComment.ReplaceAllString(above, "")
	if strings.Contains(strings.Join(strings.Fields(above), " "), "`"+what+"`") {
		return true
	}
	above = brokenLine.ReplaceAllString(above, "")
	return kind == "output" && strings.Contains(above, "\n```console\n$ "+what+"\n```\n")
}

// commandWords are the words of a command line. Single quotes keep the shell away from what they
// hold.
func commandWords(line string) []string {
	words := strings.Fields(line)
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "'", "")
	}
	return words
}

func orElse(s, other string) string {
	if s != "" {
		return s
	}
	return other
}

// TestDocLinks follows the links between pages: to files of the repository, and to headings.
func TestDocLinks(t *testing.T) {
	pages := append(
		docPages(t),
		"CONTRIBUTING.md",
		"SECURITY.md",
		"CHANGELOG.md",
		"bench/README.md",
	)
	more, err := filepath.Glob("integrations/*/README.md")
	if err != nil || len(more) == 0 {
		t.Fatalf("found no pages of integrations: %v", err)
	}
	pages = append(pages, more...)
	anchors := map[string]map[string]bool{}
	texts := map[string]string{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		page = filepath.ToSlash(page)
		texts[page] = fenced.ReplaceAllString(string(text), "")
		anchors[page] = map[string]bool{}
		for _, m := range heading.FindAllStringSubmatch(texts[page], -1) {
			anchors[page][anchor(m[1])] = true
		}
	}
	for page, text := range texts {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, fragment, _ := strings.Cut(m[1], "#")
			target := page
			if file != "" {
				target = path.Join(path.Dir(page), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			} else if fragment != "" && !anchors[target][fragment] {
				t.Errorf("%s links to %s, but %s has no such heading", page, m[1], target)
			}
		}
	}
}

var (
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$")
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	unnamed = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`) // what a heading's anchor leaves out
)

// anchor is the name by which links reach a heading, as GitHub makes it.
func anchor(heading string) string {
	name := unnamed.ReplaceAllString(strings.ToLower(heading), "")
	return strings.ReplaceAll(name, " ", "-")
}
