package budget

import (
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// least is a budget that no system makes smaller: what cannot have as much ends somewhere else
// anyway.
const least = 32 << 20

// allowed is how much the limits of the system leave for the heap, as `ulimit -v` and `ulimit -d`
// set them. Go ends a program that asks for more, with all its stacks on standard error. What is
// collected is not given back as address space, and a list that grows is there twice for a moment:
// so two fifths of what is left.
var allowed = sync.OnceValue(func() uint64 {
	limit := uint64(math.MaxUint64)
	const dataLimit, spaceLimit = 2, 9 // RLIMIT_DATA, RLIMIT_AS
	for resource, field := range map[int]int{spaceLimit: 0, dataLimit: 5} {
		var r syscall.Rlimit
		if syscall.Getrlimit(resource, &r) != nil || r.Cur > 1<<48 {
			continue // there is none
		}
		left := r.Cur - min(r.Cur, inUse(field))
		limit = min(limit, max(left/5*2, least))
	}
	return limit
})

// inUse returns a field of what the system says of the process's memory, in bytes.
func inUse(field int) uint64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if field >= len(fields) {
		return 0
	}
	pages, _ := strconv.ParseUint(fields[field], 10, 64)
	return pages * uint64(os.Getpagesize())
}
