package protocol

import (
	"slices"
	"unicode/utf16"

	"weft/internal/lang/source"
)

// PositionEncoding is what Position.Character counts.
type PositionEncoding string

// The encodings that weft knows. UTF16 is the one that every client knows.
const (
	UTF8  PositionEncoding = "utf-8"
	UTF16 PositionEncoding = "utf-16"
)

// ChooseEncoding returns the encoding to use with a client: UTF-8 if it can, since that needs no
// conversion.
func ChooseEncoding(offered []PositionEncoding) PositionEncoding {
	if slices.Contains(offered, UTF8) {
		return UTF8
	}
	return UTF16
}

// Mapper converts between positions of the protocol and offsets in a file.
type Mapper struct {
	File     *source.File
	Encoding PositionEncoding
}

func (m Mapper) unit() source.Unit {
	if m.Encoding == UTF8 {
		return source.Bytes
	}
	return source.UTF16
}

// Position returns the position of a byte offset.
func (m Mapper) Position(off int) Position {
	off = min(max(off, 0), len(m.File.Data()))
	return Position{Line: m.File.Line(off) - 1, Character: m.File.Column(off, m.unit()) - 1}
}

// Length returns the number of characters, as positions count them, between two byte offsets of a
// line.
func (m Mapper) Length(start, end int) int {
	if m.Encoding == UTF8 {
		return end - start
	}
	n := 0
	for _, c := range string(m.File.Data()[start:end]) {
		n += utf16.RuneLen(c)
	}
	return n
}

// Range returns the range of two byte offsets.
func (m Mapper) Range(start, end int) Range {
	return Range{Start: m.Position(start), End: m.Position(max(start, end))}
}

// Span returns the range of a span of the file.
func (m Mapper) Span(s source.Span) Range { return m.Range(s.Offset(), s.End()) }

// Offset returns the byte offset of a position. Positions after the end of a line or of the file are at
// that end.
func (m Mapper) Offset(p Position) int {
	if p.Line >= m.File.Lines() {
		return len(m.File.Data())
	}
	return m.File.Offset(p.Line+1, p.Character+1, m.unit())
}

// Offsets returns the byte offsets of a range.
func (m Mapper) Offsets(r Range) (start, end int) {
	start = m.Offset(r.Start)
	return start, max(start, m.Offset(r.End))
}
