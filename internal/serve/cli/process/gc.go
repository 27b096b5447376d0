package process

import (
	"os"

	"weft/internal/engine/budget"
)

// roomyHeap is a heap that need not be collected. A run is short, most need less than this, and
// what they read lives to their end, so that collections would find little.
const roomyHeap = 256 << 20

// PutOffGC sets the garbage collector up for a program that runs once and ends. It does nothing if
// the user has set it up. The limit of --max-memory holds in any case: see package budget.
func PutOffGC() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		budget.CollectLate(roomyHeap)
	}
}
