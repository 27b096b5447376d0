package eval

import "testing"

// A recursion makes a builder large. The next one must not get all of that, and have to clear it.
func TestSpareMemoryIsSmall(t *testing.T) {
	for _, calls := range []int{3, 10 * maxSpareContexts} {
		var deep, next builder
		for range calls {
			deep.enter(nil, 1)
		}
		deep.release()
		if next.borrow(); cap(next.contexts) > maxSpareContexts {
			t.Errorf("after %d calls, %d are kept", calls, cap(next.contexts))
		}
	}
}
