package blame

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Column widths of the report. Paths are never cut, so that people can open them.
const (
	minText  = 30
	minNote  = 40
	maxPlace = 52
	maxText  = 60
)

// row is one line of the report.
type row struct {
	place, text, note string
	absent            bool
}

// WriteText writes the report as text: each line of the output, with the place that produced it to the
// left and how its value was determined to the right; in a narrow terminal, below it. Without a number of
// columns, each line of the output is one line of the report.
func (r *Report) WriteText(w io.Writer, chosen *Selection, columns int, color bool) error {
	return r.written(w, func(w io.Writer) error { return r.putText(w, chosen, columns, color) })
}

func (r *Report) putText(w io.Writer, chosen *Selection, columns int, color bool) error {
	out := bufio.NewWriterSize(w, 64<<10)
	for i := range r.Parts {
		rows := r.rows(&r.Parts[i], chosen)
		if len(rows) == 0 {
			continue
		}
		if f := r.Parts[i].File; f != "" {
			out.WriteString(paint(color, bold, diag.Visible(f)) + "\n")
		}
		l := newLayout(rows, columns)
		l.write(out, rows, color)
	}
	return out.Flush()
}

// rows returns the selected lines of a part.
func (r *Report) rows(p *Part, chosen *Selection) []row {
	rows := make([]row, 0, len(p.Lines))
	last := int32(-1) // the document of the previous line
	for i := range p.Lines {
		line := &p.Lines[i]
		if !chosen.has(r, p, line) {
			continue
		}
		if chosen != nil && line.Node >= 0 {
			doc := r.Nodes[line.Node].Doc
			if last >= 0 && doc != last {
				rows = append(rows, row{text: "---"})
			}
			last = doc
		}
		rows = append(rows, r.row(line))
	}
	return rows
}

func (r *Report) row(line *Line) row {
	switch {
	case line.Absent != nil:
		a := line.Absent
		return row{r.place(a.At, a.Calls), absentText(a), r.absentNote(a), true}
	case line.Node >= 0:
		n := &r.Nodes[line.Node]
		if n.origin == 0 {
			return row{place: r.place(r.writtenAt(n, line), nil), text: line.Text} // only a template set it
		}
		if at, ok := r.editedAt(line); ok {
			return row{place: r.Where(at), text: line.Text}
		}
		if s, ok := r.onlySetting(n); ok {
			out := row{place: r.place(n.At, r.caller(s.Calls)), text: line.Text}
			if line.First {
				out.note = join(r.cachedNote(s), r.insteadNote(outcome{node: line.Node}),
					r.proved(int(line.Node)))
			}
			return out
		}
		history := shownEvents(r.History(n))
		last := history[len(history)-1]
		out := row{place: r.place(last.At, last.Calls), text: line.Text}
		if line.First {
			out.note = join(r.note(history, n.Hidden), r.insteadNote(outcome{node: line.Node}),
				r.proved(int(line.Node)))
		}
		return out
	case line.Origin != 0:
		s, _ := r.in.Origins.Of(line.Origin)
		e := r.event(s, tree.Value{}, s.At.Pos, false)
		return row{
			place: r.place(s.At.Pos, e.Calls), text: line.Text,
			note: join(r.eventNote(e), r.insteadNote(outcome{-1, line.Origin})),
		}
	}
	return row{text: line.Text}
}

// onlySetting returns the setting of a node if only a template set it, as is true of most nodes.
func (r *Report) onlySetting(n *Node) (tree.Setting, bool) {
	s, ok := r.in.Origins.Of(n.origin)
	return s, ok && s.By == tree.ByTemplate && s.Before == 0 && !s.Was.IsValid()
}

// cachedNote is like eventNote, but caches: many values are computed from the same data values.
func (r *Report) cachedNote(s tree.Setting) string {
	if s.Reads == 0 {
		return ""
	}
	key := templateNote{s.Reads, s.Copied == s.Reads}
	note, ok := r.notes[key]
	if !ok {
		note = r.eventNote(r.event(s, tree.Value{}, s.At.Pos, false))
		r.notes[key] = note
	}
	return note
}

// templateNote is the key of a cached note: values that templates set have the same note if these are
// equal.
type templateNote struct {
	reads  tree.Slice
	copied bool
}

