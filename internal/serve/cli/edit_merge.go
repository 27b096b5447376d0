//go:build !js

package cli

import (
	"bytes"
	"slices"
	"strings"

	"weft/internal/lang/unified"
)

// merged returns an edited text with what has changed in the text since the editor was opened. Where both
// changed, the edited text counts: line is the first such line of it, or 0.
func merged(base, now, edited []byte) (text []byte, line int) {
	if bytes.Equal(base, now) {
		return edited, 0
	}
	a, b, c := linesOf(base), linesOf(now), linesOf(edited)
	theirs := unified.CompareLines(a, b)
	var out []string
	at := 0 // how much of base is done
	until := func(end int) {
		for len(theirs) > 0 && theirs[0].A1 <= end {
			x := theirs[0]
			out = append(append(out, a[at:x.A0]...), b[x.B0:x.B1]...)
			at, theirs = x.A1, theirs[1:]
		}
		out = append(out, a[at:end]...)
		at = end
	}
	for _, e := range unified.CompareLines(a, c) {
		both := func(x unified.Edit) bool {
			return x.A0 < e.A1 && e.A0 < x.A1 || x.A0 == e.A0 && x.A1 == e.A1
		}
		for len(theirs) > 0 && theirs[0].A1 <= e.A0 && !both(theirs[0]) {
			until(theirs[0].A1)
		}
		if slices.ContainsFunc(theirs, both) {
			theirs = slices.DeleteFunc(theirs, both)
			if line == 0 {
				line = e.B0 + 1
			}
		}
		until(e.A0)
		out = append(out, c[e.B0:e.B1]...)
		at = e.A1
	}
	until(len(a))
	return []byte(strings.Join(out, "")), line
}

// linesOf returns the lines of a text, with their breaks.
func linesOf(text []byte) []string { return strings.SplitAfter(string(text), "\n") }
