// Package edit changes YAML text and loses nothing: it gives documents new values, and leaves every
// byte that says nothing else as it was.
//
// It takes the syntax tree of a file and the values that its documents should have, of which what is
// still a node of the tree stays. How the values came about is no one's business here.
//
//	text.go             a file, in the parts that it was read in, and the edits of its text
//	splice.go           texts in the place of others
//	edit.go             what differs between a document and its new value
//	value.go            a value in the place of another
//	entries.go, flow.go entries that come and go, in lines and in brackets
//	style.go            new text, laid out as the file is
//	check.go            every edited document is read again before it is given out
//	equal.go            when two values are the same
//	join.go             several files as one stream
package edit

import (
	"bytes"
	"cmp"
	"slices"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Text returns the text of a file with new values in its documents: trees are its parts, and values
// those of all documents in order. A value that is still the document's own changes nothing; of
// others, only the lines that hold a difference are written again. Reading the text with opt, with
// which the file was read, gives the values: that is seen to before anything is given out. It comes
// in pieces, one for each part.
func Text(trees []*yaml.Tree, values []tree.Value, opt yaml.Options) ([][]byte, error) {
	texts := make([][]byte, len(trees))
	failed := make([]error, len(trees))
	parts := PartsOf(trees)
	opt.Workers.Each(len(trees), func(i int) {
		p := &parts[i]
		e := p.Edit(opt)
		for j, doc := range p.Docs {
			if failed[i] = e.Set(doc, values[p.First+j]); failed[i] != nil {
				return
			}
		}
		texts[i] = e.Text()
	})
	return texts, cmp.Or(failed...)
}

// Part is a part of a file that was read by itself.
type Part struct {
	Docs  []yaml.NodeID
	First int // the number of the first document among those of the file

	tree     *yaml.Tree
	from, to int // the bytes
}

// PartsOf returns the parts of a file that was read into these trees.
func PartsOf(trees []*yaml.Tree) []Part {
	parts := make([]Part, len(trees))
	first := 0
	for i, t := range trees {
		parts[i] = Part{tree: t, Docs: slices.Collect(t.Documents()), First: first, to: len(t.File().Data())}
		first += len(parts[i].Docs)
		if i > 0 { // it begins with `---`
			parts[i].from = t.Start(parts[i].Docs[0]).Offset()
			parts[i-1].to = parts[i].from
		}
	}
	return parts
}

// Edit begins to edit a part. It was read with opt.
func (p *Part) Edit(opt yaml.Options) *Editor { return newEditor(p.tree, p.from, p.to, opt) }

// edit puts text in the place of a run of bytes.
type edit struct {
	start, end int
	text       []byte
	lines      bool // text is whole lines
}

// compareEdits orders edits by where they are. What is at one offset is there in the order
// in which it was said, but nothing can be put into what is taken away.
func compareEdits(a, b edit) int {
	if a.start != b.start {
		return a.start - b.start
	}
	return min(a.end-a.start, 1) - min(b.end-b.start, 1)
}

// flush makes the edits of a document, which follows those that are done. They are in order.
func (e *Editor) flush() {
	if len(e.edits) == 0 {
		return
	}
	if e.out == nil {
		size := e.to - e.from
		e.out = make([]byte, 0, size+size/16+64)
	}
	last := e.copied
	for i := range e.edits {
		last = max(last, e.edits[i].end)
	}
	e.out = e.splice(e.out, e.copied, last, e.edits)
	e.copied = last
	e.edits, e.buf = e.edits[:0], e.buf[:0]
}

// splice adds the source between from and to to dst, with the edits made that are to be made there,
// in order.
func (e *Editor) splice(dst []byte, from, to int, edits []edit) []byte {
	at := from
	for i := range edits {
		x := &edits[i]
		if x.start > at {
			dst = append(dst, e.src[at:x.start]...)
			at = x.start
		}
		text := x.text
		if x.lines && len(dst) > 0 && dst[len(dst)-1] != '\n' && dst[len(dst)-1] != '\r' {
			text = append(
				[]byte("\n"),
				// the last line of the file has no line break, and gets none
				text[:len(text)-1]...)
		}
		if e.crlf {
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
		}
		dst = append(dst, text...)
		at = max(at, x.end)
	}
	if at < to {
		dst = append(dst, e.src[at:to]...)
	}
	return dst
}

// Text returns the part of the source with all edits made.
func (e *Editor) Text() []byte {
	if e.out == nil {
		return e.src[e.from:e.to]
	}
	return append(e.out, e.src[e.copied:e.to]...)
}
