package source

import (
	"bytes"
	"strconv"
	"unicode"
)

// Origin is a file that text of another program comes from, and the line if it is known.
type Origin struct {
	Path string // as messages show it
	Line int    // from 1; or 0
}

// String returns the place for people: `chart/templates/web.yaml:3`.
func (o Origin) String() string {
	if o.Line == 0 {
		return o.Path
	}
	return o.Path + ":" + strconv.Itoa(o.Line)
}

// rendered is where the text of a file comes from.
type rendered struct {
	origins func(line int) []Origin
	text    func(path string) []byte
	values  func(line int) [][]string
}

// SetOrigins says where text that another program rendered comes from. origins returns where a line
// comes from: its own place, then the places that included it. There is at least one. text returns
// the content of a file that origins name, or nil if it cannot be shown. Call SetOrigins before
// anyone else has the file.
func (f *File) SetOrigins(origins func(line int) []Origin, text func(path string) []byte) {
	f.rendered = &rendered{origins: origins, text: text}
}

// SetValues says which values the lines of a chart have, by their paths. Call it after SetOrigins.
func (f *File) SetValues(values func(line int) [][]string) { f.rendered.values = values }

// Values returns the paths of the values of a chart that the line of byte offset off has, as far as they are
// known.
func (f *File) Values(off int) [][]string {
	if f.rendered == nil || f.rendered.values == nil {
		return nil
	}
	return f.rendered.values(f.Line(off))
}

// IsRendered reports whether another program rendered the text.
func (f *File) IsRendered() bool { return f.rendered != nil }

// Origins returns where the line of byte offset off comes from, if another program rendered the text: its own
// place, then the places that included it. Otherwise, it returns nil.
func (f *File) Origins(off int) []Origin {
	if f.rendered == nil {
		return nil
	}
	return f.rendered.origins(f.Line(off))
}

// OriginText returns the line of an origin of f, or nil if it cannot be shown.
func (f *File) OriginText(o Origin) []byte {
	from := &File{data: f.rendered.text(o.Path)}
	if o.Line == 0 || o.Line > from.Lines() {
		return nil
	}
	return from.Text(o.Line)
}

// Opened returns the place that people can open for one in text that another program rendered: the
// line that it comes from. It returns false if that is not known, and for places in ordinary files.
func (s *Set) Opened(at Span) (Span, bool) {
	f := s.File(at.Pos)
	if f == nil || f.rendered == nil {
		return at, false
	}
	origin := f.Origins(at.Offset())[0]
	if origin.Line == 0 {
		return at, false
	}
	from := s.open(origin.Path, f.rendered.text(origin.Path))
	if from == nil || origin.Line > from.Lines() {
		return at, false
	}
	word := f.data[at.Offset():min(at.End(), f.LineEnd(at.Offset()))]
	return from.wordOn(origin.Line, word), true
}

// open returns the file with a text, which is added to the set once. It is nil if there is no text.
func (s *Set) open(shown string, text []byte) *File {
	if text == nil {
		return nil
	}
	for _, f := range s.All() {
		if f.rendered == nil && f.shown == shown && bytes.Equal(f.data, text) {
			return f
		}
	}
	f, err := s.AddShown(shown, shown, text)
	if err != nil {
		return nil // it is too large
	}
	return f
}

// wordOn returns the place of a word on a line, or the line without the white space around it if it is not
// known: the word is there more than once, or is punctuation, which the text may have from elsewhere.
func (f *File) wordOn(line int, word []byte) Span {
	start := f.Offset(line, 1, Bytes)
	text := f.data[start:f.LineEnd(start)]
	if bytes.ContainsFunc(word, unicode.IsLetter) && bytes.Count(text, word) == 1 {
		start += bytes.Index(text, word)
		return f.Span(start, start+len(word))
	}
	start += len(text) - len(bytes.TrimLeft(text, " \t"))
	return f.Span(start, start+len(bytes.TrimSpace(text)))
}

// LineSpan returns a line, or the last one, without the white space around it.
func (f *File) LineSpan(line int) Span { return f.wordOn(min(line, f.Lines()), nil) }