// caller returns the innermost call of a chain, if there is one.
func (r *Report) caller(id tree.Calls) []source.Span {
	if id == 0 {
		return nil
	}
	calls, ok := r.callers[id]
	if !ok {
		calls = r.in.Origins.Calls(id)[:1]
		r.callers[id] = calls
	}
	return calls
}

// writtenAt returns where a line of a node that only a template set is written. Each line of a block
// scalar has its own place.
func (r *Report) writtenAt(n *Node, line *Line) source.Pos {
	if line.First {
		return n.At
	}
	return r.lineAfter(n.At, int(line.Number-n.Line)-1, line.Text)
}

// layout is where the columns of a report are.
type layout struct {
	left int // the width of places
	note int // where notes begin, after the column of places
	room int // the width of texts and notes; 0 if there is no limit
}

// newLayout returns the layout of rows in a terminal, or without limits.
func newLayout(rows []row, columns int) layout {
	var l layout
	widest := 0
	for _, x := range rows {
		l.left = max(l.left, min(utf8.RuneCountInString(x.place), maxPlace))
		if x.note != "" {
			widest = max(widest, utf8.RuneCountInString(x.text))
		}
	}
	if columns > 0 {
		l.room = max(columns-l.left-2, minText)
		widest = min(widest, max(0, l.room-2-minNote))
	} else {
		widest = min(widest, maxText)
	}
	l.note = widest + 2
	if columns > 0 && widest < minText {
		l.note = 2 // notes are below texts
	}
	return l
}

// write aligns the three columns. A cell that is wider than its column shifts the rest of its row.
func (l layout) write(out *bufio.Writer, rows []row, color bool) {
	for _, x := range rows {
		place := diag.Visible(x.place)
		out.WriteString(paint(color, dim, place))
		if x.text != "" || x.note != "" {
			blanks(out, max(0, l.left-utf8.RuneCountInString(place))+2)
			l.writeText(out, x, color)
		}
		out.WriteByte('\n')
	}
}

// writeText writes a line of the output and its note after a place.
func (l layout) writeText(out *bufio.Writer, x row, color bool) {
	x.text = strings.TrimSuffix(x.text, "\r") // a terminal would overwrite the line
	lines := l.folded(x.text)
	for i, line := range lines {
		if i > 0 {
			out.WriteByte('\n')
			blanks(out, l.left+2)
		}
		if x.absent {
			line = paint(color, dim, line)
		}
		out.WriteString(line)
	}
	if x.note != "" {
		l.writeNote(out, diag.Visible(x.note), utf8.RuneCountInString(lines[len(lines)-1]), color)
	}
}

// folded returns a line of the output in lines that fit. It breaks between words, and indents what follows.
func (l layout) folded(text string) (lines []string) {
	indent := strings.Repeat(" ", min(len(text)-len(strings.TrimLeft(text, " "))+2, l.room/2))
	for l.room > 0 && utf8.RuneCountInString(text) > l.room {
		at := lastGap(text, l.room)
		if at == 0 || strings.TrimSpace(text[:at]) == "" || strings.TrimSpace(text[at:]) == "" {
			break
		}
		lines = append(lines, text[:at])
		text = indent + strings.TrimLeft(text[at:], " ")
	}
	return append(lines, text)
}

// writeNote writes a note after a text if both fit; otherwise it wraps the note in its own column.
func (l layout) writeNote(out *bufio.Writer, note string, text int, color bool) {
	style := noteStyle(note)
	column := max(l.note, text+2)
	if l.room == 0 || column+utf8.RuneCountInString(note) <= l.room {
		blanks(out, column-text)
		out.WriteString(paint(color, style, note))
		return
	}
	for i, line := range wrap(note, l.room-l.note) {
		if i > 0 || text+2 > l.note {
			out.WriteByte('\n')
			text = -l.left - 2
		}
		blanks(out, l.note-text)
		out.WriteString(paint(color, style, line))
	}
}

func blanks(out *bufio.Writer, n int) {
	for range n {
		out.WriteByte(' ')
	}
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// Terminal styles.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

func paint(color bool, style, s string) string {
	if !color || s == "" {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// noteStyle returns the color of a note, which depends on its symbol.
func noteStyle(note string) string {
	switch note[:1] {
	case symAdded:
		return green
	case symRemoved:
		return red
	case symWins, symDecided:
		return yellow
	}
	return cyan
}
