package override

import (
	"bytes"
	"slices"

	"weft/internal/parallel"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// Text is the text of a file with new values in its documents: trees are its parts, and values those of all documents in order. A value that is still the document's own changes nothing;
// of others, only the lines that hold a difference are written anew. Reading the text gives the values. It comes in pieces, one for each part; opt are the options that the file was
// read with.
//
// Values are written as edits of the text: see edit.go. A few things of YAML make it hard to see what else an edit would change (text that is repeated
// by aliases, blank lines that belong to a block scalar above). Where a part has them, its result is read again, and a document that does not say what
// it should is written in canonical form.
func Text(trees []*yaml.Tree, values []tree.Value, opt yaml.Options) [][]byte {
	texts := make([][]byte, len(trees))
	parts := partsOf(0, trees)
	parallel.Each(len(trees), func(i int) {
		p := &parts[i]
		texts[i] = p.text(values[p.first:p.first+len(p.docs)], opt)
	})
	return texts
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

// text is the part with new values in its documents.
func (p *filePart) text(values []tree.Value, opt yaml.Options) []byte {
	e := newEditor(p.tree, p.from, p.to)
	for i, doc := range p.docs {
		e.document(doc, values[i])
	}
	text := e.text()
	if !e.doubtful {
		return text
	}
	wrong := mistaken(text, values, opt)
	if wrong == nil {
		return text
	}
	e = newEditor(p.tree, p.from, p.to)
	for i, doc := range p.docs {
		if wrong[i] {
			e.anew(doc, values[i])
		} else {
			e.document(doc, values[i])
		}
	}
	return e.text()
}

// documents are the documents of a file.
func documents(t *yaml.Tree) []yaml.NodeID {
	var list []yaml.NodeID
	for doc := t.First(); t.More(doc); doc = t.Next(doc) {
		list = append(list, doc)
	}
	return list
}

// mistaken tells which documents of a text do not have the values that they should; nil if all have.
func mistaken(text []byte, values []tree.Value, opt yaml.Options) []bool {
	all := slices.Repeat([]bool{true}, len(values))
	f, err := (&source.Set{}).Add("", slices.Clone(text))
	if err != nil {
		return all
	}
	t, err := yaml.Parse(f, opt)
	if err != nil || t.Check(false) != nil {
		return all
	}
	docs := documents(t)
	if len(docs) != len(values) {
		return all
	}
	any := false
	for i, doc := range docs {
		all[i] = !equal(tree.FromSyntax(t, t.Root(doc)), values[i])
		any = any || all[i]
	}
	if !any {
		return nil
	}
	return all
}

// edit puts text in the place of a run of bytes.
type edit struct {
	start, end int
	text       []byte
	lines      bool // text is whole lines
}

// flush makes the edits of a document, which stands behind those that are done.
func (e *editor) flush() {
	if len(e.edits) == 0 {
		return
	}
	// What stands at one offset stands there in the order in which it was said, but nothing can be put into what is taken away.
	slices.SortStableFunc(e.edits, func(a, b edit) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return min(a.end-a.start, 1) - min(b.end-b.start, 1)
	})
	if e.out == nil {
		size := e.to - e.from
		e.out = make([]byte, 0, size+size/16+64)
	}
	for i := range e.edits {
		x := &e.edits[i]
		if x.start > e.at {
			e.out = append(e.out, e.src[e.at:x.start]...)
			e.at = x.start
		}
		text := x.text
		if x.lines && len(e.out) > 0 && e.out[len(e.out)-1] != '\n' && e.out[len(e.out)-1] != '\r' {
			text = append([]byte("\n"), text[:len(text)-1]...) // the last line of the file has no line break, and shall have none
		}
		if e.crlf {
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
		}
		e.out = append(e.out, text...)
		e.at = max(e.at, x.end)
	}
	e.edits, e.buf = e.edits[:0], e.buf[:0]
}

// text is the part of the source with all edits made.
func (e *editor) text() []byte {
	if e.out == nil {
		return e.src[e.from:e.to]
	}
	return append(e.out, e.src[e.at:e.to]...)
}
