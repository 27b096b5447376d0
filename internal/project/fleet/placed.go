package fleet

import (
	"bytes"

	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/lang/tree"
)

// This file writes documents to the files that they name with @output/file. Documents from several sources
// that name one file are joined in order.

// namedFile is a file of the output, and the documents in it by source.
type namedFile struct {
	emit.File               // without its content
	in        []eval.Output // each has only the documents of this file
}

// namedFiles collects files in the order of their first documents.
type namedFiles struct {
	list   []*namedFile
	byPath map[string]*namedFile
}

// add adds a document of out to a file.
func (f *namedFiles) add(to emit.File, out *eval.Output, d tree.Doc) {
	file := f.byPath[to.Path]
	if file == nil {
		file = &namedFile{File: to}
		if f.byPath == nil {
			f.byPath = map[string]*namedFile{}
		}
		f.byPath[to.Path] = file
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
			to, ok := fileNamedBy(d)
			if !ok {
				to = emit.File{Path: out.File.Input.Path, From: start}
			}
			named.add(to, out, d)
		}
	}
	data := eachText(r.workers, len(named.list), func(i int) []byte { return r.joinedData(named.list[i].in) })
	for i, f := range named.list {
		f.Data = data[i]
		texts = append(texts, f.File)
	}
	return texts
}

// fileNamedBy returns the file that a document names, without its content. It returns false if it names
// none. Errors were reported when it was evaluated.
func fileNamedBy(d tree.Doc) (emit.File, bool) {
	path, _, _ := emit.Place(d.Annotations)
	return emit.File{Path: path, From: d.Pos.To(d.Pos.Offset()), By: emit.ByAnnotation}, path != ""
}

// joinedData returns the documents of several sources as one file.
func (r *Result) joinedData(in []eval.Output) []byte {
	var parts [][]byte
	for i := range in {
		if _, ok := fileNamedBy(in[i].Docs[0]); !r.keeps() || !ok {
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
