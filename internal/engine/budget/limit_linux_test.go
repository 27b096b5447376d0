package budget

import "testing"

func TestInUse(t *testing.T) {
	if inUse(0) == 0 {
		t.Error("the process has no address space")
	}
	if got := inUse(99); got != 0 {
		t.Errorf("a field that the system does not have says %d", got)
	}
}
