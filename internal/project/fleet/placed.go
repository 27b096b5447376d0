package fleet

import (
	"bytes"

	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file writes documents to the files that they name with @output/file. Documents from several sources
// that name one file are joined in order.

// namedFile is a file of the output, and the documents in it by source.
type namedFile struct {
	path string
	from source.Span
	in   []eval.Output // each has only the documents of this file
}

// namedFiles collects files in the order of their first documents.
type namedFiles struct {
	list   []*namedFile
	byPath map[string]*namedFile
}

// add adds a document of out to a file.
func (f *namedFiles) add(path string, from source.Span, out *eval.Output, d tree.Doc) {
	file := f.byPath[path]
	if file == nil {
		file = &namedFile{path: path, from: from}
		if f.byPath == nil {
			f.byPath = map[string]*namedFile{}
		}
		f.byPath[path] = file
		f.list = append(f.list, file)
	}
	if n := len(file.in); n == 0 || file.in[n-1].File != out.File {
		part := *out
		part.Docs = nil
		file.in = append(file.in, part)
	}
	last := &file.in[len(file.in)-1]
	last.Docs = append(last.Docs, d)
}

// placedFiles is files for a result whose documents name files.
func (r *Result) placedFiles() []emit.File {
	var texts []emit.File
	var named namedFiles
	for i := range r.Outputs {
		out := &r.Outputs[i]
		start := out.File.Input.File.Span(0, 0)
		if out.File.Input.Type == load.Text {
			texts = append(texts, emit.File{Path: out.File.Input.Path, Data: []byte(out.Text), From: start})
			continue
		}
		for _, d := range out.Docs {
			if d.Value.Empty() {
				continue
			}
			if path := fileOf(d); path != "" {
				named.add(path, d.Pos.To(d.Pos.Offset()), out, d)
			} else {
				named.add(out.File.Input.Path, start, out, d)
			}
		}
	}
	data := eachText(r.workers, len(named.list), func(i int) []byte { return r.joinedData(named.list[i].in) })
	for i, f := range named.list {
		texts = append(texts, emit.File{Path: f.path, Data: data[i], From: f.from})
	}
	return texts
}

// fileOf returns the file that a document names, or "". Errors were reported when it was evaluated.
func fileOf(d tree.Doc) string {
	path, _, _ := emit.Place(d.Annotations)
	return path
}

// joinedData returns the documents of several sources as one file.
func (r *Result) joinedData(in []eval.Output) []byte {
	var parts [][]byte
	for i := range in {
		if !r.keeps() || fileOf(in[i].Docs[0]) == "" {
			parts = append(parts, r.fileData(&in[i]))
			continue
		}
		for _, d := range in[i].Docs { // without the text between them, which stays in their file
			parts = append(parts, r.YAML(d))
		}
	}
	return r.join(parts)
}

// joinedDocuments returns the documents that name one file, as the format of the options says.
func (r *Result) joinedDocuments(in []eval.Output) []byte {
	if r.format != JSON {
		return r.joinedData(in)
	}
	var b bytes.Buffer
	for i := range in {
		_, _ = emit.JSON(&b, in[i].Docs) // writing to a buffer cannot fail
	}
	return b.Bytes()
}
