package override

import (
	"bytes"
	"cmp"

	"weft/internal/parallel"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// Text is the text of a file with new values in its documents: trees are its parts, and values those of all documents in order. A value that is still the document's own changes nothing;
// of others, only the lines that hold a difference are written anew. Reading the text with opt, with which the file was read, gives the values: that is seen to before anything is given out.
// It comes in pieces, one for each part.
func Text(trees []*yaml.Tree, values []tree.Value, opt yaml.Options) ([][]byte, error) {
	texts := make([][]byte, len(trees))
	failed := make([]error, len(trees))
	parts := partsOf(0, trees)
	parallel.Each(len(trees), func(i int) {
		p := &parts[i]
		e := newEditor(p.tree, p.from, p.to, opt)
		for j, doc := range p.docs {
			if failed[i] = e.document(doc, values[p.first+j]); failed[i] != nil {
				return
			}
		}
		texts[i] = e.text()
	})
	return texts, cmp.Or(failed...)
}

// filePart is a part of a file that was read by itself.
type filePart struct {
	file, part int // which file, and which of its parts
	tree       *yaml.Tree
	docs       []yaml.NodeID
	first      int // the number of the first document among those of the file
	from, to   int // the bytes
}

func partsOf(file int, trees []*yaml.Tree) []filePart {
	parts := make([]filePart, len(trees))
	first := 0
	for i, t := range trees {
		parts[i] = filePart{file: file, part: i, tree: t, docs: documents(t), first: first, to: len(t.File().Data())}
		first += len(parts[i].docs)
		if i > 0 { // it begins with `---`
			parts[i].from = t.Start(parts[i].docs[0]).Offset()
			parts[i-1].to = parts[i].from
		}
	}
	return parts
}

// documents are the documents of a file.
func documents(t *yaml.Tree) []yaml.NodeID {
	var list []yaml.NodeID
	for doc := t.First(); t.More(doc); doc = t.Next(doc) {
		list = append(list, doc)
	}
	return list
}

// edit puts text in the place of a run of bytes.
type edit struct {
	start, end int
	text       []byte
	lines      bool // text is whole lines
}

// compareEdits orders edits by where they are. What stands at one offset stands there in the order in which it was said, but nothing can be put into what is taken away.
func compareEdits(a, b edit) int {
	if a.start != b.start {
		return a.start - b.start
	}
	return min(a.end-a.start, 1) - min(b.end-b.start, 1)
}

// flush makes the edits of a document, which stands behind those that are done. They are in order.
func (e *editor) flush() {
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

// splice adds the source between from and to to dst, with the edits made that are to be made there, in order.
func (e *editor) splice(dst []byte, from, to int, edits []edit) []byte {
	at := from
	for i := range edits {
		x := &edits[i]
		if x.start > at {
			dst = append(dst, e.src[at:x.start]...)
			at = x.start
		}
		text := x.text
		if x.lines && len(dst) > 0 && dst[len(dst)-1] != '\n' && dst[len(dst)-1] != '\r' {
			text = append([]byte("\n"), text[:len(text)-1]...) // the last line of the file has no line break, and shall have none
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

// text is the part of the source with all edits made.
func (e *editor) text() []byte {
	if e.out == nil {
		return e.src[e.from:e.to]
	}
	return append(e.out, e.src[e.copied:e.to]...)
}
