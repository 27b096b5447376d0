package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown parses GitHub Flavored Markdown.
var markdown = goldmark.New(
	goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
		extension.Strikethrough,
	),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(
		renderer.WithNodeRenderers(util.Prioritized(blocks{}, 100)),
	),
)

// parse reads the Markdown of all pages.
func (s *site) parse() error {
	for _, p := range s.pages {
		data, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(p.source)))
		if err != nil {
			return err
		}
		p.text = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
		if err := p.parse(); err != nil {
			return err
		}
	}
	return nil
}

// parse parses the Markdown of a page.
func (p *page) parse() error {
	ctx := parser.NewContext(parser.WithIDs(anchors{}))
	p.doc = markdown.Parser().Parse(text.NewReader(p.text), parser.WithContext(ctx))
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			id, _ := h.AttributeString("id")
			p.headings = append(p.headings, heading{string(id.([]byte)), plain(h, p.text), h.Level})
		}
		return ast.WalkContinue, nil
	})
	if len(p.headings) == 0 || p.headings[0].level != 1 {
		return fmt.Errorf("%s:1: expected a title, a line such as '# Overlays'", p.source)
	}
	if p.title == "" {
		p.title = p.headings[0].text
	}
	return nil
}

// plain returns the text of a node.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// lineOf returns the line of a node, or that of its nearest parent with a known line.
func (p *page) lineOf(n ast.Node) int {
	at := -1
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && at < 0 {
			at = t.Segment.Start
		}
		return ast.WalkContinue, nil
	})
	for n := n; at < 0 && n != nil; n = n.Parent() {
		if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
			at = n.Lines().At(0).Start
		}
	}
	return 1 + bytes.Count(p.text[:max(at, 0)], []byte("\n"))
}

// anchors generates the same heading IDs as GitHub, so that links work in both places.
type anchors map[string]int

var unnamed = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`) // characters that are not in an anchor

// Generate returns the ID of a heading.
func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	value = emphasis.ReplaceAll(value, []byte("$1"))
	name := unnamed.ReplaceAllString(strings.ToLower(string(value)), "")
	name = strings.ReplaceAll(strings.TrimSpace(name), " ", "-")
	n := a[name]
	a[name]++
	if n > 0 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	if name == "" {
		name = "_"
	}
	return []byte(name)
}

// Put records an ID that is already used.
func (a anchors) Put(value []byte) { a[string(value)]++ }

// emphasis matches links in a heading, whose targets are not part of its ID.
var emphasis = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
