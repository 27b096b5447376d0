package weft

import (
	"errors"
	"io"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Messages holds errors and warnings, in the order in which to show them. The zero value has none.
type Messages struct {
	files *source.Set // the files that positions in list refer to; nil if unknown
	list  diag.List
}

// Diagnostics returns the messages for programs.
func (m Messages) Diagnostics() []Diagnostic {
	var list []Diagnostic
	for _, d := range m.list {
		list = append(list, diagnostic(m.files, d))
	}
	return list
}

// Render prints the messages for people, as the command does: each with its place, an excerpt of the
// file with a caret, related places, and a hint. If there are very many messages, the later ones are
// shortened. Color adds terminal escape sequences. Control characters in names and excerpts are
// always made visible.
func (m Messages) Render(w io.Writer, color bool) error {
	if len(m.list) == 0 {
		return nil
	}
	return diag.Render(w, m.files, m.list, diag.RenderOptions{Color: color})
}

// Error is the error of a run whose input is wrong. It has all errors and warnings of the run.
type Error struct{ Messages }

func newError(files *source.Set, list diag.List) *Error { return &Error{Messages{files, list}} }

// ErrorOf converts err to an *Error: the one that it wraps, or a new one with its messages and
// without places. Use it to get the codes and hints of output errors, such as those of
// Result.WriteFiles. It returns nil if err is nil.
func ErrorOf(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if e, ok := public(err).(*Error); ok {
		return e
	}
	return newError(nil, diag.Of(err))
}

// Error returns the messages, one per line: `config/app.yml:3:5: message`, or only the message if
// it has no place.
func (e *Error) Error() string { return diag.Lines(e.files, e.list) }

// Unwrap returns the error in the form of weft's internal packages.
func (e *Error) Unwrap() error { return &diag.Failure{Files: e.files, List: e.list} }

// diagnostic returns a message for programs.
func diagnostic(files *source.Set, d *diag.Diagnostic) Diagnostic {
	p := Diagnostic{
		Severity: Severity(d.Severity.String()), Code: string(d.Code),
		Message: files.ConcealedMessage(d.Message), Hint: files.ConcealedMessage(d.Hint),
		Path: files.Concealed(d.Path), Place: placeIn(files, d.At), Fix: fixOf(files, d),
	}
	for _, r := range d.Related {
		p.Related = append(p.Related, Related{
			Message: files.ConcealedMessage(r.Message), Place: placeIn(files, r.At),
		})
	}
	return p
}

// fixOf returns the fix of d for programs. A fix that writes a secret is left out: it must not be shown,
// and with the secret hidden it would write the wrong text.
func fixOf(files *source.Set, d *diag.Diagnostic) *Fix {
	located := d.Located(files)
	if located == nil || files.ConcealedMessage(located.Title) != located.Title {
		return nil
	}
	fix := &Fix{Title: located.Title}
	for _, e := range located.Edits {
		if files.Concealed(e.Text) != e.Text {
			return nil
		}
		fix.Edits = append(fix.Edits, Edit{Text: e.Text, Place: placeIn(files, e.At)})
	}
	return fix
}

// Diagnostic is one error or warning. As JSON it is what the command prints with --diagnostics
// json. New fields may be added; existing ones keep their meaning.
type Diagnostic struct {
	Severity Severity  `json:"severity"`
	Code     string    `json:"code,omitempty"` // such as yaml/anchor; unlike messages, it never changes
	Message  string    `json:"message"`        // what was found and what was expected
	Hint     string    `json:"hint,omitempty"` // how to fix it
	Path     string    `json:"path,omitempty"` // the place in the data, such as spec.containers[0].name
	Place              // the place in the text
	Related  []Related `json:"related,omitempty"`
	Fix      *Fix      `json:"fix,omitempty"` // the hint as edits, if it is certain
}

// Fix is a change of the input that resolves a diagnostic.
type Fix struct {
	Title string `json:"title"` // what it does, such as: write @overlay/remove
	Edits []Edit `json:"edits"` // they do not overlap
}

// Edit replaces what is at its place by Text. If the place is empty, it inserts Text.
type Edit struct {
	Text string `json:"text"`
	Place
}

// Severity is the severity of a Diagnostic. An error fails the run, a warning does not.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Related is another place that matters for a diagnostic, and what is there: where a quote opens,
// for example, or which document an overlay was applied to.
type Related struct {
	Message string `json:"message"`
	Place
}

// Place is a part of a file. Lines and columns count from 1, and columns count characters; the end
// is after the last character. The zero value means that there is no place, as for a file that does
// not exist.
type Place struct {
	File      string `json:"file,omitempty"` // the path as given, (stdin), a URL, or a flag with its value
	Name      string `json:"name,omitempty"` // the relative path that templates use, if it differs
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndLine   int    `json:"endLine,omitempty"`
	EndColumn int    `json:"endColumn,omitempty"`

	Start, End Offset `json:"-"` // the same place in bytes and in UTF-16
}

// Offset is a place in a file as programs count. Byte counts from the beginning of the file, from 0;
// the columns count from the beginning of the line, from 1.
type Offset struct {
	Byte        int
	ByteColumn  int
	UTF16Column int
}

func placeIn(files *source.Set, at source.Span) Place {
	var f *source.File
	if files != nil {
		f = files.File(at.Pos)
	}
	if f == nil {
		return Place{}
	}
	if from := f.Origins(at.Offset()); from != nil {
		return Place{File: files.Concealed(from[0].Path), Line: from[0].Line}
	}
	start, end := f.Place(at.Offset()), f.Place(at.End())
	p := Place{
		File:      files.Concealed(f.Shown()),
		Line:      start.Line,
		Column:    start.Column,
		EndLine:   end.Line,
		EndColumn: end.Column,
	}
	p.Start, p.End = offsetIn(f, at.Offset()), offsetIn(f, at.End())
	if f.Name() != p.File && !f.Argument() {
		p.Name = f.Name()
	}
	return p
}

func offsetIn(f *source.File, off int) Offset {
	return Offset{
		Byte: off, ByteColumn: f.Column(off, source.Bytes), UTF16Column: f.Column(off, source.UTF16),
	}
}
