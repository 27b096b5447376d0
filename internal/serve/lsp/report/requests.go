package report

import (
	"context"
	"sync"
	"time"
)

// requests counts the requests that are being answered. Its zero value has none.
type requests struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // is closed when there are none; nil if nothing waits for that
}

// maxDeference is how long tier 3 waits for requests.
const maxDeference = time.Second

// BeginRequest records that a client waits for an answer, until end is called. Tier 3, which uses all
// processors, does not begin while there are requests.
func (r *Reporter) BeginRequest() (end func()) {
	q := &r.requests
	q.mu.Lock()
	defer q.mu.Unlock()
	q.n++
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.n--; q.n == 0 && q.none != nil {
			close(q.none)
			q.none = nil
		}
	}
}

// wait waits until there are no requests, but at most maxDeference.
func (q *requests) wait(ctx context.Context) {
	q.mu.Lock()
	if q.n == 0 {
		q.mu.Unlock()
		return
	}
	if q.none == nil {
		q.none = make(chan struct{})
	}
	none := q.none
	q.mu.Unlock()
	select {
	case <-none:
	case <-ctx.Done():
	case <-time.After(maxDeference):
	}
}
