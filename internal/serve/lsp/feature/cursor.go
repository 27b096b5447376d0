package feature

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
)

// cursor is the code around the cursor, read with index.Cursor instead of the word there.
type cursor struct {
	*index.Place
	all   *index.Index
	src   *index.Source // the document in it
	typed string        // the beginning of the word

	unquoted bool // the word must be a string, and the author has written no quotes yet
}

// cursor reads the code around the cursor, of which code is the part before. It returns nil if the code
// has too many errors.
func (c *completion) cursor(code string) *cursor {
	h := c.hole(code)
	all, here := c.index()
	module := func(name string) *compile.Analysis {
		if all == nil {
			return nil
		}
		from := all.Find(here, name)
		if from == nil {
			return nil
		}
		if d := c.doc.Snapshot().Document(from.Path); d != nil {
			return d.Analysis()
		}
		return nil
	}
	for i, text := range h.texts() {
		if errors.Is(c.ctx.Err(), context.Canceled) {
			return nil
		}
		var set source.Set
		f, err := set.Add(c.doc.File().Name(), text)
		if err != nil {
			return nil
		}
		if file, p := index.ReadPlace(c.doc.Analyse(f), module); p != nil {
			cur := &cursor{Place: p, typed: h.typed, unquoted: h.isLoad() && h.quote == "" && i < 2}
			cur.all, cur.src = c.doc.IndexWith(c.ctx, file)
			return cur
		}
	}
	return nil
}

// hole is the word at the cursor, and the code around it.
type hole struct {
	data       []byte
	tree       *yaml.Tree // of YAML, or nil
	mark       int        // where the comment with the code begins, or -1
	from, to   int        // the word
	typed      string     // its part before the cursor
	quote      string     // the quote at the beginning, if it is a string
	brackets   []byte     // that close what is open
	statement  string     // the first word of the statement
	lineStart  int
	end        int // of the line, or of the code of a text template
	isTemplate bool
	unclosed   bool // a text template without its end
	isChoice   bool // perhaps in `a if b`, whose `else` is not written yet
}

func (c *completion) hole(code string) *hole {
	data, off := c.doc.File().Data(), c.off
	h := &hole{data: data, tree: c.doc.Analysis().Tree, mark: c.mark, from: off, to: off}
	h.lineStart = bytes.LastIndexAny(data[:off], "\r\n") + 1
	h.end = len(data)
	if i := bytes.IndexAny(data[off:], "\r\n"); i >= 0 {
		h.end = off + i
	}
	if open := bytes.LastIndex(data[:off-len(code)], []byte("(@")); open >= 0 &&
		strings.Trim(string(data[open+2:off-len(code)]), "=-") == "" {
		h.isTemplate = true
		next := data[off:]
		if i := bytes.Index(next, []byte("(@")); i >= 0 {
			next = next[:i]
		}
		if i := bytes.Index(next, []byte("@)")); i >= 0 {
			h.end = off + i
		} else {
			h.unclosed = true
		}
	}
	h.read(code)
	return h
}

// read finds the word, the string that it is in, and the brackets that are open there.
func (h *hole) read(code string) {
	h.statement = strings.TrimLeft(code, " \t")
	if i := strings.IndexAny(h.statement, " ("); i >= 0 {
		h.statement = h.statement[:i]
	}
	if lines := h.above(); len(lines) > 0 {
		code = strings.Join(lines, "\n") + "\n" + code
	}
	h.isChoice = strings.Contains(strings.TrimSpace(code), " if ")
	var quoted int
	h.brackets, quoted = openIn(code)
	if quoted >= 0 {
		h.typed, h.quote = code[quoted+1:], code[quoted:quoted+1]
		h.from -= len(h.typed)
		if i := bytes.IndexAny(h.data[h.to:h.end], h.quote); i >= 0 {
			h.to += i
		} else {
			h.to = h.end
		}
		return
	}
	for h.from > h.lineStart && diag.IsWord(h.data[h.from-1]) {
		h.from--
	}
	h.typed = string(h.data[h.from:h.to])
	for h.to < h.end && diag.IsWord(h.data[h.to]) {
		h.to++
	}
}

