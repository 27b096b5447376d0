package feature

import (
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/serve/lsp/protocol"
)

// word completes a keyword. One that begins a block comes with its end, if the client lets its user fill in
// the rest.
func (c *completion) word(word, typed string, first bool) {
	item := protocol.CompletionItem{Label: word, Kind: protocol.CompleteKeyword}
	text, head := word, blockHead(word)
	if head != "" && first && c.takesBlocks() {
		item.Kind, item.InsertTextFormat = protocol.CompleteSnippet, protocol.SnippetText
		item.Detail = word + " … end"
		text = c.block(head)
	}
	rank := 3
	if first && (head != "" || word == "load") {
		rank = 1 // a statement rarely begins with a name
	}
	c.add(rank, len(typed), text, item)
}

// blockHead returns the first line of a block as a snippet, or "" if a keyword does not begin a block.
func blockHead(word string) string {
	switch word {
	case "def":
		return "def ${1:name}($2):"
	case "for":
		return "for ${1:item} in ${2:items}:"
	case "if":
		return "if ${1:condition}:"
	}
	return ""
}

// takesBlocks reports whether a block can be written at the cursor: the client fills it in, and nothing
// follows on the line.
func (c *completion) takesBlocks() bool {
	f := c.doc.File()
	rest := f.Data()[c.off:f.LineEnd(c.off)]
	kind := c.doc.Kind()
	return c.doc.TakesSnippets() && strings.TrimSpace(string(rest)) == "" &&
		(kind == compile.YAML || kind == compile.Starlark)
}

// block returns a block as a snippet. Clients indent its lines as the first one.
func (c *completion) block(head string) string {
	if c.doc.Kind() == compile.Starlark {
		return strings.Join([]string{head, "  $0", "end"}, newline(c.doc.File()))
	}
	return strings.Join([]string{head, "$0", "#@ end"}, newline(c.doc.File()))
}
