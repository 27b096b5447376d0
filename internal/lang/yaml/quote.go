package yaml

import (
	"bytes"
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// Quoting is how the canonical printer writes a string. The text alone decides, never the style it
// was read in, so that equal data prints as equal bytes.
type Quoting uint8

// The ways to write a string.
const (
	AsPlain Quoting = iota // as it is
	// 'in single quotes', where a plain scalar would be read as something else than a scalar
	AsSingle
	// "in double quotes", where it would be read as another type, or has to be escaped
	AsDouble
	AsLiteral // as a block with a line for each line
	AsBinary  // as a !!binary: not UTF-8, which YAML cannot hold otherwise
)

// QuotingOf tells how the string s is written, as a value or as a key.
//
// One pass without a branch finds out which traits the bytes of s have; nearly always there is none
// that asks for a closer look. The forms have an order: what is not UTF-8 can only be binary; what
// has to be escaped can only be double quoted; several lines are a block, where nothing has to be
// quoted; and what is left is one line.
func QuotingOf(s []byte) Quoting {
	if len(s) == 0 {
		return AsDouble // nothing at all would be null
	}
	var found trait
	rest := s
	for len(rest) >= 4 { // by fours, since this loop is most of what printing costs
		found |= traits[rest[0]] | traits[rest[1]] | traits[rest[2]] | traits[rest[3]]
		rest = rest[4:]
	}
	for _, c := range rest {
		found |= traits[c]
	}
	switch {
	case found&traitHigh != 0 && !utf8.Valid(s):
		return AsBinary
	case found&traitControl != 0, found&traitSuspect != 0 && hasEscaped(s):
		return AsDouble
	case found&traitBreak != 0:
		// Blanks at the end of a line cannot be seen in a block, and editors take them away.
		if s[len(s)-1] == ' ' || bytes.Contains(s, []byte(" \n")) {
			return AsDouble
		}
		return AsLiteral
	case starting[s[0]] && startsLikeYAML(s),
		s[len(s)-1] == ' ',
		found&traitMark != 0 && hasIndicator(s):
		return AsSingle
	case opening[s[0]] != opensString && resolves(s):
		return AsDouble
	}
	return AsPlain
}

// trait is a set of things to know about a byte.
type trait uint8

const (
	traitBreak   trait = 1 << iota // makes a block
	traitMark                      // may be an indicator: depends on what is beside it
	traitControl                   // has to be escaped, wherever it is
	traitHigh                      // is part of a character of several bytes
	// begins a character of several bytes that may have to be escaped
	traitSuspect
)

var traits = func() (t [256]trait) {
	for c := range t {
		switch {
		case c == '\n':
			t[c] = traitBreak
		case c == ':', c == '#':
			t[c] = traitMark
		case c < ' ', c == 0x7F: // tabs too: in a plain scalar or a block they look like blanks
			t[c] = traitControl
		case c == 0xC2, c == 0xE2, c == 0xEF, c >= 0xF0:
			t[c] = traitHigh | traitSuspect
		case c > 0x7F:
			t[c] = traitHigh
		}
	}
	return t
}()

// hasEscaped reports whether s, which is UTF-8, has a character above ASCII that is escaped. All of
// them begin with a suspect byte, and those stand nowhere else.
func hasEscaped(s []byte) bool {
	for i, c := range s {
		if traits[c]&traitSuspect != 0 {
			if r, _ := utf8.DecodeRune(s[i:]); escaped(r) {
				return true
			}
		}
	}
	return false
}

// escaped reports whether a character above ASCII is only written as an escape:
//   - the C1 controls, with NEL, which YAML 1.1 reads as a line break;
//   - LS and PS, which YAML 1.1 reads as line breaks and YAML 1.2 does not: an escape is read alike by
//     both. The reference writes them as breaks with indentation after, which changes the string for
//     readers of YAML 1.2;
//   - the byte order mark and the two noncharacters that YAML calls not printable (the reference then
//     escapes the letters after a leading mark as well, to no one's use);
//   - everything beyond the basic plane. YAML allows it, the reference does not print it.
func escaped(r rune) bool {
	return r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r >= 0xFFFE
}

// startsLikeYAML reports whether s, one line that begins with a starting byte, would not be taken
// for a plain scalar.
func startsLikeYAML(s []byte) bool {
	switch s[0] {
	case '-':
		if len(s) >= 3 && string(s[:3]) == "---" {
			return true // starts a document, with any text after in the reference's eyes
		}
		return len(s) == 1 || s[1] == ' ' // an entry
	case '?':
		return len(s) == 1 || s[1] == ' ' // a key
	case '.':
		return len(s) >= 3 && string(s[:3]) == "..." // ends a document
	}
	return true
}

// starting holds the bytes that begin something of YAML's own: blanks that would be lost, comments,
// anchors, aliases, tags, blocks, quoted scalars, flow style (its closing signs and the comma begin
// no plain scalar either), directives, and the two signs that are reserved.
var starting = func() (t [256]bool) {
	for _, c := range []byte(" #&*!|>'\"[]{},%@`-?.") {
		t[c] = true
	}
	return t
}()

// hasIndicator reports whether s has a `:` or a `#` that a reader would not take for text. `a: b`
// and `a:` are mappings, `a:b` and `:a` are not; `a #b` has a comment, `a#b` has not. These are the
// rules of block context: the canonical printer has no other.
func hasIndicator(s []byte) bool {
	for i, c := range s {
		switch c {
		case ':':
			if i+1 == len(s) || s[i+1] == ' ' {
				return true
			}
		case '#':
			if i > 0 && s[i-1] == ' ' {
				return true
			}
		}
	}
	return false
}

// resolves reports whether a plain s would be read as something else than a string, by weft or by a
// reader of YAML 1.1, who knows base 60 and timestamps as well. Whatever Core resolves, Compat
// does, so the output is safe for both whichever schema is in use. `<<` and `=` stay plain, as in
// the reference.
func resolves(s []byte) bool {
	if Compat.Resolve(s).Kind != String {
		return true
	}
	return opening[s[0]] == opensNumber && (isBase60(s) || isTimestamp(s))
}

// isBase60 reports whether s is a number of YAML 1.1 in base 60:
// [-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?
func isBase60(s []byte) bool {
	s, _, _ = cutSign(s)
	if countDigits(s) == 0 {
		return false
	}
	s = s[countDigitsAnd(s, '_'):]
	places := 0
	for len(s) > 0 && s[0] == ':' {
		s = s[1:]
		n := countDigits(s)
		if n == 0 || n > 2 || n == 2 && s[0] > '5' {
			return false
		}
		s = s[n:]
		places++
	}
	if len(s) > 0 && s[0] == '.' {
		s = s[1+countDigitsAnd(s[1:], '_'):]
	}
	return places > 0 && len(s) == 0
}

func countDigitsAnd(t []byte, extra byte) int {
	for i, c := range t {
		if (c < '0' || c > '9') && c != extra {
			return i
		}
	}
	return len(t)
}

// isTimestamp reports whether s is a date that exists, `2001-01-31`, alone or with a time in one of
// the forms that the reference knows: after a T with a zone, or after a blank without one.
func isTimestamp(s []byte) bool {
	if len(s) < len("2001-1-1") || countDigits(s) != 4 || s[4] != '-' {
		return false
	}
	layout := "2006-1-2"
	if i := countDigitsAnd(s, '-'); i < len(s) {
		if len(bytes.TrimLeft(s[i+1:], " 0123456789:.,+-Z")) > 0 {
			return false // most of what begins like a date is some longer text
		}
		switch s[i] {
		case 'T':
			layout = "2006-1-2T15:4:5.999999999Z07:00"
		case 't':
			layout = "2006-1-2t15:4:5.999999999Z07:00"
		case ' ':
			layout = "2006-1-2 15:4:5.999999999"
		default:
			return false
		}
	}
	_, err := time.Parse(layout, string(s))
	return err == nil
}

// IsSimpleKey reports whether the key s can be written as `key:`. Others are written as `? key`,
// with the colon on the next line: keys of several lines, and those of more than 128 bytes, which
// is where the reference's printer draws the line. A long binary key is a block of several lines.
func IsSimpleKey(s []byte) bool {
	if !utf8.Valid(s) {
		return base64.StdEncoding.EncodedLen(len(s)) <= binaryWidth
	}
	return len(s) <= 128 && bytes.IndexByte(s, '\n') < 0
}

// AppendValue appends the scalar v, whose text is text if it is a string. See AppendString for
// indent.
func AppendValue(dst []byte, v Value, text []byte, indent int) []byte {
	switch v.Kind {
	case Null:
		return append(dst, "null"...)
	case Bool:
		return strconv.AppendBool(dst, v.Bool())
	case Int:
		return strconv.AppendInt(dst, v.Int(), 10)
	case Uint:
		return strconv.AppendUint(dst, v.Uint(), 10)
	case Float:
		return AppendFloat(dst, v.Float())
	}
	return AppendString(dst, text, indent)
}

// AppendFloat appends f with the fewest digits that read back as f. A whole number has no point, so
// it is read back as an integer: that is the reference's format, and changing it would change every
// file.
func AppendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, ".nan"...)
	case math.IsInf(f, 1):
		return append(dst, ".inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-.inf"...)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}

