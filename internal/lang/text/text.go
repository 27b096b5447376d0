// Package text parses text templates, in which code is between (@ and @).
//
// It splits bytes into parts, as offsets: literal text, trimmed where the marks (@- and -@) ask for
// it, and code, which package script parses. It copies nothing, evaluates nothing, and reads each
// byte once.
package text

import (
	"bytes"
	"unicode"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// The codes of the diagnostics of this package.
const (
	CodeNested  diag.Code = "text/nested-opening"     // (@ inside code
	CodeClosing diag.Code = "text/unexpected-closing" // @) outside code
	CodeMissing diag.Code = "text/missing-closing"    // code that continues to the end of the text
	CodeMark    diag.Code = "text/unknown-mark"       // (@ with an unknown mark
)

// Kind is the kind of a part.
type Kind uint8

// The kinds of parts.
const (
	Literal Kind = iota // text that is printed as it is
	Print               // (@= expression @)
	// (@ statements @), which may be empty, or the header or the end of a block
	Statement
	Comment // (@# note @)
	Invalid // code with an error
)

func (k Kind) String() string {
	return [...]string{"literal", "print", "statement", "comment", "invalid"}[k]
}

// Part is one part of a template.
type Part struct {
	Kind Kind
	// Raw is the whole part, with the marks around code. Concatenated, the raw parts are the whole
	// text.
	Raw Range
	// Body is the content: the trimmed text, which may be empty, or the code without its marks.
	Body Range
}

// Range is the bytes of a text from offset Start up to End.
type Range struct {
	Start, End int
}

// maxErrors is the maximum number of diagnostics for one text.
const maxErrors = 20

// File parses all of f.
func File(f *source.File) ([]Part, error) { return Parse(f.Data(), f.Span) }

// Parse parses src. at maps a range of src to its file, for messages: a template can be the value of
// a scalar, which need not be contiguous in the file. The error is a diag.List; even then the parts
// are returned, with mistakes corrected as far as possible.
//
// The two characters of an opening or closing are never part of code, not even in a string: to print
// them, separate them, as in (@= "@" + ")" @).
func Parse(src []byte, at func(start, end int) source.Span) ([]Part, error) {
	p := parser{src: src, at: at, open: -1}
	for i := p.mark(0); i < len(src); i = p.mark(i + 1) {
		switch opening := src[i] == '('; {
		case opening && p.open < 0:
			p.literal(i)
			p.open = i
		case opening:
			p.bad = true
			p.fail(diag.Errorf(at(i, i+2), CodeNested, "unexpected code opening '(@'").
				WithRelated(at(p.open, p.open+2), "the open code begins here").
				WithHint(`close it with '@)' first; to print the two characters, write ` +
					`(@= "(" + "@" @)`))
		case p.open < 0:
			p.fail(diag.Errorf(at(i, i+2), CodeClosing, "unexpected code closing '@)'").
				WithHint(`no code is open; to print it, write (@= "@" + ")" @)`))
		default:
			p.code(i + 2)
		}
		i++ // the second character cannot begin another mark
	}
	if p.open >= 0 {
		p.fail(diag.Errorf(at(p.open, p.open+2), CodeMissing, "missing code closing '@)'").
			WithHint("the code that begins here continues to the end of the text"))
		p.parts = append(
			p.parts,
			Part{Invalid, Range{p.open, len(src)}, Range{p.open + 2, len(src)}},
		)
		p.done, p.open = len(src), -1
	}
	p.literal(len(src))
	if len(p.errs) > 0 {
		return p.parts, p.errs
	}
	return p.parts, nil
}

type parser struct {
	src   []byte
	at    func(start, end int) source.Span
	parts []Part
	done  int  // parts cover the text up to this offset
	open  int  // the offset of the opening of the code being read, or -1
	bad   bool // there is an error about that code
	trim  bool // the previous code ended in -@)
	errs  diag.List
}

// mark returns the offset of the next opening or closing from offset i on, or the length of the
// text.
func (p *parser) mark(i int) int {
	for j := i; ; j++ {
		n := bytes.IndexByte(p.src[min(j, len(p.src)):], '@')
		if n < 0 {
			return len(p.src)
		}
		j += n
		if j > i && p.src[j-1] == '(' {
			return j - 1
		}
		if j+1 < len(p.src) && p.src[j+1] == ')' {
			return j
		}
	}
}

// literal adds the text up to offset end as a part, if there is any.
func (p *parser) literal(end int) {
	if p.done == end || p.open >= 0 {
		return
	}
	raw := Range{p.done, end}
	body := raw
	if p.trim {
		body.Start = end - len(bytes.TrimLeftFunc(p.src[raw.Start:end], unicode.IsSpace))
	}
	p.parts = append(p.parts, Part{Literal, raw, body})
	p.done, p.trim = end, false
}

// code adds the open code, whose closing ends at offset end, as a part.
func (p *parser) code(end int) {
	raw, body := Range{p.open, end}, Range{p.open + 2, end - 2}
	if p.has(body, 0, '-') {
		body.Start++
		p.trimBefore()
	}
	p.trim = p.has(body, body.End-body.Start-1, '-')
	if p.trim {
		body.End--
	}
	kind := Statement
	switch {
	case p.has(body, 0, '='):
		kind = Print
		body.Start++
	case p.has(body, 0, '#') && !bytes.ContainsAny(p.src[body.Start:body.End], "\r\n"):
		kind = Comment
		body.Start++
	case p.has(body, 0, '!'):
		p.bad = true
		p.fail(
			diag.Errorf(p.at(body.Start, body.Start+1), CodeMark, "unexpected '!' at the beginning of code").
				WithHint("a comment is written (@# ... @)"),
		)
	}
	if p.bad {
		kind = Invalid
	}
	p.parts = append(p.parts, Part{kind, raw, body})
	p.done, p.open, p.bad = end, -1, false
}

// has reports whether the byte number i of r is c.
func (p *parser) has(r Range, i int, c byte) bool {
	return i >= 0 && r.Start+i < r.End && p.src[r.Start+i] == c
}

// trimBefore trims the white space at the end of the text before the code.
func (p *parser) trimBefore() {
	if n := len(p.parts); n > 0 && p.parts[n-1].Kind == Literal {
		body := &p.parts[n-1].Body
		body.End = body.Start + len(
			bytes.TrimRightFunc(p.src[body.Start:body.End], unicode.IsSpace),
		)
	}
}

func (p *parser) fail(d *diag.Diagnostic) {
	if len(p.errs) < maxErrors {
		p.errs = append(p.errs, d)
	}
}
