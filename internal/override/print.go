package override

import (
	"bytes"
	"cmp"
	"slices"

	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// AppendText writes the file that t was read from with new values in its documents, which are given in order. A value that is still the document's own changes nothing;
// of others, only the lines that hold a difference are written anew. Reading the text gives the values. opt are the options that t was read with.
//
// Values are written as edits of the text: see edit.go. A few things of YAML make it hard to see what else an edit would change (text that is repeated
// by aliases, blank lines that belong to a block scalar above). Where a document has them, the result is read again, and a document that does not say what
// it should is written in canonical form.
func AppendText(dst []byte, t *yaml.Tree, values []tree.Value, opt yaml.Options) []byte {
	start := len(dst)
	e := newEditor(t)
	for i, doc := range documents(t) {
		e.document(doc, values[i])
	}
	dst = e.apply(dst)
	if !e.doubtful {
		return dst
	}
	wrong := mistaken(dst[start:], values, opt)
	if wrong == nil {
		return dst
	}
	again := newEditor(t)
	for i, doc := range documents(t) {
		if wrong[i] {
			again.replace(t.Root(doc), values[i], again.rootSlot(doc))
		} else {
			again.document(doc, values[i])
		}
	}
	return again.apply(dst[:start])
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
		all[i] = fingerprint(tree.FromSyntax(t, t.Root(doc)), false) != fingerprint(values[i], false)
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

// apply writes the source with all edits made.
func (e *editor) apply(dst []byte) []byte {
	// What stands at one offset stands there in the order in which it was said, but nothing can be put into what is taken away.
	slices.SortStableFunc(e.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(min(a.end-a.start, 1), min(b.end-b.start, 1)))
	})
	at, begin := 0, len(dst)
	for _, x := range e.edits {
		if x.start > at {
			dst = append(dst, e.src[at:x.start]...)
			at = x.start
		}
		text := x.text
		if x.lines && len(dst) > begin && dst[len(dst)-1] != '\n' && dst[len(dst)-1] != '\r' {
			text = append([]byte("\n"), text[:len(text)-1]...) // the last line of the file has no line break, and shall have none
		}
		if e.crlf {
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
		}
		dst = append(dst, text...)
		at = max(at, x.end)
	}
	return append(dst, e.src[at:]...)
}
