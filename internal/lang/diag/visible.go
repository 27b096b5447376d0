package diag

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns a name as one line of text. It quotes a name that could disturb a terminal or
// begin a new line.
func Visible(name string) string {
	if strings.ContainsFunc(name, AffectsDisplay) || !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	return name
}

// AffectsDisplay reports whether a character is not shown as itself: it controls the terminal, begins a new
// line in some programs, or changes how the text around it is shown, such as its direction.
func AffectsDisplay(r rune) bool {
	if ' ' <= r && r < 0x7f {
		return false // the common case
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}
