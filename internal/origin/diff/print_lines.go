package diff

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/unified"
)

// around is the number of context lines around changed lines of a string.
const around = 1

// textLine is a line of a string that changed. Mark is '-', '+', or ' ' for context.
type textLine struct {
	mark byte
	text string
}

// changedLines returns the lines that differ between two strings, with a few lines of context. An ellipsis
// stands for omitted lines.
func changedLines(x, y string) []textLine {
	a, b := unified.Lines([]byte(x)), unified.Lines([]byte(y))
	var list []textLine
	add := func(mark byte, lines []string) {
		for _, line := range lines {
			text := strings.TrimSuffix(line, "\n")
			if text == line {
				text += " (no line break at the end)"
			}
			list = append(list, textLine{mark, printable(text)})
		}
	}
	shown := 0 // lines of a so far
	for i, e := range unified.CompareLines(a, b) {
		from := max(shown, e.A0-around)
		if i > 0 {
			until := min(shown+around, e.A0)
			add(' ', a[shown:until])
			shown, from = until, max(until, from)
		}
		if from > shown && (i > 0 || from > 0) {
			list = append(list, textLine{' ', "…"})
		}
		add(' ', a[from:e.A0])
		add('-', a[e.A0:e.A1])
		add('+', b[e.B0:e.B1])
		shown = e.A1
	}
	until := min(shown+around, len(a))
	add(' ', a[shown:until])
	if until < len(a) {
		list = append(list, textLine{' ', "…"})
	}
	return list
}

// cut returns lines up to a limit. If lines were omitted, the last one says how many.
func cut(lines []textLine, limit int) []textLine {
	if len(lines) <= limit+1 {
		return lines
	}
	more := len(lines) - limit
	return append(lines[:limit:limit], textLine{' ', "… " + diag.Count(more, "line") + " more"})
}
