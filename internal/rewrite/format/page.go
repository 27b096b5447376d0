package format

import (
	"bytes"
	"slices"
)

// page is the text of a file with the planned changes to its lines.
type page struct {
	text []byte
	rows []row
	gaps []gap
	cut  bool // the text ends with a block scalar whose value a final line break would change
}

// row is a line.
type row struct {
	start, end int // without the line break
	column     int // the new column of its text; unset to move it by shift
	shift      int
	floor      int  // the minimum white space to keep, if there is that much
	block      bool // it is a line of a block scalar whose text begins in column body
	body       int
	inside     bool // it continues a scalar or a statement, so blank lines matter
	exact      bool // white space at its end matters
	off        bool // formatting is turned off for it
}

const unset = -1

// gap is white space between two words of a line that gets a new width.
type gap struct{ start, end, width int }

// newPage splits a text into lines, which end with "\n", "\r\n" or "\r". The byte order mark is in none of
// them.
func newPage(text []byte) *page {
	p := &page{text: text, rows: make([]row, 0, bytes.Count(text, []byte("\n"))+1)}
	for at := len(text) - len(bytes.TrimPrefix(text, []byte("\ufeff"))); at < len(text); {
		end, next := len(text), len(text)
		if i := bytes.IndexAny(text[at:], "\r\n"); i >= 0 {
			end = at + i
			next = end + 1
			if bytes.HasPrefix(text[end:], []byte("\r\n")) {
				next++
			}
		}
		p.rows = append(p.rows, row{start: at, end: end, column: unset})
		at = next
	}
	return p
}

// line returns the index of the row that contains an offset.
func (p *page) line(off int) int {
	i, found := slices.BinarySearchFunc(p.rows, off, func(r row, off int) int { return r.start - off })
	if !found {
		i--
	}
	return max(i, 0)
}

// column returns the column of an offset in its line, from 0.
func (p *page) column(off int) int { return off - p.rows[p.line(off)].start }

// startsLine reports whether only white space precedes an offset in its line.
func (p *page) startsLine(off int) bool {
	start := p.rows[p.line(off)].start
	return len(bytes.Trim(p.text[start:off], " \t")) == 0
}

// blank reports whether a row contains only white space.
func (p *page) blank(r *row) bool { return len(bytes.Trim(p.text[r.start:r.end], " \t")) == 0 }

// lead returns the number of spaces that a line begins with.
func (p *page) lead(r *row) int {
	n := 0
	for r.start+n < r.end && p.text[r.start+n] == ' ' {
		n++
	}
	return n
}

// space gives the white space from start to end a new width.
func (p *page) space(start, end, width int) {
	if end-start != width || bytes.IndexByte(p.text[start:end], '\t') >= 0 {
		p.gaps = append(p.gaps, gap{start, end, width})
	}
}

// bytes returns the formatted text.
func (p *page) bytes() []byte {
	slices.SortFunc(p.gaps, func(a, b gap) int { return a.start - b.start })
	out := make([]byte, 0, len(p.text)+len(p.text)/16)
	gaps, blanks := p.gaps, 0
	for i := range p.rows {
		r := &p.rows[i]
		if p.blank(r) && !r.inside && !r.off {
			blanks++
			continue
		}
		if blanks > 0 && len(out) > 0 {
			out = append(out, '\n')
		}
		blanks = 0
		for len(gaps) > 0 && gaps[0].start < r.start {
			gaps = gaps[1:]
		}
		var ofLine []gap
		for len(gaps) > 0 && gaps[0].start < r.end {
			ofLine, gaps = append(ofLine, gaps[0]), gaps[1:]
		}
		out = append(p.appendRow(out, r, ofLine), '\n')
	}
	if p.cut {
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	return out
}

// appendRow appends a line without its line break.
func (p *page) appendRow(out []byte, r *row, gaps []gap) []byte {
	line := p.text[r.start:r.end]
	rest := bytes.TrimLeft(line, " \t")
	lead := line[:len(line)-len(rest)]
	out = r.appendLead(out, lead, len(rest) == 0)
	if r.off {
		return append(out, rest...)
	}
	at := r.end - len(rest)
	for _, g := range gaps {
		out = append(out, p.text[at:g.start]...)
		out = append(out, bytes.Repeat([]byte(" "), g.width)...)
		at = g.end
	}
	tail := p.text[at:r.end]
	if !r.exact {
		tail = bytes.TrimRight(tail, " \t")
	}
	return append(out, tail...)
}

// appendLead appends the white space that a line begins with.
func (r *row) appendLead(out, lead []byte, blank bool) []byte {
	switch {
	case r.column != unset:
		return append(out, bytes.Repeat([]byte(" "), r.column)...)
	case r.block && blank && len(lead) <= r.body: // not part of the scalar's text
		return append(out, lead[:min(len(lead), max(r.body+r.shift, 0))]...)
	case blank && !r.block:
		return out
	case r.shift >= 0:
		return append(append(out, bytes.Repeat([]byte(" "), r.shift)...), lead...)
	}
	cut := 0
	for cut < len(lead) && cut < -r.shift && lead[cut] == ' ' && len(lead)-cut > r.floor {
		cut++
	}
	return append(out, lead[cut:]...)
}
