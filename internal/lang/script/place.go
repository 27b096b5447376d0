package script

import (
	"sort"
	"unicode/utf8"

	"go.starlark.net/syntax"

	"weft/internal/lang/source"
)

// Span returns the place of p in f, as a span of length 0, or the zero Span if p has no line. It
// searches for the line: use it for messages, not for every node.
func Span(f *source.File, p syntax.Position) source.Span {
	if p.Line < 1 || int(p.Line) > f.Lines() {
		return source.Span{}
	}
	off := lineStart(f, int(p.Line))
	if text := f.Data()[off:]; p.Line == 1 && len(text) >= 3 &&
		string(text[:3]) == string(byteOrderMark) {
		off += 3
	}
	n, _ := columnOffset(f.Data()[off:], int(p.Col)-1)
	return f.Span(off+n, off+n)
}

// Extent returns where a node begins and ends. It is like Span of the node, which forgets the closing
// bracket of `a[0]`, `a[1:]` and `()`, and of all that ends with them.
func Extent(n syntax.Node) (start, end syntax.Position) {
	start, end = n.Span()
	for {
		var last syntax.Node
		switch n := n.(type) {
		case *syntax.IndexExpr:
			return start, after(n.Rbrack)
		case *syntax.SliceExpr:
			return start, after(n.Rbrack)
		case *syntax.TupleExpr:
			if n.Lparen.IsValid() {
				return start, after(n.Rparen)
			}
			last = n.List[len(n.List)-1]
		case *syntax.AssignStmt:
			last = n.RHS
		case *syntax.ExprStmt:
			last = n.X
		case *syntax.BinaryExpr:
			last = n.Y
		case *syntax.UnaryExpr:
			if n.X == nil { // the `*` of parameters
				return start, end
			}
			last = n.X
		case *syntax.CondExpr:
			last = n.False
		case *syntax.LambdaExpr:
			last = n.Body
		case *syntax.DictEntry:
			last = n.Value
		default:
			_, end = n.Span()
			return start, end
		}
		n = last
	}
}

// after returns the position after a character.
func after(p syntax.Position) syntax.Position {
	p.Col++
	return p
}

// locator finds places near the last one without counting all characters of the line again: a text
// template may have all of its code on one line.
type locator struct {
	file *source.File
	off  int
	at   source.Place // the place of off; initially zero
}

func (l *locator) place(off int) source.Place {
	data := l.file.Data()
	switch near := l.file.Line(off) == l.at.Line && min(off, l.off) >= len(byteOrderMark); {
	case near && off >= l.off:
		l.at.Column += utf8.RuneCount(data[l.off:off])
	case near:
		l.at.Column -= utf8.RuneCount(data[off:l.off])
	default:
		l.at = l.file.Place(off)
	}
	l.off = off
	return l.at
}

// lineStart returns the offset of the first byte of line n of f.
func lineStart(f *source.File, n int) int {
	return sort.Search(len(f.Data()), func(off int) bool { return f.Line(off) >= n })
}

// columnOffset returns the offset after the first n characters of the first line of text, and by
// how many characters the line is too short.
func columnOffset(text []byte, n int) (off, missing int) {
	for ; n > 0 && off < len(text) && breakLen(text, off) == 0; n-- {
		_, size := utf8.DecodeRune(text[off:])
		off += size
	}
	return off, max(n, 0)
}

// run is code that is lexed as one text: consecutive fragments, joined by line breaks.
type run struct {
	file   *source.File
	text   []byte
	pieces []piece
}

// piece maps the part of a run's text from offset start to the next piece to the file. Pieces begin
// with a fragment, or with a line of it.
type piece struct {
	start int
	off   int
}

func newRun(f *source.File, frags []Fragment) *run {
	r := &run{file: f}
	if len(frags) == 1 {
		r.text = frags[0].Text
		r.place(0, frags[0])
		return r
	}
	size := 0
	for _, fr := range frags {
		size += len(fr.Text) + 1
	}
	r.text = make([]byte, 0, size)
	r.pieces = make([]piece, 0, len(frags))
	for i, fr := range frags {
		if i > 0 {
			r.text = append(r.text, '\n')
		}
		r.place(len(r.text), fr)
		r.text = append(r.text, fr.Text...)
	}
	return r
}

// place adds the pieces of fr, whose text begins at offset start of the run.
func (r *run) place(start int, fr Fragment) {
	r.pieces = append(r.pieces, piece{start, fr.Off})
	i := 0
	for _, off := range fr.Lines {
		i = lineEnd(fr.Text, i)
		n := breakLen(fr.Text, i)
		if n == 0 {
			return
		}
		i += n
		r.pieces = append(r.pieces, piece{start + i, off})
	}
}

