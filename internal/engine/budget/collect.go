package budget

import (
	"runtime"
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

// soon holds the setting of CollectSoon, 0 if it was not called.
var soon struct {
	sync.Mutex
	percent int
}

// Bulk lets the heap grow to size from now on, or to 165 percent of what is alive if that is more: for a
// large job in a program that called CollectSoon. Otherwise most of its time would go into collections. If
// the heap is larger already, it is collected. A size of 0 ends that, and gives memory back to the system.
// Bulk does nothing in other programs.
func Bulk(size uint64) {
	soon.Lock()
	defer soon.Unlock()
	if soon.percent == 0 || size == 0 && roomy.Load() == 0 {
		return
	}
	roomy.Store(size)
	tight.Store(size > 0)
	if size == 0 {
		debug.SetGCPercent(soon.percent)
		debug.FreeOSMemory()
		return
	}
	u := newUsage()
	if u.read() > size {
		runtime.GC()
		u.read()
	}
	paceLocked(u.live)
}

// pace schedules the next collection after one that found live bytes alive.
func pace(live uint64) {
	soon.Lock()
	defer soon.Unlock() // Bulk must not end in between
	paceLocked(live)
}

func paceLocked(live uint64) {
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
