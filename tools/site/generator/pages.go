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
	hidden  bool // not in the navigation, but listed on a page that is

	text     []byte
	doc      ast.Node
	headings []heading
	blocks   []block // blocks shown as examples
	runs     []run   // the examples, in the order of the page
	body     []byte
	words    string   // that readers search for: see searched
	messages []string // the messages with the code that the page is about
	summary  string   // for search engines; "" means the first paragraph

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

// sources lists the files of each section, in the order of the site. The pages of a folder are in the
// order in which README.md, or the README.md of the folder, links to them.
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
			"docs/comparison.md", "docs/weft-and-ytt.md", "docs/migrating-from-ytt.md", "docs/differences-from-ytt.md",
			"docs/helm-phrase-book.md", "docs/jsonnet-phrase-book.md", "docs/yq-phrase-book.md",
			"docs/migrating-from-cekit.md",
		},
		nil,
	},
	{
		"About weft",
		[]string{"CHANGELOG.md", "bench/README.md", "docs/security.md", "docs/architecture.md"},
		[]string{"docs"},
	},
	{"Contribute", []string{"CONTRIBUTING.md", "docs/releasing.md", "SECURITY.md"}, nil},
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
			found, err := s.folder(dir, order)
			if err != nil {
				return err
			}
			names = append(names, found...)
		}
		for _, name := range names {
			if s.bySource[name] == nil && (slices.Contains(from.files, name) || !isPlaced(name)) {
				s.add(part, name, pageURL(name))
			}
		}
		if len(part.pages) > 0 {
			s.sections = append(s.sections, part)
		}
	}
	return s.addRules()
}

// folder returns the pages of a folder in the given order.
func (s *site) folder(dir string, order []string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(s.root, filepath.FromSlash(dir), "*.md"))
	if err != nil {
		return nil, err
	}
	for i, name := range found {
		found[i] = dir + "/" + filepath.Base(name)
	}
	if slices.Contains(found, dir+"/README.md") {
		text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(dir), "README.md"))
		if err != nil {
			return nil, err
		}
		order = listed(text, dir)
	}
	slices.SortStableFunc(found, func(a, b string) int { return place(order, a) - place(order, b) })
	return found, nil
}

// isPlaced reports whether sources lists a file by name, so that it is not added with its folder.
func isPlaced(name string) bool {
	for _, from := range sources {
		if slices.Contains(from.files, name) {
			return true
		}
	}
	return false
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

// addRules adds the pages of the linter's rules, which a page of the reference lists.
func (s *site) addRules() error {
	dir := os.DirFS(filepath.Join(s.root, "docs"))
	return fs.WalkDir(dir, "lint", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".md") {
			s.add(nil, "docs/"+name, pageURL("docs/"+name)).hidden = true
		}
		return err
	})
}

// pageURL returns the URL of a file's page: docs/guides/ci.md becomes guides/ci.html.
func pageURL(source string) string {
	if source == "SECURITY.md" {
		return "vulnerabilities.html" // security.html is the page of docs/security.md
	}
	name := strings.TrimSuffix(strings.TrimPrefix(source, "docs/"), ".md")
	if rule, ok := strings.CutPrefix(name, "lint/"); ok {
		name = "reference/codes/" + rule // a rule is a code, which has one page
	}
	if dir, ok := strings.CutSuffix(name, "/README"); ok {
		if dir == "bench" {
			return "benchmarks.html"
		}
		return dir + "/index.html"
	}
	return strings.ToLower(name) + ".html"
}

var pageLink = regexp.MustCompile(`\]\(([^):#\s]+\.md)\)`)

// listed returns the pages that a text links to, in order.
func listed(text []byte, dir string) []string {
	var order []string
	for _, m := range pageLink.FindAllSubmatch(text, -1) {
		if name := path.Join(dir, string(m[1])); !slices.Contains(order, name) {
			order = append(order, name)
		}
	}
	return order
}

// readmeOrder returns the order in which README.md lists the pages.
func (s *site) readmeOrder() ([]string, error) {
	text, err := os.ReadFile(filepath.Join(s.root, "README.md"))
	if err != nil {
		return nil, err
	}
	_, list, _ := bytes.Cut(text, []byte("\n## Documentation\n"))
	order := listed(list, ".")
	if len(order) == 0 {
		return nil, fmt.Errorf("README.md lists no pages under Documentation")
	}
	return order, nil
}

// place returns the position of a page in an order. An index comes first, and unlisted pages come last.
func place(order []string, name string) int {
	if path.Base(name) == "README.md" {
		return -1
	}
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}
