package override

import (
	"bytes"

	"weft/internal/tree"
	"weft/internal/yaml"
)

// blockEntries takes away the entries of a block collection that are not kept and puts in the new ones.
func (e *editor) blockEntries(n yaml.NodeID, children []child, before []tree.Item, s slot) {
	col := e.column(n)
	for i := 0; i < len(children); i++ {
		if children[i].kept {
			if len(children[i].behind) > 0 {
				e.altered = append(e.altered, n)
				e.insertLines(&children[i], n, col)
			}
			continue
		}
		j := i
		for j < len(children) && !children[j].kept {
			e.gone = append(e.gone, children[j].first, children[j].last)
			j++
		}
		e.altered = append(e.altered, n)
		e.removeLines(children, i, j, col, s)
		i = j - 1
	}
	if len(before) > 0 {
		e.altered = append(e.altered, n)
		first := 0
		for !children[first].kept {
			first++
		}
		text := e.entries(e.room(), n, before, col)
		e.edit(e.start(&children[first]), e.start(&children[first]), appendBreak(text, col))
	}
}

// entries writes new entries of collection n, the first of them where the cursor is and the others on lines of their own.
func (e *editor) entries(dst []byte, n yaml.NodeID, items []tree.Item, col int) []byte {
	st := e.style()
	for i, it := range items {
		if i > 0 {
			dst = appendBreak(dst, col)
		}
		if e.t.Kind(n) == yaml.Mapping {
			dst = st.appendEntry(dst, it, col)
		} else {
			dst = st.appendItem(append(dst, '-'), it.Value, col)
		}
	}
	return dst
}

// insertLines puts new entries on lines of their own below a child. They stand where the next line begins, not where its last one ends: that one may be taken away.
func (e *editor) insertLines(c *child, n yaml.NodeID, col int) {
	at := e.nextLine(e.lastContent(e.end(c)))
	if last := e.t.Next(c.last) - 1; e.keepsBreaks(last) {
		at = e.t.Span(last).End() // blank lines that are part of a block scalar
	}
	items := c.behind
	e.edits = append(e.edits, edit{start: at, end: at, text: e.lines(n, items, col), lines: true})
}

// lines are new entries as whole lines. An override adds the same to many documents, so a single entry that was written once is not written again.
func (e *editor) lines(n yaml.NodeID, items []tree.Item, col int) []byte {
	write := func() []byte { return append(e.entries(appendSpaces(nil, col), n, items, col), '\n') }
	if len(items) > 1 {
		return write()
	}
	k := written{items[0].Key, items[0].Value, col}
	text, ok := e.known[k]
	if !ok {
		const most = 64
		if e.known == nil || len(e.known) == most {
			e.known = map[written][]byte{}
		}
		text = write()
		e.known[k] = text
	}
	return text
}

// written is an entry and where it stands.
type written struct {
	key, value tree.Value
	col        int
}

// removeLines takes away children[i:j], at least one sibling of which stays.
func (e *editor) removeLines(children []child, i, j, col int, s slot) {
	start, end := e.start(&children[i]), e.lastContent(e.end(&children[j-1]))
	if !e.firstOnLine(start) {
		// The first entry stands behind a dash, and the next one takes its place.
		next := e.start(&children[j])
		if bytes.IndexByte(e.src[e.lineEnd(end):next], '#') < 0 {
			e.edit(start, next, nil)
			return
		}
		for start > 0 && e.src[start-1] == ' ' {
			start--
		}
		e.edit(start, e.lineEnd(end), nil)
		return
	}
	limit := s.after // nothing before belongs to the entries
	if i > 0 {
		limit = e.end(&children[i-1])
	}
	if limit > e.lineStart(start) {
		limit = e.lineStart(start)
	}
	from, to := e.lineStart(start), e.nextLine(end)
	if i > 0 || s.kind != rootSlot { // what stands above the first entry of a document is about the document
		for from > limit {
			above := e.lineStart(from - 1)
			if above < limit || !e.isComment(above, col, col) {
				break
			}
			from = above
		}
	}
	to = e.deeperComments(to, col)
	// Blank lines on both sides become those on one side.
	blankAbove := from <= e.bom || i == 0 && s.kind != rootSlot || from > limit && e.isBlank(e.lineStart(from-1))
	if i > 0 && e.keepsBreaks(e.t.Next(children[i-1].last)-1) {
		blankAbove = true // they would become part of the block scalar above
	}
	if blankAbove {
		for to < len(e.src) && e.isBlank(to) {
			to = e.nextLine(to)
		}
		for to == len(e.src) && from > limit && e.lineStart(from-1) >= limit && e.isBlank(e.lineStart(from-1)) && from > e.bom {
			from = e.lineStart(from - 1)
		}
	}
	e.edit(from, to, nil)
}

// flowEntries does the same in a flow collection.
func (e *editor) flowEntries(n yaml.NodeID, children []child, before []tree.Item) {
	write := func(dst []byte, it tree.Item) []byte {
		if e.t.Kind(n) == yaml.Mapping {
			return e.flowEntry(dst, it)
		}
		return e.flow(dst, it.Value)
	}
	for i := 0; i < len(children); i++ {
		c := &children[i]
		if c.kept {
			if len(c.behind) > 0 {
				e.altered = append(e.altered, n)
				text := e.room()
				for _, it := range c.behind {
					text = write(append(text, ", "...), it)
				}
				e.edit(e.end(c), e.end(c), text)
			}
			continue
		}
		j := i
		for j < len(children) && !children[j].kept {
			e.gone = append(e.gone, children[j].first, children[j].last)
			j++
		}
		e.altered = append(e.altered, n)
		if j < len(children) {
			e.edit(e.start(c), e.start(&children[j]), nil)
		} else {
			e.edit(e.end(&children[i-1]), e.end(&children[j-1]), nil)
		}
		i = j - 1
	}
	if len(before) > 0 {
		e.altered = append(e.altered, n)
		first := 0
		for !children[first].kept {
			first++
		}
		text := e.room()
		for _, it := range before {
			text = append(write(text, it), ", "...)
		}
		e.edit(e.start(&children[first]), e.start(&children[first]), text)
	}
}

// room is where the text of the next edit can be written.
func (e *editor) room() []byte {
	const least, some = 256, 16 << 10
	if cap(e.buf)-len(e.buf) < least {
		e.buf = make([]byte, 0, some)
	}
	return e.buf[len(e.buf):]
}

// edit notes an edit. Its text may have been written into room.
func (e *editor) edit(start, end int, text []byte) {
	if n := len(e.buf); n < cap(e.buf) && len(text) > 0 && &text[0] == &e.buf[:n+1][n] {
		e.buf = e.buf[:n+len(text)]
		text = text[:len(text):len(text)]
	}
	e.edits = append(e.edits, edit{start: start, end: end, text: text})
}

func (e *editor) style() style {
	if e.layout == nil {
		s := styleOf(e.t, e.columnAt)
		e.layout = &s
	}
	return *e.layout
}
