package weft

import (
	"bytes"
	"context"
	"io"
	"iter"

	"weft/internal/engine"
	"weft/internal/engine/emit"
	"weft/internal/engine/load"
	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Render evaluates the inputs and returns the documents they produce. If the input is wrong, the
// error is an *Error.
func Render(ctx context.Context, opts Options) (*Result, error) {
	return evaluate(ctx, opts, engine.Request{})
}

// InspectDataValues returns the final data values as one document. It does not compile templates,
// so they may contain errors.
func InspectDataValues(ctx context.Context, opts Options) (*Result, error) {
	return evaluate(ctx, opts, engine.Request{Goal: engine.DataValues})
}

// InspectSchema returns the schema of the data values as one document.
func InspectSchema(ctx context.Context, opts Options, format SchemaFormat) (*Result, error) {
	goal := engine.SchemaOpenAPI
	if format == JSONSchema {
		goal = engine.SchemaJSON
	}
	return evaluate(ctx, opts, engine.Request{Goal: goal})
}

// InspectFiles returns the relative paths of all inputs in order, as one document. It leaves out
// the files of private libraries.
func InspectFiles(ctx context.Context, opts Options) (*Result, error) {
	s, _, err := opts.open(ctx)
	if err != nil {
		return nil, err
	}
	var items []tree.Item
	for _, p := range s.Paths() {
		items = append(items, tree.Item{Value: tree.String(p)})
	}
	doc := tree.Document{Value: tree.Of(tree.NewArray(items, source.Pos{}))}
	return &Result{
		made:   engine.Result{Docs: []tree.Document{doc}, Files: s.Files()},
		format: opts.Format,
	}, nil
}

// open loads what the options name, to be evaluated once. What was printed of it before is nil
// without a cache.
func (o Options) open(ctx context.Context) (*engine.Session, *printed, error) {
	config := o.config()
	config.Once = true
	k := o.kept("render", config)
	s, err := k.open(ctx, config)
	return s, k.printedOf(""), public(err)
}

// evaluate is Render up to the goal of a request.
func evaluate(ctx context.Context, opts Options, req engine.Request) (*Result, error) {
	defer opts.Timings.end()
	s, printed, err := opts.open(ctx)
	if err != nil {
		return nil, err
	}
	req.Print, req.JSON = opts.Print, opts.Format == JSON
	made, err := s.Evaluate(ctx, req)
	if err != nil {
		return nil, public(err)
	}
	res := opts.result(made)
	res.printed = printed
	return res, nil
}

// result is what was made, to be written as the options say.
func (o Options) result(made *engine.Result) *Result {
	return &Result{
		made: *made, format: o.Format, yaml: o.syntax(),
		workers: parallel.Workers(o.Parallelism), project: o.DataValues.project.values != nil,
		reads: o.DataValues.project.reads,
	}
}

// Result is the result of a run. It can be written any number of times. The zero value is that of a
// run without documents.
type Result struct {
	made    engine.Result
	format  Format
	yaml    yaml.Options
	workers parallel.Workers
	project bool            // it was made of a project
	reads   func() []string // what all environments of that project read; or nil
	printed *printed        // what earlier results of the same cache have printed; or nil
}

// Warnings returns the warnings of the run.
func (r *Result) Warnings() []Diagnostic { return diagnostics(r.made.Files, r.made.Warnings) }

// WriteWarnings prints the warnings for people, as Error.Render prints errors.
func (r *Result) WriteWarnings(w io.Writer, color bool) error {
	return writeWarnings(w, r.made.Files, r.made.Warnings, color)
}

// WriteTo writes the documents in the format that Options.Format names. Text files are left out;
// see Files.
func (r *Result) WriteTo(w io.Writer) (int64, error) {
	switch {
	case r.format == Pos:
		return emit.Pos(w, r.made.Files, r.made.Docs)
	case r.format == YAML && r.keeps():
		n, err := w.Write(r.joined())
		return int64(n), err
	case r.printed != nil && r.made.Outputs != nil:
		return r.writePrinted(w)
	case r.format == JSON:
		return emit.JSON(w, r.made.Docs)
	}
	return emit.YAML(w, r.made.Docs, r.workers)
}

// Documents returns the documents in the order in which WriteTo writes them.
func (r *Result) Documents() iter.Seq[Document] {
	return func(yield func(Document) bool) {
		for _, d := range r.made.Docs {
			if !d.Value.Empty() && !yield(Document{doc: d, of: r}) {
				return
			}
		}
	}
}

// HasText reports whether the run produced text files, which Files returns and WriteTo leaves out.
func (r *Result) HasText() bool { return len(r.Texts()) > 0 }

// Texts returns the text files of the result.
func (r *Result) Texts() (files []File) {
	for _, out := range r.made.Outputs {
		if out.File.Input.Type == load.Text {
			files = append(files, File{Path: out.File.Input.Path, Data: []byte(out.Text)})
		}
	}
	return files
}

// Document is one document of a result.
type Document struct {
	doc tree.Document
	of  *Result
}

// Place returns where the document starts in the file that produced it.
func (d Document) Place() Place {
	if d.of == nil {
		return Place{}
	}
	return placeIn(d.of.made.Files, d.doc.Pos.To(d.doc.Pos.Offset()))
}

// YAML returns the document as text, without a `---` line.
func (d Document) YAML() []byte {
	if r := d.of; r != nil && r.keeps() {
		return bytes.Clone(r.made.Keep.Document(r.made.Files, d.doc)) // it may be part of a file
	}
	return emit.Bytes([]tree.Document{d.doc})
}

// Value returns the document as a Go value: nil, bool, int, int64, uint64, *big.Int, float64,
// string, []any, or map[string]any. A map with keys that are not strings is a map[any]any.
func (d Document) Value() any { return d.doc.Value.Go() }

// public is an error of the pipeline as callers see it.
func public(err error) error {
	if f, ok := err.(*engine.Failure); ok {
		return &Error{files: f.Files, list: f.List}
	}
	return err
}
