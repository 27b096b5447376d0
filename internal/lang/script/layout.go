package script

import (
	"bytes"

	"weft/internal/lang/source"
)

// Row is a line of code and its layout, for code that changes the indentation.
type Row struct {
	Off   int // where the line's text begins in the file
	State RowState
	Marks []MarkKind // the blocks that statements on the line begin and end, in order
	One   bool       // the block that it begins is `if/end`, around one node
}

// RowState is what a Row contains.
type RowState uint8

// The states of a row.
const (
	Loose     RowState = iota // blank, or a comment
	Begins                    // a statement, or the header of a block
	Continues                 // the rest of a statement that began on an earlier line
	InString                  // text of a string: white space counts
)

// Layout returns the lines of code without a node in between: consecutive fragments, or a whole
// script.
func Layout(f *source.File, frags []Fragment) []Row {
	frags = append([]Fragment(nil), frags...)
	ones := map[int]bool{} // the fragments with `if/end` and similar, by their offsets in the file
	for i := range frags {
		var one bool
		if frags[i], one = NodeBlock(frags[i]); one {
			ones[frags[i].Off] = true
		}
	}
	r := newRun(f, frags)
	var rows []Row
	var starts []int // of the rows, in the text
	for at := 0; ; {
		off := r.offset(at)
		rows = append(rows, Row{Off: off, One: ones[off]})
		starts = append(starts, at)
		end := lineEnd(r.text, at)
		if end == len(r.text) {
			break
		}
		at = end + breakLen(r.text, end)
	}
	readStatements(r, rows, starts)
	readStrings(r, rows, starts)
	return rows
}

// readStatements finds where statements begin, and which blocks they begin and end.
func readStatements(r *run, rows []Row, starts []int) {
	lx := lexer{src: r.text}
	row := 0
	for {
		l := lx.line()
		if l.start == l.end {
			return
		}
		for row+1 < len(starts) && starts[row+1] <= l.start {
			row++
		}
		if rows[row].State == Loose {
			rows[row].State = Begins
		}
		if kind, ok := l.mark(); ok {
			rows[row].Marks = append(rows[row].Marks, kind)
		}
		for i := row + 1; i < len(starts) && starts[i] < l.end; i++ {
			rows[i].State = Continues
		}
	}
}

// mark returns whether and how a line begins or ends a block.
func (l *line) mark() (MarkKind, bool) {
	switch {
	case l.head == headEnd:
		return Ends, true
	case !l.opens || l.head == other:
		return 0, false
	case l.head == headDef:
		return Defines, true
	case l.head.opensBlock():
		return Opens, true
	}
	return Branches, true
}

// readStrings finds the lines that begin inside a string.
func readStrings(r *run, rows []Row, starts []int) {
	if !bytes.ContainsAny(r.text, "\"'") {
		return
	}
	lx := lexer{src: r.text}
	row := 0
	for {
		tok := lx.next()
		if tok.kind == eof {
			return
		}
		for row+1 < len(starts) && starts[row+1] <= tok.start {
			row++
		}
		for i := row + 1; tok.kind == str && i < len(starts) && starts[i] < tok.end; i++ {
			rows[i].State = InString
		}
	}
}

// Tokens calls f for each word, number, string and operator of a script, and with an empty token
// for a line break where a statement may end.
func Tokens(text []byte, f func(token []byte)) {
	lx := lexer{src: text}
	for {
		switch tok := lx.next(); tok.kind {
		case eof:
			return
		case newline:
			f(nil)
		default:
			f(text[tok.start:tok.end])
		}
	}
}

// TokenKind is the kind of a token.
type TokenKind uint8

// The kinds of token.
const (
	WordToken TokenKind = iota
	NumberToken
	StringToken
	OperatorToken // or other punctuation
	CommentToken
)

// Lex calls f for each token of code, comments included, in order. It accepts code with errors.
func Lex(text []byte, f func(kind TokenKind, start, end int)) {
	lx := lexer{src: text}
	for {
		from := lx.pos
		tok := lx.next()
		for at := from; at < tok.start; { // what the lexer leaves out
			i := bytes.IndexByte(text[at:tok.start], '#')
			if i < 0 {
				break
			}
			end := lineEnd(text, at+i)
			f(CommentToken, at+i, end)
			at = end
		}
		switch tok.kind {
		case eof:
			return
		case newline:
		case word:
			f(WordToken, tok.start, tok.end)
		case number:
			f(NumberToken, tok.start, tok.end)
		case str:
			f(StringToken, tok.start, tok.end)
		case op:
			f(OperatorToken, tok.start, tok.end)
		}
	}
}
