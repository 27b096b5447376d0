package script

import (
	"strconv"

	"go.starlark.net/syntax"
)

// simple parses the expressions that templates are full of, and returns nil for all others:
//
//	name   data.values.name   labels(name, extra="x")   "v" + tag   3
//
// The Starlark parser would return the same tree, but it allocates a scanner, a file and a position
// for each text, which is nearly all of the work for a dozen bytes.
type simple struct {
	text []byte
	i    int
	b    *Builder
	line int32
	col  int32 // column of the first byte
}

// simpleExpr parses fr if it is simple.
func (b *Builder) simpleExpr(fr Fragment) syntax.Expr {
	s, ok := b.simple(fr)
	if !ok {
		return nil
	}
	e := s.sum()
	if s.skip(); e == nil || s.i < len(s.text) {
		return nil
	}
	return e
}

// simpleArgs parses the arguments of a call if they are simple.
func (b *Builder) simpleArgs(fr Fragment) ([]syntax.Expr, bool) {
	s, ok := b.simple(fr)
	if !ok {
		return nil, false
	}
	args, ok := s.args(0)
	return args, ok && s.i == len(s.text)
}

// simple starts parsing a fragment if it is one line of ASCII, where columns are bytes.
func (b *Builder) simple(fr Fragment) (simple, bool) {
	const long = 200
	if fr.Lines != nil || len(fr.Text) > long {
		return simple{}, false
	}
	for _, c := range fr.Text {
		if c < ' ' || c >= 0x7f {
			return simple{}, false
		}
	}
	at := b.Position(fr.Off)
	return simple{text: fr.Text, b: b, line: at.Line, col: at.Col}, true
}

func (s *simple) pos(i int) syntax.Position {
	return syntax.MakePosition(&s.b.name, s.line, s.col+int32(i))
}

func (s *simple) skip() {
	for s.i < len(s.text) && s.text[s.i] == ' ' {
		s.i++
	}
}

// next skips c if it follows, and reports whether it did.
func (s *simple) next(c byte) bool {
	s.skip()
	if s.i < len(s.text) && s.text[s.i] == c {
		s.i++
		return true
	}
	return false
}

// sum parses operands with `+` between them.
func (s *simple) sum() syntax.Expr {
	x := s.operand()
	for x != nil && s.next('+') {
		if s.i < len(s.text) && s.text[s.i] == '=' {
			return nil
		}
		op := s.pos(s.i - 1)
		y := s.operand()
		if y == nil {
			return nil
		}
		x = &syntax.BinaryExpr{X: x, OpPos: op, Op: syntax.PLUS, Y: y}
	}
	return x
}

// operand parses a name, a string or a number, with attributes and calls after it.
func (s *simple) operand() syntax.Expr {
	s.skip()
	if s.i == len(s.text) {
		return nil
	}
	var x syntax.Expr
	switch c := s.text[s.i]; {
	case c == '"' || c == '\'':
		x = s.str(c)
	case c >= '0' && c <= '9':
		return s.number()
	default:
		if id := s.ident(); id != nil {
			x = id
		}
	}
	for x != nil {
		switch {
		case s.next('.'):
			dot := s.pos(s.i - 1)
			s.skip()
			id := s.ident()
			if id == nil {
				return nil
			}
			x = &syntax.DotExpr{X: x, Dot: dot, Name: id} // NamePos is not set by the parser either
		case s.next('('):
			open := s.pos(s.i - 1)
			args, ok := s.args(')')
			if !ok {
				return nil
			}
			x = &syntax.CallExpr{Fn: x, Lparen: open, Args: args, Rparen: s.pos(s.i - 1)}
		default:
			return x
		}
	}
	return nil
}

// ident parses a name that is not reserved in any dialect.
func (s *simple) ident() *syntax.Ident {
	start := s.i
	for s.i < len(s.text) && isWord(s.text[s.i]) {
		s.i++
	}
	word := string(s.text[start:s.i])
	if word == "" || word[0] <= '9' || !IsName(word) {
		return nil
	}
	return s.b.ident(s.pos(start), word)
}

