package yaml

import (
	"bytes"

	"weft/internal/lang/source"
)

type Comment struct {
	off, end uint32
	owner    NodeID
	trailing bool
}

// Trailing reports whether the comment follows content on its line.
func (c Comment) Trailing() bool { return c.trailing }

// Owner returns the document, mapping item (by its key) or sequence item (by its value) that the
// comment belongs to, or NoOwner if no item follows the comment.
func (c Comment) Owner() NodeID { return c.owner }

// NoOwner is the owner of comments after the last item of a stream.
const NoOwner = ^NodeID(0)

// CommentSpan returns where c is, `#` included.
func (t *Tree) CommentSpan(c Comment) source.Span { return t.file.Span(int(c.off), int(c.end)) }

// CommentText returns the text of c after its `#`.
func (t *Tree) CommentText(c Comment) []byte { return t.text[c.off+1 : c.end] }

// attachComments finds the owner of each comment. Documents that begin with `---`, mapping items and sequence
// items can own comments. A comment belongs to the last of them that begins on its line, or else to
// the first that begins on a later line:
//
//	#@ a          belongs to the sequence item
//	- x: #@ b     belongs to the mapping item x
//
// Comments and items are both sorted by offset, so one pass over the two lists is enough.
func (t *Tree) attachComments(from int) {
	if len(t.comments) == 0 {
		return
	}
	lineStart, lineOf := from, from // the line of the last comment looked at
	c := 0
	last, lastStart := NoOwner, -1 // the last item that begins before the comment
	assignOwner := func(upTo int, item NodeID) {
		for ; c < len(t.comments) && int(t.comments[c].off) < upTo; c++ {
			cm := &t.comments[c]
			if i := bytes.LastIndexByte(t.text[lineOf:cm.off], '\n'); i >= 0 {
				lineStart = lineOf + i + 1
			}
			lineOf = int(cm.off)
			if cm.owner = item; last != NoOwner && lastStart >= lineStart {
				cm.owner = last
			}
		}
	}
	for n := range t.nodes {
		nd := &t.nodes[n]
		if nd.flags&item == 0 {
			continue
		}
		if assignOwner(int(nd.start), NodeID(n)); c == len(t.comments) {
			return
		}
		last, lastStart = NodeID(n), int(nd.start)
	}
	assignOwner(len(t.text)+1, NoOwner)
}