// AppendString appends the string s without a blank before it and without the line break after it.
// The lines of a block are indented by indent columns, which must be two more than those of the
// node that the scalar belongs to (two at the root): the block's header says so where a reader
// cannot tell. Nothing is ever folded.
func AppendString(dst, s []byte, indent int) []byte {
	if len(s) >= 1<<20 {
		// In one step: a buffer that grows is there twice for a moment, and leaves several behind.
		dst = slices.Grow(dst, len(s)+bytes.Count(s, []byte{'\n'})*indent+2)
	}
	switch QuotingOf(s) {
	case AsSingle:
		return appendSingle(dst, s)
	case AsDouble:
		return AppendDouble(dst, s)
	case AsLiteral:
		return appendLiteral(dst, s, indent)
	case AsBinary:
		return appendBinary(dst, s, indent)
	}
	return append(dst, s...)
}

func appendSingle(dst, s []byte) []byte {
	dst = append(dst, '\'')
	dst = appendSingleBody(dst, s)
	return append(dst, '\'')
}

// appendSingleBody writes what is between the quotes.
func appendSingleBody(dst, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, '\'')
		if i < 0 {
			break
		}
		dst = append(dst, s[:i]...)
		dst = append(dst, "''"...)
		s = s[i+1:]
	}
	return append(dst, s...)
}

