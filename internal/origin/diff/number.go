package diff

import (
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Programs read integers of more than 64 bits as floats, and many of them are the same float. A different
// number in the source is still a change, so these integers are compared as written.

// longest is the largest number of digits that always fit in a 64-bit integer.
const longest = 18

// longNumber returns the digits of v if it is an integer of more than 64 bits, without a plus sign or
// leading zeros, which JSON does not allow.
func longNumber(v tree.Value) (string, bool) {
	t, n, ok := v.Syntax()
	if !ok || t.Kind(n) != yaml.Scalar || t.Style(n) != yaml.Plain || len(t.Raw(n)) <= longest {
		return "", false
	}
	text := strings.TrimPrefix(string(t.Raw(n)), "+")
	digits, negative := strings.CutPrefix(text, "-")
	if strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	if digits = strings.TrimLeft(digits, "0"); negative {
		digits = "-" + digits
	}
	val, _ := v.Scalar()
	return digits, len(digits) > longest && val.Kind == yaml.Float
}

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
			if digits > longest {
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
