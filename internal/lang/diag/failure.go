package diag

import "weft/internal/lang/source"

// Failure is the error of input that is wrong: all that there is to say about it, and the files that
// it points into.
type Failure struct {
	Files *source.Set // nil if they are not known
	List  List
}

// Error returns the messages, one per line.
func (f *Failure) Error() string { return f.List.Error() }
