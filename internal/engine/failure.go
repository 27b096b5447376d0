package engine

import (
	"context"
	"errors"
	"strings"

	"weft/internal/engine/budget"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Failure is the error of input that is wrong: all that there is to say about it, and the files
// that it points into.
type Failure struct {
	Files *source.Set
	List  diag.List
}

// Error is the messages, a line each.
func (f *Failure) Error() string {
	lines := make([]string, len(f.List))
	for i, d := range f.List {
		lines[i] = d.Message
	}
	return strings.Join(lines, "\n")
}

// ended is why a run ends whose context has ended: with the place where the code was, if it was
// for its memory. Err is what went wrong otherwise, or nil.
func ended(ctx context.Context, err error, files *source.Set) error {
	passed := budget.Passed(ctx)
	if passed == nil {
		return context.Cause(ctx)
	}
	list, ok := budget.Of(ctx).Blamed().(diag.List)
	if !ok {
		list, ok = errors.AsType[diag.List](err)
	}
	if !ok {
		list = diag.List{{Code: budget.CodeMemory, Message: passed.Message, Hint: passed.Hint}}
	}
	return &Failure{Files: files, List: list}
}
