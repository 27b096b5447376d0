package budget

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"

	"weft/internal/lang/lazy"
)

// least is the minimum budget: a process that cannot use that much fails elsewhere anyway.
const least = 32 << 20

// allowed returns how much memory the limits of the system (`ulimit -v`, `ulimit -d`) leave for the
// heap. Go ends a program that asks for more, and prints all stacks. Collected memory still counts as
// address space, and a growing list exists twice for a moment, so the result is two fifths of what is
// left.
func allowed() uint64 { return systemLimit.Get() }

var systemLimit = lazy.Value[uint64]{New: func() uint64 {
	limit := uint64(math.MaxUint64)
	const dataLimit, spaceLimit = 2, 9 // RLIMIT_DATA, RLIMIT_AS
	for resource, field := range map[int]int{spaceLimit: 0, dataLimit: 5} {
		var r syscall.Rlimit
		if syscall.Getrlimit(resource, &r) != nil || r.Cur > 1<<48 {
			continue // there is no limit
		}
		left := r.Cur - min(r.Cur, inUse(field))
		limit = min(limit, max(left/5*2, least))
	}
	return limit
}}

// inUse returns a field of the system's statistics of the process's memory, in bytes.
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
