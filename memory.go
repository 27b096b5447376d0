package weft

import (
	"context"
	"errors"

	"weft/internal/budget"
	"weft/internal/diag"
	"weft/internal/source"
)

// LimitMemory gives a context under which runs end, with an *Error that says where, when the process has more than so many bytes of memory in use. What the process has besides
// counts too: there is only one heap. The watch ends with stop, which must be called.
//
// Code of templates is stopped between two of its steps, and before a step that would take much. A program that must not be ended by what others wrote, whatever it is, should
// run weft as a process of its own: a value that is nested millions of levels deep can use up a stack, which Go does not let anybody survive.
func LimitMemory(ctx context.Context, bytes uint64) (limited context.Context, stop func()) {
	return budget.Limit(ctx, bytes, nil)
}

// ended is why a run ends whose context has ended: with the place where the code was, if it was for its memory. Err is what went wrong otherwise, or nil.
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
		list = diag.List{{Code: codeMemory, Message: passed.Message, Hint: passed.Hint}}
	}
	return &Error{files: files, list: list}
}

// codeMemory is the code of a run that needs more memory than it may have, where no code of a template is to blame.
const codeMemory diag.Code = "run/memory"
