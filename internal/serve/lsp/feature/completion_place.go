package feature

import (
	"bytes"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/yaml"
)

// placeKind is the kind of text that the cursor is in.
type placeKind uint8

const (
	nowhere placeKind = iota // in a comment for people
	inCode
	inAnnotation
	inYAML // or in other text
)

// code returns the code or annotation before the cursor. In YAML, the tree decides where code can be, also in
// a text with errors: in comments, and in strings that are text templates.
func (c *completion) code() (string, placeKind) {
	switch c.doc.Kind() {
	case compile.Starlark:
		return c.before, inCode
	case compile.Text:
		return c.inBrackets(0)
	case compile.YAML, compile.PlainYAML:
	default:
		return "", inYAML
	}
	a := c.doc.Analysis()
	if c.mark = c.commentAround(a.Tree); c.mark >= 0 {
		return c.inComment()
	}
	if n := leafAt(a.Tree, c.off); a.IsText(n) {
		return c.inBrackets(a.Tree.Span(n).Offset())
	}
	return "", inYAML
}

// inComment returns the code or annotation in the comment that the cursor is in.
func (c *completion) inComment() (string, placeKind) {
	text, ok := strings.CutPrefix(string(c.doc.File().Data()[c.mark:c.off]), "#@")
	if !ok {
		return "", nowhere
	}
	if code, ok := strings.CutPrefix(text, " "); ok {
		return code, inCode
	}
	return text, inAnnotation
}

// inBrackets returns the code between (@ and @) of a text template that begins at an offset.
func (c *completion) inBrackets(from int) (string, placeKind) {
	text := c.doc.File().Data()[from:c.off]
	open := bytes.LastIndex(text, []byte("(@"))
	if open < 0 || bytes.Contains(text[open:], []byte("@)")) {
		return "", inYAML
	}
	code := string(text[open+len("(@"):])
	c.isValue = strings.Contains(code[:len(code)-len(strings.TrimLeft(code, "=-"))], "=")
	return strings.TrimLeft(code, "=-"), inCode
}

// commentAround returns where the comment begins that the cursor is in, or -1.
func (c *completion) commentAround(t *yaml.Tree) int {
	for _, cm := range t.Comments() {
		if s := t.CommentSpan(cm); s.Offset() < c.off && c.off <= s.End() {
			return s.Offset()
		}
	}
	for _, s := range t.Holes() { // of the comments in it, the tree has those that have their own lines
		if s.Offset() > c.off || c.off > s.End() {
			continue
		}
		from := max(s.Offset(), c.off-len(c.before))
		if i := commentIn(c.doc.File().Data()[from:c.off]); i >= 0 {
			return from + i
		}
	}
	return -1
}

// beforeMark returns what is on the line before the comment that the cursor is in, or "".
func (c *completion) beforeMark() string {
	return c.before[:max(0, c.mark-(c.off-len(c.before)))]
}

// commentIn returns where a comment begins in a line of YAML that cannot be parsed, or -1.
func commentIn(line []byte) int {
	var quote byte
	for i, ch := range line {
		switch {
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case i > 0 && !strings.ContainsRune(" \t[{,:", rune(line[i-1])):
		case ch == '"' || ch == '\'':
			quote = ch
		case ch == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return i
		}
	}
	return -1
}

// leafAt returns the scalar, the alias, or the part that cannot be parsed at an offset, or yaml.NoOwner.
func leafAt(t *yaml.Tree, off int) yaml.NodeID {
	for n := t.NodeAt(off + 1); n > 0; n-- {
		s := t.Span(n - 1)
		switch kind := t.Kind(n - 1); {
		case kind == yaml.Invalid && s.Len == 0: // the value of an entry that cannot be parsed, as its key
		case off > s.End() || kind != yaml.Scalar && kind != yaml.Alias && kind != yaml.Invalid:
			return yaml.NoOwner
		default:
			return n - 1
		}
	}
	return yaml.NoOwner
}

// codeIn returns the comments with code of a part of a text. Everything else but line breaks is blank.
func codeIn(t *yaml.Tree, data []byte, from, to int) []byte {
	text := bytes.Clone(data[from:to])
	blankLines(text)
	for _, cm := range t.Comments() {
		s := t.CommentSpan(cm)
		if from <= s.Offset() && s.End() <= to && bytes.HasPrefix(t.CommentText(cm), []byte("@")) {
			copy(text[s.Offset()-from:], data[s.Offset():s.End()])
		}
	}
	return text
}
