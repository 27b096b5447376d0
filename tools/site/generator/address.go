package main

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"net/url"
	"strings"
)

// setAddress sets the address at which the site will be, such as https://example.com/weft. Without one, pages
// say nothing about their addresses, and the page for addresses that do not exist expects the site at the root
// of its server.
func (s *site) setAddress(address string) error {
	if address == "" {
		s.path = "/"
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery+u.Fragment != "" {
		return fmt.Errorf("-url %s is not an address such as https://example.com/weft", address)
	}
	s.address = strings.TrimSuffix(address, "/") + "/"
	s.path = strings.TrimSuffix(u.EscapedPath(), "/") + "/"
	return nil
}

// addressOf returns the address of a page, or "" if it is not known.
func (s *site) addressOf(p *page) string {
	if s.address == "" {
		return ""
	}
	if p.url == "index.html" {
		return s.address
	}
	return s.address + p.url
}

// sitemap adds the list of pages for search engines, which takes only whole addresses.
func (s *site) sitemap() error {
	if s.address == "" {
		return nil
	}
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, p := range s.pages {
		fmt.Fprintf(&b, "<url><loc>%s</loc></url>\n", s.addressOf(p)) // addresses need no escapes
	}
	if s.playground {
		fmt.Fprintf(&b, "<url><loc>%splayground/index.html</loc></url>\n", s.address)
	}
	b.WriteString("</urlset>\n")
	s.files["sitemap.xml"] = b.Bytes()
	s.files["robots.txt"] = []byte("Sitemap: " + s.address + "sitemap.xml\n")
	return nil
}

// notFound adds the page that web servers show for addresses that do not exist, at any depth.
func (s *site) notFound() error {
	v := &view{
		Heading: "Page not found - weft", Description: "There is no page at this address.",
		Root: s.path, Playground: s.playground,
		Body: "<h1>Page not found</h1>\n<p>There is no page at this address. The search at the top, or the list " +
			"of all pages, may have what you look for. Many readers want one of these:</p>\n<ul>\n",
	}
	for _, source := range []string{
		"docs/tutorial.md", "docs/guides/README.md", "docs/recipes/README.md", "docs/reference/README.md",
	} {
		if p := s.bySource[source]; p != nil {
			v.Body += template.HTML(fmt.Sprintf("<li><a href=\"%s%s\">%s</a></li>\n", s.path, p.url, html.EscapeString(p.title)))
		}
	}
	v.Body += "</ul>"
	for _, part := range s.sections {
		nav := navSection{Title: part.title}
		for _, p := range part.pages {
			nav.Pages = append(nav.Pages, navPage{Title: p.title, URL: s.path + p.url})
		}
		v.Sections = append(v.Sections, nav)
	}
	var b bytes.Buffer
	if err := layout.Execute(&b, v); err != nil {
		return err
	}
	s.files["404.html"] = b.Bytes()
	return nil
}