// AppendDouble writes an escape for a character that has to have one and the character itself for
// every other. The short escapes are those of YAML, the numbers are upper case, as in the
// reference.
func AppendDouble(dst, s []byte) []byte {
	dst = append(dst, '"')
	dst = appendDoubleBody(dst, s)
	return append(dst, '"')
}

// appendDoubleBody writes what is between the quotes.
func appendDoubleBody(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '"' || c == '\\':
				dst = append(dst, '\\', c)
			case c >= ' ' && c != 0x7F:
				dst = append(dst, c)
			case c < ' ' && shortEscapes[c] != 0:
				dst = append(dst, '\\', shortEscapes[c])
			default:
				dst = appendHex(append(dst, `\x`...), rune(c), 2)
			}
			continue
		}
		r, size := utf8.DecodeRune(s[i:])
		switch {
		case !escaped(r):
			dst = append(dst, s[i:i+size]...)
		case r == 0x85:
			dst = append(dst, `\N`...)
		case r == 0x2028:
			dst = append(dst, `\L`...)
		case r == 0x2029:
			dst = append(dst, `\P`...)
		case r <= 0xFF:
			dst = appendHex(append(dst, `\x`...), r, 2)
		case r <= 0xFFFF:
			dst = appendHex(append(dst, `\u`...), r, 4)
		default:
			dst = appendHex(append(dst, `\U`...), r, 8)
		}
		i += size
	}
	return dst
}

var shortEscapes = [' ']byte{
	0: '0', '\a': 'a', '\b': 'b', '\t': 't', '\n': 'n', '\v': 'v', '\f': 'f', '\r': 'r', 0x1B: 'e',
}

func appendHex(dst []byte, r rune, digits int) []byte {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789ABCDEF"[r>>shift&0xF])
	}
	return dst
}

func appendLiteral(dst, s []byte, indent int) []byte {
	dst, body := appendLiteralHeader(dst, s)
	for {
		line, rest, more := bytes.Cut(body, []byte("\n"))
		dst = appendLine(dst, line, indent)
		if !more {
			return dst
		}
		body = rest
	}
}

// appendLiteralHeader begins a block, and gives the text of its lines. The header tells what to do
// with line breaks at the end: `-` there is none, `+` there are several, or there is nothing else;
// and, if the first line begins with a blank or is empty, so that the indentation cannot be told
// from it, how deep the block is indented.
func appendLiteralHeader(dst, s []byte) (_, body []byte) {
	dst = append(dst, '|')
	if s[0] == ' ' || s[0] == '\n' {
		dst = append(dst, '2')
	}
	body, ended := bytes.CutSuffix(s, []byte("\n")) // the last line break comes after the scalar
	if !ended {
		dst = append(dst, '-')
	} else if len(body) == 0 || body[len(body)-1] == '\n' {
		dst = append(dst, '+')
	}
	return dst, body
}

// appendLine begins a line of a block. An empty one gets no indentation: blanks at the end of a
// line are noise.
func appendLine(dst, line []byte, indent int) []byte {
	if len(line) == 0 {
		return append(dst, '\n')
	}
	return append(appendLineStart(dst, indent), line...)
}

func appendLineStart(dst []byte, indent int) []byte {
	dst = append(dst, '\n')
	const blanks = "                                "
	for ; indent > len(blanks); indent -= len(blanks) {
		dst = append(dst, blanks...)
	}
	return append(dst, blanks[:max(indent, 0)]...)
}

// binaryWidth is the length of a line of base64, and of the longest that is not made a block.
const binaryWidth = 70

func appendBinary(dst, s []byte, indent int) []byte {
	dst = append(dst, "!!binary "...)
	if base64.StdEncoding.EncodedLen(len(s)) <= binaryWidth {
		return base64.StdEncoding.AppendEncode(dst, s)
	}
	dst = append(dst, '|')
	text := base64.StdEncoding.AppendEncode(nil, s)
	for len(text) > 0 {
		n := min(binaryWidth, len(text))
		dst = appendLine(dst, text[:n], indent)
		text = text[n:]
	}
	return dst
}
