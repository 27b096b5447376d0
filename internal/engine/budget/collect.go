package budget

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// roomy is how large the heap of the process may become before it is collected, if CollectLate was
// called.
var roomy atomic.Uint64

// firstHeap is at what size Go collects a heap for the first time, with the usual 100 percent.
const firstHeap = 4 << 20

// CollectLate lets the heap grow to size before garbage is collected: for a program that runs once
// and ends, and has mostly ended by then. Under Limit the heap may from then on become as large
// again, or twice what is alive, as is Go's own setting, whichever is more.
func CollectLate(size uint64) {
	roomy.Store(size)
	debug.SetGCPercent(int(size / firstHeap * 100))
}

// CollectSoon takes CollectLate back, for a program that turns out to run for long: garbage may grow
// to a percentage of what is alive.
func CollectSoon(percent int) {
	roomy.Store(0)
	soon.Lock()
	defer soon.Unlock()
	soon.percent = percent
	debug.SetGCPercent(percent)
}

// soon is what CollectSoon has set, 0 if it was not called, and how much work in bulk goes on.
var soon struct {
	sync.Mutex
	percent, bulk int
}

// Bulk lets garbage grow to a percentage of what is alive until end is called, for much work at
// once in a program that collects soon: most of its time would go into collections. It does nothing
// in others.
func Bulk(percent int) (end func()) {
	soon.Lock()
	defer soon.Unlock()
	if soon.percent == 0 {
		return func() {}
	}
	soon.bulk++
	debug.SetGCPercent(percent)
	return sync.OnceFunc(func() {
		soon.Lock()
		defer soon.Unlock()
		if soon.bulk--; soon.bulk == 0 {
			debug.SetGCPercent(soon.percent)
		}
	})
}

// pace sets when to collect next after a collection that found live bytes alive.
func pace(live uint64) {
	size := roomy.Load()
	if size == 0 {
		return
	}
	percent := 100
	if live < size/2 {
		percent = int((size - live) * 100 / max(live, firstHeap))
	}
	debug.SetGCPercent(percent)
}
