package engine

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// valuesFile is a values file of a chart.
type valuesFile struct {
	GeneratorValues
	input load.Input
	doc   tree.Doc // the result, if it is a template
}

// chartValues reads a values file. One with `#@` is a template, whose document is written as JSON.
func (l *library) chartValues(p ValuesPath, vals *valued, log *messages) (v valuesFile, err error) {
	at := l.run.session.PlaceOf(p.At)
	if p.Path == "-" || strings.Contains(p.Path, "=") {
		return v, diag.Errorf(at, codeGeneratorValues,
			"'%s' is not the path of a file, or has a '=' in its name", p.Path)
	}
	config := l.run.config
	if p.of != nil {
		config = &p.of.config
	}
	inputs, err := load.Read(l.run.files, config.reading(l.ctx, p.Path, "**/*:type=yaml-template"))
	if err != nil {
		return v, err
	}
	if len(inputs) != 1 {
		return v, diag.Errorf(at, codeGeneratorValues,
			"expected '%s' to be a file, but it is a directory", p.Path)
	}
	if path := inputs[0].Disk(); path != "" {
		l.run.read = append(l.run.read, path)
	}
	v.input = inputs[0]
	text := v.input.File.Data()
	v.Name = v.input.Shown()
	if !bytes.Contains(text, []byte("#@")) {
		v.Text = string(text)
		return v, nil
	}
	v.doc, err = l.valuesTemplate(v.input, vals, log)
	if err != nil {
		return v, err
	}
	if list := emit.CheckJSON([]tree.Doc{v.doc}); list != nil {
		return v, list
	}
	var b bytes.Buffer
	_, _ = emit.JSON(&b, []tree.Doc{v.doc}) // writing to a buffer cannot fail
	v.Text = b.String()
	return v, nil
}

// valuesTemplate evaluates a template of values, which sees the same files and data values as the other
// templates of the project.
func (l *library) valuesTemplate(in load.Input, vals *valued, log *messages) (tree.Doc, error) {
	s := l.run.session
	lib := s.lib.Next(append(s.inputs[:len(s.inputs):len(s.inputs)], in))
	file := lib.Files[len(lib.Files)-1]
	unit, err := file.Unit()
	if err != nil {
		return tree.Doc{}, err
	}
	start := in.File.Span(0, 0)
	if unit.Role != compile.ForOutput {
		return tree.Doc{}, diag.Errorf(start, codeGeneratorValues,
			"the values of a chart are a document, but the file declares data values of the project").
			WithHint("remove the annotation: the document can use data.values")
	}
	var got names
	res, err := eval.Files(l.ctx, lib.Root(), []*eval.File{file}, l.templateOptions(vals, &got))
	log.add(messages{res.Prints, res.Notes})
	if err != nil {
		return tree.Doc{}, err
	}
	var docs []tree.Doc
	for _, out := range res.Outputs {
		for _, d := range out.Docs {
			if !d.Value.Empty() {
				docs = append(docs, d)
			}
		}
	}
	if len(docs) != 1 || docs[0].Value.Kind() != tree.MapKind {
		return tree.Doc{}, diag.Errorf(start, codeGeneratorValues,
			"expected one document with the values of a chart, but found %s", describeDocuments(docs))
	}
	return docs[0], nil
}

func describeDocuments(docs []tree.Doc) string {
	switch len(docs) {
	case 0:
		return "none"
	case 1:
		return "one that is not a map"
	}
	return diag.Count(len(docs), "document")
}

// keyOfValues returns where values files have a key: in the last one, which wins. The span is not valid if
// the key cannot be found, or may be in a file whose values are not known.
func (l *library) keyOfValues(files []valuesFile, path []string) source.Span {
	if len(path) == 0 {
		return source.Span{}
	}
	for _, f := range slices.Backward(files) {
		all, known := l.valuesIn(&f)
		if !known {
			break
		}
		v, ok := valueAtPath(all, path[:len(path)-1])
		if !ok || v.Kind() != tree.MapKind {
			continue
		}
		for _, it := range v.Entries() {
			if tree.KeyText(it.Key) == path[len(path)-1] {
				return it.Key.Span()
			}
		}
	}
	return source.Span{}
}

// valuesOf returns the values of files. In a traced run, those of plain files have their place as origin.
func (l *library) valuesOf(files []valuesFile) (list []followed) {
	for i := range files {
		f := followed{plain: files[i].doc.Value.Kind() != tree.MapKind}
		f.value, f.known = l.valuesIn(&files[i])
		if t := l.run.tracer; t != nil && f.plain && f.value.Kind() == tree.MapKind {
			f.value = t.Source("values", f.value).Value
		}
		list = append(list, f)
	}
	return list
}

// valuesIn returns the values of a file, which are empty if it has no document. They are not known if weft
// cannot read the file, or if it has several documents, which Helm merges.
func (l *library) valuesIn(f *valuesFile) (v tree.Value, known bool) {
	if f.doc.Value.Kind() == tree.MapKind {
		return f.doc.Value, true
	}
	in := f.input
	in.Template = false
	outputs, err := l.readPlain([]load.Input{in})
	switch {
	case err != nil || len(outputs) > 1 || len(outputs) == 1 && len(outputs[0].Docs) > 1:
		return v, false
	case len(outputs) == 0 || len(outputs[0].Docs) == 0:
		return v, true
	}
	return outputs[0].Docs[0].Value, true
}

// valueAtPath returns what is at a path of keys and indexes.
func valueAtPath(v tree.Value, path []string) (tree.Value, bool) {
	for _, key := range path {
		switch v.Kind() {
		case tree.MapKind:
			var ok bool
			if v, ok = v.Lookup(key); !ok {
				return v, false
			}
		case tree.ArrayKind:
			n, err := strconv.Atoi(key)
			items := v.Entries()
			if err != nil || n < 0 || n >= len(items) {
				return v, false
			}
			v = items[n].Value
		default:
			return v, false
		}
	}
	return v, true
}
