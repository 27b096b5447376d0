package lint

import "slices"

// Edit puts a text in the place of another.
type Edit struct {
	From, To int
	Text     string
}

// Free reports whether edits touch none of those that are planned.
func Free(planned, more []Edit) bool {
	for _, a := range planned {
		for _, b := range more {
			if a.From < b.To && b.From < a.To || a.From == b.From {
				return false
			}
		}
	}
	return true
}

// Apply makes edits, none of which overlaps another.
func Apply(text []byte, edits []Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.From - b.From })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.From]...), e.Text...)
		at = e.To
	}
	return append(out, text[at:]...)
}
