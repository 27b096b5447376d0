package workspace

import (
	"context"
	"sync"
	"time"
)

// asked counts the requests that are being answered. Its zero value has none.
type asked struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // is closed when there are none; nil if no one has waited for that
}

// maxDeference is how long tier 3 waits for requests.
const maxDeference = time.Second

// Asked notes that someone waits for an answer, until the result is called: what takes all
// processors and no one waits for begins later.
func (s *Session) Asked() (answered func()) {
	a := &s.asked
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n++
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.n--; a.n == 0 && a.none != nil {
			close(a.none)
			a.none = nil
		}
	}
}

// wait waits until no one waits for an answer, but not forever.
func (a *asked) wait(ctx context.Context) {
	a.mu.Lock()
	if a.n == 0 {
		a.mu.Unlock()
		return
	}
	if a.none == nil {
		a.none = make(chan struct{})
	}
	none := a.none
	a.mu.Unlock()
	select {
	case <-none:
	case <-ctx.Done():
	case <-time.After(maxDeference):
	}
}
