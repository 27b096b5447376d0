package script

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Strings of the dialect differ from those of the Starlark parser: a backslash before a letter
// without a meaning is just a backslash (people write "\d+" for a regular expression), \u and \U
// have no meaning, \xff is one byte, and the lines of a multi-line string lose their leading
// blanks, since the indentation of code means nothing. The parser gets such a string with its
// backslashes covered up, byte for byte, so that no column moves; the true value is put into the
// tree afterwards. The same goes for names that only newer versions of Starlark reserve.

// literal is a string in the text, by offsets.
type literal struct {
	start, end int // with prefix and quotes
	body       int // of the first byte after the opening quotes
	close      int // of the closing quotes; equal to end if they are missing
	raw, bytes bool
	escapes    bool // it has escapes that the parser reads differently from the dialect
	indented   bool // a line of the body other than the first begins with blanks to remove
}

// scanLiteral reads the string whose prefix begins at start and whose quote is at quote.
func scanLiteral(src []byte, start, quote int) literal {
	lit := literal{start: start, body: quote + 1}
	for _, c := range src[start:quote] {
		lit.raw = lit.raw || c == 'r'
		lit.bytes = lit.bytes || c == 'b'
	}
	q := src[quote]
	triple := quote+2 < len(src) && src[quote+1] == q && src[quote+2] == q
	if triple {
		lit.body = quote + 3
	}
	for i := lit.body; i < len(src); {
		c := src[i]
		switch {
		case c == '\\':
			if n := breakLen(src, i+1); n > 0 {
				i += 1 + n
				continue
			}
			if i+1 < len(src) && !lit.raw && !lit.escapes {
				lit.escapes = !commonEscape(src[i+1:])
			}
			i += 2
		case c == '\n' || c == '\r':
			if !triple {
				lit.close, lit.end = i, i
				return lit
			}
			i += breakLen(src, i)
			lit.indented = lit.indented || i < len(src) && (src[i] == ' ' || src[i] == '\t')
		case c == q && !triple:
			lit.close, lit.end = i, i+1
			return lit
		case c == q && i+2 < len(src) && src[i+1] == q && src[i+2] == q:
			lit.close, lit.end = i, i+3
			return lit
		default:
			i++
		}
	}
	lit.close, lit.end = len(src), len(src)
	return lit
}

// commonEscape reports whether the escape whose backslash was before s has the same meaning in the
// parser and in the dialect, or is an error in both.
func commonEscape(s []byte) bool {
	switch c := s[0]; {
	case strings.IndexByte(`abfnrtv\'"`, c) >= 0:
		return true
	case '0' <= c && c <= '7':
		n, _ := octal(s)
		return n < utf8.RuneSelf || n > 0xff
	case c == 'x':
		n, ok := hex(s)
		return !ok || n < utf8.RuneSelf
	}
	return false
}

// octal returns the number of the one to three octal digits that s begins with, and how many there
// are.
func octal(s []byte) (n, digits int) {
	for digits < 3 && digits < len(s) && '0' <= s[digits] && s[digits] <= '7' {
		n = n*8 + int(s[digits]-'0')
		digits++
	}
	return n, digits
}

// hex returns the number of the two digits after the x that s begins with.
func hex(s []byte) (n int, ok bool) {
	if len(s) < 3 {
		return 0, false
	}
	u, err := strconv.ParseUint(string(s[1:3]), 16, 8)
	return int(u), err == nil
}

// repair is a string or a name that must be hidden from the parser, and what goes into the tree.
type repair struct {
	start, end  int
	name        string // of a name; "" if it is a string
	value       string // of a string
	body, close int
	cover       bool // cover up the backslashes
}

// repair returns how to hide lit from the parser, or nil if the parser reads it as the dialect
// does. ytt has no strings of bytes, so these stay as they are.
func (lit *literal) repair(src []byte) (*repair, *problem) {
	if lit.bytes || lit.close == lit.end || !lit.escapes && !lit.indented {
		return nil, nil
	}
	value := unindent(src[lit.body:lit.close])
	if !lit.raw {
		var bad string
		if value, bad = unescape(value); bad != "" {
			return nil, &problem{
				lit.start,
				lit.end,
				CodeSyntax,
				"invalid escape sequence " + bad,
				`write \\ for a backslash`,
			}
		}
	}
	return &repair{
		start: lit.start, end: lit.end, body: lit.body, close: lit.close,
		value: string(value), cover: lit.escapes,
	}, nil
}

// unindent removes the leading blanks of every line of s but the first, unless the previous line
// ends in a backslash, and turns every line break into a single line feed.
func unindent(s []byte) []byte {
	if !bytes.ContainsAny(s, "\r\n") {
		return s
	}
	out := make([]byte, 0, len(s))
	for {
		end := lineEnd(s, 0)
		out = append(out, s[:end]...)
		n := breakLen(s, end)
		if n == 0 {
			return out
		}
		out = append(out, '\n')
		kept := end > 0 && s[end-1] == '\\'
		if s = s[end+n:]; !kept {
			s = bytes.TrimLeft(s, " \t")
		}
	}
}

// unescape replaces the escapes of s. If one is malformed, it is returned as bad.
func unescape(s []byte) (out []byte, bad string) {
	if bytes.IndexByte(s, '\\') < 0 {
		return s, ""
	}
	out = make([]byte, 0, len(s))
	for len(s) > 0 {
		i := bytes.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			return append(out, s...), ""
		}
		out = append(out, s[:i]...)
		s = s[i+1:]
		switch c := s[0]; {
		case c == '\n':
			s = s[1:]
		case '0' <= c && c <= '7':
			n, digits := octal(s)
			if n > 0xff {
				return nil, `\` + string(s[:digits])
			}
			out = append(out, byte(n))
			s = s[digits:]
		case c == 'x':
			n, ok := hex(s)
			if !ok {
				return nil, `\` + string(s[:min(3, len(s))])
			}
			out = append(out, byte(n))
			s = s[3:]
		default:
			if j := strings.IndexByte(`abfnrtv\'"`, c); j >= 0 {
				out = append(out, "\a\b\f\n\r\t\v\\'\""[j])
			} else {
				out = append(out, '\\', c)
			}
			s = s[1:]
		}
	}
	return out, ""
}

// apply covers up m in text, a copy of the run's text from offset base on.
func (m *repair) apply(text []byte, base int) {
	if m.name != "" {
		text[m.start-base] = '_'
		return
	}
	if !m.cover {
		return
	}
	body := text[m.body-base : m.close-base]
	for i := 0; i+1 < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		if breakLen(body, i+1) > 0 {
			continue
		}
		body[i] = 'x'
		i++
		if strings.IndexByte(`\'"`, body[i]) >= 0 {
			body[i] = 'x'
		}
	}
}
