package weft

import (
	"errors"
	"io"
	"strings"

	"weft/internal/diag"
	"weft/internal/source"
)

// Error is what Render returns if the input is wrong: all that there is to say about it, errors and warnings, in the order in which it is to be told.
type Error struct {
	files *source.Set // that the positions in list point into; nil if they are not known
	list  diag.List
}

// ErrorOf is err as an *Error: the one that it wraps, or else one with what it has to say and without places. Errors of output, such as those of
// Result.WriteFiles, have codes and hints that are found that way. It is nil if err is.
func ErrorOf(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{list: diag.Of(err)}
}

// Error is the messages, a line each: `config/app.yml:3:5: message`, or the bare message if it has no place.
func (e *Error) Error() string {
	var b strings.Builder
	for i, d := range e.list {
		if i > 0 {
			b.WriteByte('\n')
		}
		if f := e.file(d.At); f != nil {
			b.WriteString(f.Where(d.At.Offset()) + ": ")
		}
		b.WriteString(d.Message)
	}
	return b.String()
}

// Render writes the error for people, as the command does: each message with its place, an excerpt of the file with a caret, related places, and how to mend it. Of very many
// messages the later ones are cut short. Color marks it up with the escape sequences of terminals. Control characters in names and excerpts are made visible and
// never written as they are.
func (e *Error) Render(w io.Writer, color bool) error {
	return diag.Render(w, e.files, e.list, diag.RenderOptions{Color: color})
}

// WithoutWarnings is the error with nothing but its errors, or nil if there are none.
func (e *Error) WithoutWarnings() *Error {
	var errs diag.List
	for _, d := range e.list {
		if d.Severity == diag.Error {
			errs = append(errs, d)
		}
	}
	if errs == nil {
		return nil
	}
	return &Error{files: e.files, list: errs}
}

// Diagnostics are what the error has to say, for programs.
func (e *Error) Diagnostics() []Diagnostic { return diagnostics(e.files, e.list) }

// diagnostics is a list for programs.
func diagnostics(files *source.Set, list diag.List) []Diagnostic {
	var out []Diagnostic
	for _, d := range list {
		p := Diagnostic{
			Severity: Severity(d.Severity.String()), Code: string(d.Code), Message: d.Message, Hint: d.Hint, Path: d.Path,
			Place: placeIn(files, d.At),
		}
		for _, r := range d.Related {
			p.Related = append(p.Related, Related{Message: r.Message, Place: placeIn(files, r.At)})
		}
		out = append(out, p)
	}
	return out
}

// writeWarnings writes warnings for people.
func writeWarnings(w io.Writer, files *source.Set, list diag.List, color bool) error {
	if len(list) == 0 {
		return nil
	}
	return (&Error{files: files, list: list}).Render(w, color)
}

// Diagnostic is one thing that is wrong, or may be. As JSON it is what the command prints with --diagnostics json. Fields may be added; none will change its
// meaning.
type Diagnostic struct {
	Severity Severity  `json:"severity"`
	Code     string    `json:"code,omitempty"` // of its kind, such as yaml/anchor; codes stay the same from version to version, messages may not
	Message  string    `json:"message"`        // what was found, and what was expected
	Hint     string    `json:"hint,omitempty"` // how to mend it
	Path     string    `json:"path,omitempty"` // where in the data, such as spec.containers[0].name
	Place              // where in the text
	Related  []Related `json:"related,omitempty"`
}

// Severity tells an error, which fails the run, from a warning, which does not.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Related is another place that belongs to a diagnostic, and what is there: where a quote opens, or what overlays are applied to.
type Related struct {
	Message string `json:"message"`
	Place
}

// Place is a part of a file. Lines and columns count from 1, columns count characters; the end is behind the last character. What has no place, such as a file that is not
// there, has the zero value.
type Place struct {
	File      string `json:"file,omitempty"` // the path at which the user can open it, as given; of what is no file, what it is: (stdin), a URL, --data-value a=b
	Name      string `json:"name,omitempty"` // the relative path that templates know it by, if it is another
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndLine   int    `json:"endLine,omitempty"`
	EndColumn int    `json:"endColumn,omitempty"`
}

func placeIn(files *source.Set, at source.Span) Place {
	var f *source.File
	if files != nil {
		f = files.File(at.Pos)
	}
	if f == nil {
		return Place{}
	}
	start, end := f.Place(at.Offset()), f.Place(at.End())
	p := Place{File: f.Shown(), Line: start.Line, Column: start.Column, EndLine: end.Line, EndColumn: end.Column}
	if f.Name() != p.File && !f.Argument() {
		p.Name = f.Name()
	}
	return p
}

// file is the file that at points into, if that is known.
func (e *Error) file(at source.Span) *source.File {
	if e.files == nil {
		return nil
	}
	return e.files.File(at.Pos)
}
