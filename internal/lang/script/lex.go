package script

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"weft/internal/lang/diag"
)

// The lexer knows just enough Starlark to split text into logical lines and to see the words that
// open and close blocks: brackets, strings, comments, words. The Starlark parser does everything
// else, and reads each logical line once. The lexer reads each byte once.

// maxWeight limits the depth of the tree of one expression: the Starlark parser, resolver and
// compiler recurse over it, and a stack overflow in Go cannot be caught. A bracket weighs
// bracketWeight, and any other token 1. A comma resets the weight, so long lists weigh nothing;
// brackets can nest 1000 deep, and a sum may have 50000 terms.
const (
	maxWeight     = 50_000
	bracketWeight = 50
)

// maxBlocks limits the nesting of blocks, for the same reason. The branches of an if count, since
// each elif nests in the tree.
const maxBlocks = 5_000

type kind uint8

const (
	eof kind = iota
	newline
	word
	number
	str
	op // an operator or other punctuation, or any byte that the parser will reject
)

type token struct {
	kind       kind
	start, end int
	str        literal // if kind is str
}

// line is a logical line: the text of one statement, or of the header of a block.
type line struct {
	start, end int // from the first token to after the last
	head       head
	opens      bool // the last token is a colon outside brackets, so a block opens
	colon      bool // there is a colon outside brackets
	open       bool // the text ended inside brackets
	repairs    []repair
	bad        *problem
}

// head is the word at the beginning of a logical line, if it matters for blocks.
type head uint8

const (
	other head = iota
	headIf
	headElif
	headElse
	headFor
	headWhile
	headDef
	headEnd
)

var headNames = [...]string{
	other: "statement", headIf: "if", headElif: "elif", headElse: "else", headFor: "for",
	headWhile: "while", headDef: "def", headEnd: "end",
}

func (h head) String() string { return headNames[h] }

func headOf(word []byte) head {
	for h := headIf; h <= headEnd; h++ {
		if string(word) == headNames[h] {
			return h
		}
	}
	return other
}

// opensBlock reports whether h begins a block, not a branch.
func (h head) opensBlock() bool { return h == headIf || h == headFor || h == headWhile || h == headDef }

// problem is an error in a run of code, at offsets of the run's text.
type problem struct {
	start, end int
	code       diag.Code
	message    string
	hint       string
}

// maxDigits is the maximum length of a number: converting it takes quadratic time.
const maxDigits = 300_000

type lexer struct {
	src   []byte
	pos   int
	inner bool // the text is inside brackets: line breaks are blanks
}

// line reads the next logical line. At the end of the text, the line is empty. A line that begins
// with `end` is that word alone: what follows is another line, as in `end end`.
func (lx *lexer) line() line {
	r := lineReader{first: true}
	var brackets []int // the weight before each open bracket; declared here to avoid an allocation
	for r.next(lx) {
		r.first = false
		if r.tok.kind != op {
			continue
		}
		n := len(brackets)
		switch lx.src[r.tok.start] {
		case '(', '[', '{':
			brackets = append(brackets, r.weight)
			r.weight += bracketWeight
		case ')', ']', '}':
			if n > 0 {
				r.weight = brackets[n-1] + 1
				brackets = brackets[:n-1]
			} else if lx.inner {
				// In a value that is parsed in added parentheses, this bracket would close them.
				r.fail(CodeSyntax, "unexpected '"+string(lx.src[r.tok.start:r.tok.end])+"'", "")
			}
		case ',':
			r.weight = 0
			if n > 0 {
				r.weight = brackets[n-1] + bracketWeight
			}
		case ':':
			r.weight++
			r.lambda = false
			r.colon = r.colon || n == 0
		case 0: // the end of the text, for the Starlark parser
			r.fail(CodeSyntax, "control character 0x00 is not allowed in code",
				`remove the character, or write it as "\x00" in a string`)
		default:
			r.weight++
		}
		r.depth = len(brackets)
	}
	return r.line
}

// lineReader reads one logical line. It has no pointer to the lexer, which would cost an allocation.
type lineReader struct {
	line

	tok, prev token
	first     bool // tok is the first token of the line
	depth     int  // how many brackets are open
	weight    int
	lambda    bool // between `lambda` and its colon
}

// next reads a token. It reports whether there is one and the line continues after it.
func (r *lineReader) next(lx *lexer) bool {
	if r.weight > maxWeight {
		r.fail(CodeDepth, "this expression is nested too deeply", "assign parts of it to variables")
	}
	r.prev, r.tok = r.tok, lx.next()
	for r.tok.kind == newline && (r.first || r.depth > 0 || lx.inner) {
		r.tok = lx.next()
	}
	if r.first {
		r.start, r.end = r.tok.start, r.tok.start
	}
	if r.tok.kind == eof || r.tok.kind == newline {
		r.open = r.depth > 0
		r.opens = r.depth == 0 && r.prev.kind == op && lx.src[r.prev.start] == ':'
		return false
	}
	r.end = r.tok.end
	text := lx.src[r.tok.start:r.tok.end]
	if len(text) > maxDigits && isDigit(text[0]) {
		r.fail(CodeSyntax, fmt.Sprintf("the number has %d digits, but the limit is %d",
			len(text), maxDigits), "")
	}
	switch r.tok.kind {
	case word:
		r.weight++
		if r.first && !lx.inner {
			r.head = headOf(text)
		}
		return r.word(lx, text)
	case str:
		r.string(lx.src)
	}
	return true
}

