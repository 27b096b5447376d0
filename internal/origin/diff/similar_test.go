package diff

import (
	"slices"
	"testing"
)

// Things that moved and changed a little are found by the features that they share.
func TestSimilar(t *testing.T) {
	a := [][]uint64{{1, 2, 3, 4, 5, 6}, {11, 12, 13, 14, 15, 16}, {21, 22, 23}}
	b := [][]uint64{{31, 32, 33}, {11, 12, 13, 14, 15, 17}, {1, 2, 3, 4, 5, 7}}
	var pairs [][2]int
	for _, m := range similar(a, b) {
		pairs = append(pairs, [2]int{m.a, m.b})
	}
	slices.SortFunc(pairs, func(x, y [2]int) int { return x[0] - y[0] })
	if want := [][2]int{{0, 2}, {1, 1}}; !slices.Equal(pairs, want) {
		t.Errorf("similar are %v, want %v", pairs, want)
	}
}
