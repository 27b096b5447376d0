package edit

import (
	"bytes"
	"slices"
	"strings"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// blockEntries removes the entries of a block collection that are not kept and inserts the new
// ones.
func (e *Editor) blockEntries(n yaml.NodeID, children []child, before []tree.Item, s slot) {
	col := e.column(n)
	for i := 0; i < len(children); i++ {
		if children[i].kept {
			if len(children[i].added) > 0 {
				e.altered = append(e.altered, n)
				e.insertLines(&children[i], n, col)
			}
			continue
		}
		j := i
		for j < len(children) && !children[j].kept {
			e.removed = append(e.removed, children[j].first, children[j].last)
			j++
		}
		e.altered = append(e.altered, n)
		if first := e.start(&children[i]); e.firstOnLine(first) {
			for k := i; k < j; k++ {
				e.removeLines(children, k, i, col, s)
			}
		} else {
			e.removeAfterDash(first, e.lastContent(e.end(&children[j-1])), e.start(&children[j]))
		}
		i = j - 1
	}
	if len(before) > 0 {
		e.altered = append(e.altered, n)
		first := 0
		for !children[first].kept {
			first++
		}
		at := e.start(&children[first])
		if e.firstOnLine(at) {
			if from := e.above(children, first, col, s); from < e.lineStart(at) {
				at = from + col
			}
		}
		e.edit(at, at, appendBreak(e.entries(e.room(), n, before, col), col))
	}
}

// above returns where the comments of child k above it begin, or its own line.
func (e *Editor) above(children []child, k, col int, s slot) int {
	from := e.lineStart(e.start(&children[k]))
	if k == 0 && s.kind == rootSlot {
		return from // comments above the first entry of a document are about the document
	}
	limit := e.limit(children, k, s)
	for from > limit {
		line := e.lineStart(from - 1)
		if line < limit || !e.isComment(line, col, col) {
			break
		}
		from = line
	}
	return from
}

// limit returns the offset before which nothing belongs to child k.
func (e *Editor) limit(children []child, k int, s slot) int {
	limit := s.after
	if k > 0 {
		limit = e.end(&children[k-1])
	}
	return min(limit, e.lineStart(e.start(&children[k])))
}

// entries writes new entries of collection n: the first where the cursor is, the others on new
// lines.
func (e *Editor) entries(dst []byte, n yaml.NodeID, items []tree.Item, col int) []byte {
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

// insertLines inserts new entries on new lines below a child. They are inserted at the beginning of
// the next line, not at the end of the child's last line, which may be removed.
func (e *Editor) insertLines(c *child, n yaml.NodeID, col int) {
	at, last := e.nextLine(e.lastContent(e.end(c))), e.lastNode(c)
	if e.keepsBreaks(last) {
		at = e.t.Span(last).End() // blank lines that are part of a block scalar
	}
	if at == len(e.src) {
		if line := e.lineStart(at); line < at && line > e.start(c) && e.isBlank(line) &&
			!e.endsBlank(last) &&
			!e.isRemoved(line) {
			at = line // blanks without a line break
		} else if line < at {
			e.stripBreak(last)
		}
	}
	items := c.added
	e.edits = append(e.edits, edit{start: at, end: at, text: e.lines(n, items, col), lines: true})
}

// isRemoved reports whether an edit removes the text on both sides of offset i.
func (e *Editor) isRemoved(i int) bool {
	return slices.ContainsFunc(e.edits, func(x edit) bool { return x.start < i && i < x.end })
}

// endsBlank reports whether the text of scalar n ends with blanks, which are part of it.
func (e *Editor) endsBlank(n yaml.NodeID) bool {
	if e.t.Kind(n) != yaml.Scalar {
		return false
	}
	text := e.t.Text(n)
	return bytes.HasSuffix(text, []byte(" ")) || bytes.HasSuffix(text, []byte("\t"))
}

// stripBreak changes the chomping of a block scalar at the end of a file without a final line
// break, so that it does not gain a line break when text is added after it. Strictly, YAML says
// that it already has one.
func (e *Editor) stripBreak(n yaml.NodeID) {
	if !isBlockScalar(e.t, n) || e.opt.Grammar == yaml.YAML12 {
		return
	}
	at := e.t.Span(n).Offset() + 1
	end := at
	for end < len(e.src) && end < at+2 &&
		(e.src[end] == '+' || e.src[end] == '-' || e.src[end] >= '1' && e.src[end] <= '9') {
		end++
	}
	if slices.ContainsFunc(e.edits, func(x edit) bool { return x.start <= end && at <= x.end }) {
		return // it is replaced, or was changed already
	}
	if i := bytes.IndexAny(e.src[at:end], "+-"); i >= 0 {
		e.edit(at+i, at+i+1, []byte("-"))
	} else {
		e.edit(at, at, []byte("-"))
	}
}

// lines returns new entries as whole lines. An override adds the same entry to many documents, so
// single entries are cached.
func (e *Editor) lines(n yaml.NodeID, items []tree.Item, col int) []byte {
	write := func() []byte { return append(e.entries(appendSpaces(nil, col), n, items, col), '\n') }
	if len(items) > 1 {
		return write()
	}
	k := written{items[0].Key, items[0].Value, col, e.oneLine}
	text, ok := e.rendered[k]
	if !ok {
		const maxRendered = 64
		if e.rendered == nil || len(e.rendered) == maxRendered {
			e.rendered = map[written][]byte{}
		}
		text = write()
		e.rendered[k] = text
	}
	return text
}

// written is an entry and its place, as the key of a cache.
type written struct {
	key, value tree.Value
	col        int
	oneLine    bool
}

// removeAfterDash removes the first entries of a collection that follows a dash, from start to end.
// What is at next takes their place.
func (e *Editor) removeAfterDash(start, end, next int) {
	if bytes.IndexByte(e.src[e.lineEnd(end):next], '#') < 0 {
		e.edit(start, next, nil)
		return
	}
	for start > 0 && e.src[start-1] == ' ' {
		start--
	}
	e.edit(start, e.lineEnd(end), nil)
}

// removeLines removes child k of a run that begins with child i; at least one sibling stays.
// Comments between entries that belong to neither stay.
func (e *Editor) removeLines(children []child, k, i, col int, s slot) {
	limit, from := e.limit(children, k, s), e.above(children, k, col, s)
	to := e.nextLine(e.lastContent(e.end(&children[k])))
	to = e.deeperComments(to, col)
	// Of the blank lines on both sides, keep those of one side.
	blankAbove := from <= e.bom || i == 0 && s.kind != rootSlot ||
		from > limit && e.isBlank(e.lineStart(from-1))
	if i > 0 && e.takesBlanks(e.lastNode(&children[i-1]), to) {
		blankAbove = true // they would become part of the block scalar above
	}
	if blankAbove {
		for to < len(e.src) && e.isBlank(to) {
			to = e.nextLine(to)
		}
		for to == len(e.src) && from > limit && e.lineStart(from-1) >= limit &&
			e.isBlank(e.lineStart(from-1)) && from > e.bom {
			from = e.lineStart(from - 1)
		}
	}
	if i > 0 && isBlockScalar(e.t, e.lastNode(&children[i-1])) {
		e.dedentComments(to, col)
	}
	if e.allBlank(to) {
		to = len(e.src) // after a block scalar, blanks without a line break may be text
	}
	e.edit(from, to, nil)
}

// dedentComments moves comments after offset i that are indented more than col to that column.
// Otherwise they would become part of the block scalar above.
func (e *Editor) dedentComments(i, col int) {
	for ; i < len(e.src) && (e.isBlank(i) || e.isComment(i, 0, far)); i = e.nextLine(i) {
		if e.isComment(i, col+1, far) {
			e.edit(i+col, e.contentEnd(i), nil)
		}
	}
}

// isBlockScalar reports whether n is a literal or folded scalar.
func isBlockScalar(t *yaml.Tree, n yaml.NodeID) bool {
	return t.Kind(n) == yaml.Scalar && (t.Style(n) == yaml.Literal || t.Style(n) == yaml.Folded)
}

// takesBlanks reports whether blank lines at offset i would become part of block scalar n.
func (e *Editor) takesBlanks(n yaml.NodeID, i int) bool {
	if !isBlockScalar(e.t, n) {
		return false
	}
	for i < len(e.src) && e.isBlank(i) {
		if e.lineEnd(i) > i {
			return true // blanks may be part of its text
		}
		i = e.nextLine(i)
	}
	return e.keepsBreaks(n)
}

// allBlank reports whether only blanks follow, without a final line break.
func (e *Editor) allBlank(i int) bool {
	if e.lastContent(len(e.src)) < len(e.src) {
		return false
	}
	for i < len(e.src) && strings.IndexByte(" \t\r\n", e.src[i]) >= 0 {
		i++
	}
	return i == len(e.src)
}

// room returns a buffer for the text of the next edit.
func (e *Editor) room() []byte {
	const least, some = 256, 16 << 10
	if cap(e.buf)-len(e.buf) < least {
		e.buf = make([]byte, 0, some)
	}
	return e.buf[len(e.buf):]
}

// edit records an edit. Its text may be in the buffer of room.
func (e *Editor) edit(start, end int, text []byte) {
	if n := len(e.buf); n < cap(e.buf) && len(text) > 0 && &text[0] == &e.buf[:n+1][n] {
		e.buf = e.buf[:n+len(text)]
		text = text[:len(text):len(text)]
	}
	e.edits = append(e.edits, edit{start: start, end: end, text: text})
}

func (e *Editor) style() style {
	if e.layout == nil {
		s := styleOf(e.t, e.columnAt)
		e.layout = &s
	}
	e.layout.oneLine = e.oneLine
	return *e.layout
}
