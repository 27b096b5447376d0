package compile

import (
	"bytes"

	"weft/internal/diag"
	"weft/internal/script"
	"weft/internal/text"
)

// textSource is a text template: its bytes, and where a range of them stands in the file.
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
			c.unit.Literals = append(c.unit.Literals, string(src.body[part.Body.Start:part.Body.End]))
			c.do(OpText, fr.Off, len(c.unit.Literals)-1)
		case text.Print:
			e, err := c.b.Expr(fr)
			if err != nil {
				c.errs = append(c.errs, diag.Of(err)...)
				continue
			}
			off := fr.Off + len(fr.Text) - len(bytes.TrimLeft(fr.Text, " "))
			c.do(OpPrint, off, none, e)
		case text.Statement:
			c.b.Code(fr)
		case text.Comment:
		}
	}
}
