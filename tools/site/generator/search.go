package main

import (
	"encoding/json"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// entry is a section of a page in the search index: its URL, title and text.
type entry struct {
	URL     string `json:"u"`
	Page    string `json:"p"`
	Heading string `json:"h,omitempty"` // "" for the beginning of a page
	Text    string `json:"t"`
	Names   string `json:"n,omitempty"` // what the section defines: flags, keys, functions
	Words   string `json:"w,omitempty"` // what else readers search for, at the beginning of a page

	Messages []string `json:"m,omitempty"` // the messages with the code that a page is about
}

// index writes the search index. It is a script, which pages can also load from disk.
func (s *site) index() error {
	var list []entry
	for _, p := range s.pages {
		list = append(list, p.entries()...)
	}
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	s.files["assets/search-index.js"] = append(append([]byte("weftIndex = "), data...), '\n')
	return nil
}

// entries returns the sections of a page.
func (p *page) entries() []entry {
	now := entry{URL: p.url, Page: p.title, Words: p.words, Messages: p.messages}
	var list []entry
	var text, names []string
	end := func() {
		now.Text, now.Names = strings.Join(text, " "), strings.Join(names, " ")
		if now.Heading != "See also" { // it has the titles of other pages only
			list = append(list, now)
		}
		text, names = nil, nil
	}
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level > 1 {
			end()
			id, _ := h.AttributeString("id")
			now = entry{URL: p.url + "#" + string(id.([]byte)), Page: p.title, Heading: plain(h, p.text)}
			continue
		}
		text = append(text, p.searchText(n)...)
		names = append(names, p.defined(n)...)
	}
	end()
	return list
}

// searchText returns the searchable text of a block: its text, and the commands, file names and messages of
// examples.
func (p *page) searchText(n ast.Node) []string {
	switch n := n.(type) {
	case *shownBlock:
		return append([]string{n.what}, messages(n.code)...)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return []string{strings.Join(strings.Fields(string(n.Lines().Value(p.text))), " ")}
	case *ast.Heading:
		return nil
	}
	return []string{plain(n, p.text)}
}

// messages returns the messages that a command prints: readers search for those that they got.
func messages(output []byte) (list []string) {
	for _, m := range message.FindAllSubmatch(output, -1) {
		list = append(list, string(m[1]))
	}
	return list
}

// defined returns the names that a block of the reference explains: those in the first column of a table, or
// at the beginning of the items of a list.
func (p *page) defined(block ast.Node) (names []string) {
	if !strings.HasPrefix(p.url, "reference/") && !strings.HasPrefix(p.url, "help/") {
		return nil
	}
	add := func(n ast.Node) {
		if code, ok := n.(*ast.CodeSpan); ok {
			name, _, _ := strings.Cut(plain(code, p.text), "(") // without the arguments of a function
			names = append(names, strings.Split(name, ", ")...)
		}
	}
	for row := block.FirstChild(); row != nil; row = row.NextSibling() {
		switch first := row.FirstChild(); block.(type) {
		case *east.Table:
			for n := first.FirstChild(); n != nil; n = n.NextSibling() {
				add(n)
			}
		case *ast.List:
			add(first.FirstChild())
		}
	}
	return names
}
