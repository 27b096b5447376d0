package keep

import (
	"bytes"
	"iter"
	"slices"

	"weft/internal/lang/script"
	"weft/internal/lang/yaml"
)

// block is a block of code with nodes in it. The branches of an if are blocks inside its block.
type block struct {
	from, to   int         // offsets: from its first line to the line that ends it
	first, end yaml.NodeID // the nodes between them, from the first entry on
	def        bool        // a function
	branch     bool        // the part that runs if a condition holds, or in each iteration
	outer      int32       // the block around it, or none
}

const none = -1

// code holds where blocks begin and end in a file.
type code struct {
	blocks []block
	marks  []mark // in the order of the text
}

// mark is a line of code that begins or ends a block.
type mark struct {
	off   int
	kind  script.MarkKind
	block int32 // the block that begins here; for the end of a block, the block around it
}

// readCode finds the blocks of a template.
func (p *part) readCode() {
	c := &p.code
	open := []int32{none}
	for _, m := range script.Outline(p.t.File(), p.codeComments()) {
		open = c.add(p.t, m, open)
	}
	for _, b := range open[1:] { // the block is not closed: an error, so nothing is printed
		c.close(p.t, b, len(p.text))
	}
}

// codeComments returns the code in comments, each with the node that it belongs to.
func (p *part) codeComments() iter.Seq2[int, script.Fragment] {
	return func(yield func(int, script.Fragment) bool) {
		for _, cm := range p.t.Comments() {
			text, ok := codeOf(p.t.CommentText(cm))
			if !ok || cm.Trailing() {
				continue
			}
			off := p.t.CommentSpan(cm).End() - len(text)
			if !yield(int(cm.Owner()), script.Fragment{Text: text, Off: off}) {
				return
			}
		}
	}
}

// codeOf returns the code of a comment that is code, as opposed to an annotation.
func codeOf(comment []byte) ([]byte, bool) {
	for _, mark := range []string{"@ ", "@template/code "} {
		if code, ok := bytes.CutPrefix(comment, []byte(mark)); ok {
			return code, true
		}
	}
	return nil, false
}

// add adds a mark. It returns the blocks that are open after it.
func (c *code) add(t *yaml.Tree, m script.Mark, open []int32) []int32 {
	switch m.Kind {
	case script.Ends:
		open = c.endBranch(t, m.Off, open)
		if len(open) > 1 {
			c.close(t, open[len(open)-1], m.Off)
			open = open[:len(open)-1]
		}
		c.marks = append(c.marks, mark{m.Off, m.Kind, open[len(open)-1]})
		return open
	case script.Branches:
		open = c.endBranch(t, m.Off, open)
	}
	open = c.begin(t, m, open)
	id := open[len(open)-1]
	c.marks = append(c.marks, mark{m.Off, m.Kind, id})
	switch {
	case !m.One && m.Kind == script.Opens:
		return c.begin(t, script.Mark{Kind: script.Branches, Off: m.Off}, open)
	case !m.One:
		return open
	}
	open = open[:len(open)-1]
	b := &c.blocks[id] // the block contains only the next node, and ends after it
	if b.end = b.first; t.More(b.end) {
		b.end = endOf(t, b.end)
	}
	b.to = m.Off
	if b.end > b.first {
		b.to = t.Start(b.end - 1).Offset()
	}
	return open
}

// begin opens a block.
func (c *code) begin(t *yaml.Tree, m script.Mark, open []int32) []int32 {
	first := t.NodeAt(m.Off)
	for t.More(first) && !t.IsItem(first) { // a collection around the block
		first++
	}
	c.blocks = append(c.blocks, block{
		from: m.Off, first: first, outer: open[len(open)-1],
		def: m.Kind == script.Defines, branch: m.Kind == script.Branches,
	})
	return append(open, int32(len(c.blocks)-1))
}

// endBranch closes the open branch, if there is one.
func (c *code) endBranch(t *yaml.Tree, off int, open []int32) []int32 {
	last := open[len(open)-1]
	if last == none || !c.blocks[last].branch {
		return open
	}
	c.close(t, last, off)
	return open[:len(open)-1]
}

// endOf returns the node after an item.
func endOf(t *yaml.Tree, n yaml.NodeID) yaml.NodeID {
	next := t.Next(n)
	if t.More(next) && !t.IsItem(next) && t.Kind(n) != yaml.Document {
		return t.Next(next) // the value of a key
	}
	return next
}

func (c *code) close(t *yaml.Tree, id int32, off int) {
	b := &c.blocks[id]
	b.to, b.end = off, t.NodeAt(off)
}

// at returns the mark on the line of code between two offsets, or nil. If there are several, the
// first counts.
func (c *code) at(from, to int) *mark {
	i, _ := slices.BinarySearchFunc(c.marks, from, func(m mark, off int) int { return m.off - off })
	if i < len(c.marks) && c.marks[i].off < to {
		return &c.marks[i]
	}
	return nil
}

// around returns the innermost block around an offset, or none.
func (c *code) around(off int) int32 {
	i, found := slices.BinarySearchFunc(
		c.blocks, off, func(b block, off int) int { return b.from - off },
	)
	switch { // an if and its first branch begin at the same place; the branch is the inner one
	case !found:
		i--
	case i+1 < len(c.blocks) && c.blocks[i+1].from == off:
		i++
	}
	for id := int32(i); id != none; id = c.blocks[id].outer {
		if b := &c.blocks[id]; off < b.to {
			return id
		}
	}
	return none
}

// scope returns the innermost function around an offset, or none.
func (c *code) scope(off int) int32 {
	if len(c.blocks) == 0 {
		return none
	}
	id := c.around(off)
	for id != none && !c.blocks[id].def {
		id = c.blocks[id].outer
	}
	return id
}
