// Package diag represents errors and warnings about weft's input as values, created where the
// position is known and turned into text only at the edge of the program.
//
// It uses positions of package source and prints nothing by itself. Render turns a list into text
// with an excerpt and a caret.
package diag

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"weft/internal/lang/source"
)

// Code identifies a kind of diagnostic in documentation, tests and programs:
// "yaml/tab-indentation". Codes are stable: editors and CI filter by them.
type Code string

// Severity distinguishes an error, which fails the run, from a warning or advice, which does not.
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

// Diagnostic is one error or warning: what was found where, related places, and how to fix it.
type Diagnostic struct {
	Code     Code
	Severity Severity
	At       source.Span // may be zero, as for a bad flag
	Message  string      // lower case, no period: what was found, what was expected
	Related  []Related   // related places: where a quote opened, where an anchor is
	Hint     string      // how to fix it
	Fix      *Fix        // the hint as edits, if it is certain: see Located
	Word     Word        // the wrong word in At, if At covers more: see Marked
	Path     string      // the place in the data, such as `spec.containers[0].name`, if that helps
}

// Related is a place related to a diagnostic, with its description: "the quote opens here".
type Related struct {
	At      source.Span
	Message string
}

// Errorf returns an error. It returns a pointer so that calls of the With methods can be chained.
func Errorf(at source.Span, code Code, format string, args ...any) *Diagnostic {
	return &Diagnostic{Code: code, At: at, Message: fmt.Sprintf(format, args...)}
}

// Failf returns an error without a place in a file, such as one about a flag or a directory.
func Failf(code Code, format string, args ...any) *Diagnostic {
	return Errorf(source.Span{}, code, format, args...)
}

// Warningf returns a warning.
func Warningf(at source.Span, code Code, format string, args ...any) *Diagnostic {
	d := Errorf(at, code, format, args...)
	d.Severity = Warning
	return d
}

// WithHint sets the hint: how to fix the problem.
func (d *Diagnostic) WithHint(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// WithRelated adds a related place. Copies of d made before do not share it.
func (d *Diagnostic) WithRelated(at source.Span, format string, args ...any) *Diagnostic {
	d.Related = append(slices.Clip(d.Related), Related{At: at, Message: fmt.Sprintf(format, args...)})
	return d
}

// Error returns the message without the place, which only the owner of the source.Set can resolve.
func (d *Diagnostic) Error() string { return d.Message }

// List is a list of diagnostics, in the order in which they are printed.
type List []*Diagnostic

// Error joins the messages, one per line.
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

// Errors returns the diagnostics that are errors.
func (l List) Errors() List {
	var errs List
	for _, d := range l {
		if d.Severity == Error {
			errs = append(errs, d)
		}
	}
	return errs
}

// Sort sorts the list by place, file by file; diagnostics without a place come first.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b *Diagnostic) int { return a.At.Compare(b.At.Pos) })
}

// Failed reports whether the list contains an error.
func (l List) Failed() bool {
	for _, d := range l {
		if d.Severity == Error {
			return true
		}
	}
	return false
}

// Of returns the diagnostics in err, including those that are wrapped or joined, in order. Any
// other error becomes a diagnostic without a place.
func Of(err error) List {
	switch err := err.(type) {
	case nil:
		return nil
	case List:
		return err
	case *Diagnostic:
		return List{err}
	case interface{ Unwrap() []error }:
		// Joined errors are independent, and each has its own diagnostics.
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
