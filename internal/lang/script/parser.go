package script

import (
	"unicode/utf8"

	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// parser passes logical lines to the Starlark parser. It reuses its buffer, since trees do not
// refer to it.
type parser struct {
	locator locator
	buf     []byte
}

// stmts parses the line l of r from offset from on, with before and after added at its ends.
func (p *parser) stmts(
	r *run, l *line, from int, before, after string,
) ([]syntax.Stmt, *diag.Diagnostic) {
	c := p.chunk(r, l, from, before, after)
	f, err := options.Parse(r.file.Name(), c.portion, 0)
	if err != nil {
		return nil, c.diagnose(err)
	}
	for _, s := range f.Stmts {
		c.restore(s)
	}
	return f.Stmts, nil
}

// expr parses l, which is all of r, as an expression, with before and after added at its ends.
func (p *parser) expr(r *run, l *line, before, after string) (syntax.Expr, *diag.Diagnostic) {
	c := p.chunk(r, l, l.start, before, after)
	e, err := options.ParseExpr(r.file.Name(), c.portion, 0)
	if err != nil {
		return nil, c.diagnose(err)
	}
	c.restore(e)
	return e, nil
}

// chunk is a text for the Starlark parser, with its origin.
type chunk struct {
	r        *run
	line     *line
	from     int // in the run's text
	portion  syntax.FilePortion
	col      int32          // the column of offset from, for the parser
	at       []source.Place // where the lines really are, if not where the parser places them
	repaired map[place]*repair
}

// place is a line and column as the parser counts them.
type place struct{ line, col int32 }

func (p *parser) chunk(r *run, l *line, from int, before, after string) *chunk {
	c := &chunk{r: r, line: l, from: from, col: 1}
	text := r.text[from:l.end]
	if before != "" || after != "" || len(l.repairs) > 0 {
		p.buf = append(append(append(p.buf[:0], before...), text...), after...)
		for i := range l.repairs {
			l.repairs[i].apply(p.buf[len(before):], from)
		}
		text = p.buf
	}
	c.portion = syntax.FilePortion{Content: text, FirstLine: 1}
	if r.together(from, l.end) {
		at := p.locator.place(r.offset(from))
		c.portion.FirstLine, c.col = int32(at.Line), int32(at.Column)
	} else {
		c.at = r.places(&p.locator, from, l.end)
	}
	c.portion.FirstCol = c.col - int32(len(before))
	c.placeRepairs()
	return c
}

// placeRepairs finds out where the parser will see the strings and names to repair, in one pass
// over the text.
func (c *chunk) placeRepairs() {
	if len(c.line.repairs) == 0 {
		return
	}
	c.repaired = make(map[place]*repair, len(c.line.repairs))
	src, i, at := c.r.text, c.from, place{c.portion.FirstLine, c.col}
	for k := range c.line.repairs {
		m := &c.line.repairs[k]
		for i < m.start {
			if n := breakLen(src, i); n > 0 {
				at = place{at.line + 1, 1}
				i += n
				continue
			}
			_, size := utf8.DecodeRune(src[i:])
			at.col++
			i += size
		}
		c.repaired[at] = m
	}
}

// restore puts the true values of repaired strings and names into n, and moves n to its true place.
func (c *chunk) restore(n syntax.Node) {
	if c.repaired != nil {
		name := func(id *syntax.Ident) {
			if m := c.repaired[place{id.NamePos.Line, id.NamePos.Col}]; m != nil && m.name != "" {
				id.Name = m.name
			}
		}
		syntax.Walk(n, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Ident:
				name(n)
			case *syntax.Literal:
				if m := c.repaired[place{n.TokenPos.Line, n.TokenPos.Col}]; m != nil {
					n.Raw, n.Value = string(c.r.text[m.start:m.end]), m.value
				}
			}
			return true
		})
	}
	if c.at != nil {
		file := c.r.file.Name()
		relocate(n, &file, c.at)
	}
}

// offset converts a position of the parser to an offset in the run's text. Authors cannot see text
// that was added after the line: for a place in it, the offset is the end of the line, and beyond is
// true.
func (c *chunk) offset(p syntax.Position) (off int, beyond bool) {
	i, src := c.from, c.r.text[:c.line.end]
	if p.Line < c.portion.FirstLine {
		return i, false
	}
	cols := int(p.Col - c.col)
	for n := c.portion.FirstLine; n < p.Line; n++ {
		i = lineEnd(src, i)
		if i == len(src) {
			return i, true
		}
		i += breakLen(src, i)
		cols = int(p.Col) - 1
	}
	n, missing := columnOffset(src[i:], cols)
	return i + n, missing > 0 && i+n == len(src)
}
