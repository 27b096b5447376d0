package process

import (
	"os"

	"weft/internal/engine/budget"
)

// roomyHeap is the size of a heap that need not be collected. A run is short, most runs need less
// than this, and what they read is used until they end, so collections would free little.
const roomyHeap = 256 << 20

// PutOffGC configures the garbage collector for a program that runs once and ends. It does nothing if
// the user has configured it. The limit of --max-memory still applies: see package budget.
func PutOffGC() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		budget.CollectLate(roomyHeap)
	}
}
