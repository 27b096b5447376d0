package script

import (
	"bytes"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// maxErrors is the maximum number of diagnostics for one text.
const maxErrors = 20

// Builder nests the code of one file into blocks, together with other statements: in a template,
// the code fragments and the calls that create its nodes. Use NewBuilder to create one.
//
// Consecutive fragments are read as the lines of one text, so a bracket or a string may continue in
// the next fragment; other statements must come between statements. Every fragment is lexed and
// parsed once.
type Builder struct {
	file    *source.File
	name    string // of the file: positions share it
	parser  parser
	pending []Fragment // code not read yet
	stmts   []syntax.Stmt
	frames  []frame        // the open blocks, innermost last
	idents  []syntax.Ident // allocated in advance

	errs diag.List
	// an error about a line that ends too early, kept until the next code is known
	cut *diag.Diagnostic

	closed    closing // the last block that was closed
	slanted   closing // the first `end` that is indented less than the block that it closes
	wantEnd   bool    // an error was found that standard Starlark would not report
	otherErrs bool    // an error was found that standard Starlark would report too

	wrong  wrong // the lines with errors
	module bool  // the code is a whole file
}

// frame is an open block.
type frame struct {
	head head // what opened it; headIf for all branches of an if
	open source.Span
	pos  syntax.Position // its position
	def  *syntax.DefStmt // if it is a function
	// ifs is the if statement whose branches are being read; in a chain of elifs, the innermost one.
	ifs   *syntax.IfStmt
	els   source.Span // where its else is, if it has been seen
	body  *[]syntax.Stmt
	depth int  // depth of the body in the tree: every block and every elif adds one
	wrong bool // its header could not be read
}

// closing is a block that was closed, with the place of its `end`.
type closing struct {
	head      head
	open, end source.Span
}

// NewBuilder returns a Builder for the code of f.
func NewBuilder(f *source.File) *Builder {
	return &Builder{file: f, name: f.Name(), parser: parser{locator: locator{file: f}}}
}

// Code adds a fragment.
func (b *Builder) Code(fr Fragment) { b.pending = append(b.pending, fr) }

// Stmt adds a statement at this point. The Builder, and later the tree, own it.
func (b *Builder) Stmt(s syntax.Stmt) {
	b.flush()
	if b.cut != nil {
		start, _ := s.Span()
		b.follows(Span(b.file, start))
	}
	b.add(s)
}

// End closes the innermost block as if `end` were at the given place.
func (b *Builder) End(at source.Span) {
	b.flush()
	b.end(at, false)
}

// Def returns the innermost function that is open at this point, or nil.
func (b *Builder) Def() *syntax.DefStmt {
	b.flush()
	for i := len(b.frames) - 1; i >= 0; i-- {
		if d := b.frames[i].def; d != nil {
			return d
		}
	}
	return nil
}

// Expr parses an expression that is not part of the statements, as if it were in parentheses: line
// breaks are blanks, a list with commas is a tuple, and an empty text is the empty tuple. The error
// is a diag.List.
func (b *Builder) Expr(fr Fragment) (syntax.Expr, error) {
	if e := b.simpleExpr(fr); e != nil {
		return e, nil
	}
	e, err := b.enclosed(fr, "(")
	if p, ok := e.(*syntax.ParenExpr); ok {
		return p.X, err
	}
	return e, err
}

// Unparen returns an expression without the parentheses around it.
func Unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// CallArgs parses the arguments of a call, such as those of an annotation, without the parentheses.
// They are not part of the statements. The error is a diag.List.
func (b *Builder) CallArgs(fr Fragment) ([]syntax.Expr, error) {
	if args, ok := b.simpleArgs(fr); ok {
		return args, nil
	}
	e, err := b.enclosed(fr, "_(")
	if err != nil {
		return nil, err
	}
	return e.(*syntax.CallExpr).Args, nil
}

// enclosed parses fr between before, which opens a parenthesis, and the closing parenthesis.
func (b *Builder) enclosed(fr Fragment, before string) (syntax.Expr, error) {
	r := newRun(b.file, []Fragment{fr})
	lx := lexer{src: r.text, inner: true}
	l := lx.line()
	if l.bad != nil {
		return nil, diag.List{r.problem(l.bad)}
	}
	// l does not include a comment at the end, so the comment cannot hide the parenthesis
	e, d := b.parser.expr(r, &l, before, ")")
	if d != nil {
		return nil, diag.List{d}
	}
	return e, nil
}

// Position returns the position of byte offset off of the file for syntax trees. It is fast near
// the code that was read last.
func (b *Builder) Position(off int) syntax.Position {
	at := b.parser.locator.place(off)
	return syntax.MakePosition(&b.name, int32(at.Line), int32(at.Column))
}

// Finish returns the statements. If the error, a diag.List, is not nil, Rest returns the valid
// ones.
func (b *Builder) Finish() ([]syntax.Stmt, error) {
	b.flush()
	if len(b.frames) > 0 {
		b.wantEnd = true
		if len(b.errs) == 0 && !b.wrong.blocks || b.Nested() && !b.wrongOpen() {
			b.unclosed() // these errors do not follow from others
		}
	}
	if len(b.errs) > 0 {
		return nil, b.errs
	}
	return b.stmts, nil
}

// onlyEndMissing reports whether the only errors are unclosed blocks, in code without any `end`.
func (b *Builder) onlyEndMissing() bool {
	return b.wantEnd && !b.otherErrs && b.closed.head == other
}

// flush reads the pending fragments.
func (b *Builder) flush() {
	if len(b.pending) == 0 {
		return
	}
	r := newRun(b.file, b.pending)
	b.pending = b.pending[:0]
	lx := lexer{src: r.text}
	for {
		l := lx.line()
		if l.start == l.end {
			return
		}
		if b.cut != nil {
			b.follows(r.span(l.start, l.end))
		}
		b.line(r, &l)
	}
}

// line adds one logical line.
func (b *Builder) line(r *run, l *line) {
	if l.bad != nil {
		b.fail(r.problem(l.bad), l.bad.code == CodePass || l.bad.code == CodeReserved)
		b.wantEnd = b.wantEnd || l.bad.code == CodePass
		b.wrong.line(r, l)
		b.wrong.blocks = b.wrong.blocks || l.bad.code == CodePass // it may have been meant as an `end`
		if l.opens && l.head.opensBlock() {
			b.openBroken(r, l)
		} else if l.head != other && (l.open || !l.colon) {
			b.wrong.blocks = true // it may be the header of a block
		}
		return
	}
	switch l.head {
	case headEnd:
		b.end(r.span(l.start, l.end), r.beginsLine(l.start))
	case headElif, headElse:
		b.branch(r, l)
	case headIf, headFor, headWhile, headDef:
		if l.opens {
			b.open(r, l)
			break
		}
		stmts, d := b.parser.stmts(r, l, l.start, "", "")
		if d != nil {
			b.fail(d, false)
			b.wrong.line(r, l)
			if !l.colon && !l.open {
				// Otherwise the error about the colon would cause another one about the `end`.
				b.openBroken(r, l)
			} else {
				b.wrong.blocks = true // it may be the header of a block
			}
			return
		}
		b.add(stmts...)
	default:
		stmts, d := b.parser.stmts(r, l, l.start, "", "")
		if d != nil {
			b.fail(d, false)
			b.wrong.line(r, l)
			return
		}
		b.add(stmts...)
	}
}

// passBody is added to the header of a block, because the parser requires a body.
const passBody = " pass"

// open opens the block whose header is l.
func (b *Builder) open(r *run, l *line) {
	stmts, d := b.parser.stmts(r, l, l.start, "", passBody)
	if d != nil {
		b.fail(d, false)
		b.wrong.line(r, l)
		b.openBroken(r, l)
		return
	}
	b.add(stmts...)
	f := frame{head: l.head, open: header(r, l)}
	switch s := stmts[0].(type) {
	case *syntax.IfStmt:
		s.True, f.ifs, f.body, f.pos = nil, s, &s.True, s.If
	case *syntax.ForStmt:
		s.Body, f.body, f.pos = nil, &s.Body, s.For
	case *syntax.WhileStmt:
		s.Body, f.body, f.pos = nil, &s.Body, s.While
	case *syntax.DefStmt:
		s.Body, f.body, f.pos, f.def = nil, &s.Body, s.Def, s
	}
	b.push(f)
}

// openBroken opens a block whose header has an error, already reported, so that its `end` closes
// something.
func (b *Builder) openBroken(r *run, l *line) {
	f := frame{head: l.head, open: header(r, l), pos: b.Position(r.offset(l.start)), wrong: true}
	b.add(placeholderFor(&f))
	b.push(f)
}

func (b *Builder) push(f frame) {
	if outer := b.top(); outer != nil {
		f.depth = outer.depth
	}
	b.frames = append(b.frames, f)
	b.deepen(f.open)
}

// deepen adds a level of nesting, which begins at the given place, and checks the limit.
func (b *Builder) deepen(at source.Span) {
	f := b.top()
	if f.depth++; f.depth == maxBlocks {
		b.fail(diag.Errorf(at, CodeDepth, "more than %d nested blocks and "+
			"branches", maxBlocks), false)
	}
}

// branch begins another branch of the innermost block, which must be an if.
func (b *Builder) branch(r *run, l *line) {
	at := r.span(l.start, l.start+len(l.head.String()))
	f := b.top()
	if f == nil || f.ifs == nil {
		b.failBranch(f, l, at)
		return
	}
	if f.els.IsValid() {
		b.wantEnd, b.wrong.blocks = true, true
		b.fail(diag.Errorf(at, CodeElse, "unexpected %s: this 'if' already has an 'else'", l.head).
			WithRelated(f.els, "the 'else' is here").
			WithRelated(f.open, "the 'if' is here"), true)
		return
	}
	// Show the parser an if at the place of the branch: `elif` without its first two letters, or
	// the same number of characters in place of `else`.
	from, before := l.start+2, ""
	if l.head == headElse {
		from, before = l.start+4, "if 1"
	}
	after := ""
	if l.opens {
		after = passBody
	}
	var branch *syntax.IfStmt
	if stmts, d := b.parser.stmts(r, l, from, before, after); d != nil {
		b.fail(d, false)
		b.wrong.line(r, l)
		at := b.Position(r.offset(l.start))
		branch = &syntax.IfStmt{If: at, Cond: &syntax.Ident{NamePos: at, Name: "True"}}
		b.fill(frame{body: &branch.True, pos: at})
	} else {
		branch = stmts[0].(*syntax.IfStmt)
	}
	b.fill(*f)
	if l.head == headElif {
		branch.If.Col -= 2
	}
	f.ifs.ElsePos = branch.If
	if l.opens {
		branch.True = nil
	}
	if l.head == headElse {
		f.els = at
		f.ifs.False = branch.True
		f.body = &f.ifs.False
	} else {
		f.ifs.False = []syntax.Stmt{branch}
		f.ifs, f.body = branch, &branch.True
		b.deepen(at)
	}
	if !l.opens {
		// a branch written on one line ends the whole block
		b.frames = b.frames[:len(b.frames)-1]
	}
}

// failBranch reports a branch where no if is open. f is the innermost block, or nil.
func (b *Builder) failBranch(f *frame, l *line, at source.Span) {
	if b.wantEnd = true; b.wrong.blocks {
		return
	}
	d := diag.Errorf(at, CodeElse, "unexpected %s: no 'if' is open here", l.head)
	if f != nil {
		d.WithRelated(f.open, "this '%s' is the innermost open block", f.head).
			WithHint("close it with 'end' before '%s'", l.head)
	} else if c := b.closed; c.head == headIf {
		d.WithRelated(c.open, "the last 'if' is this one").WithRelated(c.end,
			"it is already closed here").
			WithHint("put its 'end' after the last branch; an 'if/end' has no other branches")
	} else {
		d.WithHint("an 'if' with its statement on the same line ends there")
	}
	b.fail(d, true)
	b.wrong.blocks = true
}

// end closes the innermost block. alone means that the word is at the given place, and is the first
// of its line.
func (b *Builder) end(at source.Span, alone bool) {
	f := b.top()
	if f == nil {
		if !b.wrong.blocks {
			d := diag.Errorf(at, CodeUnexpectedEnd, "unexpected end")
			if c := b.closed; c.head != other {
				d.WithRelated(c.open, "the last block is this "+
					"'%s'", c.head).WithRelated(c.end, "it is already closed here")
			} else {
				d.WithHint("no block is open: 'end' closes an 'if', 'for', 'while' or 'def' " +
					"whose line ends in a colon")
			}
			b.fail(d, false)
			b.wrong.blocks = true
		}
		return
	}
	b.fill(*f)
	b.closed = closing{f.head, f.open, at}
	// Indentation has no meaning, but it often shows which block was meant.
	if alone && b.slanted.head == other && b.Position(at.Offset()).Col < f.pos.Col {
		b.slanted = b.closed
	}
	b.frames = b.frames[:len(b.frames)-1]
}

// unclosed reports the open blocks. The innermost comes first, because ytt names that one.
func (b *Builder) unclosed() {
	n := len(b.frames)
	f := b.frames[n-1]
	d := diag.Errorf(
		f.open,
		CodeUnclosed,
		"mismatched set of block openings (if/else/elif/for/def) and closing (end): this '%s' is "+
			"never closed",
		f.head,
	)
	for i := n - 2; i >= 0 && n-i <= 4; i-- {
		d.WithRelated(b.frames[i].open, "this '%s' is also open", b.frames[i].head)
	}
	if c := b.slanted; c.head != other {
		d.WithRelated(c.end, "this 'end' is indented less than the '%s' that it closes", c.head).
			WithRelated(c.open, "the '%s' is here", c.head)
	}
	d.WithHint("add 'end'")
	if i := bytes.Index(b.file.Data(), []byte("#@end")); i >= 0 {
		d.WithRelated(b.file.Span(i, i+len("#@end")), "without a space this is an annotation").
			WithHint("write `#@ end`, with a space")
	}
	b.fail(d, true)
}

// follows completes the error about a line that ends too early: it adds where the next code begins,
// which is the place that ytt names.
func (b *Builder) follows(at source.Span) {
	if at.IsValid() && b.file.Line(at.Offset()) != b.file.Line(b.cut.At.Offset()) {
		what := "the next code begins here"
		if strings.HasSuffix(b.cut.Message, "want ':'") {
			what = "the block would begin here"
		}
		b.cut.WithRelated(at, "%s", what)
	}
	b.cut = nil
}

// fill adds a statement that does nothing to an empty body: the dialect allows an empty body, the
// tree does not.
func (b *Builder) fill(f frame) {
	if len(*f.body) == 0 {
		*f.body = append(*f.body, &syntax.BranchStmt{Token: syntax.PASS, TokenPos: f.pos})
	}
}

func (b *Builder) top() *frame {
	if len(b.frames) == 0 {
		return nil
	}
	return &b.frames[len(b.frames)-1]
}

func (b *Builder) add(stmts ...syntax.Stmt) {
	if f := b.top(); f != nil {
		*f.body = append(*f.body, stmts...)
	} else {
		b.stmts = append(b.stmts, stmts...)
	}
}

// fail adds an error. dialect means that standard Starlark, with its indented blocks, would not
// report it.
func (b *Builder) fail(d *diag.Diagnostic, dialect bool) {
	if len(b.errs) < maxErrors {
		b.errs = append(b.errs, d)
	}
	if strings.HasPrefix(d.Message, "got newline") {
		b.cut = d
	}
	b.otherErrs = b.otherErrs || !dialect
}

// header returns the place of a block's header, up to its first line break.
func header(r *run, l *line) source.Span {
	return r.span(l.start, min(l.end, lineEnd(r.text, l.start)))
}
