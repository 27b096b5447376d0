package script

import (
	"bytes"
	"iter"

	"weft/internal/lang/source"
)

// Row is a line of code and its layout, for functions that change the indentation.
type Row struct {
	Off   int // where the line's text begins in the file
	State RowState
	Marks []Mark // the blocks that statements on the line begin and end, in order
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

// Layout returns the lines of the code in the comments of a template. Each comment comes with the
// number of the node that it belongs to. Comments of one node are read together: a statement may
// continue in the next comment.
func Layout(f *source.File, comments iter.Seq2[int, Fragment]) []Row {
	var rows []Row
	var frags []Fragment
	read := func() {
		if len(frags) > 0 {
			rows = append(rows, readRows(f, frags)...)
			frags = frags[:0]
		}
	}
	last := 0
	for node, frag := range comments {
		if node != last {
			read()
			last = node
		}
		frags = append(frags, frag)
	}
	read()
	closeBlocks(rows, len(f.Data()))
	return rows
}

// LayoutScript returns the lines of a script.
func LayoutScript(f *source.File) []Row {
	return readRows(f, []Fragment{{Text: f.Data()}})
}

// readRows reads fragments that follow each other. It changes those that begin with `if/end`.
func readRows(f *source.File, frags []Fragment) []Row {
	ones := map[int]bool{} // where such blocks begin in the file
	for i := range frags {
		var one bool
		if frags[i], one = NodeBlock(frags[i]); one {
			text := frags[i].Text
			ones[frags[i].Off+len(text)-len(bytes.TrimLeft(text, " \t"))] = true
		}
	}
	r := newRun(f, frags)
	var rows []Row
	var starts []int // where each row begins in the text
	for at := 0; ; {
		rows = append(rows, Row{Off: r.offset(at)})
		starts = append(starts, at)
		end := lineEnd(r.text, at)
		if end == len(r.text) {
			break
		}
		at = end + breakLen(r.text, end)
	}
	readStatements(r, rows, starts, ones)
	readStrings(r, rows, starts)
	return rows
}

// readStatements finds where statements begin, and what they mean for blocks.
func readStatements(r *run, rows []Row, starts []int, ones map[int]bool) {
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
			off := r.offset(l.start)
			rows[row].Marks = append(rows[row].Marks, Mark{Kind: kind, Off: off, One: ones[off]})
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

// closeBlocks finds where blocks end. A block that is never closed extends to the end of the file.
func closeBlocks(rows []Row, eof int) {
	var open []*Mark
	for i := range rows {
		for j := range rows[i].Marks {
			m := &rows[i].Marks[j]
			switch {
			case m.Begins():
				m.End = eof
				open = append(open, m)
			case m.Kind == Ends && len(open) > 0:
				open[len(open)-1].End = m.Off
				open = open[:len(open)-1]
			}
		}
	}
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
		for at := from; at < tok.start; { // characters that the lexer skips
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
