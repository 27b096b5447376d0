// Package emit is the last stage: it writes documents as YAML, JSON or positions.
//
// It takes documents in order and an io.Writer. What can go wrong with the documents has been found before
// the first byte is written (see CheckJSON), so that a failed run prints nothing.
package emit

import (
	"io"
	"iter"
	"math"

	"go.starlark.net/starlark"

	"weft/internal/diag"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// chunk is how much is gathered before it is written: large enough that system calls do not show, small enough to stay in the cache.
const chunk = 256 << 10

// output gathers bytes and writes them in chunks.
type output struct {
	w   io.Writer
	n   int64
	err error
}

// flush writes b if it is a chunk, or in any case at the end. It reports whether it did.
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
func YAML(w io.Writer, docs []tree.Document) (int64, error) {
	o := output{w: w}
	out := flushing{o: &o}
	var p tree.Printer
	first := true
	for d := range full(docs) {
		if !first {
			out.Separator()
		}
		first = false
		p.Write(&out, d.Value)
		if o.err != nil {
			return o.n, o.err
		}
	}
	o.flush(out.Bytes(), true)
	return o.n, o.err
}

// flushing is a YAMLWriter that writes out what it has gathered between two values, so that a large document needs no
// more memory than a small one.
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
func JSON(w io.Writer, docs []tree.Document) (int64, error) {
	var out yaml.JSONWriter
	var p tree.Printer
	for d := range full(docs) {
		p.Write(&out, d.Value)
		out.Newline()
	}
	o := output{w: w}
	o.flush(out.Bytes(), true)
	return o.n, o.err
}

// full are the documents that are to be written.
func full(docs []tree.Document) iter.Seq[*tree.Document] {
	return func(yield func(*tree.Document) bool) {
		for i := range docs {
			if !docs[i].Value.Empty() && !yield(&docs[i]) {
				return
			}
		}
	}
}

// CheckJSON tells what in the documents JSON cannot express.
func CheckJSON(docs []tree.Document) diag.List {
	var list diag.List
	for d := range full(docs) {
		list = checkJSON(list, d.Value, d.Pos)
	}
	return list
}

// checkJSON checks v, which belongs to an item that comes from pos.
func checkJSON(list diag.List, v tree.Value, pos source.Pos) diag.List {
	if t, n, ok := v.Syntax(); ok {
		c := yaml.Composer{Tree: t}
		return append(list, c.CheckJSON(n)...)
	}
	switch x := v.Starlark().(type) {
	case *tree.Map:
		for _, it := range x.Entries() {
			at := it.Pos
			if !at.IsValid() {
				at = pos
			}
			switch it.Key.Starlark().(type) {
			case *tree.Map, *tree.Array:
				list = append(list, diag.Errorf(at.To(at.Offset()+1), yaml.CodeJSON, "a map or an array cannot be a key in JSON"))
			}
			list = checkJSON(list, it.Value, at)
		}
	case *tree.Array:
		for _, it := range x.Entries() {
			at := it.Pos
			if !at.IsValid() {
				at = pos
			}
			list = checkJSON(list, it.Value, at)
		}
	case starlark.Float:
		if f := float64(x); math.IsInf(f, 0) || math.IsNaN(f) {
			list = append(list, diag.Errorf(pos.To(pos.Offset()+1), yaml.CodeJSON, "JSON has no number for %s", yaml.AppendFloat(nil, f)))
		}
	}
	return list
}
