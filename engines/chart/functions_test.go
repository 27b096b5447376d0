package chart

import (
	"slices"
	"testing"

	"github.com/Masterminds/sprig/v3"
)

// TestNumbers fails if lists with a limit are not those of Helm's functions.
func TestNumbers(t *testing.T) {
	all := sprig.TxtFuncMap()
	until, step := all["until"].(func(int) []int), all["untilStep"].(func(int, int, int) []int)
	limited := large["until"].(func(int) ([]int, error))
	for a := -4; a <= 4; a++ {
		if got, err := limited(a); err != nil || !slices.Equal(got, until(a)) {
			t.Errorf("until %d: %v, %v", a, got, err)
		}
		for b := -4; b <= 4; b++ {
			for c := -3; c <= 3; c++ {
				if got, err := numbers(a, b, c); err != nil || !slices.Equal(got, step(a, b, c)) {
					t.Errorf("untilStep %d %d %d: %v, %v", a, b, c, got, err)
				}
			}
		}
	}
}
