package workspace

import "testing"

// Offsets of lines that stay lead to the same lines.
func TestShift(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		old, now string
		off      int // in old
		want     int // in now; -1 if it has gone
	}{
		{"abc", "abc", 1, 1},
		{"abc", "x\nabc", 1, 3},
		{"x\nabc", "abc", 3, 1},
		{"abc", "axbc", 1, 2},
		{"a\nb\n", "n\na\nb\nc\n", 2, 4},
		{"a\nb\n", "n\na\nb\nc\n", 0, 2},
		{"a\r\nb\r\n", "n\r\na\r\nb\r\nc\r\n", 3, 6},
		{"a\nb\nc\n", "a\nx\nc\n", 4, 4},
		{"a\nb\nc\n", "a\nx\nc\n", 2, -1},
		{"", "a", 0, 1},
		{"a", "", 0, -1},
	} {
		now, ok := NewShift([]byte(tt.old), []byte(tt.now)).Now(tt.off)
		if !ok {
			now = -1
		}
		if now != tt.want {
			t.Errorf("%q → %q: %d is at %d, want %d", tt.old, tt.now, tt.off, now, tt.want)
		}
	}
}
