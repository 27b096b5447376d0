package yaml

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"weft/internal/lang/diag"
)

// This file is diagnosis (see fail.go) of scalars: quotes, escapes, block scalars, and characters
// that cannot begin a scalar.

// failPlainStart reports the character at i, which has a special meaning in YAML and cannot begin a
// plain scalar.
func (p *parser) failPlainStart(i int, flow bool) {
	c := p.at(i)
	at := p.span(i, i+1)
	end, stop := p.plainLine(i)
	if flow {
		end, stop = p.flowPlainLine(i)
	}
	if end <= i { // inside brackets, `,` and brackets end a text
		end = i + 1
	}
	text, what := p.src[i:end], "value"
	if p.at(stop) == ':' && end > i+1 {
		what = "key"
	}
	switch c {
	case '-':
		p.fail(diag.Errorf(at, CodeFlow, "`- ` begins an item of a block list, which is not "+
			"allowed inside brackets").
			WithHint("remove the `-`: inside brackets, commas separate the items; if it is "+
				"text, put it in quotes%s", quotedAs(text)))
	case '?', ':':
		p.fail(diag.Errorf(at, CodeUnexpected,
			"unexpected `%c`: no value can begin with it here", c).
			WithHint("put the value in quotes if it is text%s", quotedAs(text)))
	case '@', '`':
		name := "`@`"
		if c == '`' {
			name = "a backtick"
		}
		p.fail(diag.Errorf(at, CodeReserved, "%s cannot begin a %s: YAML reserves it", name, what).
			WithHint("put the %s in quotes%s", what, quotedAs(text)))
	case '%':
		if p.column(i) == 0 && !flow {
			p.fail(diag.Errorf(at, CodeReserved,
				"a line cannot begin with `%%` inside a document: it begins a directive").
				WithHint("a directive comes before the `---` of its document, after the `...` " +
					"of the previous one; a comment begins with `#`; a text must be in quotes"))
		}
		p.fail(diag.Errorf(at, CodeReserved, "`%%` cannot begin a %s: it begins a directive", what).
			WithHint("put the %s in quotes%s", what, quotedAs(text)))
	case ']', '}':
		p.fail(
			diag.Errorf(at, CodeFlow, "this `%c` closes nothing: no bracket before it is open", c).
				WithHint("remove it, or add the bracket that it should close; if it is text, put "+
					"it in quotes%s", quotedAs(text)),
		)
	}
	p.fail(diag.Errorf(at, CodeReserved, "`%c` cannot begin a %s: it has a special meaning in "+
		"YAML", c, what).
		WithHint("put the %s in quotes%s", what, quotedAs(text)))
}

// failOpenQuote reports the quote at start, which is not closed before end.
func (p *parser) failOpenQuote(start, end int, what string) {
	d := diag.Errorf(p.span(start, start+1), CodeUnclosed, "this %s is never closed",
		quoteName(p.src[start])).
		WithRelated(p.span(end, end), "%s", what)
	p.hintQuote(d, start)
	p.fail(d)
}

// failLateClose reports the quote at start, which is closed at end, on another line, and followed by
// more text. Most often the quote at end was meant to open the next text.
func (p *parser) failLateClose(start, end int) {
	d := diag.Errorf(p.span(start, start+1), CodeUnclosed,
		"this %s is not closed on its line, but further down, where more text follows",
		quoteName(p.src[start])).
		WithRelated(p.span(end-1, end), "this quote closes it")
	p.hintQuote(d, start)
	p.fail(d)
}

