package feature

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// Complete returns what can be written at a place. A file that is being edited often has errors, so code is
// read with another word at the cursor: see cursor.go. Other files are those of their last versions without
// errors.
func Complete(
	ctx context.Context, doc *workspace.TextDocument, p protocol.CompletionParams,
) (*protocol.CompletionList, error) {
	c := newCompletion(ctx, doc, doc.Mapper().Offset(p.Position))
	d := describedBy(ctx, doc)
	switch code, kind := c.code(); kind {
	case inAnnotation:
		c.annotation(code)
	case inCode:
		c.expression(code)
	case inYAML:
		if !c.aliases() {
			d.complete(c)
		}
	case nowhere:
	}
	c.sort()
	// If time is up, the client asks again at the next key.
	return &protocol.CompletionList{IsIncomplete: ctx.Err() != nil, Items: c.items}, nil
}

type completion struct {
	ctx    context.Context
	doc    *workspace.TextDocument
	off    int
	before string // the line before the cursor
	items  []protocol.CompletionItem
	rank   []int    // ranks of items, the smallest first
	typed  []string // what items replace

	mark    int  // where the comment begins that the cursor is in, or -1
	isValue bool // the code is a value of a text template, and no statement
}

func newCompletion(ctx context.Context, doc *workspace.TextDocument, off int) *completion {
	data := doc.File().Data()
	start := bytes.LastIndexAny(data[:off], "\r\n") + 1
	return &completion{
		ctx: ctx, doc: doc, off: off, before: string(data[start:off]), mark: -1,
		items: []protocol.CompletionItem{},
	}
}

// add adds an item that replaces the last n bytes before the cursor.
func (c *completion) add(rank, n int, text string, item protocol.CompletionItem) {
	if item.Label == "" {
		item.Label = text
	}
	item.TextEdit = &protocol.TextEdit{Range: c.doc.Mapper().Range(c.off-n, c.off), NewText: text}
	c.items, c.rank = append(c.items, item), append(c.rank, rank)
	c.typed = append(c.typed, c.before[max(0, len(c.before)-n):])
}

// sort puts the items first that begin with what was typed, and those that have nothing to do with it last.
// Editors hide the latter, each by its own rules, so none is left out here.
func (c *completion) sort() {
	for i := range c.items {
		item, typed := &c.items[i], strings.ToLower(c.typed[i])
		near := 2
		switch name := strings.ToLower(cmp.Or(item.FilterText, item.Label)); {
		case strings.HasPrefix(name, typed):
			near = 0
		case hasInOrder(name, typed):
			near = 1
		}
		item.SortText = fmt.Sprintf("%d%d%04d", near, c.rank[i], i)
	}
	slices.SortFunc(c.items, func(a, b protocol.CompletionItem) int {
		return strings.Compare(a.SortText, b.SortText)
	})
}

// hasInOrder reports whether a name has all letters of a word, in their order.
func hasInOrder(name, word string) bool {
	for _, r := range word {
		_, after, ok := strings.Cut(name, string(r))
		if !ok {
			return false
		}
		name = after
	}
	return true
}

// aliases completes an alias with the anchors above it in the document. It returns false if the cursor is in
// something else.
func (c *completion) aliases() bool {
	start := strings.LastIndexAny(c.before, " [{,") + 1
	typed, ok := strings.CutPrefix(c.before[start:], "*")
	if !ok {
		return false
	}
	t, _ := yaml.ParseTolerant(c.doc.File(), c.doc.Syntax())
	if n := leafAt(t, c.off); t.More(n) && t.Kind(n) == yaml.Scalar {
		return false
	}
	first := lastDocument(t, c.off)
	anchors, _ := t.References()
	seen := map[string]bool{}
	for _, n := range slices.Backward(anchors) {
		name := string(t.Anchor(n))
		if n < first || len(seen) == maxNamed || c.ctx.Err() != nil {
			break
		}
		if t.Span(n).Offset() < c.off && !seen[name] {
			seen[name] = true
			c.add(0, len(typed), name, protocol.CompletionItem{Kind: protocol.CompleteValue})
		}
	}
	return len(c.items) > 0
}

// lastDocument returns the last document that begins before an offset: the one that the offset is in.
func lastDocument(t *yaml.Tree, off int) (at yaml.NodeID) {
	for doc := range t.Documents() {
		if t.Begin(doc).Offset() > off {
			break
		}
		at = doc
	}
	return at
}

// expression completes code.
func (c *completion) expression(code string) {
	typed := lastWord(code)
	if c.isNodeBlock(strings.TrimSpace(strings.TrimSuffix(code, typed))) {
		c.word("end", typed, false)
		return
	}
	cur := c.cursor(code)
	if cur != nil {
		c.at(cur, strings.TrimSpace(strings.TrimSuffix(code, cur.typed)) == "")
		return
	}
	if open, quoted := openIn(code); typed != "" && quoted < 0 && open == nil { // perhaps an operator
		for _, word := range completableWords(false) {
			c.word(word, typed, false)
		}
	}
}

// isNodeBlock reports whether code begins a block around one node: `if/end`.
func (c *completion) isNodeBlock(code string) bool {
	return c.mark >= 0 && c.isStatement() && slices.Contains([]string{"if/", "elif/", "else/", "for/"}, code)
}

// lastWord returns the word that code ends with, or "".
func lastWord(code string) string {
	start := len(code)
	for start > 0 && diag.IsWord(code[start-1]) {
		start--
	}
	return code[start:]
}

// at completes the code at a cursor. First means that it is at the beginning of a statement.
func (c *completion) at(cur *cursor, first bool) {
	switch cur.Kind {
	case index.ModulePlace:
		c.modules(cur)
	case index.LoadedPlace:
		c.loadable(cur)
	case index.MemberPlace:
		c.members(cur)
	case index.KeyPlace:
		c.keysOf(cur)
	case index.ComparedPlace:
		c.allowed(cur)
	case index.EntryPlace:
		c.libraryKeys(cur)
		c.matched(cur)
	case index.EntryValuePlace:
		c.matched(cur)
	case index.InText:
		c.texts(cur)
	case index.NamePlace:
		c.arguments(cur)
		c.names(cur, first)
	case index.BoundPlace: // any name can be written
		if first {
			c.names(cur, true)
		}
	}
}

// index returns the index of the project and the document in it, or nil on errors.
func (c *completion) index() (*index.Index, *index.Source) {
	all, src, err := c.doc.Index(c.ctx, false)
	if err != nil {
		return nil, nil
	}
	return all, src
}
