package diag

import "fmt"

// Hinted is an error with a hint but without a place: a builtin returns it to the code that called
// it, and the caller adds the place.
type Hinted struct {
	Err  error
	Hint string

	Bare bool // the hint is part of the message, without the word "hint"

	Was, Right string // the wrong word and its correction, if certain
}

// Hintf adds a hint to err. If the hint is empty, it returns err itself.
func Hintf(err error, format string, args ...any) error {
	hint := fmt.Sprintf(format, args...)
	if hint == "" {
		return err
	}
	return &Hinted{Err: err, Hint: hint}
}

// Error returns the message followed by the hint, because code may print it: assert.try_to does.
func (e *Hinted) Error() string { return e.Err.Error() + e.Suffix() }

// Suffix returns the hint as it follows the message, even if the error is wrapped.
func (e *Hinted) Suffix() string {
	if e.Bare {
		return " (" + e.Hint + ")"
	}
	return " (hint: " + e.Hint + ")"
}

// Unwrap returns the error without the hint.
func (e *Hinted) Unwrap() error { return e.Err }