// piece returns the index of the piece that contains offset i of the text.
func (r *run) piece(i int) int {
	return sort.Search(len(r.pieces), func(k int) bool { return r.pieces[k].start > i }) - 1
}

// offset returns the offset in the file that corresponds to offset i of the text.
func (r *run) offset(i int) int {
	p := r.pieces[r.piece(i)]
	return min(p.off+i-p.start, len(r.file.Data()))
}

// span returns the bytes of the file for the text from start to end. If they are in several pieces,
// it ends with the first.
func (r *run) span(start, end int) source.Span {
	k := r.piece(start)
	if k+1 < len(r.pieces) {
		end = min(end, r.pieces[k+1].start)
	}
	p := r.pieces[k]
	size := len(r.file.Data())
	return r.file.Span(min(p.off+start-p.start, size), min(p.off+end-p.start, size))
}

// together reports whether the text from start to end is contiguous in the file.
func (r *run) together(start, end int) bool {
	return start >= end || r.piece(start) == r.piece(end-1)
}

// beginsLine reports whether only blanks precede offset i of the text on its line.
func (r *run) beginsLine(i int) bool {
	for i > 0 && (r.text[i-1] == ' ' || r.text[i-1] == '\t') {
		i--
	}
	return i == 0 || r.text[i-1] == '\n' || r.text[i-1] == '\r'
}

// places returns where each line of the text from start to end begins in the file.
func (r *run) places(l *locator, start, end int) []source.Place {
	var at []source.Place
	for i := start; ; {
		at = append(at, l.place(r.offset(i)))
		i = lineEnd(r.text, i)
		n := breakLen(r.text, i)
		if i += n; n == 0 || i >= end {
			return at
		}
	}
}

// relocate moves every position of the tree n, which was parsed as if its text began at line 1,
// column 1. at is where each of its lines really begins.
func relocate(n syntax.Node, name *string, at []source.Place) {
	move := func(ps ...*syntax.Position) {
		for _, p := range ps {
			if p.Line < 1 {
				continue // an absent part, such as the else of an if
			}
			to := at[min(int(p.Line), len(at))-1]
			*p = syntax.MakePosition(name, int32(to.Line), int32(to.Column)+p.Col-1)
		}
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			move(&n.OpPos)
		case *syntax.BinaryExpr:
			move(&n.OpPos)
		case *syntax.BranchStmt:
			move(&n.TokenPos)
		case *syntax.CallExpr:
			move(&n.Lparen, &n.Rparen)
		case *syntax.Comprehension:
			move(&n.Lbrack, &n.Rbrack)
		case *syntax.CondExpr:
			move(&n.If, &n.ElsePos)
		case *syntax.DefStmt:
			move(&n.Def, &n.Lparen, &n.Rparen)
		case *syntax.DictEntry:
			move(&n.Colon)
		case *syntax.DictExpr:
			move(&n.Lbrace, &n.Rbrace)
		case *syntax.DotExpr:
			move(&n.Dot, &n.NamePos)
		case *syntax.ForClause:
			move(&n.For, &n.In)
		case *syntax.ForStmt:
			move(&n.For)
		case *syntax.Ident:
			move(&n.NamePos)
		case *syntax.IfClause:
			move(&n.If)
		case *syntax.IfStmt:
			move(&n.If, &n.ElsePos)
		case *syntax.IndexExpr:
			move(&n.Lbrack, &n.Rbrack)
		case *syntax.LambdaExpr:
			move(&n.Lambda)
		case *syntax.ListExpr:
			move(&n.Lbrack, &n.Rbrack)
		case *syntax.Literal:
			move(&n.TokenPos)
		case *syntax.LoadStmt:
			// Handle the children here, because a name that is loaded under its own name is one
			// node in both lists.
			move(&n.Load, &n.Rparen, &n.Module.TokenPos)
			for i, id := range n.To {
				if move(&id.NamePos); n.From[i] != id {
					move(&n.From[i].NamePos)
				}
			}
			return false
		case *syntax.ParenExpr:
			move(&n.Lparen, &n.Rparen)
		case *syntax.ReturnStmt:
			move(&n.Return)
		case *syntax.SliceExpr:
			move(&n.Lbrack, &n.Rbrack)
		case *syntax.TupleExpr:
			move(&n.Lparen, &n.Rparen)
		case *syntax.UnaryExpr:
			move(&n.OpPos)
		case *syntax.WhileStmt:
			move(&n.While)
		}
		return true
	})
}
