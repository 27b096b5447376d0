package edit

import (
	"strings"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Longest is the largest number of digits that always fit in a 64-bit integer.
const Longest = 18

// LongNumber returns the digits of v if it is an integer of more than 64 bits, without a plus sign or
// leading zeros, which JSON does not allow.
func LongNumber(v tree.Value) (string, bool) {
	t, n, ok := v.Syntax()
	if !ok || t.Kind(n) != yaml.Scalar || t.Style(n) != yaml.Plain || len(t.Raw(n)) <= Longest {
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
	return digits, len(digits) > Longest && val.Kind == yaml.Float
}

// sameDigits returns false for two integers of more than 64 bits with different digits: as floats, they can be
// equal.
func sameDigits(a, b tree.Value) bool {
	x, ok := LongNumber(a)
	y, also := LongNumber(b)
	return !ok || !also || x == y
}
