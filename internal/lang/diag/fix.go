package diag

import (
	"bytes"
	"strings"
	"unicode"

	"weft/internal/lang/source"
)

// Fix is a change of the input that resolves a diagnostic. Only an exactly known mistake has one,
// since editors apply it without asking.
type Fix struct {
	Title string // what it does, as an instruction: "write @overlay/remove"
	Edits []Edit // they do not overlap
}

// Edit replaces Was with Text. Code that finds a mistake often knows the wrong word but only
// roughly where it is, so At need not be exact: see Located. The zero At means the place of the
// diagnostic.
type Edit struct {
	At        source.Span
	Was, Text string
}

// WithFix adds the fix that replaces was, at the place of d or on its line, with text.
func (d *Diagnostic) WithFix(was, text string) *Diagnostic {
	return d.WithFixOn(source.Pos{}, was, text)
}

// WithFixOn is like WithFix for another line, such as that of an annotation of the node that d
// points at.
func (d *Diagnostic) WithFixOn(line source.Pos, was, text string) *Diagnostic {
	at := source.Span{Pos: line}
	d.Fix = &Fix{Title: "write " + text, Edits: []Edit{{At: at, Was: was, Text: text}}}
	if strings.ContainsFunc(was, unicode.IsLetter) {
		d.Word = Word{line, was}
	}
	return d
}

// Word is the word that a diagnostic is about, with its line; a zero Line means the line of the
// diagnostic.
type Word struct {
	Line source.Pos
	Text string
}

// WithWord sets the word that is wrong on the line that d points at.
func (d *Diagnostic) WithWord(word string) *Diagnostic {
	d.Word = Word{Text: word}
	return d
}

// Marked returns what an editor marks: the wrong word, if d names one that occurs exactly once, or
// a name without the dot before it, or else the place of d.
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

// isField reports whether text[from:to] is a dot and a name after a value, which `.inf` is not.
func isField(text []byte, from, to int) bool {
	if from < 1 || to > len(text) || to-from < 2 || text[from] != '.' {
		return false
	}
	before := text[from-1]
	return (IsWord(before) || bytes.IndexByte([]byte(`)]}"'`), before) >= 0) &&
		!bytes.ContainsFunc(text[from+1:to], func(r rune) bool { return r >= 0x80 || !IsWord(byte(r)) })
}

// Located returns the fix of d with the exact places of its edits. It returns nil if there is none,
// or if the source does not contain the text to replace, as for computed or escaped values. Each
// edit replaces the word at the beginning of its place, or else the only such word on that line.
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
			return nil // no editor has the text of a flag open
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

// inWord reports whether c can be part of a name in code or of a YAML key.
func inWord(c byte) bool { return IsWord(c) || c == '-' }

// IsWord reports whether c is an ASCII letter, a digit or an underscore: part of a name in code.
func IsWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
