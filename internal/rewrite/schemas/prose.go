package schemas

import (
	"strings"
	"unicode/utf8"

	"weft/internal/lang/diag"
)

// folded returns a text in lines of at most width characters, where its words allow that. Its own line
// breaks stay.
func folded(text string, width int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
				lines = append(lines, line)
				line = ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		lines = append(lines, line)
	}
	return lines
}

// oneLine returns a text without what could end a line or disturb a terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if diag.AffectsDisplay(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}
