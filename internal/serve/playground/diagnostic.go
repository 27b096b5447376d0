package playground

import (
	"slices"
	"strings"

	"weft"
)

// Diagnostic is an error, a warning or a suggestion: a weft.Diagnostic with places as editors in
// browsers count them.
type Diagnostic struct {
	Severity string    `json:"severity"`
	Code     string    `json:"code,omitempty"`
	Message  string    `json:"message"`
	Hint     string    `json:"hint,omitempty"`
	At       Range     `json:"at,omitzero"`
	Related  []Related `json:"related,omitempty"`
	Fix      *Fix      `json:"fix,omitempty"`
}

// Related is another place that matters for a diagnostic.
type Related struct {
	Message string `json:"message"`
	At      Range  `json:"at,omitzero"`
}

// Fix is a change of files that resolves a diagnostic.
type Fix struct {
	Title string `json:"title"`
	Edits []Edit `json:"edits"`
}

// Edit replaces what is in a range.
type Edit struct {
	At   Range  `json:"at"`
	Text string `json:"text"`
}

// Range is a part of a file. Lines and columns count from 1; columns count UTF-16 units, as
// JavaScript does.
type Range struct {
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndLine   int    `json:"endLine,omitempty"`
	EndColumn int    `json:"endColumn,omitempty"`
}

// same reports whether two diagnostics are equal.
func (d Diagnostic) same(o Diagnostic) bool {
	return d.At == o.At && d.Code == o.Code && d.Message == o.Message
}

// problems returns diagnostics in the form of the page.
func problems(list []weft.Diagnostic) []Diagnostic {
	out := make([]Diagnostic, 0, len(list))
	for _, d := range list {
		p := Diagnostic{
			Severity: string(d.Severity), Code: d.Code, Message: d.Message, Hint: pageHint(d.Hint),
			At: rangeOf(d.Place),
		}
		for _, r := range d.Related {
			p.Related = append(p.Related, Related{r.Message, rangeOf(r.Place)})
		}
		if d.Fix != nil {
			p.Fix = &Fix{Title: d.Fix.Title}
			for _, e := range d.Fix.Edits {
				p.Fix.Edits = append(p.Fix.Edits, Edit{rangeOf(e.Place), e.Text})
			}
		}
		out = append(out, p)
	}
	return out
}

func rangeOf(p weft.Place) Range {
	return Range{
		File: p.File, Line: p.Line, Column: p.Start.UTF16Column, EndLine: p.EndLine,
		EndColumn: p.End.UTF16Column,
	}
}

// pageHint returns a hint without the parts that mention flags, which the page does not have.
func pageHint(hint string) string {
	parts := strings.Split(hint, "; ")
	return strings.Join(slices.DeleteFunc(parts, namesFlag), "; ")
}

// namesFlag reports whether one of the words of a text is a flag.
func namesFlag(text string) bool {
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimLeft(word, "`'(")
		name := strings.TrimLeft(word, "-")
		dashes := len(word) - len(name)
		if (dashes == 1 || dashes == 2) && name != "" && 'a' <= name[0] && name[0] <= 'z' {
			return true
		}
	}
	return false
}
