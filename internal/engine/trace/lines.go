package trace

import (
	"strings"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Piece is a part of an output text, starting at an offset, and its origin.
type Piece struct {
	Start int
	From  tree.Origin
	Of    *source.File // the file in which the text is written literally, or nil
}

// Lines returns the origin of each line of a text.
func (tr *Tracer) Lines(text string, pieces []Piece) []tree.Origin {
	var lines []tree.Origin
	next := 0
	var last Piece // the last piece before next
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := tr.inside(last, start)
		for ; next < len(pieces) && pieces[next].Start < end; next++ {
			last = pieces[next]
			if line == 0 || last.Start <= start {
				line = last.From
			} else {
				line = tr.join(line, last.From)
			}
		}
		lines = append(lines, line)
		start = end
	}
	return lines
}

// inside returns the origin of the text at an offset, which is inside p. If the text is written
// literally in the template, its place is the place there.
func (tr *Tracer) inside(p Piece, offset int) tree.Origin {
	s, ok := tr.Of(p.From)
	if !ok || p.Of == nil {
		return p.From
	}
	at := s.At.Offset() + offset - p.Start
	s.At = p.Of.Span(at, at+1)
	return tr.Set(tree.Value{}, s).Origin()
}

// join returns the origin of a line that consists of parts with two origins.
func (tr *Tracer) join(a, b tree.Origin) tree.Origin {
	x, _ := tr.Of(a)
	y, _ := tr.Of(b)
	if y.Reads == 0 && y.When == x.When {
		return a
	}
	x.Reads = tr.Union(x.Reads, y.Reads)
	if y.When > x.When { // y began later, inside the other condition
		x.When = y.When
	}
	return tr.Set(tree.Value{}, x).Origin()
}

// TextReads ends the statement that writes a text, and returns what the text was computed from.
func (tr *Tracer) TextReads() tree.Slice {
	a := tr.top()
	reads := tr.EndStatement()
	tr.Use(reads)
	a.text = tr.Union(a.text, tr.Union(reads, a.around().reads))
	return reads
}

// BeginText begins a text that is part of a value.
func (tr *Tracer) BeginText() {
	a := tr.top()
	a.texts = append(a.texts, outerText{a.text, a.decided, tr.Open()})
	a.text, a.decided = 0, 0
}

// EndText ends the text. What it was computed from counts as read.
func (tr *Tracer) EndText() {
	a := tr.top()
	was := a.texts[len(a.texts)-1]
	a.texts = a.texts[:len(a.texts)-1]
	s := tr.Union(tr.Union(a.text, a.decided), tr.Close(was.window))
	a.text, a.decided = was.text, tr.Union(was.decided, a.decided)
	tr.Read(s)
}

// ReadText records that code reads the text that a function returns.
func (tr *Tracer) ReadText() {
	a := tr.top()
	tr.Read(tr.Union(a.text, a.decided))
}
