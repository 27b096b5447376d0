// Package emit is the last stage: it writes documents as YAML, JSON or positions.
//
// It takes documents in order and an io.Writer. What can go wrong with the documents has been found before
// the first byte is written, so that a failed run prints nothing.
package emit

import (
	"io"

	"weft/internal/diag"
	"weft/internal/yaml"
)

// Document is one document to write.
type Document struct {
	Tree *yaml.Tree
	ID   yaml.NodeID
}

// chunk is how much is gathered before it is written: large enough that system calls do not show, small enough to stay in the cache.
const chunk = 256 << 10

// output gathers bytes and writes them in chunks.
type output struct {
	w   io.Writer
	n   int64
	err error
}

// flush writes what a writer has gathered if it is a chunk, or in any case at the end.
func (o *output) flush(b []byte, end bool) bool {
	if o.err != nil || len(b) < chunk && !end || len(b) == 0 {
		return false
	}
	n, err := o.w.Write(b)
	o.n += int64(n)
	o.err = err
	return true
}

// YAML writes documents in canonical form, a line `---` between them. Empty documents are left out.
func YAML(w io.Writer, docs []Document) (int64, error) {
	o := output{w: w}
	out := flushing{o: &o}
	first := true
	for c, root := range roots(docs) {
		if !first {
			out.Separator()
		}
		first = false
		c.Write(&out, root)
		if o.err != nil {
			return o.n, o.err
		}
	}
	o.flush(out.Bytes(), true)
	return o.n, o.err
}

// flushing is a YAMLWriter that writes out what it has gathered between two entries, so that a large document needs no more memory than a small one.
type flushing struct {
	yaml.YAMLWriter
	o *output
}

func (f *flushing) Scalar(v yaml.Value, text []byte) {
	f.YAMLWriter.Scalar(v, text)
	if f.o.flush(f.Bytes(), false) {
		f.Reset()
	}
}

// JSON writes documents as compact JSON, one a line. Empty documents are left out.
func JSON(w io.Writer, docs []Document) (int64, error) {
	var out yaml.JSONWriter
	for c, root := range roots(docs) {
		c.Write(&out, root)
		out.Newline()
	}
	o := output{w: w}
	o.flush(out.Bytes(), true)
	return o.n, o.err
}

// CheckJSON tells what in the documents JSON cannot express.
func CheckJSON(docs []Document) diag.List {
	var list diag.List
	for c, root := range roots(docs) {
		list = append(list, c.CheckJSON(root)...)
	}
	return list
}

// roots gives the values of the documents that are to be written, each with a composer that reads them.
func roots(docs []Document) func(yield func(*yaml.Composer, yaml.NodeID) bool) {
	return func(yield func(*yaml.Composer, yaml.NodeID) bool) {
		var c *yaml.Composer
		for _, d := range docs {
			if c == nil || c.Tree != d.Tree {
				c = &yaml.Composer{Tree: d.Tree}
			}
			root := d.Tree.Root(d.ID)
			if !c.Empty(root) && !yield(c, root) {
				return
			}
		}
	}
}