// hintQuote adds a hint how to close the quote at start.
func (p *parser) hintQuote(d *diag.Diagnostic, start int) {
	quote := p.src[start]
	text := p.src[start:p.textEnd(start)]
	colon := bytes.Index(text, []byte(": "))
	switch {
	case strings.HasSuffix(string(text), `\"`) && len(text) > 2 && quote == '"':
		d.WithHint(`the \" at the end of the line is part of the text; write \\ for a backslash, ` +
			`or use single quotes, where it needs no escape`)
	case text[len(text)-1] == '\\' && quote == '"':
		d.WithHint(`add the closing quote, and write \\ for a backslash`)
	case p.inFlow() || len(text) > maxShown || len(text) == 1:
		d.WithHint("add the closing quote")
	case p.lead(start) == start && colon > 0:
		d.WithHint("add the closing quote, as in %s%c%s", text[:colon], quote, text[colon:])
	default:
		d.WithHint(
			"add the closing quote, as in %s%c; if the quote belongs to the text, put all of it in quotes%s",
			text,
			quote,
			quotedAs(text),
		)
	}
}

func quoteName(quote byte) string {
	if quote == '\'' {
		return "single quote"
	}
	return "double quote"
}

// failQuotedIndent reports the line whose text is at i: it belongs to the scalar opened at start,
// whose parent is at indentation n.
func (p *parser) failQuotedIndent(i, start, n int) {
	line := p.lineStart(i)
	for k := line; k < i; k++ {
		if p.src[k] == '\t' {
			p.fail(
				diag.Errorf(p.span(k, i), CodeTab, "a tab is used for indentation, where YAML allows only spaces").
					WithRelated(p.span(start, start+1), "the line belongs to the text of this quote").
					WithHint("replace the tab with %s", inSpaces(n+1)),
			)
		}
	}
	p.fail(
		diag.Errorf(p.span(i, p.textEnd(i)), CodeIndent, "this line is indented by %s, but it "+
			"belongs to a quoted text and must be indented by %d or more",
			inSpaces(p.column(i)), n+1).
			WithRelated(p.span(start, start+1), "the quote opens here").
			WithHint("indent it by %d, or add the missing quote above if the line comes after the "+
				"text", n+1),
	)
}

// failEscape reports the backslash at i, which does not begin an escape sequence.
func (p *parser) failEscape(i, start int) {
	r, size := utf8.DecodeRune(p.src[i+1:])
	at := p.span(i, i+1+size)
	d := diag.Errorf(at, CodeEscape, "`\\%c` is not a YAML escape sequence", r)
	if r == '\'' {
		p.fail(d.WithHint("remove the backslash: a single quote needs none inside double quotes"))
	}
	p.fail(d.WithHint("%s", p.backslashHint(start)))
}

// failEscapeDigits reports the escape sequence at i, which has only k digits.
func (p *parser) failEscapeDigits(i, digits, k, start int) {
	c := p.src[i+1]
	example := map[byte]string{'x': `\xE9`, 'u': `\u00E9`, 'U': `\U0001F600`}[c]
	d := diag.Errorf(p.span(i, i+2+k), CodeEscape,
		"expected %d hexadecimal digits after `\\%c`, as in `%s`, found %d", digits, c, example, k)
	switch {
	case k == 0 && p.at(i+2) == '{':
		d.WithHint(`YAML has no braces here: write \u and four digits, or \U and eight`)
	case k == 0:
		d.WithHint("%s", p.backslashHint(start))
	default:
		d.WithHint("pad the digits with leading zeros, as in "+
			"`\\%c%s%s`", c, strings.Repeat("0", digits-k), p.src[i+2:i+2+k])
	}
	p.fail(d)
}

// backslashHint returns a hint how to write backslashes in the text whose quote is at start.
func (p *parser) backslashHint(start int) string {
	hint := `write \\ for a backslash, or use single quotes, where it needs no escape`
	line := p.src[start+1 : p.textEnd(start)]
	if n := strings.IndexByte(string(line), '"'); n > 0 && n <= maxShown && line[n-1] != '\\' ||
		n > 1 && n == len(line)-1 && n <= maxShown {
		hint += quotedAs(line[:n])
	}
	return hint
}

