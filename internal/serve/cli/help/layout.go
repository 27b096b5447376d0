package help

import (
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"weft/internal/serve/cli/process"
)

// Help is formatted for the terminal, within these limits: long lines are hard to read, and in narrow
// columns there is nothing to format.
const (
	widest    = 100
	narrowest = 40
)

// Columns returns the width of the text that help prints on w. For a file or a pipe, it is the
// maximum.
func Columns(w io.Writer) int {
	width, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil {
		width = process.TerminalWidth(w)
	}
	if width <= 0 {
		width = widest
	}
	return max(narrowest, min(width, widest))
}

// Fold wraps a line between words, so that each part has at most width columns. A wider word is not
// broken.
func Fold(line string, width int) []string {
	var lines []string
	current, used := "", 0
	for word := range strings.FieldsSeq(line) {
		n := utf8.RuneCountInString(word)
		if used > 0 && used+1+n > width {
			lines = append(lines, current)
			current, used = "", 0
		}
		if used > 0 {
			current += " "
			used++
		}
		current += word
		used += n
	}
	return append(lines, current)
}

// definition is a term and what it means: a flag, or a command.
type definition struct{ term, text string }

// widestTerm is the maximum width of a term whose text begins on the same line.
const widestTerm = 30

// table formats definitions: terms on the left, their meanings on the right. If a term is too wide,
// its text begins on the next line.
func table(list []definition, width int) string {
	left := 0
	for _, d := range list {
		if n := utf8.RuneCountInString(d.term); n <= widestTerm {
			left = max(left, n)
		}
	}
	if left == 0 {
		left = 8
	}
	margin := "  " + strings.Repeat(" ", left) + "  "
	var b strings.Builder
	for _, d := range list {
		b.WriteString("  " + d.term)
		pad := left - utf8.RuneCountInString(d.term)
		if pad < 0 {
			b.WriteString("\n" + margin)
		} else {
			b.WriteString(strings.Repeat(" ", pad) + "  ")
		}
		lines := Fold(d.text, max(width-len(margin), narrowest/2))
		b.WriteString(strings.Join(lines, "\n"+margin) + "\n")
	}
	return b.String()
}
