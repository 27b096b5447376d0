package weft

import (
	"context"

	"weft/internal/budget"
)

// LimitMemory gives a context under which runs end, with an *Error that says where, when the process has more than so many bytes of memory in use. What the process has besides
// counts too: there is only one heap. The watch ends with stop, which must be called.
//
// Code of templates is stopped between two of its steps, and before a step that would take much. A program that must not be ended by what others wrote, whatever it is, should
// run weft as a process of its own: a value that is nested millions of levels deep can use up a stack, which Go does not let anybody survive.
func LimitMemory(ctx context.Context, bytes uint64) (limited context.Context, stop func()) {
	return budget.Limit(ctx, bytes, nil)
}
