package weft

import (
	"context"

	"weft/internal/engine/budget"
)

// LimitMemory returns a context that ends runs when the process uses more than the given number of
// bytes. Such a run fails with an *Error that says where. All memory of the process counts, because
// there is only one heap. Call stop when you are done, to end the watch.
//
// Template code is stopped between two steps, and before a step that would take a lot of memory. If
// your program must survive any input, run weft in a separate process: a value nested millions of
// levels deep can exhaust the stack, which no Go program survives.
func LimitMemory(ctx context.Context, bytes uint64) (limited context.Context, stop func()) {
	return budget.Limit(ctx, bytes, nil)
}
