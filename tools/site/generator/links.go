package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// mdLink is a link to another page, in Markdown.
var mdLink = regexp.MustCompile(`\]\(([^):\s]+\.md(?:#[^)\s]*)?)\)`)

// resolve turns links between Markdown files into links between pages. It reports all broken links at
// once.
func (s *site) resolve() error {
	var problems []error
	for _, p := range s.pages {
		_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			var err error
			switch n := n.(type) {
			case *ast.Link:
				n.Destination, err = s.target(p, n.Destination)
			case *ast.Image:
				n.Destination, err = s.picture(p, n.Destination)
			}
			if err != nil {
				problems = append(problems, fmt.Errorf("%s:%d: %w", p.source, p.lineOf(n), err))
			}
			return ast.WalkContinue, nil
		})
	}
	return errors.Join(problems...)
}

// target returns the target of a link in the site.
func (s *site) target(p *page, link []byte) ([]byte, error) {
	u, err := url.Parse(string(link))
	if err != nil {
		return nil, err
	}
	if u.Scheme != "" || u.Host != "" {
		return link, nil
	}
	if u.Path == "" {
		return link, p.hasAnchor(u.Fragment)
	}
	source := path.Join(path.Dir(p.source), u.Path)
	to := s.bySource[source]
	if source == "docs/lint" {
		to = s.bySource["docs/reference/lint-rules.md"]
	}
	if to == nil {
		return s.sourceFile(p, source)
	}
	if err := to.hasAnchor(u.Fragment); err != nil {
		return nil, err
	}
	u.Path = relative(p.url, to.url)
	return []byte(u.String()), nil
}

func (p *page) hasAnchor(id string) error {
	if id == "" {
		return nil
	}
	for _, h := range p.headings {
		if h.id == id {
			return nil
		}
	}
	return fmt.Errorf("%s has no heading '#%s'", p.source, id)
}

// sourceFile adds a file of the repository that is not a page to the site, as text, and returns its
// link.
func (s *site) sourceFile(p *page, source string) ([]byte, error) {
	name := filepath.Join(s.root, filepath.FromSlash(source))
	info, err := os.Stat(name)
	if err != nil || !filepath.IsLocal(filepath.FromSlash(source)) {
		return nil, fmt.Errorf("the link leads to %s, which is not there", source)
	}
	if info.IsDir() {
		return s.sourceList(p, source)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	to := "source/" + source + ".txt" // as .txt, browsers display it
	s.files[to] = data
	return []byte(relative(p.url, to)), nil
}

// sourceList adds the files of a directory and a list of them, and returns the link of the list.
func (s *site) sourceList(p *page, source string) ([]byte, error) {
	files, err := filesOf(filepath.Join(s.root, filepath.FromSlash(source)))
	if err != nil {
		return nil, err
	}
	var list strings.Builder
	for _, name := range sortedKeys(files) {
		rel, err := filepath.Rel(s.root, filepath.FromSlash(name))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&list, "==> %s <==\n%s\n", filepath.ToSlash(rel), files[name])
	}
	to := "source/" + source + ".txt"
	s.files[to] = []byte(list.String())
	return []byte(relative(p.url, to)), nil
}

// picture adds a picture of a page to the site, and returns its link.
func (s *site) picture(p *page, link []byte) ([]byte, error) {
	source := path.Join(path.Dir(p.source), string(link))
	data, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(source)))
	if err != nil {
		return nil, fmt.Errorf("the picture %s is not there", source)
	}
	to := "pictures/" + path.Base(source)
	if old := s.files[to]; old != nil && string(old) != string(data) {
		return nil, fmt.Errorf("two pictures have the name %s", path.Base(source))
	}
	s.files[to] = data
	return []byte(relative(p.url, to)), nil
}

// relative returns the path from one file of the site to another.
func relative(from, to string) string {
	a, b := strings.Split(from, "/"), strings.Split(to, "/")
	for len(a) > 1 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	return strings.Repeat("../", len(a)-1) + strings.Join(b, "/")
}
