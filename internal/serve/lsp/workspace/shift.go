package workspace

import (
	"bytes"
	"sort"

	"weft/internal/lang/unified"
)

// Shift converts offsets in an old text to offsets in a new one. The zero value is for texts that
// are the same.
type Shift struct {
	hunks []hunk // in order
}

// hunk is bytes of the old text that others are in place of.
type hunk struct{ oldStart, oldEnd, newStart, newEnd int }

// NewShift compares two texts: what is common at both ends, and lines in between.
func NewShift(old, now []byte) Shift {
	if bytes.Equal(old, now) {
		return Shift{}
	}
	start := 0
	for start < len(old) && start < len(now) && old[start] == now[start] {
		start++
	}
	end := 0
	for end < len(old)-start && end < len(now)-start &&
		old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	if bytes.IndexByte(old[start:len(old)-end], '\n') >= 0 ||
		bytes.IndexByte(now[start:len(now)-end], '\n') >= 0 {
		// Lines are compared as a whole, so that what is common must not begin inside one.
		for end > 0 && !(beginsLine(old, len(old)-end) && beginsLine(now, len(now)-end)) {
			end--
		}
	}
	return Shift{hunks: compareMiddle(old[:len(old)-end], now[:len(now)-end], start)}
}

// beginsLine reports whether a line begins at an offset.
func beginsLine(text []byte, off int) bool { return off == 0 || text[off-1] == '\n' }

// compareMiddle compares what is after start in two texts, line by line.
func compareMiddle(old, now []byte, start int) []hunk {
	a, b := lines(old[start:]), lines(now[start:])
	if len(a) <= 1 || len(b) <= 1 {
		return []hunk{{start, len(old), start, len(now)}}
	}
	at := func(list []string) []int { // the offset of each line, and of the end
		offsets, off := make([]int, len(list)+1), start
		for i, l := range list {
			offsets[i] = off
			off += len(l)
		}
		offsets[len(list)] = off
		return offsets
	}
	x, y := at(a), at(b)
	var hunks []hunk
	for _, e := range unified.CompareLines(a, b) {
		hunks = append(hunks, hunk{x[e.A0], x[e.A1], y[e.B0], y[e.B1]})
	}
	return hunks
}

func lines(text []byte) []string {
	var list []string
	for line := range bytes.Lines(text) {
		list = append(list, string(line))
	}
	return list
}

// Now returns where an offset of the old text is in the new one. What was replaced is where the new
// text begins; ok is false then.
func (s Shift) Now(off int) (now int, ok bool) {
	i := sort.Search(len(s.hunks), func(i int) bool { return s.hunks[i].oldEnd > off })
	moved := 0
	if i > 0 {
		moved = s.hunks[i-1].newEnd - s.hunks[i-1].oldEnd
	}
	if i < len(s.hunks) && s.hunks[i].oldStart <= off {
		return s.hunks[i].newStart, false
	}
	return off + moved, true
}

// Then returns where an offset of the new text was in the old one. What is new was where the old
// text begins that it replaces; ok is false then.
func (s Shift) Then(off int) (then int, ok bool) { return s.inverse().Now(off) }

func (s Shift) inverse() Shift {
	back := Shift{hunks: make([]hunk, len(s.hunks))}
	for i, h := range s.hunks {
		back.hunks[i] = hunk{h.newStart, h.newEnd, h.oldStart, h.oldEnd}
	}
	return back
}
