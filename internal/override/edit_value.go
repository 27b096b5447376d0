package override

import (
	"bytes"

	"weft/internal/tree"
	"weft/internal/yaml"
)

// replace puts v in the place of node n, whatever it is.
func (e *editor) replace(n yaml.NodeID, v tree.Value, s slot) {
	e.gone = append(e.gone, n)
	if s.kind == entrySlot && !s.colon && !s.flow {
		e.stuck = true // `? key` alone
		return
	}
	end := e.lastContent(e.t.Span(n).End())
	start := min(e.contentStart(s.after), end)
	if s.flow {
		e.replaceFlow(start, end, v, s)
		return
	}
	text := e.room()
	switch {
	case e.json:
		text = e.flow(text, v)
	case isShort(v):
		text = e.style().appendShort(text, v, max(e.slotColumn(s), 0))
	case start < end && e.lineEnd(start) >= end && e.t.Style(e.t.Target(n)) == yaml.Flow:
		// What stood in brackets does so again, as long as it can be read.
		const most = 100
		if text = e.flow(text, v); len(text) > most {
			text = nil
		}
	default:
		text = nil
	}
	if text == nil {
		e.replaceBlock(start, end, v, s)
		return
	}
	e.replaceShort(start, end, text, s)
}

// flow and flowEntry write a value, and an entry of a mapping, inside of brackets.
func (e *editor) flow(dst []byte, v tree.Value) []byte {
	if e.json {
		return appendJSON(dst, v)
	}
	return appendFlow(dst, v)
}

func (e *editor) flowEntry(dst []byte, it tree.Item) []byte {
	if e.json {
		return appendJSONEntry(dst, it)
	}
	return appendFlowEntry(dst, it)
}

// replaceFlow replaces a value inside of brackets.
func (e *editor) replaceFlow(start, end int, v tree.Value, s slot) {
	switch {
	case start == end && s.kind == entrySlot && !s.colon:
		e.edit(s.after, s.after, e.flow(append(e.room(), ": "...), v))
	case start == end:
		e.edit(s.after, s.after, e.flow(append(e.room(), ' '), v))
	case start == s.after && s.kind == entrySlot: // {"a":1}
		e.edit(start, end, e.flow(append(e.room(), ' '), v))
	default:
		e.edit(start, end, e.flow(e.room(), v))
	}
}

// replaceShort puts text that begins on the line of its key in the place of a value. What stands behind the old value on its line stays.
func (e *editor) replaceShort(start, end int, text []byte, s slot) {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if len(rest) > 0 {
		rest = append([]byte("\n"), rest...) // the lines of a block scalar
	}
	head := e.lineEnd(s.after)
	switch {
	case start == end: // there was nothing
		e.edit(s.after, s.after, append([]byte(" "), first...))
		if rest != nil {
			e.edit(head, head, rest)
		}
	case start > head: // it began on a later line
		e.edit(s.after, s.after, append([]byte(" "), first...))
		e.edit(head, e.lastLine(end, e.slotColumn(s)), rest)
	case e.lineEnd(start) < end: // it had several lines
		e.edit(start, e.lastLine(end, e.slotColumn(s)), append(first[:len(first):len(first)], rest...))
	default:
		e.edit(start, end, first)
		if rest != nil {
			e.edit(e.lineEnd(end), e.lineEnd(end), rest)
		}
	}
}

