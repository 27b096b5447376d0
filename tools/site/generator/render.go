package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"weft/tools/highlight"
)

// blocks renders the nodes that the site shows differently from goldmark.
type blocks struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, renderHeading)
	r.Register(ast.KindFencedCodeBlock, renderFenced)
	r.Register(ast.KindCodeBlock, renderIndented)
	r.Register(kindShown, renderShown)
	r.Register(kindChart, renderChart)
	r.Register(east.KindTable, renderTable)
}

// render returns the HTML of a part of a page.
func (p *page) render(n ast.Node) ([]byte, error) {
	var b bytes.Buffer
	err := markdown.Renderer().Render(&b, p.text, n)
	return b.Bytes(), err
}

// linkCodes completes the links of codes in what weft prints.
func (p *page) linkCodes(html []byte) []byte {
	to := strings.Repeat("../", strings.Count(p.url, "/")) + "reference/codes/"
	return bytes.ReplaceAll(html, []byte(`<a href="`+highlight.CodeLink), []byte(`<a href="`+to))
}

// renderHeading renders a heading with a link to itself.
func renderHeading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	id, _ := h.AttributeString("id")
	name := html.EscapeString(string(id.([]byte)))
	if entering {
		fmt.Fprintf(w, "<h%d id=\"%s\">", h.Level, name)
	} else {
		if h.Level > 1 {
			fmt.Fprintf(w, ` <a class="anchor" href="#%s" aria-label="Link to this section">#</a>`, name)
		}
		fmt.Fprintf(w, "</h%d>\n", h.Level)
	}
	return ast.WalkContinue, nil
}

// renderTable wraps a table, so that a wide one scrolls. One of codes is a list on phones.
func renderTable(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	class := "table"
	if second := n.FirstChild().FirstChild().NextSibling(); second != nil && plain(second, source) == "severity" {
		class = "table codes"
	}
	if entering {
		fmt.Fprint(w, "<div class=\""+class+"\" tabindex=\"0\" role=\"region\" aria-label=\"Table\">\n<table>\n")
	} else {
		fmt.Fprint(w, "</table>\n</div>\n")
	}
	return ast.WalkContinue, nil
}

func renderFenced(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		code := n.(*ast.FencedCodeBlock)
		writeCode(w, string(code.Language(source)), code.Lines().Value(source))
	}
	return ast.WalkSkipChildren, nil
}

func renderIndented(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		writeCode(w, "sh", n.Lines().Value(source))
	}
	return ast.WalkSkipChildren, nil
}

// renderShown renders a file of an example, or a command with what it prints.
func renderShown(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	b := n.(*shownBlock)
	what := html.EscapeString(b.what)
	if b.kind == "output" {
		fmt.Fprintf(w, "<figure class=\"run\" data-run=\"%d\">\n<figcaption><code>%s</code></figcaption>\n",
			b.number, what)
	} else {
		fmt.Fprintf(w, "<figure class=\"file\">\n<figcaption><code>%s</code></figcaption>\n", what)
	}
	writeCode(w, b.language, b.code)
	fmt.Fprint(w, "</figure>\n")
	return ast.WalkContinue, nil
}

// writeCode writes a block of code.
func writeCode(w util.BufWriter, language string, code []byte) {
	text := strings.TrimSuffix(string(code), "\n")
	fmt.Fprintf(w, "<pre tabindex=\"0\"><code>%s</code></pre>\n", highlight.HTML(language, text))
}

func renderChart(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		fmt.Fprint(w, n.(*chart).svg())
	}
	return ast.WalkContinue, nil
}
