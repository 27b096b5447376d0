package diag

import (
	"bytes"
	"strings"
	"unicode"

	"weft/internal/lang/source"
)

// Fix is a change of the input that resolves a diagnostic. Only what the message names exactly has
// one, since editors apply it without asking what is meant.
type Fix struct {
	Title string // what it does, as an instruction: "write @overlay/remove"
	Edits []Edit // none of which overlaps another
}

// Edit puts Text in the place of Was. Who finds a mistake often knows the word that is wrong and
// only about where it is, so At may be less than exact: see Located. The zero At is that of the
// diagnostic.
type Edit struct {
	At        source.Span
	Was, Text string
}

// WithFix adds the fix that writes text in the place of was, which d points at or has on its line.
func (d *Diagnostic) WithFix(was, text string) *Diagnostic {
	return d.WithFixOn(source.Pos{}, was, text)
}

// WithFixOn does the same on another line, such as that of an annotation of the node that d points
// at.
func (d *Diagnostic) WithFixOn(line source.Pos, was, text string) *Diagnostic {
	at := source.Span{Pos: line}
	d.Fix = &Fix{Title: "write " + text, Edits: []Edit{{At: at, Was: was, Text: text}}}
	if strings.ContainsFunc(was, unicode.IsLetter) {
		d.Word = Word{line, was}
	}
	return d
}

// Word is the word that a diagnostic is about. It is on a line, that of the diagnostic if Line
// is nowhere.
type Word struct {
	Line source.Pos
	Text string
}

// WithWord says which word is wrong on the line that d points at.
func (d *Diagnostic) WithWord(word string) *Diagnostic {
	d.Word = Word{Text: word}
	return d
}

// Marked returns what an editor marks: the word that is wrong if d names one and the source has it
// there just once, a name without the dot before it, or else where d points.
func (d *Diagnostic) Marked(files *source.Set) source.Span {
	at := d.At
	if files == nil {
		return at
	}
	if d.Word.Text != "" {
		line := at.Pos
		if d.Word.Line.IsValid() {
			line = d.Word.Line
		}
		if f := files.File(line); f != nil {
			if off := locate(f, line.Offset(), []byte(d.Word.Text)); off >= 0 {
				return f.Span(off, off+len(d.Word.Text))
			}
		}
	}
	if f := files.File(at.Pos); f != nil && isField(f.Data(), at.Offset(), at.End()) {
		return f.Span(at.Offset()+1, at.End())
	}
	return at
}

// isField reports whether a part of a text is a dot and a name after a value, which `.inf` is not.
func isField(text []byte, from, to int) bool {
	if from < 1 || to > len(text) || to-from < 2 || text[from] != '.' {
		return false
	}
	before := text[from-1]
	return (IsWord(before) || bytes.IndexByte([]byte(`)]}"'`), before) >= 0) &&
		!bytes.ContainsFunc(text[from+1:to], func(r rune) bool { return r >= 0x80 || !IsWord(byte(r)) })
}

// Located returns the fix of d with the exact places of its edits. It is nil if there is none, or
// if the source does not have the text that is to be replaced, as with values that were computed or
// escaped: each edit replaces what is at the beginning of its place, or else the only such word
// on that line.
func (d *Diagnostic) Located(files *source.Set) *Fix {
	if d.Fix == nil || files == nil {
		return nil
	}
	fix := &Fix{Title: d.Fix.Title}
	for _, e := range d.Fix.Edits {
		if !e.At.IsValid() {
			e.At = d.At
		}
		f := files.File(e.At.Pos)
		if f == nil || f.Argument() {
			return nil // a flag is not text that an editor has open
		}
		off := locate(f, e.At.Offset(), []byte(e.Was))
		if off < 0 {
			return nil
		}
		e.At = f.Span(off, off+len(e.Was))
		fix.Edits = append(fix.Edits, e)
	}
	return fix
}

// locate returns the offset of word in f, at off or as the only one on its line; or -1.
func locate(f *source.File, off int, word []byte) int {
	data := f.Data()
	if off <= len(data) && bytes.HasPrefix(data[off:], word) {
		return off
	}
	start := f.LineStart(off)
	line := data[start:f.LineEnd(start)]
	found := -1
	for i := 0; len(word) > 0; {
		n := bytes.Index(line[i:], word)
		if n < 0 {
			break
		}
		i += n
		end := i + len(word)
		if (i == 0 || !inWord(line[i-1])) && (end == len(line) || !inWord(line[end])) {
			if found >= 0 {
				return -1
			}
			found = start + i
		}
		i = end
	}
	return found
}

// inWord reports whether c is a part of names, as they are in code and in YAML keys.
func inWord(c byte) bool { return IsWord(c) || c == '-' }

// IsWord reports whether c is a letter, a digit or an underscore of ASCII: a part of a name in
// code.
func IsWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
