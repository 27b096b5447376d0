// Package unified compares two sequences, and writes two texts as a unified diff. Callers decide
// which files are compared and where the result goes.
package unified

import (
	"bytes"
	"strconv"
	"strings"
)

// contextLines is the number of lines that a hunk shows around a change.
const contextLines = 3

// Append appends the unified diff of two files, which `patch -p0` understands.
func Append(dst []byte, from, to string, old, new []byte) []byte {
	if bytes.IndexByte(old, 0) >= 0 || bytes.IndexByte(new, 0) >= 0 {
		return append(dst, "Binary files "+from+" and "+to+" differ\n"...)
	}
	dst = append(dst, "--- "+from+"\n+++ "+to+"\n"...)
	return AppendHunks(dst, old, new)
}

// AppendHunks appends what follows the names of the files in a unified diff.
func AppendHunks(dst, old, new []byte) []byte {
	a, b := Lines(old), Lines(new)
	for _, h := range hunks(CompareLines(a, b), len(a)) {
		dst = h.append(dst, a, b)
	}
	return dst
}

// Shown returns the lines that a unified diff of two texts shows: those of its hunks.
func Shown(old, new []byte) []Edit {
	a, b := Lines(old), Lines(new)
	var list []Edit
	for _, h := range hunks(CompareLines(a, b), len(a)) {
		list = append(list, h.Edit)
	}
	return list
}

// Lines splits after each line break; the last line may have none.
func Lines(data []byte) []string {
	var lines []string
	for line := range bytes.Lines(data) {
		lines = append(lines, string(line))
	}
	return lines
}

// hunk is a run of edits that are shown together, and the lines around them.
type hunk struct {
	Edit
	edits []Edit
}

func hunks(edits []Edit, lines int) []hunk {
	var list []hunk
	for _, e := range edits {
		if n := len(list); n > 0 && e.A0-list[n-1].A1 <= contextLines {
			// The context of the previous hunk overlaps this one.
			h := &list[n-1]
			h.edits = append(h.edits, e)
			h.A1, h.B1 = e.A1, e.B1
		} else {
			before := min(contextLines, e.A0)
			list = append(list, hunk{Edit: Edit{e.A0 - before, e.A1, e.B0 - before, e.B1}, edits: []Edit{e}})
		}
		h := &list[len(list)-1]
		after := min(contextLines, lines-h.A1)
		h.A1 += after
		h.B1 += after
	}
	return list
}

func (h hunk) append(dst []byte, a, b []string) []byte {
	dst = append(dst, "@@ -"...)
	dst = appendRange(dst, h.A0, h.A1)
	dst = append(dst, " +"...)
	dst = appendRange(dst, h.B0, h.B1)
	dst = append(dst, " @@\n"...)
	at := h.A0
	for _, e := range h.edits {
		dst = appendLines(dst, ' ', a[at:e.A0])
		dst = appendLines(dst, '-', a[e.A0:e.A1])
		dst = appendLines(dst, '+', b[e.B0:e.B1])
		at = e.A1
	}
	return appendLines(dst, ' ', a[at:h.A1])
}

// appendRange appends the number of the first line and the number of lines. An empty range is
// identified by the line before it.
func appendRange(dst []byte, from, to int) []byte {
	first := from + 1
	if from == to {
		first = from
	}
	dst = strconv.AppendInt(dst, int64(first), 10)
	if to-from != 1 {
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, int64(to-from), 10)
	}
	return dst
}

func appendLines(dst []byte, mark byte, lines []string) []byte {
	for _, line := range lines {
		dst = append(dst, mark)
		dst = append(dst, line...)
		if !strings.HasSuffix(line, "\n") {
			dst = append(dst, "\n\\ No newline at end of file\n"...)
		}
	}
	return dst
}
