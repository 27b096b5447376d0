package cli

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// smallHeap is a heap that need not be collected, as long as it is no larger. A run is short, most need less than this, and what they read lives to their end, so
// that early collections find nothing. From then on garbage may grow to what is alive, as is Go's own setting, or to fill a small heap.
//
// Measured on two busy processors, median of eleven: CPU time and peak memory with a first collection at 128 MiB and garbage up to twice what is alive, with
// Go's own GOGC=100 from the beginning, and with this.
//
//	                                      late              GOGC=100          this
//	1,000 templates (W1)                   492 ms 130 MB     602 ms  68 MB     555 ms  70 MB
//	10,000 documents, 50 overlays (W2)     613 ms  96 MB     695 ms  90 MB     620 ms  89 MB
//	one template, 100,000 items (W5)       925 ms 180 MB    1113 ms 143 MB    1133 ms 148 MB
//	50 MB of custom resources (W6)         474 ms 108 MB     485 ms 105 MB     496 ms 105 MB
//	1,000 text templates (W8)              213 ms  60 MB     266 ms  27 MB     215 ms  45 MB
//
// Late is faster by a tenth where much is computed, for twice the memory. Much of what it saves it loses again: memory that is touched for the first time costs
// 2.5 us a page here.
// A memory limit that stays was dropped: a run whose live heap is above it would do little else than collect.
const smallHeap = 40 << 20

// PutOffGC sets the garbage collector up for a program that runs once and ends. It does nothing if the user has set it up.
func PutOffGC() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(smallHeap)
	afterGC(func() {
		debug.SetMemoryLimit(math.MaxInt64)
		watchHeap()
	})
}

// watchHeap looks at the heap after each collection until what is alive is no longer small.
func watchHeap() {
	debug.SetGCPercent(100)
	live := liveHeap()
	if live > smallHeap/2 {
		return
	}
	debug.SetGCPercent(int((smallHeap - live) * 100 / max(live, 1<<20)))
	afterGC(watchHeap)
}

// liveHeap is what the last collection found alive, while GOGC is 100: the next begins at twice that. Package runtime/metrics would tell as well, but makes every start
// of the program longer by a tenth of a millisecond.
func liveHeap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NextGC / 2
}

// afterGC calls f when the next collection is done: it is the end of an object that nobody has.
func afterGC(f func()) {
	type mark [64]byte // large enough not to share its memory with others, which might live
	runtime.SetFinalizer(new(mark), func(*mark) { f() })
}
