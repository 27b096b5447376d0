package outline

import (
	"bytes"
	"slices"
	"strings"

	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// Cursor is a place in a YAML document, which may be half typed.
type Cursor struct {
	Tree *yaml.Tree  // the document around the cursor, and nothing else
	Doc  yaml.NodeID // the document in Tree

	// Path leads from the root of the document to the value at the cursor or, if Key is set, to the map in
	// which a key is at the cursor.
	Path []Step
	Key  bool
	Node yaml.NodeID // the key or the scalar at the cursor

	Word     string // what is typed so far: the word before the cursor
	Quoted   bool   // the word is in quotes
	HasColon bool   // the key already has its colon
	Alone    bool   // the key is the only one of its map, so it may become a scalar instead

	NoSpace bool // the cursor is right after a colon, so a value needs a space before it

	Nulls bool // null is offered where it is allowed: elsewhere, leaving out the key is usual
	Plain bool // descriptions are plain text, not Markdown: their authors are unknown

	from int // where Tree begins in the file
}

// Step leads from a map or a list to one of its values.
type Step struct {
	In    yaml.NodeID // the map or the list
	Key   string      // the key of a map
	Index int         // the index in the list, or of the key in the map
	Item  bool        // it is a list
}

// Span returns the place of a node in the file.
func (c *Cursor) Span(n yaml.NodeID) (start, end int) {
	s := c.Tree.Span(n)
	return s.Offset() + c.from, s.End() + c.from
}

// Siblings returns the other keys of the map in which a key is at the cursor.
func (c *Cursor) Siblings() (keys []string) {
	if !c.Key {
		return nil
	}
	for key := range c.Tree.Pairs(c.container()) {
		if key != c.Node {
			keys = append(keys, c.text(key))
		}
	}
	return keys
}

// Missing returns those of some keys that the map does not have yet in which a key is at the cursor.
func (c *Cursor) Missing(names []string) (list []string) {
	present := c.Siblings()
	for _, name := range names {
		if !slices.Contains(present, name) {
			list = append(list, name)
		}
	}
	return list
}

// First reports whether the key at the cursor is the first one of its map.
func (c *Cursor) First() bool {
	for key := range c.Tree.Pairs(c.container()) {
		return key == c.Node
	}
	return false
}

// container returns the value that the path leads to.
func (c *Cursor) container() yaml.NodeID {
	n := c.Tree.Root(c.Doc)
	for _, s := range c.Path {
		n = c.child(s)
	}
	return n
}

// maxText limits the size of a document in bytes: it is parsed for each request.
const maxText = 1 << 20

// mark is put into the text at the cursor, so that what is typed there becomes a node of the tree. It is
// for private use in Unicode, so texts do not have it.
const mark = "\ue000"

// IsTyped reports whether a text of the tree of Typed is the one at the cursor.
func IsTyped(text string) bool { return strings.Contains(text, mark) }

// Typed returns the place where something is being typed, or nil if it is not in YAML that weft understands.
//
// It completes the text at the cursor in the ways that could make it valid, and asks the parser: a
// half-typed key gets a colon, an open bracket is closed.
func Typed(data []byte, off int, opt yaml.Options) *Cursor {
	text, from := around(data, off)
	at := off - from
	if len(text) > maxText || bytes.Contains(text, []byte(mark)) {
		return nil
	}
	start := bytes.LastIndexAny(text[:at], "\r\n") + 1
	before, after := text[start:at], text[at:lineEnd(text, at)]
	if bytes.HasSuffix(before, []byte(":")) && len(bytes.TrimSpace(after)) == 0 {
		c := parse(slices.Concat(text[:at], []byte(" "+mark), text[at:]), from, opt)
		if c != nil && c.find(at+1, at+1+len(mark)) && c.isWord(at+1) && !c.Key {
			c.NoSpace = true
			return c
		}
	}
	for _, more := range completions(string(before), string(after)) {
		full := slices.Concat(text[:at], []byte(mark+more), text[at:])
		c := parse(full, from, opt)
		if c == nil || !c.find(at, at+len(mark)) || !c.isWord(at) {
			continue
		}
		c.HasColon = c.Key && !strings.HasPrefix(more, ":")
		return c
	}
	return nil
}

// completions returns what may be missing in a line after the cursor, the most likely first.
func completions(before, after string) []string {
	entry := strings.TrimLeft(before, " ")
	for strings.HasPrefix(entry, "- ") {
		entry = strings.TrimLeft(entry[2:], " ")
	}
	list := []string{" "} // a comment may follow
	if strings.TrimSpace(after) != "" && after[0] != ' ' {
		list = []string{""}
	}
	if strings.TrimSpace(after) == "" && !strings.ContainsAny(entry, ":{[\"'") {
		list = []string{": ", " "}
	}
	if entry != "" && strings.ContainsRune(`"'`, rune(entry[0])) {
		list = append(list, closing(before)+": ") // a key in quotes
	}
	return append(list, ": ", closing(before))
}

// closing returns the brackets and quotes that a line leaves open.
func closing(line string) string {
	var open []byte
	var quote byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" [{,:", line[i-1]) >= 0):
			quote = c
		case c == '[':
			open = append(open, ']')
		case c == '{':
			open = append(open, '}')
		case (c == ']' || c == '}') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	if quote != 0 {
		return string(quote) + string(open)
	}
	return string(open)
}

