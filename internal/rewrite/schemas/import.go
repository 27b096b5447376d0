// Package schemas converts schemas of data values. The schemas of other programs come in (JSON Schema,
// OpenAPI, definitions of custom resources, values of Helm charts, plain values), and the text of a weft
// schema comes out (Import, Infer). A weft schema comes in, and a page about it or a file of values to
// fill in comes out (Markdown, Skeleton).
//
//	node.go                   a schema that is being written
//	write.go, literal.go      its text
//	language.go               alternatives that no annotation can say
//	settle.go                 which values have a default, and which are required
//	import.go, detect.go      what a file is, and where its schema is
//	parts.go, references.go   writing out allOf and $ref
//	facts.go                  the keywords of a JSON Schema
//	read.go, maps.go          keywords to types
//	alternatives.go           anyOf and oneOf
//	values.go, comments.go    types of plain values, and what comments say about them
//	helm.go                   charts
//	infer.go                  values files, and what templates read
//	skeleton.go, markdown.go  a file of values and a table, for people
//	prose.go                  text in comments
//	region.go                 the part of a file between two marks
//
// Package engine/schema has the types themselves, and writes them as JSON Schema and OpenAPI.
package schemas

import (
	"bytes"
	"path"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// CodeImport is the code of errors about files that are imported.
const CodeImport diag.Code = "schema/import"

// File is a file as it was read.
type File struct {
	Name string // as it is shown, with slashes
	Data []byte
}

// Options is what to import.
type Options struct {
	File
	From    Format // 0 to find out
	Values  *File  // the values of a Helm chart, or nil
	Name    string // which schema of several, or ""
	Version string // of a custom resource; "" for the one that is stored

	// Open reads another file that a schema refers to, by its path with slashes. The error says why a
	// file must not or cannot be read. Open may be nil: then no other file is read.
	Open func(name string, at source.Span) ([]byte, error)
}

// Result is a schema that was imported.
type Result struct {
	Text     string // the schema
	Format   Format // of the file
	Losses   []Loss // what the schema cannot say; comments in Text list it
	Keywords int    // how many keywords were read; a schema counts each time that a reference leads to it
	Files    *source.Set
}

// Import returns a file as a weft schema. If the file is wrong, the error is a *diag.Failure.
func Import(opt Options) (*Result, error) {
	i := &importer{Options: opt, files: &source.Set{}}
	root, err := i.run()
	if err != nil {
		return nil, &diag.Failure{Files: i.files, List: diag.Of(err)}
	}
	root.restrict()
	root.settle()
	from := "made by weft schema import from " + opt.File.Name
	return &Result{
		Text: root.text([]string{from}, i.files), Format: i.From, Losses: root.losses(),
		Keywords: i.keywords, Files: i.files,
	}, nil
}

// importer imports one file.
type importer struct {
	Options
	files    *source.Set
	opened   map[string]*document
	keywords int
}

func (i *importer) run() (*node, error) {
	docs, err := i.parse(i.File)
	if err != nil {
		return nil, err
	}
	if i.From == 0 {
		i.From = detect(i.File.Name, docs)
	}
	switch i.From {
	case CRD:
		return i.customResource(docs)
	case OpenAPI:
		return i.component(docs)
	case Values:
		doc, err := i.only(docs)
		if err != nil {
			return nil, err
		}
		return valuesNode(doc), nil
	case Helm:
		return i.helm(docs)
	}
	doc, err := i.only(docs)
	if err != nil {
		return nil, err
	}
	if i.Name != "" {
		return i.definition(doc)
	}
	return i.schema(doc.root, doc.root, i.File.Name)
}

// parsed is a document of a file, and its syntax.
type parsed struct {
	root tree.Value
	tree *yaml.Tree
	id   yaml.NodeID
}

// maxSize is the maximum size of a file: the largest definitions of custom resources have two megabytes.
const maxSize = 64 << 20

// parse reads the documents of a file that are not empty.
func (i *importer) parse(f File) ([]parsed, error) {
	if len(f.Data) > maxSize {
		return nil, diag.Failf(CodeImport, "%s is larger than %d MiB", f.Name, maxSize>>20)
	}
	file, err := i.files.Add(f.Name, f.Data)
	if err != nil {
		return nil, err
	}
	options := yaml.Options{}
	if isJSON(f.Data) {
		options.Schema = yaml.Core
	}
	t, err := yaml.Parse(file, options)
	if err != nil {
		return nil, err
	}
	if list := t.Check(false); list.Failed() {
		return nil, list
	}
	var docs []parsed
	for doc := range t.Documents() {
		if v := tree.FromSyntax(t, t.Root(doc)); !v.IsNull() {
			docs = append(docs, parsed{v, t, t.Root(doc)})
		}
	}
	if len(docs) == 0 {
		return nil, diag.Failf(CodeImport, "%s is empty", f.Name)
	}
	return docs, nil
}

// isJSON reports whether a text looks like JSON. In JSON, only true, false and null are special words.
func isJSON(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	return len(data) > 0 && (data[0] == '{' || data[0] == '[')
}

// only returns the one document of a file.
func (i *importer) only(docs []parsed) (parsed, error) {
	if len(docs) == 1 {
		return docs[0], nil
	}
	return parsed{}, diag.Errorf(docs[1].root.Span(), CodeImport,
		"expected one document in %s, but found %d", i.File.Name, len(docs)).
		WithHint("put each into its own file")
}

// schema reads the JSON Schema v. Its references may lead anywhere in root, the whole document.
func (i *importer) schema(v, root tree.Value, name string) (*node, error) {
	if v.Kind() != tree.MapKind {
		return nil, diag.Errorf(v.Span(), CodeImport, "expected a schema, which is a map, but found %s",
			diag.Article(v.TypeName()))
	}
	doc := &document{name: path.Clean(name), root: root}
	i.opened = map[string]*document{doc.name: doc}
	r := &reader{files: i.files, active: map[target]bool{}, ofKubernetes: i.From == CRD}
	if i.Open != nil {
		r.open = i.another
	}
	if doc.root == v {
		r.active[target{doc, ""}] = true
	}
	n := r.read([]part{{v, doc}}, "")
	i.keywords += r.keywords
	return n, r.err
}

// another returns a file that a schema refers to. It reads each file only once.
func (i *importer) another(name string, at source.Span) (*document, error) {
	if doc := i.opened[name]; doc != nil {
		return doc, nil
	}
	data, err := i.Open(name, at)
	if err != nil {
		return nil, err
	}
	docs, err := i.parse(File{name, data})
	if err != nil {
		return nil, err
	}
	doc := &document{name: name, root: docs[0].root}
	i.opened[name] = doc
	return doc, nil
}

// quotedList joins names for a message.
func quotedList(names []string) string {
	const most = 12
	more := ""
	if len(names) > most {
		names, more = names[:most], " and more"
	}
	return strings.Join(names, ", ") + more
}
