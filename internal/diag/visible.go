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
	if strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	return name
}
