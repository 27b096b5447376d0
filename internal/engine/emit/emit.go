// Package emit is the last stage: it writes documents as YAML, JSON or positions.
//
// Errors in the documents are found before the first byte is written (see CheckJSON), so a failed
// run prints nothing. Memory does not grow with the output: it is written in chunks.
package emit

import (
	"bytes"
	"io"
	"iter"
	"math"
	"sync"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// chunk is how much is buffered before it is written: large enough to make system calls negligible,
// small enough to stay in the cache and to be allocated at once. A growing buffer touches twice the
// memory, and touching memory for the first time costs more than writing to it.
const chunk = 64 << 10

// output buffers bytes and writes them in chunks.
type output struct {
	w   io.Writer
	n   int64
	err error
}

// put writes b.
func (o *output) put(b []byte) {
	if o.err != nil || len(b) == 0 {
		return
	}
	n, err := o.w.Write(b)
	o.n += int64(n)
	o.err = err
}

// YAML writes documents in canonical form, with a line `---` between them. Empty documents are left
// out.
//
// Large output is formatted in portions of several documents, in parallel, and written in order. A
// portion that is too large for that, because it is one document, is written while it is formatted.
func YAML(w io.Writer, docs []tree.Doc, workers parallel.Workers) (int64, error) {
	o := output{w: w}
	parts := portions(docs, workers)
	if len(parts) == 1 {
		out := flushing{o: &o}
		out.Drain = o.put
		each(&out, &out.YAMLWriter, parts[0], func() bool { return o.err == nil })
		o.put(out.Bytes())
		return o.n, o.err
	}
	var used sync.Pool
	first := true
	parallel.InOrder(workers, len(parts), func(i int) *yaml.YAMLWriter {
		out, ok := used.Get().(*yaml.YAMLWriter)
		if !ok {
			out = new(yaml.YAMLWriter)
			out.Grow(chunk + chunk/4)
		}
		out.Reset()
		each(out, out, parts[i], func() bool { return true })
		return out
	}, func(out *yaml.YAMLWriter) bool {
		if text := out.Bytes(); len(text) > 0 {
			if !first {
				o.put([]byte("---\n"))
			}
			first = false
			o.put(text)
		}
		used.Put(out)
		return o.err == nil
	})
	return o.n, o.err
}

// spare has writers for reuse: their output was copied.
var spare sync.Pool

// Bytes returns what YAML writes.
func Bytes(docs []tree.Doc) []byte {
	out, ok := spare.Get().(*yaml.YAMLWriter)
	if !ok {
		out = new(yaml.YAMLWriter)
	}
	out.Reset()
	each(out, out, docs, func() bool { return true })
	text := out.Bytes()
	if len(text) > chunk {
		return text // too large to be reused
	}
	defer spare.Put(out)
	return bytes.Clone(text)
}

// each passes documents to w, with separators that out writes, as long as more returns true.
func each(w yaml.Writer, out *yaml.YAMLWriter, docs []tree.Doc, more func() bool) {
	var p tree.Printer
	first := true
	for d := range full(docs) {
		if !first {
			out.Separator()
		}
		first = false
		if p.Write(w, d.Value); !more() {
			return
		}
	}
}

// portions splits documents into runs of about a chunk each.
func portions(docs []tree.Doc, workers parallel.Workers) [][]tree.Doc {
	if workers.Count() == 1 {
		return [][]tree.Doc{docs}
	}
	var parts [][]tree.Doc
	start, size := 0, 0
	for i := range docs {
		size += weight(docs[i].Value)
		if size >= chunk {
			parts = append(parts, docs[start:i+1])
			start, size = i+1, 0
		}
	}
	if start < len(docs) || len(parts) == 0 {
		parts = append(parts, docs[start:])
	}
	return parts
}

// weight estimates the number of bytes of a document in the output.
func weight(v tree.Value) int {
	if t, n, ok := v.Syntax(); ok {
		return int(t.Span(n).Len)
	}
	return 1000 // unknown
}

// flushing is a YAMLWriter that flushes its buffer between values, so a large document needs no more
// memory than a small one.
type flushing struct {
	yaml.YAMLWriter
	o *output
}

func (f *flushing) Scalar(v yaml.Value, text []byte) {
	f.YAMLWriter.Scalar(v, text)
	if b := f.Bytes(); len(b) >= chunk {
		f.o.put(b)
		f.Reset()
	}
}

// JSON writes documents as compact JSON, one per line. Empty documents are left out.
func JSON(w io.Writer, docs []tree.Doc) (int64, error) {
	o := output{w: w}
	out := flushingJSON{o: &o}
	out.Drain = o.put
	var p tree.Printer
	for d := range full(docs) {
		if p.Write(&out, d.Value); o.err != nil {
			break
		}
		out.Newline()
	}
	o.put(out.Bytes())
	return o.n, o.err
}

// flushingJSON is like flushing, for JSON.
type flushingJSON struct {
	yaml.JSONWriter
	o *output
}

func (f *flushingJSON) Scalar(v yaml.Value, text []byte) {
	f.JSONWriter.Scalar(v, text)
	if b := f.Bytes(); len(b) >= chunk {
		f.o.put(b)
		f.Reset()
	}
}

// full returns the documents that are not empty.
func full(docs []tree.Doc) iter.Seq[*tree.Doc] {
	return func(yield func(*tree.Doc) bool) {
		for i := range docs {
			if !docs[i].Value.Empty() && !yield(&docs[i]) {
				return
			}
		}
	}
}

// CheckJSON returns an error for each part of the documents that JSON cannot represent.
func CheckJSON(docs []tree.Doc) diag.List {
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
				list = append(list, diag.Errorf(at.To(at.Offset()+1), yaml.CodeJSON,
					"a map or an array cannot be a key in JSON"))
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
			list = append(list, diag.Errorf(pos.To(pos.Offset()+1), yaml.CodeJSON,
				"JSON cannot represent the number %s", yaml.AppendFloat(nil, f)))
		}
	}
	return list
}
