package yaml

import (
	"bytes"
	"strconv"
	"strings"
)

// Dump prints the tree for debugging: every document, mapping item and sequence item with its line
// and, below it, its comments.
//
//	????: docset
//	       1: doc
//	    meta:    1: '@ x = 1'
//	           1: map
//	           2: key=foo
//	        meta:    2: '@ x'
//	            : <nil>
func (t *Tree) Dump() []byte {
	d := dumper{t: t}
	d.b.WriteString("????: docset\n")
	for doc := range t.Documents() {
		d.line(1, doc, "doc")
		d.value(t.Root(doc), doc, 2)
	}
	if d.next < len(t.comments) {
		d.b.WriteString("    ????: doc\n") // an empty document that owns the comments at the end
		d.comments(NoOwner, 1)
	}
	return d.b.Bytes()
}

type dumper struct {
	t    *Tree
	b    bytes.Buffer
	next int // the first comment that is not written yet
}

// value writes node n, the value of item.
func (d *dumper) value(n, item NodeID, level int) {
	t := d.t
	switch t.Kind(n) {
	case Mapping:
		d.entry(level, t.Line(item), "map")
		for key, value := range t.Pairs(n) {
			label := "key=?"
			if k := t.Target(key); t.Kind(k) == Scalar {
				label = "key=" + quoteControls(t.Text(k))
			}
			d.line(level, key, label)
			d.value(value, key, level+1)
		}
	case Sequence:
		d.entry(level, t.Line(item), "array")
		i := 0
		for child := range t.Items(n) {
			d.line(level, child, "idx="+strconv.Itoa(i))
			d.value(child, child, level+1)
			i++
		}
	case Alias:
		d.text(level, "*"+string(t.AliasName(n)))
	default:
		if t.nodes[n].off == t.nodes[n].end {
			d.text(level, "<nil>")
			return
		}
		d.text(level, quoteControls(t.Text(n)))
	}
}

// line writes an item and its comments.
func (d *dumper) line(level int, n NodeID, label string) {
	d.entry(level, d.t.Line(n), label)
	d.comments(n, level)
}

// comments writes the comments of item n. They are next in the list, since items and comments are
// both sorted by offset.
func (d *dumper) comments(n NodeID, level int) {
	for ; d.next < len(d.t.comments) && d.t.comments[d.next].owner == n; d.next++ {
		c := d.t.comments[d.next]
		d.indent(level)
		d.b.WriteString("meta: ")
		d.number(d.t.file.Line(int(c.off)))
		d.b.WriteString(": '" + string(d.t.CommentText(c)) + "'\n")
	}
}

func (d *dumper) entry(level, line int, label string) {
	d.indent(level)
	d.number(line)
	d.b.WriteString(": " + label + "\n")
}

func (d *dumper) text(level int, s string) {
	d.indent(level)
	d.b.WriteString(": " + s + "\n")
}

func (d *dumper) indent(level int) { d.b.WriteString(strings.Repeat("    ", level)) }

func (d *dumper) number(n int) {
	s := strconv.Itoa(n)
	d.b.WriteString(strings.Repeat(" ", max(0, 4-len(s))) + s)
}

// quoteControls escapes line breaks, so that s stays on one line.
func quoteControls(s []byte) string {
	if bytes.ContainsAny(s, "\n\r\t") {
		return strconv.Quote(string(s))
	}
	return string(s)
}
