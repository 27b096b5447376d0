package main

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// isRecipe reports whether a page is a recipe. Recipes mark tested examples in another way, which is
// easier to copy from; recipes_test.go describes it.
func (p *page) isRecipe() bool { return strings.HasPrefix(p.source, "docs/recipes/") }

// recipeFile matches the name of a file in the paragraph above its block.
var recipeFile = regexp.MustCompile("`([\\w./~-]+\\.[a-z]+)`")

// recipeBlocks returns the files of a recipe, and its commands that need no shell.
func (p *page) recipeBlocks() []block {
	var list []block
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		code, ok := n.(*ast.FencedCodeBlock)
		if !ok {
			continue
		}
		text := string(code.Lines().Value(p.text))
		if string(code.Language(p.text)) == "console" {
			command, printed, _ := strings.Cut(text, "\n")
			if command, ok := strings.CutPrefix(command, "$ weft "); ok && !strings.Contains("\n"+printed, "\n$ ") {
				list = append(list, block{"output", "weft " + command, code, printed})
			}
			continue
		}
		if name := p.fileAbove(code); name != "" {
			list = append(list, block{"example", name, code, text})
		}
	}
	return list
}

// fileAbove returns the last file name in the paragraph above a block, if the paragraph ends with a
// colon.
func (p *page) fileAbove(code ast.Node) string {
	para, ok := code.PreviousSibling().(*ast.Paragraph)
	if !ok {
		return ""
	}
	text := bytes.TrimSpace(para.Lines().Value(p.text))
	names := recipeFile.FindAllSubmatch(text, -1)
	if !bytes.HasSuffix(text, []byte(":")) || len(names) == 0 {
		return ""
	}
	return string(names[len(names)-1][1])
}

// word matches a word of a command line, which may have quotes.
var word = regexp.MustCompile(`(?:[^\s"']|"[^"]*"|'[^']*')+`)

// fields splits a command line into words. It supports quotes, but no other syntax of shells.
func fields(line string) []string {
	list := word.FindAllString(line, -1)
	for i, w := range list {
		list[i] = quotes.ReplaceAllString(w, "$1$2")
	}
	return list
}

var quotes = regexp.MustCompile(`"([^"]*)"|'([^']*)'`)
