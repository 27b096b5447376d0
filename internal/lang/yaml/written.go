package yaml

import (
	"bytes"
	"slices"
)

// This file describes how nodes are written, for code that writes them again elsewhere.

// Source returns the text that the offsets of the tree refer to: the text of the file, with "\n" in
// place of each lone "\r".
func (t *Tree) Source() []byte { return t.text }

// IsItem reports whether n can own a comment: it is a document that begins with `---`, a mapping
// item (by its key) or a sequence item.
func (t *Tree) IsItem(n NodeID) bool { return t.nodes[n].flags&item != 0 }

// NodeAt returns the first node that begins at or after offset off. Nodes that begin at the same
// offset follow each other.
func (t *Tree) NodeAt(off int) NodeID {
	i, _ := slices.BinarySearchFunc(t.nodes, uint32(off), func(nd node, off uint32) int {
		return int(nd.start) - int(off)
	})
	return NodeID(i)
}

// ContentEnd returns the offset after the text of n, without its final line break. Blank lines
// after a block scalar are part of it only if the scalar keeps them.
func (t *Tree) ContentEnd(n NodeID) int {
	nd := &t.nodes[n]
	if nd.kind < Scalar { // it may end with a block scalar
		if last := nd.next - 1; last > n && t.nodes[last].end == nd.end {
			n, nd = last, &t.nodes[last]
		}
	}
	if nd.kind != Scalar || nd.style != Literal && nd.style != Folded {
		return int(nd.end)
	}
	body := int(t.bodyStart(uint32(header(t.text, int(nd.off)).end)))
	end := int(nd.end)
	h := header(t.text, int(nd.off))
	indent := t.blockIndent(nd, h)
	for end > body {
		line := bytes.LastIndexByte(t.text[body:end-1], '\n') + 1 + body
		last := bytes.TrimRight(t.text[line:end], "\r\n")
		if h.chomp == '+' || countSpaces(last, indent) < len(last) {
			return line + len(last)
		}
		end = line
	}
	return int(nd.off) + len(bytes.TrimRight(t.text[nd.off:min(body, int(nd.end))], "\r\n"))
}

// blockIndent returns the column of the lines of a block scalar with header h.
func (t *Tree) blockIndent(nd *node, h blockHeader) int {
	if h.indent > 0 {
		return int(t.props[nd.ref].indent)
	}
	return firstIndent(t.text[t.bodyStart(uint32(h.end)):max(nd.end, t.bodyStart(uint32(h.end)))])
}

// AppendBlockScalar writes block scalar n in its style, with its lines in column indent, two more
// than that of the node it belongs to. comment, if not empty, follows the header.
func (t *Tree) AppendBlockScalar(dst []byte, n NodeID, indent int, comment []byte) []byte {
	nd := &t.nodes[n]
	h := header(t.text, int(nd.off))
	dst = append(dst, t.text[nd.off])
	if h.indent > 0 {
		dst = append(dst, '2')
	}
	if h.chomp != 0 {
		dst = append(dst, h.chomp)
	}
	dst = append(dst, comment...)
	body := int(t.bodyStart(uint32(h.end)))
	end := t.ContentEnd(n)
	if end < body {
		return dst
	}
	strip := t.blockIndent(nd, h)
	for line := range bytes.SplitSeq(t.text[body:end], []byte("\n")) {
		line = bytes.TrimRight(line, "\r")
		dst = appendLine(dst, line[countSpaces(line, strip):], indent)
	}
	return dst
}

// KeepsBreaks reports whether n is a block scalar that includes the blank lines after it.
func (t *Tree) KeepsBreaks(n NodeID) bool {
	nd := &t.nodes[n]
	return nd.kind == Scalar && (nd.style == Literal || nd.style == Folded) &&
		header(t.text, int(nd.off)).chomp == '+'
}

// IsCut reports whether n is a block scalar at the end of the file without the line break that its
// text would have elsewhere.
func (t *Tree) IsCut(n NodeID) bool {
	nd := &t.nodes[n]
	if nd.kind != Scalar || nd.style != Literal && nd.style != Folded ||
		int(nd.end) != len(t.text) || t.text[nd.end-1] == '\n' || t.grammar != Lenient {
		return false
	}
	// A last line of spaces has no line break either, but the text before it has.
	return t.KeepsBreaks(n) || bytes.IndexByte(t.text[max(t.ContentEnd(n), int(nd.off)):], '\n') < 0
}

// IsRetyped reports whether the tag of scalar n changes its type, so that its text alone does not
// determine the value.
func (t *Tree) IsRetyped(n NodeID) bool {
	if !t.HasTag(n) {
		return false
	}
	nd := &t.nodes[n]
	if nd.style != Plain || nd.flags&cooked != 0 {
		return true
	}
	tag, text := t.Tag(n), t.text[nd.off:nd.end]
	for _, s := range [...]Schema{Compat, Core} {
		v, _, err := s.ResolveTagged(tag, text, true)
		if err != nil || v.Kind == String || v != s.Resolve(text) {
			return true
		}
	}
	return false
}

// IsAmbiguous reports whether scalar n is plain and YAML 1.1 and 1.2 read it differently: words
// such as `on`, numbers such as 017, dates, and numbers in base 60.
func (t *Tree) IsAmbiguous(n NodeID) bool {
	nd := &t.nodes[n]
	if nd.style != Plain || nd.off == nd.end || opening[t.text[nd.off]] == opensString ||
		nd.flags&cooked != 0 || t.IsRetyped(n) {
		return false
	}
	text := t.text[nd.off:nd.end]
	v := Compat.Resolve(text)
	if v != Core.Resolve(text) {
		return true
	}
	return v.Kind == String && resolves(text)
}

// HasAmbiguous reports whether n is, or contains, an ambiguous scalar.
func (t *Tree) HasAmbiguous(n NodeID) bool {
	for end := t.Next(n); n < end; n++ {
		switch t.nodes[n].kind {
		case Alias:
			return true // its target may contain one
		case Scalar:
			if t.IsAmbiguous(n) {
				return true
			}
		}
	}
	return false
}

// References returns the nodes with an anchor, and the aliases, in order.
func (t *Tree) References() (anchors, aliases []NodeID) {
	for n := range t.nodes {
		switch nd := &t.nodes[n]; {
		case nd.kind == Alias:
			aliases = append(aliases, NodeID(n))
		case nd.ref != 0 && t.props[nd.ref].anchor != t.props[nd.ref].anchorEnd:
			anchors = append(anchors, NodeID(n))
		}
	}
	return anchors, aliases
}

// Directed reports whether a document of the tree begins with directives, so its tags may mean
// something else in another document.
func (t *Tree) Directed() bool { return len(t.directives) > 0 }
