package blame

import (
	"strings"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/unified"
)

// This file finds where the lines of a string come from that @overlay/inside has edited: lines that are as
// they were come from where the string was written.

// editedAt returns where a line of such a string comes from. It returns false for other lines.
func (r *Report) editedAt(line *Line) (source.Pos, bool) {
	if line.Node < 0 || line.First {
		return source.Pos{}, false
	}
	n := &r.Nodes[line.Node]
	s, ok := r.in.Origins.Of(n.origin)
	if !ok || !s.Edited || n.up > 0 || n.Hidden {
		return source.Pos{}, false
	}
	places, ok := r.edited[line.Node]
	if !ok {
		if places = r.placesOf(n.Value, n.origin, n.At); len(places) != int(n.Last-n.Line) {
			places = nil // the string is not printed line by line
		}
		if r.edited == nil {
			r.edited = map[int32][]source.Pos{}
		}
		r.edited[line.Node] = places
	}
	k := int(line.Number-n.Line) - 1
	if k >= len(places) {
		return source.Pos{}, false
	}
	return places[k], true
}

// placesOf returns where each line of a string comes from. Its item is at a position.
func (r *Report) placesOf(v tree.Value, id tree.Origin, at source.Pos) []source.Pos {
	lines := linesOf(v)
	places := make([]source.Pos, len(lines))
	s, ok := r.in.Origins.Of(id)
	if !ok || !s.Edited {
		for k, text := range lines {
			places[k] = r.lineAfter(at, k, text)
		}
		return places
	}
	before := r.placesOf(s.Old, s.Before, s.Was.Pos)
	for k := range places {
		places[k] = s.At.Pos
	}
	a, b := 0, 0
	for _, e := range append(unified.CompareLines(linesOf(s.Old), lines),
		unified.Edit{A0: len(before), A1: len(before), B0: len(lines), B1: len(lines)}) {
		copy(places[b:e.B0], before[a:e.A0])
		a, b = e.A1, e.B1
	}
	return places
}

// linesOf returns the lines of a string, without line breaks.
func linesOf(v tree.Value) []string {
	_, text := v.Scalar()
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// lineAfter returns the place of line k of a block scalar whose item is at a position, or that position if
// the line is not written there.
func (r *Report) lineAfter(at source.Pos, k int, text string) source.Pos {
	f := r.in.Files.File(at)
	if f == nil {
		return at
	}
	number := f.Line(at.Offset()) + k + 1
	if number > f.Lines() || strings.TrimSpace(string(f.Text(number))) != strings.TrimSpace(text) {
		return at
	}
	return f.Pos(f.Offset(number, 1, source.Bytes))
}
