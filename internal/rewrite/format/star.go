package format

import (
	"bytes"

	"weft/internal/lang/script"
	"weft/internal/lang/source"
)

// layoutScript lays out a script: two columns for each block around a line.
func layoutScript(f *source.File) []byte {
	p := newPage(f.Data())
	rows := script.LayoutScript(f)
	s := scriptLayout{page: p, rows: rows[:min(len(rows), len(p.rows))]}
	s.findOff()
	if _, err := script.Read(f).Finish(); err == nil {
		s.byEnd()
	} else {
		s.byIndentation()
	}
	return p.bytes()
}

type scriptLayout struct {
	*page
	rows  []script.Row
	shift int // by how much the first line of the statement moved
}

// findOff marks the lines that are excluded from formatting.
func (s *scriptLayout) findOff() {
	off := false
	for i := range s.rows {
		switch s.comment(i) {
		case "off":
			off = true
		case "on":
			s.page.rows[i].off = off
			off = false
		}
		s.page.rows[i].off = s.page.rows[i].off || off
	}
}

// comment returns the formatting directive on a line, if it is a comment.
func (s *scriptLayout) comment(i int) string {
	text, ok := bytes.CutPrefix(s.words(i), []byte("#"))
	if !ok || s.rows[i].State != script.Loose {
		return ""
	}
	return onOff(text)
}

// words returns a line without its leading white space.
func (s *scriptLayout) words(i int) []byte {
	r := &s.page.rows[i]
	return bytes.TrimLeft(s.text[r.start:r.end], " \t")
}

// byEnd lays out a script whose blocks are closed by `end`.
func (s *scriptLayout) byEnd() {
	level := 0
	for i := range s.rows {
		lineLevel := level // the level of this line
		for j, m := range s.rows[i].Marks {
			switch m.Kind {
			case script.Ends:
				level = max(level-1, 0)
				if j == 0 {
					lineLevel = level
				}
			case script.Branches:
				if j == 0 {
					lineLevel = max(level-1, 0)
				}
			default:
				level++
			}
		}
		s.place(i, 2*lineLevel)
	}
}

// byIndentation lays out a script whose blocks are indented, as in standard Starlark.
func (s *scriptLayout) byIndentation() {
	if s.hasTabs() {
		return // tabs have no defined width
	}
	open := []int{0} // the columns of the blocks
	level := func(column int) int {
		for len(open) > 1 && open[len(open)-1] > column {
			open = open[:len(open)-1]
		}
		return len(open) - 1
	}
	for i := range s.rows {
		if s.rows[i].State == script.Loose {
			continue
		}
		column := s.lead(i)
		if s.rows[i].State != script.Begins {
			s.place(i, column)
			continue
		}
		if column > open[len(open)-1] {
			open = append(open, column)
		}
		s.place(i, 2*level(column))
	}
	s.loose()
}

// loose lays out the comments of a script with indented blocks. A comment in the column of the next
// statement is aligned with it; others move with the previous statement.
func (s *scriptLayout) loose() {
	now := map[int]int{} // the new columns of statements, by the old ones
	for i := range s.rows {
		switch {
		case s.rows[i].State == script.Begins:
			now[s.lead(i)] = s.page.rows[i].column
		case s.rows[i].State == script.Loose && len(s.words(i)) > 0:
			column := s.lead(i)
			if next := s.nextStatement(i); next >= 0 && s.lead(next) == column {
				s.page.rows[i].column = s.page.rows[next].column
			} else if c, ok := now[column]; ok {
				s.page.rows[i].column = c
			}
		}
	}
}

func (s *scriptLayout) nextStatement(i int) int {
	for ; i < len(s.rows); i++ {
		if s.rows[i].State == script.Begins {
			return i
		}
	}
	return -1
}

// lead returns the width of a line's leading white space.
func (s *scriptLayout) lead(i int) int {
	r := &s.page.rows[i]
	return r.end - r.start - len(s.words(i))
}

// hasTabs reports whether a statement is indented with a tab.
func (s *scriptLayout) hasTabs() bool {
	for i := range s.rows {
		r := &s.page.rows[i]
		if s.rows[i].State == script.Begins &&
			bytes.IndexByte(s.text[r.start:r.start+s.lead(i)], '\t') >= 0 {
			return true
		}
	}
	return false
}

// place moves a line to a column. Continuation lines move with the first line of their statement.
func (s *scriptLayout) place(i, column int) {
	r := &s.page.rows[i]
	switch {
	case s.rows[i].State == script.InString:
		r.inside, r.exact = true, true
	case s.rows[i].State == script.Continues:
		r.shift = s.shift
	case r.off:
	default:
		r.column = column
		if s.rows[i].State == script.Begins {
			s.shift = column - s.lead(i)
		}
	}
}
