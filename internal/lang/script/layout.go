package script

import (
	"bytes"

	"weft/internal/lang/source"
)

// Row is a line of code as it is laid out, for who changes its indentation.
type Row struct {
	Off   int // in the file, where the line's text begins
	State RowState
	Marks []MarkKind // of the blocks that statements on the line begin and end, in order
	One   bool       // the block that it begins is around one node: `if/end`
}

// RowState is what is in a Row.
type RowState uint8

// The states of a row.
const (
	Loose     RowState = iota // blank, or a comment
	Begins                    // a statement, or the header of a block
	Continues                 // the rest of what began before
	InString                  // text of a string: white space counts
)

// Layout returns the lines of code that is in one place: fragments that follow each other
// without a node between them, or a whole script.
func Layout(f *source.File, frags []Fragment) []Row {
	frags = append([]Fragment(nil), frags...)
	ones := map[int]bool{} // the fragments that are such a block, by their offsets in the file
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

// readStatements finds where statements begin, and what they mean for blocks.
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

// mark returns what a line means for blocks.
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

// Tokens calls f for each word, number, string and operator of a script, with a line break as an
// empty token where a statement may end.
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

// TokenKind tells what a token is.
type TokenKind uint8

// The kinds of token.
const (
	WordToken TokenKind = iota
	NumberToken
	StringToken
	OperatorToken // or other punctuation
	CommentToken
)

// Lex calls f for each token of code, comments included, in order. It reads what is wrong as well.
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
