package edit

import (
	"bytes"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// flowEntries removes the entries of a flow collection that are not kept and inserts the new ones.
// If entries have their own lines, new ones get their own too, and removed ones go with their lines
// and comments.
func (e *Editor) flowEntries(n yaml.NodeID, children []child, before []tree.Item) {
	open := false // a comma follows the last entry
	if _, comma := e.comma(&children[len(children)-1]); comma {
		open = true
	}
	last := len(children) - 1
	for !children[last].kept {
		last--
	}
	for i := 0; i < len(children); i++ {
		c := &children[i]
		if !c.kept {
			j := i
			for j < len(children) && !children[j].kept {
				e.removed = append(e.removed, children[j].first, children[j].last)
				j++
			}
			e.altered = append(e.altered, n)
			e.removeFlow(n, children, i, j)
			i = j - 1
			continue
		}
		lines := false
		if len(c.added) > 0 {
			e.altered = append(e.altered, n)
			lines = e.insertFlow(n, c, i < last || open)
		}
		if i == last && i < len(children)-1 && !open && !lines { // it was not the last entry, but now it is
			at, _ := e.comma(c)
			e.edit(at-1, at, nil)
		}
	}
	if len(before) > 0 {
		e.altered = append(e.altered, n)
		e.insertFirst(n, children, before)
	}
}

// comma returns the offset after the comma that follows an entry of a flow collection, or the end
// of the entry if there is none.
func (e *Editor) comma(c *child) (after int, ok bool) {
	end := e.end(c)
	if at := e.contentStart(end); at < len(e.src) && e.src[at] == ',' {
		return at + 1, true
	}
	return end, false
}

// flowItem writes an entry of a flow collection.
func (e *Editor) flowItem(dst []byte, n yaml.NodeID, it tree.Item) []byte {
	if e.t.Kind(n) == yaml.Mapping {
		return e.flowEntry(dst, it)
	}
	return e.flow(dst, it.Value)
}

// insertFlow inserts new entries after a child. more means that a comma must follow the last of them.
// It reports whether they have their own lines; then the child keeps its comma.
func (e *Editor) insertFlow(n yaml.NodeID, c *child, more bool) (lines bool) {
	start, end := e.start(c), e.end(c)
	after, comma := e.comma(c)
	if !e.firstOnLine(start) || !e.lineDone(after) {
		text := e.room()
		for _, it := range c.added {
			text = e.flowItem(append(text, ", "...), n, it)
		}
		e.edit(end, end, text)
		return false
	}
	if !comma {
		e.edit(end, end, []byte(","))
	}
	text := e.room()
	for i, it := range c.added {
		text = e.flowItem(append(text, e.src[e.lineStart(start):start]...), n, it)
		if more || i+1 < len(c.added) {
			text = append(text, ',')
		}
		text = append(text, '\n')
	}
	at := e.nextLine(after)
	e.edit(at, at, text)
	return true
}

// insertFirst inserts new entries before the first one that stays.
func (e *Editor) insertFirst(n yaml.NodeID, children []child, items []tree.Item) {
	first := 0
	for !children[first].kept {
		first++
	}
	start, open := e.start(&children[first]), e.t.Span(n).Offset()+1
	text := e.room()
	if e.firstOnLine(start) && e.lineDone(open) {
		for _, it := range items {
			text = e.flowItem(append(text, e.src[e.lineStart(start):start]...), n, it)
			text = append(text, ",\n"...)
		}
		e.edit(e.nextLine(open), e.nextLine(open), text)
		return
	}
	for _, it := range items {
		text = append(e.flowItem(text, n, it), ", "...)
	}
	e.edit(start, start, text)
}

// removeFlow removes children[i:j]; at least one sibling stays.
func (e *Editor) removeFlow(n yaml.NodeID, children []child, i, j int) {
	start := e.start(&children[i])
	stop, _ := e.comma(&children[j-1])
	limit := e.t.Span(n).Offset() + 1
	if i > 0 {
		limit, _ = e.comma(&children[i-1])
	}
	if e.firstOnLine(start) && e.lineDone(stop) {
		from := e.lineStart(start)
		for from > 0 && e.lineStart(from-1) > limit && e.isComment(e.lineStart(from-1), 0, far) {
			from = e.lineStart(from - 1)
		}
		e.edit(from, e.nextLine(stop), nil)
		return
	}
	if j < len(children) {
		if next := e.start(&children[j]); !bytes.ContainsAny(e.src[stop:next], "\r\n") {
			e.edit(start, next, nil)
			return
		}
	}
	if i > 0 && bytes.IndexByte(e.src[limit:start], '#') < 0 {
		start = limit
	}
	e.edit(start, stop, nil)
}

// lineDone reports whether the rest of the line is empty or a comment, and another line follows.
func (e *Editor) lineDone(i int) bool {
	for i < len(e.src) && (e.src[i] == ' ' || e.src[i] == '\t') {
		i++
	}
	if i < len(e.src) && e.src[i] == '#' {
		i = e.lineEnd(i)
	}
	return i < len(e.src) && (e.src[i] == '\n' || e.src[i] == '\r')
}

// brackets writes a nonempty collection in place of node n, which is in brackets over several lines.
// If n has one entry per line, so does the new text.
func (e *Editor) brackets(dst []byte, n yaml.NodeID, v tree.Value, s slot) []byte {
	const maxColumns = 100
	span := e.t.Span(n)
	last := span.End() - 1
	pad := bytes.Repeat([]byte(" "), max(e.slotColumn(s), 0)+2)
	lines, comma := false, false
	if n+1 < e.t.Next(n) {
		children := e.children(n)
		first := e.start(&children[0])
		_, comma = e.comma(&children[len(children)-1])
		if lines = e.firstOnLine(first); lines {
			pad = e.src[e.lineStart(first):first]
		}
		e.done(children)
	}
	if !lines {
		if text := e.flow(dst, v); len(text)-len(dst) <= maxColumns || e.firstOnLine(last) && s.flow {
			return text
		}
	}
	var r tree.Reader
	closing := byte(']')
	if v.Kind() == tree.MapKind {
		dst, closing = append(dst, '{'), '}'
	} else {
		dst = append(dst, '[')
	}
	for i, it := range r.Items(nil, v) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, '\n'), pad...)
		switch {
		case v.Kind() == tree.MapKind:
			dst = e.flowEntry(dst, it)
		default:
			dst = e.flow(dst, it.Value)
		}
	}
	if e.firstOnLine(last) {
		if comma {
			dst = append(dst, ',')
		}
		dst = append(append(dst, '\n'), e.src[e.lineStart(last):last]...)
	}
	return append(dst, closing)
}

// inBrackets reports whether node n is a collection in brackets over several lines.
func (e *Editor) inBrackets(n yaml.NodeID, start, end int) bool {
	t := e.t
	return (t.Kind(n) == yaml.Mapping || t.Kind(n) == yaml.Sequence) && t.Style(n) == yaml.Flow &&
		e.lineEnd(start) < end &&
		(e.src[t.Span(n).Offset()] == '[' || e.src[t.Span(n).Offset()] == '{')
}
