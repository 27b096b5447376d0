package fleet

import (
	"bytes"
	"io"
	"slices"
	"sync"

	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/project/split"
)

// printed is what earlier results of a cache have printed and written. What is unchanged is neither
// printed again nor compared with the disk. Documents never change, so two are the same if they
// consist of the same nodes.
type printed struct {
	files texts[*source.File] // the output of files, as YAML or text
	json  texts[*source.File] // the output of files, as JSON
	docs  texts[tree.Doc]     // documents that are written to their own files

	mu      sync.Mutex
	written map[string]*outdir.Written // by directory
}

// texts are the texts of the last result, by their owner.
type texts[K comparable] struct {
	mu   sync.Mutex
	last map[K]text
}

// text is a printed text and what it was printed from. Do not change it.
type text struct {
	docs []tree.Doc
	from string // the source of a text file
	data []byte
}

// of returns the texts of n things, and drops all others. what returns the owner and the parts of a
// thing; print prints one.
func (t *texts[K]) of(
	workers parallel.Workers, n int, what func(i int) (K, text), print func(i int) []byte,
) [][]byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	list, next := make([][]byte, n), make(map[K]text, n)
	var missing []int
	for i := range n {
		key, is := what(i)
		was, ok := t.last[key]
		if !ok || was.from != is.from || !slices.Equal(was.docs, is.docs) {
			missing = append(missing, i)
			continue
		}
		list[i], next[key] = was.data, was
	}
	workers.Each(len(missing), func(m int) { list[missing[m]] = print(missing[m]) })
	for _, i := range missing {
		key, is := what(i)
		is.data = list[i]
		next[key] = is
	}
	t.last = next
	return list
}

// ofFile returns what an output consists of.
func (r *Result) ofFile(i int) (*source.File, text) {
	out := &r.Outputs[i]
	return out.File.Input.File, text{docs: out.Docs, from: out.Text}
}

// fileTexts returns the files of outputs, in their order.
func (r *Result) fileTexts() [][]byte {
	n, print := len(r.Outputs), func(i int) []byte { return r.fileData(&r.Outputs[i]) }
	if r.printed != nil {
		return r.printed.files.of(r.workers, n, r.ofFile, print)
	}
	return eachText(r.workers, n, print)
}

// documentTexts returns the files of single documents.
func (r *Result) documentTexts(docs []split.FileDocument) [][]byte {
	print := func(i int) []byte { return r.documentData(docs[i].Doc) }
	if r.printed == nil {
		return eachText(r.workers, len(docs), print)
	}
	what := func(i int) (tree.Doc, text) { return docs[i].Doc, text{} }
	return r.printed.docs.of(r.workers, len(docs), what, print)
}

// eachText prints texts without a cache.
func eachText(workers parallel.Workers, n int, print func(i int) []byte) [][]byte {
	list := make([][]byte, n)
	workers.Each(n, func(i int) { list[i] = print(i) })
	return list
}

// yamlTexts returns the texts of YAML files that are not empty, in their order.
func (r *Result) yamlTexts() [][]byte {
	list := r.fileTexts()
	kept := list[:0]
	for i, text := range list {
		if r.Outputs[i].File.Input.Type != load.Text && len(text) > 0 {
			kept = append(kept, text)
		}
	}
	return kept
}

// jsonText returns the documents of an output as JSON.
func jsonText(out *eval.Output) []byte {
	var b bytes.Buffer
	_, _ = emit.JSON(&b, out.Docs) // writing to a buffer cannot fail
	return b.Bytes()
}

// writePrinted is WriteTo for a result that was mostly printed before.
func (r *Result) writePrinted(w io.Writer) (int64, error) {
	if r.format == JSON {
		print := func(i int) []byte { return jsonText(&r.Outputs[i]) }
		return writeAll(w, r.printed.json.of(r.workers, len(r.Outputs), r.ofFile, print), "")
	}
	return writeAll(w, r.yamlTexts(), "---\n")
}

// writeAll writes texts with a separator.
func writeAll(w io.Writer, list [][]byte, between string) (n int64, err error) {
	for i, text := range list {
		if i > 0 && between != "" {
			m, err := io.WriteString(w, between)
			if n += int64(m); err != nil {
				return n, err
			}
		}
		m, err := w.Write(text)
		if n += int64(m); err != nil {
			return n, err
		}
	}
	return n, nil
}

// writtenTo returns what earlier results wrote to a directory, or nil without a cache.
func (r *Result) writtenTo(dir string) *outdir.Written {
	if r.printed == nil {
		return nil
	}
	r.printed.mu.Lock()
	defer r.printed.mu.Unlock()
	if r.printed.written == nil {
		r.printed.written = map[string]*outdir.Written{}
	}
	w := r.printed.written[dir]
	if w == nil {
		w = &outdir.Written{}
		r.printed.written[dir] = w
	}
	return w
}
