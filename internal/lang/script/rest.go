package script

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// wrong describes the lines of code with errors, so that no diagnostic about the rest of the code is
// a consequence of one of them.
type wrong struct {
	words  []byte // the words of these lines without separators, one line each
	blocks bool   // it is uncertain where blocks begin and end
}

// line records a line with an error.
func (w *wrong) line(r *run, l *line) {
	isHeader := l.opens && l.head != other // the caller opens a block for the header
	text := bytes.TrimRight(r.text[l.start:l.end], " \t")
	if bytes.HasSuffix(text, []byte(":")) && !isHeader {
		w.blocks = true // it looks like a header, whatever else is wrong with it
	}
	start := len(w.words)
	lx := lexer{src: r.text[:l.end], pos: l.start}
	begins := l.opens // some word may begin a block, here or on a line that a bracket includes by mistake
	for tok := lx.next(); tok.kind != eof; tok = lx.next() {
		text := r.text[tok.start:tok.end]
		switch tok.kind {
		case word:
			isHead := headOf(text) != other
			w.blocks = w.blocks || string(text) == "end" || begins && tok.start > l.start && isHead
			if !isHead {
				w.words = append(w.words, text...)
			}
		case str: // a load binds names given as strings
			w.blocks = w.blocks || bytes.ContainsAny(text, "\r\n")
			w.words = appendWords(w.words, text)
		}
		begins = l.opens || tok.kind == newline
	}
	w.blocks = w.blocks || string(w.words[start:]) == "end"
	w.words = append(w.words, '\n')
}

func appendWords(words, text []byte) []byte {
	for _, c := range text {
		if isWord(c) {
			words = append(words, c)
		}
	}
	return words
}

// Skip leaves out text that is code or may be meant as code, so that no diagnostic about the rest is
// a consequence of it.
func (b *Builder) Skip(fr Fragment) {
	b.flush()
	notInName := func(r rune) bool { return r < utf8.RuneSelf && !isWord(byte(r)) }
	text := bytes.TrimLeftFunc(fr.Text, notInName)
	end := bytes.IndexFunc(text, notInName)
	if end < 0 {
		end = len(text)
	}
	head := headOf(text[:end])
	if head == headEnd || head != other && bytes.IndexByte(text, ':') >= 0 {
		b.wrong.blocks = true
	}
	b.wrong.words = append(appendWords(b.wrong.words, fr.Text), '\n')
}

// Rest returns the valid statements of code for which Finish reported errors. A block whose header
// has an error is replaced by a block of the same kind.
func (b *Builder) Rest() []syntax.Stmt {
	for _, f := range b.frames {
		b.fill(f) // it is not closed
	}
	return b.stmts
}

// Misses reports whether a line with an error may bind a name, so that the statements of Rest lack
// it. The error may be in a character that separates or joins names.
func (b *Builder) Misses(name string) bool { return bytes.Contains(b.wrong.words, []byte(name)) }

// Nested reports whether the statements of Rest are in the blocks that their author meant, as far
// as one can see. A file without any `end` may be meant as standard Starlark.
func (b *Builder) Nested() bool {
	indented := b.module && len(b.frames) > 0 && b.closed.head == other
	return !b.wrong.blocks && !indented
}

// wrongOpen reports whether a block with an error in its header is open. It may not have been meant
// as a block.
func (b *Builder) wrongOpen() bool {
	return slices.ContainsFunc(b.frames, func(f frame) bool { return f.wrong })
}

// placeholderFor returns a block that replaces f, whose header could not be parsed.
func placeholderFor(f *frame) syntax.Stmt {
	name := func(s string) *syntax.Ident { return &syntax.Ident{NamePos: f.pos, Name: s} }
	switch f.head {
	case headFor:
		empty := &syntax.ListExpr{Lbrack: f.pos, Rbrack: f.pos}
		s := &syntax.ForStmt{For: f.pos, Vars: name("_"), X: empty}
		f.body = &s.Body
		return s
	case headWhile:
		s := &syntax.WhileStmt{While: f.pos, Cond: name("True")}
		f.body = &s.Body
		return s
	case headDef:
		s := &syntax.DefStmt{Def: f.pos, Name: name("_")}
		f.body, f.def = &s.Body, s
		return s
	}
	s := &syntax.IfStmt{If: f.pos, Cond: name("True")}
	f.body, f.ifs = &s.True, s
	return s
}
