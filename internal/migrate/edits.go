package migrate

import (
	"cmp"
	"slices"
)

// change replaces a part of a text.
type change struct {
	start, end int
	text       string
}

// apply makes changes, of which no two overlap.
func apply(src []byte, changes []change) []byte {
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.start, b.start) })
	var out []byte
	done := 0
	for _, c := range changes {
		out = append(append(out, src[done:c.start]...), c.text...)
		done = c.end
	}
	return append(out, src[done:]...)
}
