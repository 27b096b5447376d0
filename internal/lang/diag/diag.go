// Package diag holds what weft has to say about its input: errors and warnings as values, made
// where the position is known and turned into text only at the edge of the program.
//
// It takes positions of package source and gives lists; it prints nothing by itself. Render turns a
// list into text with an excerpt and a caret.
package diag

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"weft/internal/lang/source"
)

// Code names a kind of diagnostic, for documentation, for tests and for machines:
// "yaml/tab-indentation". Codes are stable: editors and CI filter by them.
type Code string

// Severity tells an error, which fails the run, from a warning, which does not.
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
	Advice // a suggestion of the linter, called info
)

func (s Severity) String() string {
	return [...]string{Error: "error", Warning: "warning", Advice: "info"}[s]
}

// Diagnostic is one thing to say: what was found where, the other places that matter, and how to
// mend it.
type Diagnostic struct {
	Code     Code
	Severity Severity
	At       source.Span // where; may be nowhere, as for a bad flag
	Message  string      // lower case, no full stop: what was found, what was expected
	Related  []Related   // the other side: where a quote opened, where an anchor is
	Hint     string      // how to fix it
	Fix      *Fix        // the same as edits, where it is certain: see Located
	Word     Word        // what is wrong at At, if that is not all of it: see Marked
	Path     string      // where in the data, as `spec.containers[0].name`, if that helps
}

// Related is another place that belongs to a diagnostic, with what it is: "the quote opens here".
type Related struct {
	At      source.Span
	Message string
}

// Errorf makes an error. The result is a pointer so that the With methods can be chained where it
// is made.
func Errorf(at source.Span, code Code, format string, args ...any) *Diagnostic {
	return &Diagnostic{Code: code, At: at, Message: fmt.Sprintf(format, args...)}
}

// Failf makes an error that has no place in a file, such as one about a flag or a directory.
func Failf(code Code, format string, args ...any) *Diagnostic {
	return Errorf(source.Span{}, code, format, args...)
}

// Warningf makes a warning.
func Warningf(at source.Span, code Code, format string, args ...any) *Diagnostic {
	d := Errorf(at, code, format, args...)
	d.Severity = Warning
	return d
}

// WithHint adds how to fix it.
func (d *Diagnostic) WithHint(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// WithRelated adds another place.
func (d *Diagnostic) WithRelated(at source.Span, format string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Related{At: at, Message: fmt.Sprintf(format, args...)})
	return d
}

// Error returns the bare message: the place is known only to whoever holds the source.Set.
func (d *Diagnostic) Error() string { return d.Message }

// List is several diagnostics, in the order in which they are to be told.
type List []*Diagnostic

// Error joins the messages, a line each.
func (l List) Error() string {
	var b strings.Builder
	for i, d := range l {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(d.Message)
	}
	return b.String()
}

// Sort puts the list in the order of the places, file by file; what has no place comes first.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b *Diagnostic) int { return a.At.Compare(b.At.Pos) })
}

// Failed reports whether the list holds an error, as opposed to warnings alone.
func (l List) Failed() bool {
	for _, d := range l {
		if d.Severity == Error {
			return true
		}
	}
	return false
}

// Of returns the diagnostics that err carries, also those that are wrapped or joined in it, in
// their order. An error of another kind becomes a diagnostic without a place.
func Of(err error) List {
	switch err := err.(type) {
	case nil:
		return nil
	case List:
		return err
	case *Diagnostic:
		return List{err}
	case interface{ Unwrap() []error }:
		// Joined errors are independent of each other, and each has its own diagnostics.
		var list List
		for _, e := range err.Unwrap() {
			list = append(list, Of(e)...)
		}
		return list
	}
	if l, ok := errors.AsType[List](err); ok {
		return l
	}
	if d, ok := errors.AsType[*Diagnostic](err); ok {
		return List{d}
	}
	return List{Errorf(source.Span{}, "", "%s", err)}
}
