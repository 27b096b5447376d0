package migrate

import "testing"

// A mark of the byte order takes no column, and only the first line has one.
func TestColumn(t *testing.T) {
	for _, tt := range []struct {
		text string
		off  int
		want int
	}{
		{"a: 1\n  b: 2\n", 0, 0},
		{"a: 1\n  b: 2\n", 7, 2},
		{"\ufeffa: 1\n  b: 2\n", 3, 0},
		{"\ufeff  a: 1\n", 5, 2},
		{"\ufeffa: 1\n  b: 2\n", 10, 2},
	} {
		if got := column([]byte(tt.text), tt.off); got != tt.want {
			t.Errorf("offset %d of %q is in column %d, want %d", tt.off, tt.text, got, tt.want)
		}
	}
}
