package budget

import (
	"context"
	"sync"
	"time"

	"weft/internal/lang/diag"
)

// CodeTime is the code of a run that took too long.
const CodeTime diag.Code = "run/timeout"

// Timeout returns a context that ends after a time, with this message: see Passed.
func Timeout(
	ctx context.Context, limit time.Duration, message, hint string,
) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(withBlamed(ctx), limit, &Error{CodeTime, message, hint})
}

// blamed is where a budget was exceeded, as Blame records it.
type blamed struct {
	mu   sync.Mutex
	what any
}

type blamedKey struct{}

func withBlamed(ctx context.Context) context.Context {
	return context.WithValue(ctx, blamedKey{}, &blamed{})
}

// Blame records where the budget of a context was exceeded. The first call counts.
func Blame(ctx context.Context, what any) {
	c, ok := ctx.Value(blamedKey{}).(*blamed)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.what == nil {
		c.what = what
	}
}

// Blamed returns what was passed to Blame, or nil.
func Blamed(ctx context.Context) any {
	c, ok := ctx.Value(blamedKey{}).(*blamed)
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.what
}
