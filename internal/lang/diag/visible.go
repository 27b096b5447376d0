package diag

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns a name as one line of text. A name that could disturb a terminal or begin a line
// of its own is quoted.
func Visible(name string) string {
	if strings.ContainsFunc(name, Disturbs) || !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	return name
}

// Disturbs reports whether a character is not shown as itself: a terminal obeys it, or it changes
// how what is around it is shown, such as the order of characters.
func Disturbs(r rune) bool {
	if ' ' <= r && r < 0x7f {
		return false // as nearly all are
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
