package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"

	"weft/internal/serve/cli"
)

// run is an example of a page: its command, the files that it reads, and its output.
type run struct {
	args   []string
	files  map[string]string // by path
	output string
}

// note matches the comment before a code block that says what the block is. docs_test.go describes the
// syntax and tests the examples.
var note = regexp.MustCompile(`^<!-- (file|example|output|made): (.*?) -->\s*$`)

// block is a code block and its role.
type block struct {
	kind, what string // as in the comment
	code       *ast.FencedCodeBlock
	text       string // of the file, or the output of the command
}

// blocksOf returns the code blocks of a page that have a note.
func (p *page) blocksOf() []block {
	if p.isRecipe() {
		return p.recipeBlocks()
	}
	var list []block
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		m := note.FindSubmatch(p.html(n))
		if m == nil {
			continue
		}
		if code, ok := n.NextSibling().(*ast.FencedCodeBlock); ok {
			list = append(list, block{string(m[1]), string(m[2]), code, string(code.Lines().Value(p.text))})
		}
	}
	return list
}

// html returns the text of an HTML block, or nil for other nodes.
func (p *page) html(n ast.Node) []byte {
	h, ok := n.(*ast.HTMLBlock)
	if !ok {
		return nil
	}
	text := h.Lines().Value(p.text)
	if h.HasClosure() {
		text = append(text, h.ClosureLine.Value(p.text)...)
	}
	return bytes.TrimSpace(text)
}

// replay runs the examples of all pages, each page in a separate folder. An output that differs from the
// page is an error.
func (s *site) replay() error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	defer os.Chdir(here)
	for _, p := range s.pages {
		if err := s.replayPage(p); err != nil {
			return err
		}
		s.runs += len(p.runs)
	}
	return nil
}

func (s *site) replayPage(p *page) error {
	list := p.blocksOf()
	if len(list) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "weft-site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chdir(dir); err != nil {
		return err
	}
	defer os.Chdir(s.root) // some systems cannot remove the current directory of a process
	if err := os.CopyFS("examples", os.DirFS(filepath.Join(s.root, "examples"))); err != nil {
		return err
	}
	for _, b := range list {
		switch b.kind {
		case "example":
			if err := writeFile(b.what, b.text); err != nil {
				return err
			}
		case "output":
			r, err := replayRun(b.what, b.text)
			if err != nil && p.isRecipe() {
				continue // it needs a shell, so it cannot run in the page
			}
			if err != nil {
				return fmt.Errorf("%s:%d: %w", p.source, p.lineOf(b.code), err)
			}
			p.runs = append(p.runs, r)
		}
		p.blocks = append(p.blocks, b)
	}
	return nil
}

// replayRun runs an example in the current folder, and determines which files it needs.
func replayRun(command, want string) (run, error) {
	r := run{args: fields(command)[1:], output: want}
	all, err := filesOf(".")
	if err != nil {
		return r, err
	}
	if r.files = named(all, r.args); !printsAlone(r) {
		r.files = all
		for name := range all {
			if strings.HasPrefix(name, "examples/") && !strings.Contains(command, "examples") {
				delete(all, name)
			}
		}
	}
	if got := weft(r.args); got != want {
		return r, fmt.Errorf("%s prints something else; run go test . -run TestDocs -update", command)
	}
	return r, nil
}

// weft runs weft in the current folder and returns what it prints, as the pages show it. "<" and a
// path after the arguments are standard input.
func weft(args []string) string {
	var stdin bytes.Buffer
	var screen terminal
	if at := slices.Index(args, "<"); at >= 0 {
		data, err := os.ReadFile(strings.Join(args[at+1:], " "))
		if err != nil {
			return err.Error()
		}
		stdin.Write(data)
		args = args[:at]
	}
	cli.Main(args, &stdin, &screen, &screen)
	return screen.text.String()
}

// terminal is standard output and standard error in the order in which goroutines write to them, as readers
// of a page see them.
type terminal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

// named returns the files that arguments refer to, by their path or a folder around them, also as part
// of a pattern or a longer argument.
func named(files map[string]string, args []string) map[string]string {
	found := map[string]string{}
	for file, data := range files {
		for at := file; at != "."; at = path.Dir(at) {
			name := regexp.MustCompile(`(^|[^\w./]|-f)` + regexp.QuoteMeta(at) + `(/?$|/[^/]*[*?\[])`)
			if slices.ContainsFunc(args, name.MatchString) {
				found[file] = data
			}
		}
	}
	return found
}

// printsAlone reports whether an example prints the same with only its files.
func printsAlone(r run) bool {
	if len(r.files) == 0 {
		return false
	}
	here, err := os.Getwd()
	if err != nil {
		return false
	}
	dir, err := os.MkdirTemp("", "weft-site-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	if err := os.Chdir(dir); err != nil {
		return false
	}
	defer os.Chdir(here)
	for name, data := range r.files {
		if writeFile(name, data) != nil {
			return false
		}
	}
	return weft(r.args) == r.output
}

func writeFile(name, data string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(data), 0o644)
}

// filesOf returns the files of a directory by their paths.
func filesOf(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	return files, err
}