// above returns the lines of code above the cursor's that belong to the same statement: those that are
// indented, and the one that begins it.
func (h *hole) above() (lines []string) {
	if h.isTemplate {
		return nil
	}
	mark := ""
	if h.tree != nil {
		mark = "#@ "
	}
	text, ok := strings.CutPrefix(strings.TrimLeft(string(h.data[h.lineStart:h.end]), " "), mark)
	for at := h.lineStart; ok && at > 0 && (text == "" || strings.ContainsRune(" \t#", rune(text[0]))); {
		start := bytes.LastIndexByte(h.data[:at-1], '\n') + 1
		text = strings.TrimRight(string(h.data[start:at]), "\r\n")
		if mark != "" {
			text, ok = strings.CutPrefix(strings.TrimLeft(text, " "), mark)
		}
		if ok {
			lines = append(lines, text)
		}
		at = start
	}
	slices.Reverse(lines)
	return lines
}

// openIn returns the brackets that close those that are open at the end of code, and where the string
// begins that it ends in, or -1.
func openIn(code string) (closers []byte, quoted int) {
	quoted = -1
	for i := 0; i < len(code); i++ {
		ch := code[i]
		switch {
		case quoted >= 0 && ch == '\\':
			i++
		case quoted >= 0:
			if ch == code[quoted] || ch == '\n' {
				quoted = -1
			}
		case ch == '"' || ch == '\'':
			quoted = i
		case ch == '#':
			for i < len(code) && code[i] != '\n' {
				i++
			}
		case ch == '(':
			closers = append(closers, ')')
		case ch == '[':
			closers = append(closers, ']')
		case ch == '{':
			closers = append(closers, '}')
		case (ch == ')' || ch == ']' || ch == '}') && len(closers) > 0:
			closers = closers[:len(closers)-1]
		}
	}
	slices.Reverse(closers)
	return closers, quoted
}

// texts returns versions of the file in which the code around the hole may be right, the likeliest first:
// as it is, with what is missing at its end instead of the rest of the line, and without the YAML and the
// lines of code that cannot be parsed.
func (h *hole) texts() [][]byte {
	endings := []string{string(h.data[h.to:h.end])}
	if h.quote != "" && (h.to == h.end || h.data[h.to] != h.quote[0]) {
		endings = nil
	}
	closers := string(h.brackets)
	colon := ""
	switch h.statement {
	case "for", "if", "elif", "while", "def", "for/end", "if/end":
		colon = ":"
	}
	endings = append(endings, h.quote+closers+colon)
	if strings.HasPrefix(closers, "}") {
		endings = append(endings, h.quote+": None"+closers+colon)
	}
	if h.quote != "" && h.isLoad() {
		endings = append(endings, h.quote+`, "x")`)
	}
	if h.isChoice {
		for i := range len(closers) + 1 {
			endings = append(endings, h.quote+closers[:i]+" else None"+closers[i:]+colon)
		}
	}
	var list [][]byte
	if h.quote == "" && h.isLoad() {
		for _, more := range []string{"", `, "x"`} {
			word := []byte(`"` + index.Cursor + `"` + more + closers)
			list = append(list, slices.Concat(h.data[:h.from], word, h.data[h.end:]))
		}
	}
	for _, ending := range endings {
		if h.unclosed {
			ending += " @)"
		}
		list = append(list, slices.Concat(h.data[:h.from], []byte(index.Cursor+ending), h.data[h.end:]))
	}
	for _, ending := range endings {
		if h.quote == "" && !h.unclosed { // after a whole operand
			word := []byte(" or " + index.Cursor + ending)
			list = append(list, slices.Concat(h.data[:h.from], word, h.data[h.end:]))
		}
	}
	if !h.isTemplate {
		for _, ending := range endings {
			list = append(list, slices.Concat(h.codeOf(0, h.lineStart), h.codeBefore(),
				[]byte(index.Cursor+ending), h.codeOf(h.end, len(h.data))))
		}
	}
	return list
}

// isLoad reports whether the hole is in the arguments of a load statement, which are strings.
func (h *hole) isLoad() bool { return h.statement == "load" && len(h.brackets) > 0 }

// codeBefore returns the code of the cursor's line before the word, in its column.
func (h *hole) codeBefore() []byte {
	line := bytes.Clone(h.data[h.lineStart:h.from])
	blankLines(line[:max(0, h.mark-h.lineStart)])
	return line
}

// codeOf returns a part of the text without YAML, and without lines of code that have open brackets or
// strings. All other bytes keep their places.
func (h *hole) codeOf(from, to int) []byte {
	text := bytes.Clone(h.data[from:to])
	if h.tree != nil {
		text = codeIn(h.tree, h.data, from, to)
	}
	for line := range bytes.Lines(text) {
		code := strings.TrimPrefix(strings.TrimLeft(string(line), " "), "#@")
		if closers, quoted := openIn(code); len(closers) > 0 || quoted >= 0 {
			blankLines(line)
		}
	}
	return text
}
