package report

import (
	"sync"
	"time"

	"weft/internal/engine/budget"
)

// The sizes to which the heap may grow in tier 3. With the 50 percent of an idle server, much of the time
// would go into collections. What an evaluation leaves stays in memory, so there must be little garbage
// around it: otherwise few pages can be given back. The linter leaves nearly nothing.
const (
	evaluationHeap = 176 << 20
	lintHeap       = 448 << 20
)

// bulkPause is how long tier 3 has nothing to do before memory goes back to the system. That takes a
// collection, so it is not done between edits that follow each other.
const bulkPause = 3 * time.Second

// bulk says when garbage is collected during tier 3 of a folder, and in a pause after it. Its zero value
// is over.
type bulk struct {
	mu    sync.Mutex
	timer *time.Timer // ends it; nil while tier 3 runs, and when it is over
}

// grow lets the heap grow to a size until pause is called.
func (b *bulk) grow(size uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timer != nil {
		b.timer.Stop()
		b.timer = nil
	}
	budget.Bulk(size)
}

// pause gives memory back unless tier 3 runs again soon.
func (b *bulk) pause() {
	b.mu.Lock()
	defer b.mu.Unlock()
	var timer *time.Timer
	timer = time.AfterFunc(bulkPause, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.timer == timer { // tier 3 has not begun again meanwhile
			b.timer = nil
			budget.Bulk(0)
		}
	})
	b.timer = timer
}
