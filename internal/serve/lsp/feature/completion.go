package feature

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/lazy"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// Complete returns what can be written at a place. It uses the text before the cursor, since a file
// that is being edited often has errors; everything else comes from its last version without errors.
func Complete(
	ctx context.Context, doc *workspace.TextDocument, p protocol.CompletionParams,
) (*protocol.CompletionList, error) {
	c := newCompletion(ctx, doc, doc.Mapper().Offset(p.Position))
	switch code, kind := c.code(); kind {
	case inAnnotation:
		c.annotation(code)
	case inCode:
		c.expression(code)
	case inYAML:
		c.keys()
	}
	for i := range c.items {
		c.items[i].SortText = fmt.Sprintf("%d%04d", c.rank[i], i)
	}
	return &protocol.CompletionList{Items: c.items}, nil
}

type completion struct {
	ctx    context.Context
	doc    *workspace.TextDocument
	off    int
	before string // the line before the cursor
	items  []protocol.CompletionItem
	rank   []int // ranks of items, the smallest first
}

func newCompletion(ctx context.Context, doc *workspace.TextDocument, off int) *completion {
	data := doc.File().Data()
	start := bytes.LastIndexAny(data[:off], "\r\n") + 1
	return &completion{
		ctx: ctx, doc: doc, off: off, before: string(data[start:off]),
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
}

// place is the kind of text that the cursor is in.
type placeKind uint8

const (
	nowhere placeKind = iota
	inCode
	inAnnotation
	inYAML
)

// code returns the code or annotation before the cursor.
func (c *completion) code() (string, placeKind) {
	switch kind := c.doc.Kind(); {
	case kind == compile.Starlark:
		return c.before, inCode
	case kind == compile.Text:
		return c.inBrackets()
	case kind != compile.YAML && kind != compile.PlainYAML:
		return "", nowhere
	}
	at := markStart(c.before)
	switch {
	case at < 0:
		if code, kind := c.inBrackets(); kind == inCode {
			return code, kind // a text template in YAML
		}
		return "", inYAML
	case strings.HasPrefix(c.before[at:], "#@ "):
		return c.before[at+len("#@ "):], inCode
	}
	return c.before[at+len("#@"):], inAnnotation
}

// markStart returns where a comment with code begins in a line, or -1.
func markStart(line string) int {
	for from := 0; ; {
		i := strings.Index(line[from:], "#@")
		if i < 0 {
			return -1
		}
		at := from + i
		if at == 0 || line[at-1] == ' ' || line[at-1] == '\t' {
			return at
		}
		from = at + 1
	}
}

// inBrackets returns the code between (@ and @) of a text template.
func (c *completion) inBrackets() (string, placeKind) {
	text := c.doc.File().Data()[:c.off]
	open := bytes.LastIndex(text, []byte("(@"))
	if open < 0 || bytes.Contains(text[open:], []byte("@)")) {
		return "", nowhere
	}
	return strings.TrimLeft(string(text[open+len("(@"):]), "=-"), inCode
}

var (
	loadModule = lazy.Regexp{Text: `\bload\(\s*"([^"]*)$`}
	loadName   = lazy.Regexp{Text: `\bload\(\s*"([^"]+)"\s*,(?:[^"]*"[^"]*"\s*,)*\s*(?:\w+\s*=\s*)?"([^"]*)$`}
	member     = lazy.Regexp{Text: `([A-Za-z_]\w*(?:\.\w+|\["[^"\]]*"\]|\[\w*\])*)(?:\.(\w*)|\["([^"\]]*))$`}
	lastWord   = lazy.Regexp{Text: `(?:^|[^\w."])([A-Za-z_]\w*)?$`}
)

// expression completes code.
func (c *completion) expression(code string) {
	if m := loadModule.Get().FindStringSubmatch(code); m != nil {
		c.modules(m[1])
		return
	}
	if m := loadName.Get().FindStringSubmatch(code); m != nil {
		c.loadable(m[1], m[2])
		return
	}
	if m := libraryName.Get().FindStringSubmatch(code); m != nil {
		c.libraries(m[1])
		return
	}
	if inString(code) {
		if c.libraryKeys(code) {
			return
		}
		if m := member.Get().FindStringSubmatch(code); m != nil && m[2] == "" && !strings.HasSuffix(code, ".") {
			c.members(m[1], m[3])
		}
		return
	}
	if m := member.Get().FindStringSubmatch(code); m != nil {
		c.members(m[1], m[2])
		return
	}
	if m := lastWord.Get().FindStringSubmatch(code); m != nil {
		c.names(m[1], strings.TrimSpace(strings.TrimSuffix(code, m[1])) == "")
	}
}

// inString reports whether code ends inside a string.
func inString(code string) bool {
	var quote byte
	for i := 0; i < len(code); i++ {
		switch ch := code[i]; {
		case quote != 0 && ch == '\\':
			i++
		case quote != 0 && ch == quote:
			quote = 0
		case quote == 0 && (ch == '"' || ch == '\''):
			quote = ch
		}
	}
	return quote != 0
}

// index returns the index of the project and the document in it, or nil on errors.
func (c *completion) index() (*index.Index, *index.Source) {
	all, src, err := c.doc.Index(c.ctx, false)
	if err != nil {
		return nil, nil
	}
	return all, src
}

// lastAnalyses returns the analysis of the document, and that of its last version without errors.
func (c *completion) lastAnalyses() []*compile.Analysis {
	list := []*compile.Analysis{c.doc.Analysis()}
	if good, _ := c.doc.LastGood(); good != nil && good != c.doc.Analysis() {
		list = append(list, good)
	}
	return list
}

func (c *completion) loads() []loadStmt {
	var list []loadStmt
	for _, a := range c.lastAnalyses() {
		for _, l := range loadsIn(a) {
			if !slices.ContainsFunc(list, func(o loadStmt) bool { return o.Module == l.Module }) {
				list = append(list, l)
			}
		}
	}
	return list
}