// ident returns a new name. Templates are full of them, so they are allocated in batches.
func (b *Builder) ident(pos syntax.Position, name string) *syntax.Ident {
	if len(b.idents) == 0 {
		b.idents = make([]syntax.Ident, 16)
	}
	id := &b.idents[0]
	b.idents = b.idents[1:]
	id.NamePos, id.Name = pos, name
	return id
}

// IsName reports whether a word is a name. Keywords, and words that this dialect or a later one
// reserves, are left to the real parser.
func IsName(word string) bool {
	switch word {
	case "and",
		"break",
		"continue",
		"def",
		"elif",
		"else",
		"for",
		"if",
		"in",
		"lambda",
		"load",
		"not",
		"or",
		"pass",
		"return",
		"while",
		"as",
		"assert",
		"async",
		"await",
		"class",
		"del",
		"except",
		"finally",
		"from",
		"global",
		"import",
		"is",
		"nonlocal",
		"raise",
		"try",
		"with",
		"yield",
		"end":
		return false
	}
	return true
}

// str parses a string without escapes.
func (s *simple) str(quote byte) syntax.Expr {
	start := s.i
	for s.i++; s.i < len(s.text) && s.text[s.i] != quote; s.i++ {
		if s.text[s.i] == '\\' {
			return nil
		}
	}
	if s.i == len(s.text) {
		return nil
	}
	s.i++
	if s.i < len(s.text) && (s.text[s.i] == quote || isWord(s.text[s.i])) {
		return nil // three quotes, or a prefix of another kind of string
	}
	raw := string(s.text[start:s.i])
	return &syntax.Literal{
		Token:    syntax.STRING,
		TokenPos: s.pos(start),
		Raw:      raw,
		Value:    raw[1 : len(raw)-1],
	}
}

// number parses a decimal integer of few digits.
func (s *simple) number() syntax.Expr {
	start := s.i
	for s.i < len(s.text) && s.text[s.i] >= '0' && s.text[s.i] <= '9' {
		s.i++
	}
	raw := string(s.text[start:s.i])
	if len(raw) > 15 || len(raw) > 1 && raw[0] == '0' ||
		s.i < len(s.text) && (isWord(s.text[s.i]) || s.text[s.i] == '.') {
		return nil
	}
	n, err := strconv.ParseInt(raw, 10, 64)
	if err != nil {
		return nil
	}
	return &syntax.Literal{Token: syntax.INT, TokenPos: s.pos(start), Raw: raw, Value: n}
}

// args parses the arguments of a call through the closing byte, or to the end of the text if
// closing is 0. Positional arguments come first; other orders are left to the real parser, which
// reports the error.
func (s *simple) args(closing byte) ([]syntax.Expr, bool) {
	var args []syntax.Expr
	named := false
	for {
		s.skip()
		if s.i == len(s.text) {
			return args, closing == 0 && len(args) == 0
		}
		if closing != 0 && len(args) == 0 && s.next(closing) {
			return nil, true
		}
		arg := s.sum()
		if arg == nil {
			return nil, false
		}
		if id, ok := arg.(*syntax.Ident); ok && s.next('=') {
			if s.i < len(s.text) && s.text[s.i] == '=' {
				return nil, false
			}
			op := s.pos(s.i - 1)
			y := s.sum()
			if y == nil {
				return nil, false
			}
			arg = &syntax.BinaryExpr{X: id, OpPos: op, Op: syntax.EQ, Y: y}
			named = true
		} else if named {
			return nil, false
		}
		args = append(args, arg)
		s.skip()
		if closing == 0 && s.i == len(s.text) || closing != 0 && s.next(closing) {
			return args, true
		}
		if !s.next(',') {
			return nil, false
		}
	}
}
