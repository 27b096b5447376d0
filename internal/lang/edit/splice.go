package edit

import (
	"cmp"
	"slices"
)

// Splice replaces a part of a file with a text.
type Splice struct {
	From, To int
	Text     string
}

// Spliced returns a text with splices applied. They must not overlap.
func Spliced(text []byte, splices []Splice) []byte {
	splices = slices.Clone(splices)
	slices.SortStableFunc(splices, func(a, b Splice) int { return cmp.Compare(a.From, b.From) })
	var out []byte
	at := 0
	for _, s := range splices {
		out = append(append(out, text[at:s.From]...), s.Text...)
		at = s.To
	}
	return append(out, text[at:]...)
}

// Disjoint reports whether splices touch none of the planned ones.
func Disjoint(planned, more []Splice) bool {
	for _, a := range planned {
		for _, b := range more {
			if a.From < b.To && b.From < a.To || a.From == b.From {
				return false
			}
		}
	}
	return true
}
