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

// Quoting is how the canonical printer writes a string. It depends only on the text, never on the
// style it was read in, so equal data is printed as equal bytes.
type Quoting uint8

// The ways to write a string.
const (
	AsPlain Quoting = iota // as it is
	// 'in single quotes', where a plain scalar would not be read as a scalar
	AsSingle
	// "in double quotes", where it would be read as another type, or needs escapes
	AsDouble
	AsLiteral // as a block scalar
	AsBinary  // as !!binary: YAML has no other way to write text that is not UTF-8
)

// QuotingOf returns how to write the string s, as a value or as a key.
//
// One pass without branches collects the traits of the bytes of s; for nearly all strings, none of
// them needs a closer look. The forms have an order: what is not UTF-8 must be binary; what needs
// escapes must be in double quotes; several lines are a block, where nothing needs quotes; the rest
// is one line.
func QuotingOf(s []byte) Quoting { return quoting(s, traitsOf(s)) }

// quoting is QuotingOf a string with these traits.
func quoting(s []byte, found trait) Quoting {
	switch {
	case len(s) == 0:
		return AsDouble // an empty plain scalar would be read as null
	case found&traitHigh != 0 && !utf8.Valid(s):
		return AsBinary
	case found&traitControl != 0, found&traitSuspect != 0 && hasEscaped(s):
		return AsDouble
	case found&traitBreak != 0:
		// Blanks at the end of a line are invisible in a block, and editors remove them.
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

// trait is a set of properties of a byte.
type trait uint8

// traitsOf returns the traits of all bytes of s.
func traitsOf(s []byte) (found trait) {
	for len(s) >= 4 { // unrolled, since this loop is most of the cost of printing
		found |= traits[s[0]] | traits[s[1]] | traits[s[2]] | traits[s[3]]
		s = s[4:]
	}
	for _, c := range s {
		found |= traits[c]
	}
	return found
}

const (
	traitBreak   trait = 1 << iota // needs a block
	traitMark                      // may be an indicator, depending on its neighbors
	traitControl                   // always needs an escape
	traitHigh                      // is part of a multibyte character
	// begins a multibyte character that may need an escape
	traitSuspect
)

var traits = func() (t [256]trait) {
	for c := range t {
		switch {
		case c == '\n':
			t[c] = traitBreak
		case c == ':', c == '#':
			t[c] = traitMark
		case c < ' ', c == 0x7F: // tabs too: in a plain scalar or a block they look like spaces
			t[c] = traitControl
		case c == 0xC2, c == 0xE2, c == 0xEF, c >= 0xF0:
			t[c] = traitHigh | traitSuspect
		case c > 0x7F:
			t[c] = traitHigh
		}
	}
	return t
}()

// hasEscaped reports whether s, which is UTF-8, has a non-ASCII character that needs an escape. All
// of them begin with a suspect byte, and other bytes are never suspect.
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
//   - LS and PS, which YAML 1.1 reads as line breaks and YAML 1.2 does not; both read an escape the
//     same way. ytt writes them as breaks followed by indentation, which changes the string for
//     parsers of YAML 1.2;
//   - the byte order mark and the two noncharacters that YAML calls not printable (after a leading
//     mark ytt needlessly escapes the letters too);
//   - everything beyond the basic plane: YAML allows it, but ytt does not print it.
func escaped(r rune) bool {
	return r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r >= 0xFFFE
}

// startsLikeYAML reports whether s, a single line that begins with a starting byte, would not be
// read as a plain scalar.
func startsLikeYAML(s []byte) bool {
	switch s[0] {
	case '-':
		if len(s) >= 3 && string(s[:3]) == "---" {
			return true // begins a document; ytt accepts any text after it
		}
		return len(s) == 1 || s[1] == ' ' // an entry
	case '?':
		return len(s) == 1 || s[1] == ' ' // a key
	case '.':
		return len(s) >= 3 && string(s[:3]) == "..." // ends a document
	}
	return true
}

// starting holds the bytes that have a special meaning at the start of a scalar: blanks that would
// be lost, comments, anchors, aliases, tags, blocks, quotes, flow collections (closing brackets and
// the comma cannot begin a plain scalar either), directives, and the two reserved characters.
var starting = func() (t [256]bool) {
	for _, c := range []byte(" #&*!|>'\"[]{},%@`-?.") {
		t[c] = true
	}
	return t
}()

// hasIndicator reports whether s has a `:` or a `#` that is not read as text. `a: b` and `a:` are
// mappings, `a:b` and `:a` are not; `a #b` has a comment, `a#b` has none. These are the rules of
// block context, the only one that the canonical printer uses.
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

// resolves reports whether a plain s would be read as something other than a string, by weft or by a
// parser of YAML 1.1, which also has base 60 and timestamps. Compat resolves everything that Core
// resolves, so the output is safe with either schema. `<<` and `=` stay plain, as in ytt.
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

// isTimestamp reports whether s is an existing date such as `2001-01-31`, alone or with a time in
// one of the forms that ytt knows: after a T with a zone, or after a blank without one.
func isTimestamp(s []byte) bool {
	if len(s) < len("2001-1-1") || countDigits(s) != 4 || s[4] != '-' {
		return false
	}
	layout := "2006-1-2"
	if i := countDigitsAnd(s, '-'); i < len(s) {
		if len(bytes.TrimLeft(s[i+1:], " 0123456789:.,+-Z")) > 0 {
			return false // most text that begins like a date is longer
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
// with the colon on the next line: keys with line breaks of YAML 1.1, even if these are escaped, and
// keys longer than 128 bytes, the limit of ytt's printer. A long binary key is a block of several lines.
func IsSimpleKey(s []byte) bool { return isSimpleKey(s, traitsOf(s)) }

// isSimpleKey is IsSimpleKey of a string with these traits.
func isSimpleKey(s []byte, found trait) bool {
	if found&(traitBreak|traitControl|traitHigh|traitSuspect) == 0 {
		return len(s) <= 128
	}
	if !utf8.Valid(s) {
		return base64.StdEncoding.EncodedLen(len(s)) <= binaryWidth
	}
	return len(s) <= 128 && !bytes.ContainsAny(s, "\n\r\u0085\u2028\u2029")
}

// AppendValue appends the scalar v, whose text is text if it is a string. AppendString explains
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
// it is read back as an integer: that is ytt's format, and changing it would change every file.
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

// AppendString appends the string s without a leading blank and without the final line break. The
// lines of a block are indented by indent columns, which must be two more than the indentation of the
// node that the scalar belongs to (two at the root); the block's header contains the indentation
// where a parser cannot detect it. Lines are never folded.
func AppendString(dst, s []byte, indent int) []byte {
	if len(s) >= 1<<20 {
		// Grow once: a growing buffer is copied several times and needs twice the memory.
		dst = slices.Grow(dst, len(s)+bytes.Count(s, []byte{'\n'})*indent+2)
	}
	return appendString(dst, s, traitsOf(s), indent)
}

// appendString is AppendString of a string with these traits.
func appendString(dst, s []byte, found trait, indent int) []byte {
	switch quoting(s, found) {
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

// appendSingleBody appends s without the quotes.
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

// AppendDouble appends s in double quotes, with escapes only where they are needed. The short
// escapes are those of YAML, and hexadecimal digits are upper case, as in ytt.
func AppendDouble(dst, s []byte) []byte {
	dst = append(dst, '"')
	dst = appendDoubleBody(dst, s)
	return append(dst, '"')
}

// appendDoubleBody appends s without the quotes.
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

// appendLiteralHeader begins a block and returns the text of its lines. The header contains `-` if
// the text has no final line break, `+` if it has several or nothing else, and the indentation if a
// parser cannot detect it because the first line is empty or begins with a blank.
func appendLiteralHeader(dst, s []byte) (_, body []byte) {
	dst = append(dst, '|')
	if s[0] == ' ' || s[0] == '\n' {
		dst = append(dst, '2')
	}
	body, ended := bytes.CutSuffix(s, []byte("\n")) // the caller adds the last line break
	if !ended {
		dst = append(dst, '-')
	} else if len(body) == 0 || body[len(body)-1] == '\n' {
		dst = append(dst, '+')
	}
	return dst, body
}

// appendLine begins a line of a block. An empty line gets no indentation, to avoid trailing blanks.
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

// binaryWidth is the length of a line of base64. Longer data becomes a block.
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
