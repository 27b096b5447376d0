package yaml

import (
	"bytes"
	"unicode/utf8"
)

// longText is the size in bytes from which a string is written in pieces, if Drain is set. For
// shorter strings a buffer is fine. Tests make it smaller.
var longText = 1 << 20

// pieceSize is the number of bytes per piece.
const pieceSize = 64 << 10

// drain passes on what was written so far.
func (w *YAMLWriter) drain() {
	w.Drain(w.dst)
	w.dst = w.dst[:0]
}

// text writes the string s; if it has several lines, they are indented by indent columns.
func (w *YAMLWriter) text(s []byte, indent int) {
	if w.Drain == nil || len(s) < longText {
		w.dst = AppendString(w.dst, s, indent)
		return
	}
	switch QuotingOf(s) {
	case AsPlain:
		w.pass(s)
	case AsSingle:
		w.pieces(s, '\'', appendSingleBody)
	case AsDouble:
		w.pieces(s, '"', appendDoubleBody)
	case AsLiteral:
		w.literal(s, indent)
	case AsBinary:
		w.dst = appendBinary(w.dst, s, indent)
	}
}

// pass passes on s unchanged, after everything written before it.
func (w *YAMLWriter) pass(s []byte) {
	w.drain()
	w.Drain(s)
}

// pieces writes s between quotes.
func (w *YAMLWriter) pieces(s []byte, quote byte, body func(dst, s []byte) []byte) {
	w.dst = append(w.dst, quote)
	for len(s) > 0 {
		n := pieceEnd(s)
		w.dst = body(w.dst, s[:n])
		w.drain()
		s = s[n:]
	}
	w.dst = append(w.dst, quote)
}

// pieceEnd returns where the first piece of s ends. It does not split a character.
func pieceEnd(s []byte) int {
	for n := pieceSize; n < len(s); n++ {
		if utf8.RuneStart(s[n]) {
			return n
		}
	}
	return len(s)
}

// literal writes s as a block scalar.
func (w *YAMLWriter) literal(s []byte, indent int) {
	dst, body := appendLiteralHeader(w.dst, s)
	for more := true; more; {
		var line []byte
		line, body, more = bytes.Cut(body, []byte{'\n'})
		if len(line) < pieceSize {
			dst = appendLine(dst, line, indent)
		} else {
			w.dst = appendLineStart(dst, indent)
			w.pass(line)
			dst = w.dst
		}
		if len(dst) >= pieceSize {
			w.Drain(dst)
			dst = dst[:0]
		}
	}
	w.dst = dst
}

// text writes the string s.
func (w *JSONWriter) text(s []byte) {
	if w.Drain == nil || len(s) < longText {
		w.dst = AppendJSONString(w.dst, s)
		return
	}
	w.dst = append(w.dst, '"')
	for len(s) > 0 {
		n := pieceEnd(s)
		w.dst = appendJSONBody(w.dst, s[:n])
		w.Drain(w.dst)
		w.dst = w.dst[:0]
		s = s[n:]
	}
	w.dst = append(w.dst, '"')
}
