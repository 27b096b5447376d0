package format

import (
	"bytes"
	"slices"
)

// page is the text of a file with what is to become of its lines.
type page struct {
	text []byte
	rows []row
	gaps []gap
	cut  bool // the text ends with a block scalar that would be another with a line break after it
}

// row is a line.
type row struct {
	start, end int // without the line break
	column     int // in which it is to begin; unset to move it by shift
	shift      int
	floor      int  // what is left of its white space at least, if it has as much
	block      bool // it is a line of a block scalar, of which the text begins in the column body
	body       int
	inside     bool // it goes on with what began before: blank lines count
	exact      bool // white space at its end counts
	off        bool // someone has said that weft must not touch it
}

const unset = -1

// gap is white space between two words of a line, which gets another width.
type gap struct{ start, end, width int }

// newPage cuts a text into lines. A line ends with "\n", "\r\n" or "\r". The mark that says how the
// text is encoded is in none of them.
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

// line returns the number of the row that holds an offset.
func (p *page) line(off int) int {
	i, found := slices.BinarySearchFunc(p.rows, off, func(r row, off int) int { return r.start - off })
	if !found {
		i--
	}
	return max(i, 0)
}

// column returns the column of an offset in its line, from 0.
func (p *page) column(off int) int { return off - p.rows[p.line(off)].start }

// leads reports whether only white space is before an offset in its line.
func (p *page) leads(off int) bool {
	start := p.rows[p.line(off)].start
	return len(bytes.Trim(p.text[start:off], " \t")) == 0
}

// blank reports whether nothing is in a row.
func (p *page) blank(r *row) bool { return len(bytes.Trim(p.text[r.start:r.end], " \t")) == 0 }

// lead returns the number of blanks that a line begins with.
func (p *page) lead(r *row) int {
	n := 0
	for r.start+n < r.end && p.text[r.start+n] == ' ' {
		n++
	}
	return n
}

// space gives the white space from start to end another width.
func (p *page) space(start, end, width int) {
	if end-start != width || bytes.IndexByte(p.text[start:end], '\t') >= 0 {
		p.gaps = append(p.gaps, gap{start, end, width})
	}
}

// bytes returns the text as it is to be.
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
		var own []gap
		for len(gaps) > 0 && gaps[0].start < r.end {
			own, gaps = append(own, gaps[0]), gaps[1:]
		}
		out = append(p.appendRow(out, r, own), '\n')
	}
	if p.cut {
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	return out
}

// appendRow adds a line without its break.
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

// appendLead adds the white space that a line begins with.
func (r *row) appendLead(out, lead []byte, blank bool) []byte {
	switch {
	case r.column != unset:
		return append(out, bytes.Repeat([]byte(" "), r.column)...)
	case r.block && blank && len(lead) <= r.body: // no text of the scalar
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
