package budget

import (
	"runtime/debug"
	"testing"
)

// TestTighten checks that the room of the heap gets smaller and never larger, and that nothing happens in a
// program that has not asked for room.
func TestTighten(t *testing.T) {
	percent := debug.SetGCPercent(100)
	t.Cleanup(func() {
		roomy.Store(0)
		tight.Store(false)
		debug.SetGCPercent(percent)
	})
	roomy.Store(0)
	Tighten(1 << 20)
	if got := roomy.Load(); got != 0 {
		t.Errorf("without CollectLate the room is %d", got)
	}
	CollectLate(64 << 20)
	Tighten(128 << 20)
	if got := roomy.Load(); got != 64<<20 {
		t.Errorf("the room is %d, want what it was", got)
	}
	Tighten(32 << 20)
	if got, now := roomy.Load(), debug.SetGCPercent(100); got != 32<<20 || now != tightPercent {
		t.Errorf("the room is %d at %d percent, want 32 MB at 65", got, now)
	}
}
