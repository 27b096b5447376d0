// Package edit changes YAML text without losing anything: it gives documents new values and leaves
// every other byte unchanged.
//
// It takes the syntax tree of a file and the new values of its documents. Parts of a value that are
// still nodes of the tree keep their text. Editing takes time proportional to the document, and so
// does the check: every edited document is parsed again before its text is returned.
//
//	text.go             a file, in the parts in which it was parsed, and the edits of its text
//	splice.go           replacing parts of a text
//	edit.go             what differs between a document and its new value
//	value.go            replacing a value
//	entries.go, flow.go inserting and removing entries, in block style and in brackets
//	style.go            new text in the layout of the file
//	check.go            parsing edited documents again
//	equal.go            when two values are the same
//	number.go           integers of more than 64 bits
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
// those of all documents in order. A document whose value is unchanged stays as it is; in others,
// only the lines with a difference are rewritten. Text checks that parsing the result with opt, the
// options of the file, yields the values. It returns one piece for each part.
func Text(trees []*yaml.Tree, values []tree.Value, opt yaml.Options) ([][]byte, error) {
	return TextFrom(trees, values, values, opt)
}

// TextFrom is Text for documents whose aliases follow their anchors: see Editor.SetFrom.
func TextFrom(trees []*yaml.Tree, drafts, values []tree.Value, opt yaml.Options) ([][]byte, error) {
	texts := make([][]byte, len(trees))
	failed := make([]error, len(trees))
	parts := PartsOf(trees)
	opt.Workers.Each(len(trees), func(i int) {
		p := &parts[i]
		e := p.Edit(opt)
		for j, doc := range p.Docs {
			if failed[i] = e.SetFrom(doc, drafts[p.First+j], values[p.First+j]); failed[i] != nil {
				return
			}
		}
		texts[i] = e.Text()
	})
	return texts, cmp.Or(failed...)
}

// Part is a part of a file that was parsed separately.
type Part struct {
	Docs  []yaml.NodeID
	First int // the index of its first document in the file

	tree     *yaml.Tree
	from, to int // offsets
}

// PartsOf returns the parts of a file that was parsed into these trees.
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

// Edit returns an editor for the part, which was parsed with opt.
func (p *Part) Edit(opt yaml.Options) *Editor { return newEditor(p.tree, p.from, p.to, opt) }

// edit replaces a range of bytes with text.
type edit struct {
	start, end int
	text       []byte
	lines      bool // text is whole lines
}

// compareEdits orders edits by offset. Insertions at the same offset keep their order, but nothing
// can be inserted into removed text.
func compareEdits(a, b edit) int {
	if a.start != b.start {
		return a.start - b.start
	}
	return min(a.end-a.start, 1) - min(b.end-b.start, 1)
}

// flush applies the edits of a document, which are sorted and follow those already applied.
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

// splice appends the source between from and to to dst, with the given edits applied, in order.
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

// Text returns the part of the source with all edits applied.
func (e *Editor) Text() []byte {
	if e.out == nil {
		return e.src[e.from:e.to]
	}
	return append(e.out, e.src[e.copied:e.to]...)
}
