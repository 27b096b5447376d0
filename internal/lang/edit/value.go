package edit

import (
	"bytes"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// replace replaces node n with v.
func (e *Editor) replace(n yaml.NodeID, v tree.Value, s slot) {
	e.removed = append(e.removed, n)
	if s.kind == entrySlot && !s.colon && !s.flow {
		e.refuse(s.in) // `? key` alone
		return
	}
	if e.following {
		s.after = max(s.after, e.anchorEnd(n, s))
	}
	o := e.old(n, s)
	if s.flow {
		e.replaceFlow(o, v, s)
		return
	}
	text := e.room()
	switch {
	case isShort(v):
		if e.json {
			text = e.flow(text, v)
		} else {
			text = e.style().appendShort(text, v, max(e.slotColumn(s), 0))
		}
		e.replaceShort(o, text, s)
		return
	case e.inBrackets(n, o.start, o.end):
		e.edit(o.start, o.end, e.brackets(text, n, v, s))
		return
	case e.json:
		e.replaceShort(o, e.flow(text, v), s)
		return
	case o.start < o.end && e.lineEnd(o.start) >= o.end && e.t.Style(e.t.Target(n)) == yaml.Flow:
		// What was in brackets stays in brackets, as long as it is readable.
		const maxColumns = 100
		if text = e.flow(text, v); len(text) <= maxColumns {
			e.replaceShort(o, text, s)
			return
		}
	}
	e.replaceBlock(o, v, s)
}

// anchorEnd returns where the anchor of a value ends, or 0 if it does not begin with one.
func (e *Editor) anchorEnd(n yaml.NodeID, s slot) int {
	name := e.t.Anchor(n)
	at := e.contentStart(s.after)
	if len(name) == 0 || at >= len(e.src) || e.src[at] != '&' || !bytes.HasPrefix(e.src[at+1:], name) {
		return 0
	}
	return at + 1 + len(name)
}

// old describes a value that is replaced.
type old struct {
	node       yaml.NodeID
	start, end int  // from its properties to the end of its last line; empty if it has no text
	block      bool // a block collection, which includes the comments around its lines

	// For a block scalar with a comment after its indicator: the comment goes from first, after the
	// indicator, to rest, the line break. Otherwise both equal end.
	first, rest int
}

func (e *Editor) old(n yaml.NodeID, s slot) old {
	t := e.t
	o := old{node: n, end: e.lastContent(t.Span(n).End())}
	o.start = min(e.contentStart(s.after), o.end)
	o.first, o.rest = o.end, o.end
	switch k := t.Kind(n); {
	case k == yaml.Mapping || k == yaml.Sequence:
		o.block = t.Style(n) == yaml.Block
	case k == yaml.Scalar && (t.Style(n) == yaml.Literal || t.Style(n) == yaml.Folded):
		at := t.Span(n).Offset()
		if line := e.lineEnd(at); line < o.end {
			if i := bytes.IndexByte(e.src[at:line], '#'); i >= 0 {
				o.first, o.rest = at+len(bytes.TrimRight(e.src[at:at+i], " \t")), line
			}
		} else if i := bytes.IndexByte(e.src[at:o.end], '#'); i >= 0 { // it has no further lines
			o.end = at + len(bytes.TrimRight(e.src[at:at+i], " \t"))
			o.first, o.rest = o.end, o.end
		}
	}
	return o
}

// cut removes an old value from offset from on, and writes first in its place and lines below.
// Comments stay.
func (e *Editor) cut(o old, from int, first, lines []byte) {
	switch {
	case o.first < o.rest:
		e.edit(from, o.first, first)
		e.edit(o.rest, o.end, lines)
	case len(lines) == 0:
		e.edit(from, o.end, first)
	case e.isBlank(o.end): // blanks after the old value go with it
		e.edit(from, e.lineEnd(o.end), append(first[:len(first):len(first)], lines...))
	default:
		e.edit(from, o.end, first)
		e.edit(e.lineEnd(o.end), e.lineEnd(o.end), lines)
	}
}

// flow and flowEntry write a value, and an entry of a mapping, inside brackets.
func (e *Editor) flow(dst []byte, v tree.Value) []byte {
	if e.json {
		return appendJSON(dst, v)
	}
	return appendFlow(dst, v)
}

func (e *Editor) flowEntry(dst []byte, it tree.Item) []byte {
	if e.json {
		return appendJSONEntry(dst, it)
	}
	return appendFlowEntry(dst, it)
}

// replaceFlow replaces a value inside brackets.
func (e *Editor) replaceFlow(o old, v tree.Value, s slot) {
	write := e.flow
	if !isShort(v) && e.inBrackets(o.node, o.start, o.end) {
		write = func(dst []byte, v tree.Value) []byte { return e.brackets(dst, o.node, v, s) }
	}
	switch {
	case o.start == o.end && s.kind == entrySlot && !s.colon:
		e.edit(s.after, s.after, write(append(e.room(), ": "...), v))
	case o.start == o.end:
		e.edit(s.after, s.after, write(append(e.room(), ' '), v))
	case o.start == s.after && s.kind == entrySlot: // {"a":1}
		e.edit(o.start, o.end, write(append(e.room(), ' '), v))
	default:
		e.edit(o.start, o.end, write(e.room(), v))
	}
}

// replaceShort replaces a value with text that begins on the line of its key. Comments after the
// old value stay.
func (e *Editor) replaceShort(o old, text []byte, s slot) {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if len(rest) > 0 {
		rest = append([]byte("\n"), rest...) // the lines of a block scalar
	}
	head := e.lineEnd(s.after)
	switch {
	case o.start == o.end: // there was nothing
		e.edit(s.after, s.after, append([]byte(" "), first...))
		if rest != nil {
			e.edit(head, head, rest)
		}
	case o.block && o.start > head:
		e.edit(s.after, s.after, append([]byte(" "), first...))
		e.edit(head, e.lastLine(o.end, e.slotColumn(s)), rest)
	case o.block:
		e.edit(
			o.start,
			e.lastLine(o.end, e.slotColumn(s)),
			append(first[:len(first):len(first)], rest...),
		)
	case o.start > head: // it began on a later line
		e.edit(s.after, s.after, append([]byte(" "), first...))
		e.cut(o, e.endAbove(o.start), nil, rest)
	default:
		e.cut(o, o.start, first, rest)
	}
}

// endAbove returns the end of the line above that of offset i.
func (e *Editor) endAbove(i int) int {
	i = e.lineStart(i) - 1
	if i > 0 && e.src[i] == '\n' && e.src[i-1] == '\r' {
		i--
	}
	return max(i, e.bom)
}

// replaceBlock replaces a value with a collection.
func (e *Editor) replaceBlock(o old, v tree.Value, s slot) {
	st := e.style()
	head := e.lineEnd(s.after)
	lines := func(col int) []byte { return st.appendBlock(appendBreak(nil, col), v, col) }
	if s.kind == rootSlot {
		e.replaceRoot(o, v)
		return
	}
	if s.kind == itemSlot {
		// After a dash, the first entry goes on the same line, if nothing else is there.
		switch {
		case o.start < o.end && o.start <= head && (o.block || o.first == o.rest && !e.hasComment(o.end)):
			to := o.end
			if o.block {
				to = e.lastLine(o.end, e.slotColumn(s))
			}
			e.edit(o.start, to, st.appendBlock(nil, v, e.columnAt(o.start)))
			return
		case o.start == o.end && !e.hasComment(s.after):
			e.edit(s.after, s.after, st.appendBlock([]byte(" "), v, e.slotColumn(s)+2))
			return
		}
	}
	col := e.slotColumn(s) + 2
	if s.kind == entrySlot {
		col = st.below(v, e.slotColumn(s))
	}
	switch {
	case o.start == o.end:
		e.edit(head, head, lines(col))
	case o.block && o.start > head:
		if s.kind == entrySlot && e.firstOnLine(o.start) && e.src[o.start] == '-' &&
			v.Kind() == tree.ArrayKind {
			col = e.columnAt(o.start) // a list replaces a list
		}
		e.edit(head, e.lastLine(o.end, e.slotColumn(s)), lines(col))
	case o.block:
		e.edit(s.after, e.lastLine(o.end, e.slotColumn(s)), lines(col))
	case o.start > head:
		e.cut(o, e.endAbove(o.start), nil, lines(col))
	default:
		e.cut(o, s.after, nil, lines(col))
	}
}

// replaceRoot replaces a document's value with a collection. A comment after the old value gets its
// own line.
func (e *Editor) replaceRoot(o old, v tree.Value) {
	text := []byte(nil)
	from, to := e.lineStart(o.start), e.lineEnd(o.end)
	if o.block {
		to = e.lastLine(o.end, -1)
	}
	if !e.firstOnLine(o.start) { // after `---`
		for from = o.start; from > 0 && (e.src[from-1] == ' ' || e.src[from-1] == '\t'); {
			from--
		}
		text = append(text, '\n')
	}
	text = e.style().appendBlock(text, v, 0)
	if !o.block && e.hasComment(o.end) {
		to = e.contentEnd(o.end)
		text = append(text, '\n')
	}
	e.edit(from, to, text)
}

// contentEnd returns where the comment after offset i begins, on its line.
func (e *Editor) contentEnd(i int) int {
	for i < len(e.src) && (e.src[i] == ' ' || e.src[i] == '\t') {
		i++
	}
	return i
}

// contentStart returns where the content, or a property before it, begins after an indicator: it
// skips white space and comments.
func (e *Editor) contentStart(i int) int {
	for i < len(e.src) {
		switch e.src[i] {
		case ' ', '\t', '\r', '\n':
			i++
		case '#':
			i = e.lineEnd(i)
		default:
			return i
		}
	}
	return i
}

// lastContent returns end or, for a block scalar, the end of its last line: a block scalar ends where
// the next line begins.
func (e *Editor) lastContent(end int) int {
	for end > e.bom && (e.src[end-1] == '\n' || e.src[end-1] == '\r') {
		end--
	}
	return end
}

// lastLine returns the end of the line at end, including the comments below it that are indented
// more than col.
func (e *Editor) lastLine(end, col int) int {
	at := e.lineEnd(end)
	next := e.nextLine(end)
	if deeper := e.deeperComments(next, col); deeper > next {
		return e.lineEnd(e.lastContent(deeper))
	}
	return at
}

// hasComment reports whether a comment follows on the line.
func (e *Editor) hasComment(i int) bool {
	return bytes.IndexByte(e.src[i:e.lineEnd(i)], '#') >= 0
}

// lineStart, lineEnd and nextLine return where the line of offset i begins, where its line break
// is, and where the next line begins.
func (e *Editor) lineStart(i int) int {
	for i > e.bom && e.src[i-1] != '\n' && !e.loneReturn(i-1) {
		i--
	}
	return i
}

func (e *Editor) lineEnd(i int) int {
	for i < len(e.src) && e.src[i] != '\n' && e.src[i] != '\r' {
		i++
	}
	return i
}

func (e *Editor) nextLine(i int) int {
	i = e.lineEnd(i)
	if i < len(e.src) && e.src[i] == '\r' && i+1 < len(e.src) && e.src[i+1] == '\n' {
		i++
	}
	return min(i+1, len(e.src))
}

// loneReturn reports whether the byte at i is a carriage return that ends a line by itself.
func (e *Editor) loneReturn(i int) bool {
	return e.src[i] == '\r' && (i+1 == len(e.src) || e.src[i+1] != '\n')
}

// columnAt returns the distance of offset i from the beginning of its line.
func (e *Editor) columnAt(i int) int { return i - e.lineStart(i) }

// firstOnLine reports whether nothing but spaces is before i on its line.
func (e *Editor) firstOnLine(i int) bool {
	for i > e.bom && e.src[i-1] == ' ' {
		i--
	}
	return i == e.bom || e.src[i-1] == '\n' || e.loneReturn(i-1)
}

// isComment reports whether the line at i has only a comment, in a column from low to high.
func (e *Editor) isComment(i, low, high int) bool {
	col := 0
	for i < len(e.src) && e.src[i] == ' ' {
		i++
		col++
	}
	return i < len(e.src) && e.src[i] == '#' && col >= low && col <= high
}

func (e *Editor) isBlank(i int) bool {
	return len(bytes.TrimSpace(e.src[i:e.lineEnd(i)])) == 0
}

const far = 1 << 30 // to the right of every column

// deeperComments returns the offset after the lines from i on that contain only comments indented
// more than col. Such comments are about the text above them.
func (e *Editor) deeperComments(i, col int) int {
	for i < len(e.src) && e.isComment(i, max(col+1, 1), far) {
		i = e.nextLine(i)
	}
	return i
}
