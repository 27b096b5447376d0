package diag

import (
	"errors"

	"weft/internal/lang/source"
)

// Failure is the error of invalid input: its diagnostics, and the files that they point into.
type Failure struct {
	Files *source.Set // nil if they are not known
	List  List
}

// FailureOf returns the failure in err, or else its diagnostics without files. It returns nil if err is
// nil.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	return &Failure{List: Of(err)}
}

// Errors returns the failure without its warnings.
func (f *Failure) Errors() *Failure { return &Failure{Files: f.Files, List: f.List.Errors()} }

// Error returns the messages, one per line.
func (f *Failure) Error() string { return f.List.Error() }

// Located returns the messages, each with its place if that is known.
func (f *Failure) Located() (all []string) {
	for _, d := range f.List {
		text := d.Message
		if f.Files != nil {
			if file := f.Files.File(d.At.Pos); file != nil {
				text = file.WhereLine(d.At.Offset()) + ": " + text
			}
		}
		all = append(all, text)
	}
	return all
}