// failEscapeValue reports the escape sequence from i to end, whose number is not a character.
func (p *parser) failEscapeValue(i, end int, code uint32) {
	d := diag.Errorf(p.span(i, end), CodeEscape, "%s is not a Unicode character", p.src[i:end])
	switch {
	case code < 0xe000 && code >= 0xdc00 && p.src[i+1] == 'u':
		p.fail(
			d.WithHint(
				"the second half of a surrogate pair must follow the first, \\uD800 to \\uDBFF",
			),
		)
	case code < 0xe000 && code >= 0xd800 && p.src[i+1] == 'u':
		p.fail(
			d.WithHint(
				"the first half of a surrogate pair must be followed by the second, \\uDC00 to \\uDFFF",
			),
		)
	}
	p.fail(d.WithHint("the largest is \\U0010FFFF, and \\uD800 to \\uDFFF are not characters"))
}

// failHeader reports the text at i, after the `|` or `>` at mark and the indicators h.
func (p *parser) failHeader(mark, i int, h blockHeader) {
	text := p.src[mark:p.textEnd(mark)]
	c := p.src[mark]
	at := p.span(i, max(mark+len(text), i+1))
	asText := "if the `" + string(c) + "` belongs to the text, put the value in quotes" + quotedAs(
		text,
	)
	switch rest := p.at(i); {
	case i == h.end && rest == '0' && h.indent == 0:
		p.fail(
			diag.Errorf(at, CodeBlockHeader,
				"the indentation of a block scalar is a digit from 1 to 9, not 0").
				WithHint("remove the 0: without a digit the first line of the text gives the indentation"),
		)
	case i == h.end && rest >= '0' && rest <= '9':
		p.fail(
			diag.Errorf(at, CodeBlockHeader, "the indentation of a block scalar is one digit, from 1 to 9").
				WithHint("remove the digits: without them the first line of the text gives the indentation"),
		)
	case i == h.end && (rest == '-' || rest == '+'):
		p.fail(diag.Errorf(at, CodeBlockHeader,
			"`%c` can have one `-` or one `+` after it, not two", c).
			WithHint("`%c-` removes the line breaks at the end of the text, `%c+` keeps all, "+
				"`%c` alone keeps one", c, c, c),
		)
	case i == h.end:
		p.fail(
			diag.Errorf(at, CodeBlockHeader,
				"`%c` begins a block scalar, whose text begins on the next line, but %s follows it",
				c, shown(p.src[i:mark+len(text)])).
				WithHint("%s", asText),
		)
	}
	p.fail(diag.Errorf(at, CodeBlockHeader, "expected the end of the line after %s, found "+
		"%s", shown(p.src[mark:h.end]), shown(p.src[i:mark+len(text)])).
		WithHint("put %s on the next line, indented; %s", shown(p.src[i:mark+len(text)]), asText))
}

// failBlockTab reports the tab at i in the indentation of a line of the block scalar at mark, whose
// text is indented by indent, or by -1 if it has no text.
func (p *parser) failBlockTab(i, mark, indent int) {
	d := diag.Errorf(p.span(i, p.skipBlanks(i)), CodeTab,
		"a tab is used to indent the text of a block scalar, where YAML allows only spaces").
		WithRelated(p.span(mark, p.textEnd(mark)), "the block scalar begins here")
	if indent > 0 {
		d.WithHint("indent the line by %d spaces; tabs that belong to the text may follow", indent)
	} else {
		d.WithHint("indent the text with spaces; tabs that belong to the text may follow")
	}
	p.fail(d)
}

// failBlankLine reports the blank line at line, which has more spaces than the first line of text,
// at i.
func (p *parser) failBlankLine(line, blanks, i, spaces, n int) {
	p.fail(
		diag.Errorf(p.span(line, line+blanks), CodeBlockHeader,
			"this blank line has %d spaces, more than the %d before the first line of text", blanks,
			spaces).
			WithRelated(p.span(i, p.textEnd(i)), "the text begins here").
			WithHint("remove the spaces, or write the indentation after the `|` or `>`, as in "+
				"`|%d`", max(1, min(9, spaces-max(n, 0)))),
	)
}

// failComment reports the `#` at i, which is too close to what is before it.
func (p *parser) failComment(i int) {
	p.fail(diag.Errorf(p.span(i, i+1), CodeMissingSpace, "a comment needs a space before its `#`").
		WithHint("put a space before the `#`"))
}
