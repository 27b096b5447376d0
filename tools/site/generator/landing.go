package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"strings"

	"github.com/yuin/goldmark/ast"

	"weft/tools/highlight"
)

//go:embed landing.html
var landingText string

var landingTemplate = template.Must(template.New("landing").Parse(landingText))

// scene is a part of the demonstration: a command, and what it prints.
type scene struct {
	Name, Title, Command string
	Output               template.HTML
}

// demonstration are commands of the front page. They all run when the page is built.
var demonstration = []struct{ name, title, command, language string }{
	{"error", "Find the mistake", "weft -f app.yml -f schema.yml -f typo.yml", "text"},
	{"explain", "Explain", "weft explain -f app.yml -f schema.yml -f production.yml", "text"},
	{"blame", "Blame", "weft blame -f app.yml -f schema.yml -f production.yml", "text"},
}

// landing returns the front page: a summary of weft, the demonstration, and the content of README.md.
func (s *site) landing(p *page) ([]byte, error) {
	scenes, err := s.scenes()
	if err != nil {
		return nil, err
	}
	shown, err := newHero()
	if err != nil {
		return nil, err
	}
	p.summary = p.description() // before its paragraph moves
	lead, points := p.cutHead()
	leadHTML, err := p.render(lead)
	if err != nil {
		return nil, err
	}
	pointsHTML, err := p.render(points)
	if err != nil {
		return nil, err
	}
	p.cutSection("Documentation")
	p.cutSection("Contributing")
	rest, err := p.render(p.doc)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = landingTemplate.Execute(&b, map[string]any{
		"Lead": template.HTML(leadHTML), "Points": template.HTML(pointsHTML), "Scenes": scenes,
		"Hero":       shown,
		"Rest":       template.HTML(rest),
		"Playground": s.playground, "Sections": s.sections,
	})
	return b.Bytes(), err
}

// cutHead removes the part above the first section from the page, and returns the first paragraph and
// what follows it. It drops pictures: the front page has a demonstration instead.
func (p *page) cutHead() (lead, points ast.Node) {
	points = ast.NewDocument()
	for n := p.doc.FirstChild(); n != nil; {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			break
		}
		next := n.NextSibling()
		p.doc.RemoveChild(p.doc, n)
		switch {
		case n.Kind() == ast.KindHeading || n.FirstChild() != nil && n.FirstChild().Kind() == ast.KindImage:
		case lead == nil:
			lead = n
		default:
			points.AppendChild(points, n)
		}
		n = next
	}
	if lead == nil {
		lead = ast.NewDocument()
	}
	return lead, points
}

// cutSection removes a section of the page that the site replaces.
func (p *page) cutSection(title string) {
	var drop []ast.Node
	inside := false
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			inside = plain(h, p.text) == title
		}
		if inside {
			drop = append(drop, n)
		}
	}
	for _, n := range drop {
		p.doc.RemoveChild(p.doc, n)
	}
}

// scenes runs the demonstration with the files of the quick start.
func (s *site) scenes() ([]scene, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	defer os.Chdir(here)
	dir, err := os.MkdirTemp("", "weft-site-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	defer os.Chdir(s.root)
	if err := os.Chdir(dir); err != nil {
		return nil, err
	}
	for name, from := range map[string]string{
		"app.yml": "quickstart/app.yml", "schema.yml": "quickstart/schema.yml",
		"production.yml": "production.yml", "typo.yml": "mistakes/overlay.yml",
	} {
		data, err := os.ReadFile(s.root + "/examples/" + from)
		if err != nil {
			return nil, err
		}
		if err := writeFile(name, string(data)); err != nil {
			return nil, err
		}
	}
	var list []scene
	for _, d := range demonstration {
		out := weft(strings.Fields(d.command)[1:])
		if out == "" {
			return nil, fmt.Errorf("the demonstration: %s prints nothing", d.command)
		}
		html := highlight.HTML(d.language, strings.TrimSuffix(out, "\n"))
		list = append(list, scene{d.name, d.title, d.command, template.HTML(html)})
	}
	return list, nil
}
