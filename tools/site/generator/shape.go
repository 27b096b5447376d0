package main

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"weft/tools/highlight"
)

// Examples have their own kind of node, so that they can be rendered differently.
var kindShown = ast.NewNodeKind("Shown")

// shownBlock is a file of an example, or what a command prints.
type shownBlock struct {
	ast.BaseBlock
	kind, what string // from the comment before the block
	number     int    // of the run, for what a command prints
	language   string
	code       []byte
}

// Kind implements ast.Node.
func (*shownBlock) Kind() ast.NodeKind { return kindShown }

// Dump implements ast.Node.
func (b *shownBlock) Dump(source []byte, level int) { ast.DumpHelper(b, source, level, nil, nil) }

// shape prepares the syntax trees of all pages: it removes comments, turns blocks with a comment into
// examples, and aligns numbers in tables to the right.
func (s *site) shape() error {
	var problems []error
	for _, p := range s.pages {
		p.shapeBlocks()
		problems = append(problems, p.dropComments()...)
		p.alignTables()
	}
	return errors.Join(problems...)
}

func (p *page) shapeBlocks() {
	runs := 0
	for _, b := range p.blocks {
		node := &shownBlock{
			kind: b.kind, what: b.what, language: string(b.code.Language(p.text)), code: []byte(b.text),
		}
		if node.language == "console" {
			node.language = outputLanguage(b.text)
		}
		if b.kind == "output" {
			node.number = runs
			runs++
		}
		p.dropLabel(b)
		p.doc.ReplaceChild(p.doc, b.code, node)
	}
}

// dropLabel removes a paragraph such as "`app.yml`:" or a console block with the command, if it only
// labels the block below it. The rendered example has its own label.
func (p *page) dropLabel(b block) {
	label := b.code.PreviousSibling()
	if _, ok := label.(*ast.HTMLBlock); ok {
		label = label.PreviousSibling()
	}
	var want string
	switch label.(type) {
	case *ast.Paragraph:
		want = "`" + b.what + "`:"
	case *ast.FencedCodeBlock:
		want = "$ " + b.what
	default:
		return
	}
	text := brokenLine.ReplaceAll(label.Lines().Value(p.text), nil)
	if string(bytes.TrimSpace(text)) == want {
		p.doc.RemoveChild(p.doc, label)
	}
}

// brokenLine matches a line continuation in a command.
var brokenLine = regexp.MustCompile(`\\\n *`)

// outputLanguage returns the language of what a command prints, for colors.
func outputLanguage(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	if highlight.IsMessage(first) || !strings.Contains(first, ":") {
		return "text"
	}
	return "yaml"
}

// searched begins a comment with words that readers search for, and that the page does not have.
const searched = "<!-- search:"

// dropComments removes comments, and keeps the words of one for the search. It reports other HTML, which
// would bypass the checks of pages.
func (p *page) dropComments() (problems []error) {
	var comments []ast.Node
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var text []byte
		switch n := n.(type) {
		case *ast.HTMLBlock:
			text = p.html(n)
		case *ast.RawHTML:
			text = n.Segments.Value(p.text)
		default:
			return ast.WalkContinue, nil
		}
		if entering && !bytes.HasPrefix(text, []byte("<!--")) {
			problems = append(problems,
				fmt.Errorf("%s:%d: HTML is not allowed here: %s", p.source, p.lineOf(n), text))
		} else if entering {
			comments = append(comments, n)
			if words, ok := strings.CutPrefix(string(text), searched); ok {
				p.words = strings.TrimSuffix(strings.Join(strings.Fields(words), " "), " -->")
			}
		}
		return ast.WalkContinue, nil
	})
	for _, n := range comments {
		n.Parent().RemoveChild(n.Parent(), n)
	}
	return problems
}

// alignTables gives cells a class instead of a style: the content security policy forbids styles.
func (p *page) alignTables() {
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if cell, ok := n.(*east.TableCell); ok && entering && cell.Alignment == east.AlignRight {
			cell.SetAttributeString("class", []byte("number"))
		}
		return ast.WalkContinue, nil
	})
}
