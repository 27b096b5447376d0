package budget

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// roomy is the size that the heap may reach before the first collection, if CollectLate was called.
var roomy atomic.Uint64

// firstHeap is the size at which Go first collects a heap, with the default of 100 percent.
const firstHeap = 4 << 20

// CollectLate lets the heap grow to size before the first collection: for a program that runs once
// and has usually ended by then. Under Limit the heap may then grow by the same size again, or to
// twice the live heap, Go's default, whichever is more.
func CollectLate(size uint64) {
	roomy.Store(size)
	debug.SetGCPercent(int(size / firstHeap * 100))
}

// Tighten lets the heap grow by at most size from now on, if CollectLate lets it grow by more. Use it
// for work that keeps much memory in use until it is done.
func Tighten(size uint64) {
	if roomy.Load() > size {
		roomy.Store(size)
		tight.Store(true)
		debug.SetGCPercent(tightPercent) // until the next collection, which is soon
	}
}

// tight is set by Tighten: then a large live heap may grow by less than Go's default.
var tight atomic.Bool

const tightPercent = 65

// CollectSoon undoes CollectLate for a program that will run for long: garbage may grow to a
// percentage of the live heap.
func CollectSoon(percent int) {
	roomy.Store(0)
	soon.Lock()
	defer soon.Unlock()
	soon.percent = percent
	debug.SetGCPercent(percent)
}

// soon holds the setting of CollectSoon, 0 if it was not called, and the number of bulk jobs in
// progress.
var soon struct {
	sync.Mutex
	percent, bulk int
}

// Bulk lets garbage grow to a percentage of the live heap until end is called, for a large job in a
// program that called CollectSoon: otherwise most of its time would go into collections. It does
// nothing in other programs.
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

// pace schedules the next collection after one that found live bytes alive.
func pace(live uint64) {
	size := roomy.Load()
	if size == 0 {
		return
	}
	percent := 100
	if tight.Load() {
		percent = tightPercent
	}
	if live < size/2 {
		percent = int((size - live) * 100 / max(live, firstHeap))
	}
	debug.SetGCPercent(percent)
}
