package budget

import (
	"context"
	"sync"
	"time"

	"weft/internal/lang/diag"
)

// CodeTime is the code of a run that took too long.
const CodeTime diag.Code = "run/timeout"

// Timeout gives a context that ends after a time, and says so in these words: see Passed.
func Timeout(
	ctx context.Context, limit time.Duration, message, hint string,
) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(withCulprit(ctx), limit, &Error{CodeTime, message, hint})
}

// culprit is where a budget was passed, as far as that is known.
type culprit struct {
	mu   sync.Mutex
	what any
}

type culpritKey struct{}

func withCulprit(ctx context.Context) context.Context {
	return context.WithValue(ctx, culpritKey{}, &culprit{})
}

// Blame keeps what is known of where the budget of a context was passed. The first to know counts.
func Blame(ctx context.Context, what any) {
	c, ok := ctx.Value(culpritKey{}).(*culprit)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.what == nil {
		c.what = what
	}
}

// Blamed returns what was given to Blame, or nil.
func Blamed(ctx context.Context) any {
	c, ok := ctx.Value(culpritKey{}).(*culprit)
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.what
}