// fail records what is wrong with the token, unless an error is already recorded.
func (r *lineReader) fail(code diag.Code, message, hint string) {
	if r.bad == nil {
		r.bad = &problem{r.tok.start, r.tok.end, code, message, hint}
	}
}

// word reads a word. It reports whether the line continues after it.
func (r *lineReader) word(lx *lexer, text []byte) bool {
	switch string(text) {
	case "end":
		return r.endWord(lx, text)
	case "pass":
		r.fail(CodePass, "use of reserved keyword 'pass' is not allowed",
			"a block may be empty: write only 'end'")
	case "async", "await":
		r.repairs = append(r.repairs, repair{start: r.tok.start, end: r.tok.end, name: string(text)})
	case "lambda":
		r.lambda = true
	case "else":
		if r.first && lx.peek() != ':' {
			r.head = other
		}
	}
	return true
}

// endWord reads the word `end`. Used as an attribute or as the name of an argument, it does not close
// a block. ytt rejects such uses, but data may well have a key of that name.
func (r *lineReader) endWord(lx *lexer, text []byte) bool {
	next := lx.peek()
	if r.head == headEnd && r.first {
		if next == '=' || next == '.' || next == '(' || next == '[' || next == ',' {
			r.fail(CodeReserved, reserved(text), hintEnd)
		}
		if r.bad == nil {
			return false
		}
		r.head = other
		return true
	}
	attribute := r.prev.kind == op && lx.src[r.prev.start] == '.'
	argument := (r.depth > 0 || lx.inner) && next == '=' && r.head != headDef && !r.lambda
	if !attribute && !argument {
		r.fail(CodeReserved, reserved(text), hintEnd)
	}
	return true
}

// string reads a string.
func (r *lineReader) string(src []byte) {
	m, bad := r.tok.str.repair(src)
	switch {
	case bad != nil && r.bad == nil:
		r.bad = bad
	case bad == nil && m != nil:
		r.repairs = append(r.repairs, *m)
	}
}

// next reads a token. It skips blanks, comments, and line breaks after a backslash.
func (lx *lexer) next() token {
	src := lx.src
	for lx.pos < len(src) {
		start := lx.pos
		switch c := src[start]; {
		case c == ' ' || c == '\t':
			lx.pos++
		case c == '\n' || c == '\r':
			lx.pos = start + breakLen(src, start)
			return token{kind: newline, start: start, end: lx.pos}
		case c == '\\' && breakLen(src, start+1) > 0:
			lx.pos = start + 1 + breakLen(src, start+1)
		case c == '#':
			lx.pos = lineEnd(src, start)
		case c == '"' || c == '\'':
			return lx.text(start, start)
		case isDigit(c):
			lx.skipWord()
			return token{kind: number, start: start, end: lx.pos}
		case isWord(c):
			lx.skipWord()
			// A word directly before a quote may be the prefix of a string.
			if lx.pos < len(src) && (src[lx.pos] == '"' || src[lx.pos] == '\'') {
				switch string(src[start:lx.pos]) {
				case "r", "b", "rb":
					return lx.text(start, lx.pos)
				}
			}
			return token{kind: word, start: start, end: lx.pos}
		default:
			lx.pos += opLen(src[start:])
			return token{kind: op, start: start, end: lx.pos}
		}
	}
	return token{kind: eof, start: len(src), end: len(src)}
}

// opLen returns the length of the operator that s begins with, such as `*`, `**`, `**=`.
func opLen(s []byte) int {
	n := 1
	if strings.IndexByte("*/<>", s[0]) >= 0 && len(s) > n && s[n] == s[0] {
		n++
	}
	if strings.IndexByte("+-*/%&|^<>=!", s[0]) >= 0 && len(s) > n && s[n] == '=' {
		n++
	}
	return n
}

// text reads a string, whose prefix begins at start and whose quote is at quote. A string that is
// not closed ends where the parser will report it: at the line break, or at the end of the text for
// triple quotes.
func (lx *lexer) text(start, quote int) token {
	lit := scanLiteral(lx.src, start, quote)
	lx.pos = lit.end
	return token{kind: str, start: start, end: lit.end, str: lit}
}

func (lx *lexer) skipWord() {
	for lx.pos < len(lx.src) && isWord(lx.src[lx.pos]) {
		lx.pos++
	}
}

// peek returns the next byte of the line that is not a blank, or 0. It also returns 0 for the `=`
// of `==`.
func (lx *lexer) peek() byte {
	i := lx.pos
	for i < len(lx.src) && (lx.src[i] == ' ' || lx.src[i] == '\t') {
		i++
	}
	if i == len(lx.src) || bytes.HasPrefix(lx.src[i:], []byte("==")) {
		return 0
	}
	return lx.src[i]
}

// breakLen returns the length of the line break at offset i, or 0 if there is none.
func breakLen(src []byte, i int) int {
	switch {
	case i >= len(src):
		return 0
	case src[i] == '\n':
		return 1
	case src[i] == '\r':
		if i+1 < len(src) && src[i+1] == '\n' {
			return 2
		}
		return 1
	}
	return 0
}

// lineEnd returns the offset of the first line break from offset i on.
func lineEnd(src []byte, i int) int {
	if n := bytes.IndexAny(src[i:], "\r\n"); n >= 0 {
		return i + n
	}
	return len(src)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isWord reports whether c can be part of a word. All non-ASCII letters count: the parser checks
// which ones Starlark accepts.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || isDigit(c) ||
		c >= utf8.RuneSelf
}
