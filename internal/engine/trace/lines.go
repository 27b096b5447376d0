package trace

import (
	"strings"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Piece is text of an output, from an offset on, and what made it.
type Piece struct {
	Start int
	From  tree.Origin
	Of    *source.File // that the text is written in, if it is
}

// Lines returns what made each line of a text.
func (tr *Tracer) Lines(text string, pieces []Piece) []tree.Origin {
	var lines []tree.Origin
	next := 0
	var last Piece // the one before the next
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

// inside returns what made the text from an offset on, which is in a piece. Of text that is
// written out in the template, the place is the one there.
func (tr *Tracer) inside(p Piece, offset int) tree.Origin {
	s, ok := tr.Of(p.From)
	if !ok || p.Of == nil {
		return p.From
	}
	at := s.At.Offset() + offset - p.Start
	s.At = p.Of.Span(at, at+1)
	return tr.Set(tree.Value{}, s).Origin()
}

// join returns what made a line of which two have made parts.
func (tr *Tracer) join(a, b tree.Origin) tree.Origin {
	x, _ := tr.Of(a)
	y, _ := tr.Of(b)
	if y.Reads == 0 && y.When == x.When {
		return a
	}
	x.Reads = tr.Union(x.Reads, y.Reads)
	if y.When > x.When { // it began later, inside the other's
		x.When = y.When
	}
	return tr.Set(tree.Value{}, x).Origin()
}

// TextReads ends the statement that writes a text, and returns what it was computed from.
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

// EndText ends it: code has read what it was computed from.
func (tr *Tracer) EndText() {
	a := tr.top()
	was := a.texts[len(a.texts)-1]
	a.texts = a.texts[:len(a.texts)-1]
	s := tr.Union(tr.Union(a.text, a.decided), tr.Close(was.window))
	a.text, a.decided = was.text, tr.Union(was.decided, a.decided)
	tr.Read(s)
}

// ReadText records that code reads the text of a function.
func (tr *Tracer) ReadText() {
	a := tr.top()
	tr.Read(tr.Union(a.text, a.decided))
}
