package cli

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// PutOffGC lets a run collect no garbage until the heap is large.
func PutOffGC() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(128 << 20)
	type sentinel struct{ p *int }
	s := &sentinel{new(int)}
	runtime.SetFinalizer(s, func(*sentinel) {
		debug.SetGCPercent(200)
		debug.SetMemoryLimit(math.MaxInt64)
	})
}
