package diag

import "fmt"

// Hinted is an error that knows how to fix it, but not where it is: what a builtin returns to
// code, whose place is known to whoever runs it.
type Hinted struct {
	Err  error
	Hint string

	Bare bool // the hint is in the message without the word "hint"

	Was, Right string // the word that is wrong and what is meant, if that is certain
}

// Hintf adds a hint to err. Without one, as where a format of "%s" gives nothing, it is err itself.
func Hintf(err error, format string, args ...any) error {
	hint := fmt.Sprintf(format, args...)
	if hint == "" {
		return err
	}
	return &Hinted{Err: err, Hint: hint}
}

// Error has the hint after the message, since code may show it as it is: assert.try_to does.
func (e *Hinted) Error() string { return e.Err.Error() + e.Suffix() }

// Suffix returns the hint as it follows the message, also if the error is wrapped.
func (e *Hinted) Suffix() string {
	if e.Bare {
		return " (" + e.Hint + ")"
	}
	return " (hint: " + e.Hint + ")"
}

// Unwrap is the error without the hint.
func (e *Hinted) Unwrap() error { return e.Err }
