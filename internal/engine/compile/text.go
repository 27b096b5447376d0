package compile

import (
	"bytes"

	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/text"
)

// textSource is the text of a template, and maps its ranges to positions in the file.
type textSource struct {
	body     []byte
	fragment func(text.Range) script.Fragment
}

// text adds the parts of a text template to the program.
func (c *compiler) text(src textSource, parts []text.Part) {
	c.inText, c.around = true, c.b.Def()
	defer func() { c.inText = false }()
	for _, part := range parts {
		fr := src.fragment(part.Body)
		switch part.Kind {
		case text.Literal:
			if part.Body.Start == part.Body.End {
				continue
			}
			c.unit.Literals = append(
				c.unit.Literals,
				string(src.body[part.Body.Start:part.Body.End]),
			)
			if c.unit.Cover != nil {
				c.textAt = append(c.textAt, fr.Off)
			}
			c.do(OpText, fr.Off, len(c.unit.Literals)-1)
		case text.Print:
			if e, off := c.printed(fr); e != nil {
				c.do(OpPrint, off, none, e)
			}
		case text.Statement:
			c.b.Code(fr)
		case text.Invalid:
			c.b.Skip(fr)
		case text.Comment:
		}
	}
}

// printed returns the expression to print and where it begins, or nil if the fragment is not an
// expression.
func (c *compiler) printed(fr script.Fragment) (syntax.Expr, int) {
	e, err := c.b.Expr(fr)
	if err != nil {
		c.errs = append(c.errs, diag.Of(err)...)
		return nil, 0
	}
	return e, fr.Off + len(fr.Text) - len(bytes.TrimLeft(fr.Text, " "))
}

// join returns the text of a template at offset off that contains only text and values.
func (c *compiler) join(src textSource, parts []text.Part, off int) syntax.Expr {
	var form Form
	var values []syntax.Expr
	before := ""
	for _, part := range parts {
		switch part.Kind {
		case text.Literal:
			before += string(src.body[part.Body.Start:part.Body.End])
		case text.Print:
			e, off := c.printed(src.fragment(part.Body))
			if e == nil {
				continue
			}
			values = append(values, e)
			form.Fields = append(form.Fields, Field{Before: before, Pos: c.unit.File.Pos(off)})
			before = ""
		case text.Statement, text.Comment, text.Invalid:
		}
	}
	form.Tail = before
	c.unit.Forms = append(c.unit.Forms, form)
	return &c.call(OpJoin, off, len(c.unit.Forms)-1, values...).call
}
