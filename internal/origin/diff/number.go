package diff

import (
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
)

// Programs read integers of more than 64 bits as floats, and many of them are the same float. A different
// number in the source is still a change, so these integers are compared as written.

// hasLongNumbers reports whether the files of a side may contain such an integer.
func (s *Side) hasLongNumbers() bool {
	if s.Files == nil {
		return false
	}
	for _, f := range s.Files.All() {
		digits := 0
		for _, c := range f.Data() {
			if digits++; c < '0' || c > '9' {
				digits = 0
			}
			if digits > edit.Longest {
				return true
			}
		}
	}
	return false
}

// equal reports whether two values are equal.
func (c *comparer) equal(x, y tree.Value) bool {
	return edit.Equal(x, y) && (!c.hash.long || c.hash.value(x) == c.hash.value(y))
}
