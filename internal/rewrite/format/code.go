package format

import (
	"bytes"
	"slices"

	"weft/internal/engine/compile"
	"weft/internal/lang/script"
	"weft/internal/lang/yaml"
)

// code is the meaning of a file's comments.
type code struct {
	comments []comment
	blocks   []block // open blocks
	pad      int     // by how much the statement's first line moved after its `#@`
	column   int     // the column of that line
}

// comment is the meaning of one comment of the tree.
type comment struct {
	kind  kind
	row   script.Row // if it is code
	end   int        // if it begins blocks: where the outermost one ends
	nodes bool       // if it begins a block: the block contains nodes
}

type kind uint8

const (
	note       kind = iota // `#! text`, or a plain comment
	statement              // code on its own line
	annotation             // on its own line
	beside                 // after something on the line, or in a flow collection
)

// block is an open block of code.
type block struct {
	column int // the column of its first line
	end    int // the offset of its `end`
	level  int // nesting depth among blocks without nodes, from 1; 0 if it has nodes
}

func (c *code) skip(i int) { c.comments[i].kind = beside }

// readCode determines the kind of each comment, and where blocks of code end.
func readCode(a *compile.Analysis) *code {
	t := a.Tree
	c := &code{comments: make([]comment, len(t.Comments()))}
	rows := script.Layout(a.File, a.CodeComments())
	marks := a.Marks
	for i, cm := range t.Comments() {
		var m *compile.Mark
		if len(marks) > 0 && marks[0].At == t.CommentSpan(cm) {
			m, marks = &marks[0], marks[1:]
		}
		switch {
		case cm.Trailing():
			c.comments[i].kind = beside
		case m == nil:
		case m.Kind == compile.AnnotationMark:
			c.comments[i].kind = annotation
		case m.Kind == compile.CodeMark:
			c.comments[i].kind = statement
		}
		if m != nil && m.Kind == compile.CodeMark {
			c.comments[i].read(t, rows[0], cm.Owner())
			rows = rows[1:]
		}
	}
	return c
}

// read records the code of a comment that belongs to a node.
func (c *comment) read(t *yaml.Tree, row script.Row, owner yaml.NodeID) {
	c.row = row
	if i := slices.IndexFunc(row.Marks, script.Mark.Begins); i >= 0 {
		c.end = row.Marks[i].End
		c.nodes = owner != yaml.NoOwner && t.Start(owner).Offset() < c.end
	}
}

// comments sets the columns of the comments before an offset. col is the column of the node at the
// offset, which is in the collection at the given depth.
func (l *layout) comments(off, depth, col int) {
	list := l.t.Comments()
	for ; l.next < len(list); l.next++ {
		at := l.t.CommentSpan(list[l.next]).Offset()
		if at >= off {
			return
		}
		cm := &l.code.comments[l.next]
		base := col // for code and annotations
		if b := l.code.innermost(); b != nil && off >= b.end {
			base = b.column
		}
		r := &l.rows[l.line(at)]
		switch cm.kind {
		case beside:
			l.code.nest(cm, base)
			continue
		case statement:
			base = l.statement(cm, at, base, r.off)
		case annotation:
		case note:
			base = l.noteColumn(at, base, depth)
		}
		if r.off {
			base = max(at-r.start, 0)
			if d := min(depth, len(l.open)-1); d >= 0 {
				base = max(base+l.open[d].now-l.open[d].old, 0)
			}
		}
		r.column = base
	}
}

// innermost returns the innermost open block.
func (c *code) innermost() *block {
	if len(c.blocks) == 0 {
		return nil
	}
	return &c.blocks[len(c.blocks)-1]
}

// noteColumn returns the column of a comment that is not code. A comment in the column of an open
// collection, such as a commented-out item at the end of a list, stays in that column.
func (l *layout) noteColumn(at, base, depth int) int {
	old := l.column(at)
	for i := len(l.open) - 1; i > depth; i-- {
		if l.open[i].old == old {
			return l.open[i].now
		}
	}
	return base
}

// statement lays out a line of code after its `#@`, and returns its column.
func (l *layout) statement(cm *comment, at, base int, off bool) int {
	c := l.code
	row := &cm.row
	text := row.Off // where the code begins, after `#@ `
	end := l.rows[l.line(at)].end
	first := text
	for first < end && l.text[first] == ' ' {
		first++
	}
	plain := bytes.HasPrefix(l.text[at:], []byte("#@ ")) && !off
	switch row.State {
	case script.InString:
		l.rows[l.line(at)].exact = true
		return c.column
	case script.Continues:
		if plain && first < end {
			l.space(at+2, first, max(first-at-2+c.pad, 1))
		}
		return c.column
	}
	col, pad := c.nest(cm, base)
	c.pad, c.column = 0, col
	if plain && first < end {
		l.space(at+2, first, pad)
		c.pad = pad - (first - at - 2)
	}
	return col
}

// nest tracks the blocks that a line of code begins and ends. It returns the column of the line, and the
// number of spaces after its `#@`. Blocks without nodes are indented after the `#@`.
func (c *code) nest(cm *comment, base int) (column, pad int) {
	column, pad = base, 1
	if b := c.innermost(); b != nil && b.level > 0 {
		column, pad = b.column, 1+2*b.level
	}
	for i, m := range cm.row.Marks {
		b := c.innermost()
		switch {
		case m.Kind == script.Ends || m.Kind == script.Branches:
			if b == nil {
				continue
			}
			if i == 0 {
				column, pad = b.column, 1+2*max(b.level-1, 0)
			}
			if m.Kind == script.Ends {
				c.blocks = c.blocks[:len(c.blocks)-1]
			}
		case m.Begins():
			next := block{column: column, end: cm.end}
			if !cm.nodes {
				next.level = 1
				if b != nil {
					next.level += b.level
				}
			}
			c.blocks = append(c.blocks, next)
		}
	}
	return column, pad
}

// notes puts one space after each `#!`, and after the `#@` of values.
func (l *layout) notes() {
	for i, cm := range l.t.Comments() {
		span := l.t.CommentSpan(cm)
		at := span.Offset()
		text := l.t.CommentText(cm)
		if l.rows[l.line(at)].off {
			continue
		}
		switch {
		case bytes.HasPrefix(text, []byte("!")):
			if len(text) > 1 && text[1] != ' ' && text[1] != '\t' && !isShebang(at, text) {
				l.space(at+2, at+2, 1)
			}
		case l.code.comments[i].kind == beside && bytes.HasPrefix(text, []byte("@  ")) &&
			len(l.code.comments[i].row.Marks) == 0:
			code := bytes.TrimLeft(text[1:], " ")
			if len(code) > 0 {
				l.space(at+2, span.End()-len(code), 1)
			}
		}
	}
}

// isShebang reports whether a comment is a `#!` line that names an interpreter.
func isShebang(at int, text []byte) bool {
	return at == 0 && bytes.HasPrefix(text, []byte("!/"))
}
