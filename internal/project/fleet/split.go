package fleet

import (
	"bytes"

	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
	"weft/internal/project/split"
)

// split returns the files of the result, one for each document: see Split.
func (r *Result) split(text string) ([]emit.File, error) {
	pattern, err := split.Parse(text)
	if err != nil {
		return nil, diag.Of(err)
	}
	var files []emit.File
	var docs []split.FileDocument
	var named namedFiles
	for i := range r.Outputs {
		out := &r.Outputs[i]
		if out.File.Input.Type == load.Text {
			files = append(files, emit.File{
				Path: out.File.Input.Path, Data: []byte(out.Text),
				From: out.File.Input.File.Span(0, 0),
			})
			continue
		}
		for _, d := range documentsOf(out) {
			if to, ok := fileNamedBy(d.Doc); ok {
				named.add(to, out, d.Doc)
			} else {
				docs = append(docs, d)
			}
		}
	}
	names, err := pattern.Names(docs)
	if err != nil {
		return nil, err
	}
	data := r.documentTexts(docs)
	for i, d := range docs {
		files = append(files, emit.File{
			Path: names[i], Data: data[i], From: d.Pos.To(d.Pos.Offset()), By: emit.BySplit,
		})
	}
	for _, f := range named.list {
		f.Data = r.joinedDocuments(f.in)
		files = append(files, f.File)
	}
	return files, nil
}

// documentsOf returns the documents of an output that are written.
func documentsOf(out *eval.Output) []split.FileDocument {
	var docs []split.FileDocument
	for _, d := range out.Docs {
		if !d.Value.Empty() {
			docs = append(docs, split.FileDocument{
				Doc: d, File: out.File.Input.Path, Index: len(docs) + 1,
			})
		}
	}
	return docs
}

// documentData returns the content of the file of one document.
func (r *Result) documentData(d tree.Doc) []byte {
	if r.format != JSON {
		return r.YAML(d)
	}
	var b bytes.Buffer
	_, _ = emit.JSON(&b, []tree.Doc{d}) // writing to a buffer cannot fail
	return b.Bytes()
}
