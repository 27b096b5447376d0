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

	"github.com/yuin/goldmark/ast"
)

// page is a page of the site.
type page struct {
	source  string // the path of its Markdown in the repository; links are relative to it
	url     string // the path of the page in the site
	title   string
	section *section
	hidden  bool // it is not in the tree, but on a page that is

	text     []byte
	doc      ast.Node
	headings []heading
	runs     []run // the examples, in the order of the page
	body     []byte

	prev, next *page
}

// heading is a heading of a page.
type heading struct {
	id, text string
	level    int
}

// section is a part of the navigation.
type section struct {
	title string
	pages []*page
}

// sources says which files are in which section, in the order of the site. README.md says in which
// order the pages of a folder are read.
var sources = []struct {
	title   string
	files   []string
	folders []string
}{
	{
		"Start",
		[]string{"docs/install.md", "docs/tutorial.md", "docs/guides/playground.md"},
		nil,
	},
	{"Guides", nil, []string{"docs/guides"}},
	{"Recipes", nil, []string{"docs/recipes"}},
	{"Reference", nil, []string{"docs/reference"}},
	{"Topics of weft help", nil, []string{"docs/help"}},
	{
		"Coming from another tool",
		[]string{
			"docs/comparison.md", "docs/migrating-from-ytt.md", "docs/differences-from-ytt.md",
			"docs/migrating-from-cekit.md",
		},
		nil,
	},
	{
		"About weft",
		[]string{"CHANGELOG.md", "bench/README.md", "docs/security.md", "docs/architecture.md"},
		[]string{"docs"},
	},
	{"Contribute", []string{"CONTRIBUTING.md", "SECURITY.md"}, nil},
}

// collect finds all pages.
func (s *site) collect() error {
	order, err := s.readmeOrder()
	if err != nil {
		return err
	}
	s.add(nil, "README.md", "index.html")
	for _, from := range sources {
		part := &section{title: from.title}
		names := slices.Clone(from.files)
		for _, dir := range from.folders {
			found, err := filepath.Glob(filepath.Join(s.root, filepath.FromSlash(dir), "*.md"))
			if err != nil {
				return err
			}
			for i, name := range found {
				found[i] = dir + "/" + filepath.Base(name)
			}
			slices.SortStableFunc(found, func(a, b string) int { return place(order, a) - place(order, b) })
			names = append(names, found...)
		}
		for _, name := range names {
			if s.bySource[name] == nil {
				s.add(part, name, pageURL(name))
			}
		}
		if len(part.pages) > 0 {
			s.sections = append(s.sections, part)
		}
	}
	return s.addRules()
}

// add adds a page to a section.
func (s *site) add(part *section, source, url string) *page {
	p := &page{source: source, url: url, section: part}
	s.pages = append(s.pages, p)
	s.bySource[source] = p
	if part != nil {
		part.pages = append(part.pages, p)
	}
	return p
}

// addRules adds the pages of the linter's rules, which are on a page of the reference.
func (s *site) addRules() error {
	dir := os.DirFS(filepath.Join(s.root, "docs"))
	return fs.WalkDir(dir, "lint", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".md") {
			s.add(nil, "docs/"+name, pageURL("docs/"+name)).hidden = true
		}
		return err
	})
}

// pageURL is where the page of a file is: docs/guides/ci.md is guides/ci.html.
func pageURL(source string) string {
	if source == "SECURITY.md" {
		return "vulnerabilities.html" // docs/security.md is about what weft does
	}
	name := strings.TrimSuffix(strings.TrimPrefix(source, "docs/"), ".md")
	if dir, ok := strings.CutSuffix(name, "/README"); ok {
		if dir == "bench" {
			return "benchmarks.html"
		}
		return dir + "/index.html"
	}
	return strings.ToLower(name) + ".html"
}

var readmeLink = regexp.MustCompile(`\]\((docs/[^)#\s]+\.md)\)`)

// readmeOrder is the order in which README.md lists the pages.
func (s *site) readmeOrder() ([]string, error) {
	text, err := os.ReadFile(filepath.Join(s.root, "README.md"))
	if err != nil {
		return nil, err
	}
	_, list, _ := bytes.Cut(text, []byte("\n## Documentation\n"))
	var order []string
	for _, m := range readmeLink.FindAllSubmatch(list, -1) {
		if name := string(m[1]); !slices.Contains(order, name) {
			order = append(order, name)
		}
	}
	if len(order) == 0 {
		return nil, fmt.Errorf("README.md lists no pages of docs")
	}
	return order, nil
}

// place is where a page is in an order: what is not listed comes last, and an index comes first.
func place(order []string, name string) int {
	if path.Base(name) == "README.md" {
		return -1
	}
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}