// replaceBlock puts a collection in the place of a value.
func (e *editor) replaceBlock(start, end int, v tree.Value, s slot) {
	st := e.style()
	head := e.lineEnd(s.after)
	lines := func(col int) []byte { return st.appendBlock(appendBreak(nil, col), v, col) }
	switch s.kind {
	case rootSlot:
		if e.firstOnLine(start) {
			text := st.appendBlock(nil, v, 0)
			e.edit(e.lineStart(start), e.lastLine(end, -1), text)
			return
		}
		from := start
		for from > 0 && (e.src[from-1] == ' ' || e.src[from-1] == '\t') {
			from--
		}
		e.edit(from, e.lastLine(end, -1), lines(0))
		return
	case itemSlot:
		// Behind a dash, the first entry stands on its line, if nothing else does.
		switch {
		case start < end && start <= head && (e.lineEnd(start) < end || !e.hasComment(end)):
			to := end
			if e.lineEnd(start) < end {
				to = e.lastLine(end, e.slotColumn(s))
			}
			e.edit(start, to, st.appendBlock(nil, v, e.columnAt(start)))
			return
		case start == end && !e.hasComment(s.after):
			e.edit(s.after, s.after, st.appendBlock([]byte(" "), v, e.slotColumn(s)+2))
			return
		}
	}
	col := e.slotColumn(s) + 2
	if s.kind == entrySlot {
		col = st.below(v, e.slotColumn(s))
	}
	switch {
	case start == end:
		e.edit(head, head, lines(col))
	case start > head:
		if s.kind == entrySlot && e.firstOnLine(start) && e.src[start] == '-' && v.Kind() == tree.ArrayKind {
			col = e.columnAt(start) // a list in the place of a list
		}
		e.edit(head, e.lastLine(end, e.slotColumn(s)), lines(col))
	case e.lineEnd(start) < end:
		e.edit(s.after, e.lastLine(end, e.slotColumn(s)), lines(col))
	default:
		e.edit(s.after, end, nil)
		e.edit(e.lineEnd(end), e.lineEnd(end), lines(col))
	}
}

// contentStart is where the content, or a property before it, begins behind an indicator: white space and comments are left aside.
func (e *editor) contentStart(i int) int {
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

// lastContent is end, or the end of the last line of a block scalar, which ends where the next line begins.
func (e *editor) lastContent(end int) int {
	for end > e.bom && (e.src[end-1] == '\n' || e.src[end-1] == '\r') {
		end--
	}
	return end
}

// lastLine is the end of the line that end is on, and of the comments below it that are indented more than col.
func (e *editor) lastLine(end, col int) int {
	at := e.lineEnd(end)
	next := e.nextLine(end)
	if deeper := e.deeperComments(next, col); deeper > next {
		return e.lineEnd(e.lastContent(deeper))
	}
	return at
}

// hasComment reports whether a comment follows on the line.
func (e *editor) hasComment(i int) bool {
	return bytes.IndexByte(e.src[i:e.lineEnd(i)], '#') >= 0
}

// lineStart, lineEnd and nextLine are where the line of offset i begins, where its line break is, and where the next line begins.
func (e *editor) lineStart(i int) int {
	for i > e.bom && e.src[i-1] != '\n' && !e.loneReturn(i-1) {
		i--
	}
	return i
}

func (e *editor) lineEnd(i int) int {
	for i < len(e.src) && e.src[i] != '\n' && e.src[i] != '\r' {
		i++
	}
	return i
}

func (e *editor) nextLine(i int) int {
	i = e.lineEnd(i)
	if i < len(e.src) && e.src[i] == '\r' && i+1 < len(e.src) && e.src[i+1] == '\n' {
		i++
	}
	return min(i+1, len(e.src))
}

// loneReturn reports whether the byte at i ends a line without a line feed.
func (e *editor) loneReturn(i int) bool {
	return e.src[i] == '\r' && (i+1 == len(e.src) || e.src[i+1] != '\n')
}

// columnAt is how far offset i is from the beginning of its line.
func (e *editor) columnAt(i int) int { return i - e.lineStart(i) }

// firstOnLine reports whether nothing but spaces stands before i on its line.
func (e *editor) firstOnLine(i int) bool {
	for i > e.bom && e.src[i-1] == ' ' {
		i--
	}
	return i == e.lineStart(i)
}

// isComment reports whether the line at i holds a comment alone, in a column from low to high.
func (e *editor) isComment(i, low, high int) bool {
	col := 0
	for i < len(e.src) && e.src[i] == ' ' {
		i++
		col++
	}
	return i < len(e.src) && e.src[i] == '#' && col >= low && col <= high
}

func (e *editor) isBlank(i int) bool {
	return len(bytes.TrimSpace(e.src[i:e.lineEnd(i)])) == 0
}

// deeperComments is behind the lines from i on that hold comments which are indented more than col: they were about what was above them.
func (e *editor) deeperComments(i, col int) int {
	const far = 1 << 30
	for i < len(e.src) && e.isComment(i, max(col+1, 1), far) {
		i = e.nextLine(i)
	}
	return i
}