// Over returns the place of the key or the scalar that an offset touches, or nil.
func Over(data []byte, off int, opt yaml.Options) *Cursor {
	text, from := around(data, off)
	if len(text) > maxText {
		return nil
	}
	c := parse(text, from, opt)
	if c == nil || !c.find(off-from, off-from) {
		return nil
	}
	return c
}

// around returns the document around an offset, with the comments above it, and where it begins.
func around(data []byte, off int) ([]byte, int) {
	start, end := 0, len(data)
	for at := 0; at < len(data); at = nextLine(data, at) {
		if !bytes.HasPrefix(data[at:], []byte("---")) {
			continue
		}
		if at > off {
			end = at
			break
		}
		start = at
	}
	for start > 0 { // comments above
		line := bytes.LastIndexByte(data[:start-1], '\n') + 1
		if text := bytes.TrimSpace(data[line:start]); len(text) > 0 && text[0] != '#' {
			break
		}
		start = line
	}
	return data[start:end], start
}

func lineEnd(data []byte, at int) int {
	if i := bytes.IndexAny(data[at:], "\r\n"); i >= 0 {
		return at + i
	}
	return len(data)
}

func nextLine(data []byte, at int) int {
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(data)
}

func parse(text []byte, from int, opt yaml.Options) *Cursor {
	var set source.Set
	f, err := set.Add("", text)
	if err != nil {
		return nil
	}
	t, _ := yaml.ParseTolerant(f, opt)
	return &Cursor{Tree: t, from: from}
}

// find finds the key or the scalar that contains a part of the text. It reports whether there is one.
func (c *Cursor) find(from, to int) bool {
	for doc := range c.Tree.Documents() {
		c.Doc, c.Path = doc, nil
		if c.below(c.Tree.Root(doc), from, to) {
			return true
		}
	}
	return false
}

// below looks for the part at and below a node, which c.Path leads to.
func (c *Cursor) below(n yaml.NodeID, from, to int) bool {
	t := c.Tree
	switch t.Kind(n) {
	case yaml.Scalar:
		c.Node = n
		return c.touches(n, from, to)
	case yaml.Mapping:
		i := 0
		for key, value := range t.Pairs(n) {
			if t.Kind(key) == yaml.Scalar && c.touches(key, from, to) {
				c.Node, c.Key, c.Alone = key, true, t.Count(n) == 1
				return true
			}
			if c.step(Step{In: n, Key: c.text(key), Index: i}, value, from, to) {
				return true
			}
			i++
		}
	case yaml.Sequence:
		i := 0
		for item := range t.Items(n) {
			if c.step(Step{In: n, Index: i, Item: true}, item, from, to) {
				return true
			}
			i++
		}
	}
	return false
}

// text returns the text of a scalar, or "".
func (c *Cursor) text(n yaml.NodeID) string {
	if c.Tree.Kind(n) != yaml.Scalar {
		return ""
	}
	return string(c.Tree.Text(n))
}

func (c *Cursor) step(s Step, to yaml.NodeID, from, end int) bool {
	c.Path = append(c.Path, s)
	if c.below(to, from, end) {
		return true
	}
	c.Path = c.Path[:len(c.Path)-1]
	return false
}

// child returns the value that a step leads to.
func (c *Cursor) child(s Step) (found yaml.NodeID) {
	i := 0
	if s.Item {
		for item := range c.Tree.Items(s.In) {
			if i == s.Index {
				return item
			}
			i++
		}
	}
	for _, value := range c.Tree.Pairs(s.In) {
		if i == s.Index {
			return value
		}
		i++
	}
	return found
}

func (c *Cursor) touches(n yaml.NodeID, from, to int) bool {
	s := c.Tree.Span(n)
	return s.Offset() <= from && to <= s.End()
}

// isWord reports whether the scalar at the cursor is one that a person may be typing: on one line, and not
// a block of text. It sets the word before the cursor.
func (c *Cursor) isWord(at int) bool {
	t := c.Tree
	style := t.Style(c.Node)
	if style == yaml.Literal || style == yaml.Folded {
		return false
	}
	s := t.Span(c.Node)
	raw := t.File().Data()[s.Offset():s.End()]
	if bytes.ContainsAny(raw, "\r\n") {
		return false
	}
	start := s.Offset()
	if style == yaml.DoubleQuoted || style == yaml.SingleQuoted {
		c.Quoted = true
		start++
	}
	if start > at {
		return false
	}
	c.Word = string(t.File().Data()[start:at])
	return style != yaml.Plain || !strings.HasSuffix(c.Word, ":") // the space after a colon is missing
}
