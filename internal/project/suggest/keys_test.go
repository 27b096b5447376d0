package suggest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// TestManyKeys checks that the work for a map with other keys in another order grows with their number, and not with
// its square.
func TestManyKeys(t *testing.T) {
	value := func(n int, key func(i int) int) tree.Value {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "k%d: v\n", key(i))
		}
		_, docs, err := parse([]byte(b.String()), "", yaml.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return docs[0]
	}
	work := func(n int) uint64 {
		was := value(n, func(i int) int { return i })
		now := value(n, func(i int) int { return n - i })
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w := writer{}
		w.maps(0, was, now)
		patch(was, now, precise)
		_, _ = hasSameKeys(was, was), contains(was, was)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := work(200), work(800); many > 6*few {
		t.Errorf("200 keys take %d bytes, 800 take %d", few, many)
	}
}
