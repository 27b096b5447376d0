package keep

import (
	"bytes"
	"slices"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// isUntouched reports whether an item is unchanged since it was read.
func (p *printer) isUntouched(it *tree.Item, origin entry, kind yaml.Kind) bool {
	t := origin.p.t
	if u, n, ok := it.Value.Syntax(); !ok || u != t || n != t.Target(origin.value()) ||
		t.Style(origin.p.parent[origin.n]) != yaml.Block {
		return false
	}
	return kind != yaml.Mapping || p.sameKey(it, origin)
}

// copyEntry copies an entry to column col, with its comments. If the text does not mean the same
// there, it changes nothing and returns false.
func (p *printer) copyEntry(origin entry, col int) bool {
	t, value := origin.p.t, origin.value()
	from, end := t.Start(origin.n).Offset(), t.Next(value)
	to := origin.p.lineEnd(max(t.ContentEnd(value), t.ContentEnd(origin.n)))
	if !p.canCopy(origin.p, origin.n, end, from, to) {
		return false
	}
	by := col - origin.column()
	p.dst = append(appendMoved(p.dst, origin.p.text[from:to], by, origin.p.returns), '\n')
	if t.KeepsBreaks(end - 1) {
		p.sticky = len(p.dst)
	}
	p.bind(origin.p, origin.n, end)
	g := origin.p.gap(end)
	if g == nil {
		return true
	}
	out := p.lines(origin.p, by, col)
	out.exact = g.bare
	for _, l := range origin.p.lines[g.from:g.feet] {
		switch {
		case l.kind == blank:
			out.blank()
		case l.owner == ofFoot && l.in >= origin.n:
			out.comment(l)
		case l.owner == ofFoot:
			return true
		}
	}
	return true
}

// canCopy reports whether the text between two offsets, with the nodes from first to end, means the
// same in another place.
func (p *printer) canCopy(pt *part, first, end yaml.NodeID, from, to int) bool {
	if pt.hasDropped(from, to) || pt.t.Directed() || pt.t.IsCut(end-1) {
		return false
	}
	i, _ := slices.BinarySearch(pt.aliases, first)
	for ; i < len(pt.aliases) && pt.aliases[i] < end; i++ {
		a := pt.aliases[i]
		if to := pt.t.Target(a); (to < first || to >= end) &&
			p.anchors[string(pt.t.AliasName(a))] != (entry{pt, to}) {
			return false
		}
	}
	return true
}

// hasDropped reports whether a comment between two offsets is not printed because it is for weft.
func (p *part) hasDropped(from, to int) bool {
	i, _ := slices.BinarySearch(p.dropped, from)
	return i < len(p.dropped) && p.dropped[i] < to
}

// bind records the anchors of the nodes from first to end, which are being written.
func (p *printer) bind(pt *part, first, end yaml.NodeID) {
	i, _ := slices.BinarySearch(pt.anchors, first)
	for ; i < len(pt.anchors) && pt.anchors[i] < end; i++ {
		if p.anchors == nil {
			p.anchors = map[string]entry{}
		}
		p.anchors[string(pt.t.Anchor(pt.anchors[i]))] = entry{pt, pt.anchors[i]}
	}
}

// lineEnd returns the end of the line of an offset, without the line break.
func (p *part) lineEnd(off int) int {
	i := bytes.IndexByte(p.text[off:], '\n')
	if i < 0 {
		return len(p.text)
	}
	if i > 0 && p.text[off+i-1] == '\r' {
		i--
	}
	return off + i
}

// appendMoved writes text, moves all lines but the first by that many columns, and drops carriage
// returns before line breaks.
func appendMoved(dst, text []byte, by int, returns bool) []byte {
	if by == 0 && !returns {
		return append(dst, text...)
	}
	first := true
	for line := range bytes.Lines(text) {
		if returns && bytes.HasSuffix(line, []byte("\r\n")) {
			line = append(line[:len(line)-2:len(line)-2], '\n')
		}
		switch isEmpty := line[0] == '\n'; {
		case first || isEmpty:
		case by > 0:
			dst = appendSpaces(dst, by)
		default:
			n := 0
			for n < -by && line[n] == ' ' {
				n++
			}
			line = line[n:]
		}
		first = false
		dst = append(dst, line...)
	}
	return dst
}
