package yaml

import (
	"bytes"
	"cmp"
	"slices"
)

// showHoles adds the holes to the tree: a node of kind Invalid in place of each broken entry, and
// the comments inside it that have their own lines. src is the original text.
func (t *Tree) showHoles(src []byte) {
	t.text = bytes.Clone(t.text)
	// from the last hole to the first, so that nodes before a hole keep their places
	for _, h := range slices.Backward(t.holes) {
		t.addInvalid(h)
		t.addComments(src, h)
	}
	slices.SortFunc(t.comments, func(a, b Comment) int { return cmp.Compare(a.off, b.off) })
}

// addComments adds the comments in a hole.
func (t *Tree) addComments(src []byte, h hole) {
	for i := h.start; i < h.end; i = nextLineStart(src, i) {
		line := src[lineStart(src, i):min(nextLineStart(src, i), h.end)]
		body := bytes.TrimLeft(line, " \t")
		if !bytes.HasPrefix(body, []byte("#")) {
			continue
		}
		off := lineStart(src, i) + len(line) - len(body)
		body = bytes.TrimRight(body, "\r\n")
		copy(t.text[off:], body)
		c := Comment{off: uint32(off), end: uint32(off + len(body)), owner: NoOwner}
		t.comments = append(t.comments, c)
	}
}

func lineStart(src []byte, i int) int { return bytes.LastIndexAny(src[:i], "\r\n") + 1 }

func nextLineStart(src []byte, i int) int {
	if n := bytes.IndexAny(src[i:], "\r\n"); n >= 0 {
		return i + n + 1
	}
	return len(src)
}

// addInvalid adds the node of a hole. It becomes an item of the collection that its column fits, or a
// key and a value of a mapping, or the missing value if the hole is the whole value.
func (t *Tree) addInvalid(h hole) {
	start, end := uint32(h.start), uint32(h.end)
	bad := node{kind: Invalid, style: Block, flags: item, start: start, off: start, end: end}
	at, _ := slices.BinarySearchFunc(t.nodes, start, func(nd node, start uint32) int {
		return cmp.Or(cmp.Compare(nd.start, start), 1) // the first node that does not begin before it
	})
	for at < len(t.nodes) && int(t.nodes[at].start) < h.end {
		at++ // skip empty values, which are placed after the last token
	}
	doc := t.documentBefore(NodeID(at))
	if doc == NoOwner {
		if at < len(t.nodes) && t.nodes[at].flags&explicit == 0 {
			doc = NodeID(at) // a document without `---` begins with the hole
			t.nodes[doc].start = min(t.nodes[doc].start, bad.start)
			t.nodes[doc].off = t.nodes[doc].start
			at++
		} else {
			bad.flags = 0 // comments inside it belong to what follows
			t.insert(at, NoOwner, node{kind: Document, start: start, off: start, end: end}, bad)
			return
		}
	}
	if at == int(doc)+1 && at < len(t.nodes) && t.isBlock(NodeID(at)) {
		t.nodes[at].start = bad.start // the hole was the first entry of the collection
		at++
	}
	parent := t.parentFor(doc, NodeID(at), h)
	if parent == NoOwner || t.isMissing(NodeID(at)-1) && t.columnOf(parent) < h.col {
		last := NodeID(at) - 1
		nd := &t.nodes[last]
		if nd.kind == Invalid {
			bad.end = nd.end // the next hole is inside the same value
		} else if !t.isMissing(last) {
			return // it is not part of a value: a directive, for example
		}
		nd.kind, nd.style, nd.ref = Invalid, Block, 0
		nd.off, nd.end = max(nd.start, bad.start), max(nd.start, bad.end)
		t.widen(last, bad)
		return
	}
	if t.nodes[parent].kind == Sequence {
		t.insert(at, parent, bad)
		return
	}
	value := bad
	value.start, value.off, value.flags = bad.end, bad.end, 0
	t.insert(at, parent, bad, value)
}

// documentBefore returns the document that node at would still belong to, or NoOwner.
func (t *Tree) documentBefore(at NodeID) NodeID {
	for n := int(at) - 1; n >= 0; n-- {
		if t.nodes[n].kind == Document {
			if t.nodes[n].flags&ended != 0 && t.nodes[n].next <= at {
				return NoOwner
			}
			return NodeID(n)
		}
	}
	return NoOwner
}

// parentFor returns the innermost block collection of doc that extends to node at and whose column
// is that of h, or left of it. For an item, it prefers a sequence in that column.
func (t *Tree) parentFor(doc, at NodeID, h hole) NodeID {
	data := t.file.Data()
	isItem := h.start < len(data) && data[h.start] == '-'
	parent, col := NoOwner, -1
	for n := doc + 1; n < at; n++ {
		nd := &t.nodes[n]
		if !t.isBlock(n) || nd.next < at {
			continue
		}
		c := t.columnOf(n)
		if parent == NoOwner || c <= h.col && (c > col || isItem || nd.kind == Mapping) {
			parent, col = n, c
		}
	}
	return parent
}

// isBlock reports whether n is a block collection.
func (t *Tree) isBlock(n NodeID) bool {
	nd := &t.nodes[n]
	return nd.style == Block && (nd.kind == Mapping || nd.kind == Sequence)
}

// columnOf returns the column of the entries of a block collection.
func (t *Tree) columnOf(n NodeID) int {
	off := int(t.nodes[n].off)
	return off - lineStart(t.text, off)
}

// isMissing reports whether n is a scalar without any text in the file.
func (t *Tree) isMissing(n NodeID) bool {
	nd := &t.nodes[n]
	return nd.kind == Scalar && nd.style == Plain && nd.off == nd.end
}

// insert inserts nodes before node at: into parent, or as a document if parent is NoOwner.
func (t *Tree) insert(at int, parent NodeID, nodes ...node) {
	n := NodeID(len(nodes))
	for i := range t.nodes {
		nd := &t.nodes[i]
		around := parent != NoOwner && NodeID(i) <= parent && nd.next > parent
		if int(nd.next) > at || around {
			nd.next += n
		}
		if nd.kind == Alias && int(nd.ref) >= at {
			nd.ref += uint32(n)
		}
	}
	for i := range t.directives {
		if int(t.directives[i].doc) >= at {
			t.directives[i].doc += n
		}
	}
	for i := range nodes {
		nodes[i].next = NodeID(at + i + 1)
		if nodes[i].kind == Document {
			nodes[i].next = NodeID(at) + n
		}
	}
	t.nodes = slices.Insert(t.nodes, at, nodes...)
	t.widen(NodeID(at), nodes[0])
}

// widen extends node n and everything around it to include bad.
func (t *Tree) widen(n NodeID, bad node) {
	for i := range n {
		nd := &t.nodes[i]
		if nd.next > n && nd.kind != Scalar {
			nd.off, nd.end = max(nd.start, min(nd.off, bad.start)), max(nd.end, bad.end)
		}
	}
}
