package help

import (
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"weft/internal/serve/cli/process"
)

// Help is laid out for the terminal, within these bounds: lines that are too long are hard to read,
// and below a certain width there is nothing left to lay out.
const (
	widest    = 100
	narrowest = 40
)

// Columns returns the width of the text that help prints on w. A file or a pipe gets the widest.
func Columns(w io.Writer) int {
	width, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil {
		width = terminalWidth(w)
	}
	if width <= 0 {
		width = widest
	}
	return max(narrowest, min(width, widest))
}

// terminalWidth returns the width of the terminal that w prints on, or 0.
func terminalWidth(w io.Writer) int {
	if o, ok := w.(*process.Stdout); ok {
		w = o.Underlying()
	}
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// Fold breaks a line between its words, so that its parts have at most width columns each. A word
// that is wider than that stays whole.
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

// widestTerm is the widest term whose text begins in the same line.
const widestTerm = 30

// table lays definitions out: the terms on the left, what they mean on the right. The text of a
// term that is too wide begins in the next line.
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
