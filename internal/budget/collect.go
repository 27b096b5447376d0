package budget

import (
	"runtime/debug"
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
	debug.SetGCPercent(percent)
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
