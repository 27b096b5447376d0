package keep

import (
	"slices"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// placeCursor records how far the comments of places have been written, for the entries that come from
// one collection of a file.
type placeCursor struct {
	p     *part
	in    yaml.NodeID
	scope int32
	done  int // the last node whose preceding comments are written
}

// inOf returns the collection that contains an entry; for a document, the stream.
func (e entry) inOf() yaml.NodeID {
	if e.p.t.Kind(e.n) == yaml.Document {
		return yaml.NoOwner
	}
	return e.p.parent[e.n]
}

// cursorOf returns the cursor of an entry, or nil where no comment belongs to a place.
func (c *collection) cursorOf(origin entry) *placeCursor {
	if !origin.p.places {
		return nil
	}
	in, scope := origin.inOf(), origin.p.code.scope(origin.p.t.Start(origin.n).Offset())
	if origin.p.file.Overlay && c.main != (entry{origin.p, in}) {
		return nil // comments between the entries of an overlay are about the overlay
	}
	for i := range c.cursors {
		if s := &c.cursors[i]; s.p == origin.p && s.in == in && s.scope == scope {
			return s
		}
	}
	s := placeCursor{p: origin.p, in: in, scope: scope, done: int(in)}
	if in == yaml.NoOwner {
		s.done = -1
	}
	c.cursors = append(c.cursors, s)
	return &c.cursors[len(c.cursors)-1]
}

// lead writes the lines before an entry.
func (p *printer) lead(c *collection, origin entry) {
	prev := c.prev
	if c.prev = origin; !origin.ok() || !p.has(Comments|BlankLines) {
		return
	}
	g := origin.p.gap(origin.n)
	s := c.cursorOf(origin)
	if g == nil && s == nil {
		return
	}
	out := p.lines(origin.p, c.col-origin.column(), c.col)
	if c.joined || c.moved && !prev.ok() {
		out.bare = len(p.dst)
	}
	if s != nil {
		c.seen = append(c.seen, origin.n)
		out.places(c, s, int(origin.n), origin.n)
	}
	if g != nil {
		out.exact = g.bare && p.copies() && c.follows(prev, origin)
		for _, l := range g.leadLines(origin.p)[len(g.top(origin.p)):] {
			switch {
			case l.kind == blank:
				out.blank()
			case l.kind == comment && (l.owner == ofEntry ||
				l.owner == ofPlace && s != nil && s.done < int(origin.n) && c.isGenerated(s, l, origin.n)):
				out.comment(l)
			}
		}
	}
	out.end()
	if s != nil {
		s.done = max(s.done, int(origin.n))
	}
}

// leadOf writes the lines before an entry, and before the node that template.replace has replaced
// with it. It returns the entry that the item's other comments come from, or none if several items
// share that node.
func (p *printer) leadOf(c *collection, origin entry, notes *tree.Annotations) entry {
	pos, first := notes.InPlaceOf()
	instead := p.at(pos, c.kind)
	switch {
	case !instead.ok():
		p.lead(c, origin)
	case first:
		p.lead(c, instead)
		if c.joined = true; origin != instead {
			p.lead(c, origin)
		}
		c.joined = false
	case origin == instead:
		p.lead(c, entry{})
		return entry{}
	default:
		p.lead(c, origin)
	}
	return origin
}

// follows reports whether an entry follows prev in its file too.
func (c *collection) follows(prev, origin entry) bool {
	t := origin.p.t
	if !prev.ok() {
		return c.main.ok() && c.main.p == origin.p && origin.n == c.main.n+1
	}
	return prev.p == origin.p && t.Next(prev.value()) == origin.n
}

// isGenerated reports whether the code around a line, if there is any, has produced output that
// ends with n.
func (c *collection) isGenerated(s *placeCursor, l line, n yaml.NodeID) bool {
	if l.scope != s.scope {
		return false
	}
	return l.block == none || c.producedIn(s, l.block, n) || l.instead != none && c.producedIn(s, l.instead, n)
}

// producedIn reports whether a block has produced output that ends with n.
func (c *collection) producedIn(s *placeCursor, id int32, n yaml.NodeID) bool {
	b := &s.p.code.blocks[id]
	in := func(n yaml.NodeID) bool { return b.first <= n && n < b.end }
	return in(n) || slices.ContainsFunc(c.seen, in)
}

// below writes the lines below an entry that ends a block of code.
func (p *printer) below(origin entry, col int) {
	if !origin.ok() || !p.has(Comments) {
		return
	}
	s := origin.p.below[origin.n]
	out := p.lines(origin.p, col-origin.column(), col)
	for _, l := range origin.p.lines[s.from:s.to] {
		if l.kind == comment {
			out.comment(l)
		}
	}
}

// finish writes the lines at the end of a collection: the comments of places whose entries are gone,
// and the collection's own comments.
func (p *printer) finish(c *collection) {
	if !c.main.ok() || !p.has(Comments) {
		return
	}
	pt, n := c.main.p, c.main.n
	out := p.lines(pt, c.col, c.col)
	if pt.t.More(n + 1) {
		out.by = c.col - pt.column(n+1)
	}
	for i := range c.cursors {
		if s := &c.cursors[i]; s.p == pt && s.in == n && s.scope == c.scope {
			out.places(c, s, int(pt.t.Next(n)), n)
		}
	}
	cursor := placeCursor{p: pt, in: n, scope: c.scope}
	for _, l := range pt.lines[pt.feet[n].from:pt.feet[n].to] {
		switch {
		case l.kind == blank:
			out.blank()
		case l.kind == comment && l.owner == ofFoot && l.in == n && c.isGenerated(&cursor, l, n):
			out.comment(l)
		}
	}
}

// lineWriter writes lines of a file.
type lineWriter struct {
	printer *printer
	p       *part
	by      int // how far columns are moved
	col     int
	exact   bool // write all blank lines
	pending int  // blank lines
	bare    int  // the offset before which no blank lines are written, or none
}

func (p *printer) lines(pt *part, by, col int) lineWriter {
	return lineWriter{printer: p, p: pt, by: by, col: col, bare: none}
}

func (w *lineWriter) blank() { w.pending++ }

func (w *lineWriter) comment(l line) {
	p := w.printer
	if !p.has(Comments) {
		return
	}
	w.end()
	col := w.col
	if p.copies() {
		col = max(l.column+w.by, 0)
	}
	if !w.exact || len(p.dst) == p.blockEnd {
		col = min(col, w.col) // further to the right it might become part of a block scalar
	}
	p.dst = append(appendSpaces(p.dst, col), w.p.text[l.from:l.to]...)
	p.dst = append(p.dst, '\n')
}

// end writes the pending blank lines: none at the beginning of a file, and at most one, unless
// exact.
func (w *lineWriter) end() {
	p := w.printer
	n := min(w.pending, 1)
	if w.exact {
		n = w.pending
	} else if len(p.dst) == p.start || endsBlank(p.dst) {
		n = 0
	}
	if len(p.dst) == p.sticky || len(p.dst) == w.bare {
		n = 0
	}
	for w.pending = 0; n > 0 && p.has(BlankLines); n-- {
		p.dst = append(p.dst, '\n')
	}
}

// endsBlank reports whether the last line of text is blank.
func endsBlank(text []byte) bool {
	n := len(text)
	return n > 1 && text[n-1] == '\n' && text[n-2] == '\n'
}

// places writes the comments of places before entries that are not written: the places after the last
// written one and before upTo. n is the entry that is written next.
func (w *lineWriter) places(c *collection, s *placeCursor, upTo int, n yaml.NodeID) {
	i, _ := slices.BinarySearchFunc(
		s.p.gaps, s.done+1, func(g gap, n int) int { return int(g.n) - n },
	)
	for ; i < len(s.p.gaps) && int(s.p.gaps[i].n) < upTo; i++ {
		g := &s.p.gaps[i]
		if !s.p.t.More(g.n) || (entry{s.p, g.n}).inOf() != s.in {
			continue
		}
		for _, l := range g.leadLines(s.p) {
			switch {
			case l.kind == blank:
				w.blank()
			case l.kind == comment && l.owner == ofPlace && c.isGenerated(s, l, n):
				w.comment(l)
			}
		}
		w.pending = min(w.pending, 1)
	}
	s.done = max(s.done, upTo-1)
}
