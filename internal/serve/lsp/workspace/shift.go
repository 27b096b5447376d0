package workspace

import (
	"bytes"
	"path/filepath"
	"sort"

	"weft/internal/lang/source"
	"weft/internal/lang/unified"
	"weft/internal/serve/lsp/protocol"
)

// Shift converts offsets in an old text to offsets in a new one. The zero value is for equal texts.
type Shift struct {
	hunks []hunk // in order
}

// hunk is a range of the old text, and the range of the new text that replaces it.
type hunk struct{ oldStart, oldEnd, newStart, newEnd int }

// NewShift compares two texts: bytes at both ends, and lines in between.
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
		// Lines are compared as a whole, so the common end must begin with a line.
		for end > 0 && !(beginsLine(old, len(old)-end) && beginsLine(now, len(now)-end)) {
			end--
		}
	}
	return Shift{hunks: compareMiddle(old[:len(old)-end], now[:len(now)-end], start)}
}

func beginsLine(text []byte, off int) bool { return off == 0 || text[off-1] == '\n' }

// compareMiddle compares two texts after start, line by line.
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

// Now returns where an offset of the old text is in the new one. If the byte there was replaced, it
// returns where its replacement begins, and false.
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

// Then returns where an offset of the new text was in the old one. If the byte there is new, it
// returns where the text that it replaces begins, and false.
func (s Shift) Then(off int) (then int, ok bool) {
	back := Shift{hunks: make([]hunk, len(s.hunks))}
	for i, h := range s.hunks {
		back.hunks[i] = hunk{h.newStart, h.newEnd, h.oldStart, h.oldEnd}
	}
	return back.Now(off)
}

// TextNow returns the client's text of a file, and a Shift from the text that was evaluated. For a file that
// is no longer open, or that has changed on disk, that is the text on disk.
func (s *Snapshot) TextNow(path string, f *source.File) (*source.File, Shift) {
	text := s.OpenText(path)
	if text == nil && s.folder.lastChange(path) > 0 {
		if d := s.Document(path); d != nil {
			text = d.file
		}
	}
	if text == nil || text.SameText(f) {
		return f, Shift{}
	}
	return text, NewShift(f.Data(), text.Data())
}

// LinesNow returns a function that converts offsets of a file, as it was evaluated, to lines of the
// client's text, from 0. It returns false for text that has changed.
func (s *Snapshot) LinesNow(path string, f *source.File) func(off int) (line int, ok bool) {
	text, shift := s.TextNow(path, f)
	return func(off int) (int, bool) {
		now, ok := shift.Now(off)
		return text.Line(now) - 1, ok
	}
}

// LocationNow returns where a place of an evaluation is in the client's text. It returns false if the
// text has changed, or does not belong to a file of the folder.
func (s *Snapshot) LocationNow(files *source.Set, at source.Span) (protocol.Location, bool) {
	path, f, at := s.Openable(files, at)
	if f == nil {
		return protocol.Location{}, false
	}
	if _, err := s.Files().Stat(path); err != nil {
		return protocol.Location{}, false
	}
	text, shift := s.TextNow(path, f)
	start, ok := shift.Now(at.Offset())
	end, _ := shift.Now(at.End())
	return protocol.Location{URI: s.URI(path), Range: s.MapperOf(text).Range(start, end)}, ok
}

// Openable returns the file that an editor opens for a place of an evaluation: its path in the folder, its
// text and the place in it. For the text of another program, this is the line that the text comes from, or
// the beginning of its file if the line is not known. The file is nil if there is none to open.
func (s *Snapshot) Openable(files *source.Set, at source.Span) (string, *source.File, source.Span) {
	f := files.File(at.Pos)
	if f == nil || f.Argument() {
		return "", nil, at
	}
	from := f.Origins(at.Offset())
	if from == nil {
		return filepath.ToSlash(f.Shown()), f, at
	}
	path := filepath.ToSlash(from[0].Path)
	d := s.Document(path)
	if d == nil { // in an archive
		return "", nil, at
	}
	return path, d.File(), lineSpan(d.File(), from[0].Line)
}

// lineSpan returns a line of a file without the white space around it, or the beginning of the file if there
// is no such line.
func lineSpan(f *source.File, line int) source.Span {
	if line < 1 || line > f.Lines() {
		return f.Span(0, 0)
	}
	start := f.Offset(line, 1, source.Bytes)
	text := f.Text(line)
	start += len(text) - len(bytes.TrimLeft(text, " \t"))
	return f.Span(start, start+len(bytes.TrimSpace(text)))
}
