package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
)

//go:embed layout.html
var layoutText string

var layout = template.Must(template.New("layout").Parse(layoutText))

// view is the data of the layout template.
type view struct {
	Heading          string // the title that browsers show
	Description      string
	Root             string // path to the root of the site: relative, but not of the page for no page
	Base, Address    string // the addresses of the site and of the page, if they are known
	Landing          bool
	Live, Playground bool
	Sections         []navSection
	Contents         []heading
	Body             template.HTML
	Examples         template.JS
	Previous, Next   *navPage
	Source           string
}

type navSection struct {
	Title string
	Open  bool
	Pages []navPage
}

type navPage struct {
	Title, URL string
	Current    bool
}

// lay renders the HTML of all pages.
func (s *site) lay() error {
	s.order()
	for _, p := range s.pages {
		var err error
		p.body, err = s.bodyOf(p)
		if p.body = p.linkCodes(p.body); err != nil {
			return err
		}
		v, err := s.viewOf(p)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := layout.Execute(&b, v); err != nil {
			return err
		}
		if s.files[p.url] != nil {
			return fmt.Errorf("%s: another page has the address %s", p.source, p.url)
		}
		s.files[p.url] = b.Bytes()
	}
	return s.notFound()
}

// order links each page with the one before and the one after it.
func (s *site) order() {
	var last *page
	for _, part := range s.sections {
		for _, p := range part.pages {
			if p.prev = last; last != nil {
				last.next = p
			}
			last = p
		}
	}
}

// bodyOf returns the main part of a page.
func (s *site) bodyOf(p *page) ([]byte, error) {
	switch p.source {
	case "README.md":
		return s.landing(p)
	case "bench/README.md":
		if err := p.addCharts(); err != nil {
			return nil, err
		}
	}
	return p.render(p.doc)
}

func (s *site) viewOf(p *page) (*view, error) {
	v := &view{
		Heading: p.title + " - weft", Description: p.description(),
		Root: strings.Repeat("../", strings.Count(p.url, "/")), Base: s.address, Address: s.addressOf(p),
		Landing: p.url == "index.html", Live: s.playground && len(p.runs) > 0,
		Playground: s.playground, Body: template.HTML(p.body), Source: p.source,
	}
	if v.Landing {
		v.Heading = "weft: YAML templates, overlays and checks"
	}
	for _, part := range s.sections {
		nav := navSection{Title: part.title, Open: part == p.navSection(s)}
		for _, q := range part.pages {
			nav.Pages = append(nav.Pages, navPage{q.title, relative(p.url, q.url), q == p})
		}
		v.Sections = append(v.Sections, nav)
	}
	for _, h := range p.headings {
		if h.level == 2 || h.level == 3 {
			v.Contents = append(v.Contents, h)
		}
	}
	if len(v.Contents) < 2 || v.Landing {
		v.Contents = nil
	}
	if p.prev != nil {
		v.Previous = &navPage{Title: p.prev.title, URL: relative(p.url, p.prev.url)}
	}
	if p.next != nil {
		v.Next = &navPage{Title: p.next.title, URL: relative(p.url, p.next.url)}
	}
	var err error
	if v.Live {
		v.Examples, err = p.examples()
	}
	return v, err
}

// navSection returns the section of a page, or of the page that lists it.
func (p *page) navSection(s *site) *section {
	if p.hidden {
		return s.bySource["docs/reference/messages.md"].section
	}
	return p.section
}

// Level returns the level, for the table of contents.
func (h heading) Level() int { return h.level }

// ID returns the anchor, for the table of contents.
func (h heading) ID() string { return h.id }

// Text returns the text, for the table of contents.
func (h heading) Text() string { return h.text }

// description returns the first paragraph of a page, as search engines show it.
func (p *page) description() string {
	if p.summary != "" {
		return p.summary
	}
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind().String() == "Paragraph" {
			text := plain(n, p.text)
			if len(text) > 200 {
				text = text[:strings.LastIndexByte(text[:200], ' ')] + " …"
			}
			return strings.ToValidUTF8(text, "")
		}
	}
	return p.title
}

// examples returns the data for the script that runs the examples: the texts without duplicates,
// and the runs that refer to them. It says which of them the engine of the playground can run, and
// which can be opened there.
func (p *page) examples() (template.JS, error) {
	type live struct {
		Args  []string       `json:"args"`
		Files map[string]int `json:"files"`
		Live  bool           `json:"live,omitempty"`
		Open  *opened        `json:"open,omitempty"`
	}
	var data struct {
		Texts []string `json:"texts"`
		Runs  []live   `json:"runs"`
	}
	for _, r := range p.runs {
		x := live{Args: r.args, Files: map[string]int{}, Live: r.isLive(), Open: r.inPlayground()}
		for _, name := range sortedKeys(r.files) {
			at := slices.Index(data.Texts, r.files[name])
			if at < 0 {
				at = len(data.Texts)
				data.Texts = append(data.Texts, r.files[name])
			}
			x.Files[name] = at
		}
		data.Runs = append(data.Runs, x)
	}
	text, err := json.Marshal(data) // escapes <, so that no text ends the script element
	return template.JS(text), err
}
