package weft

import (
	"context"
	"io"
	"iter"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/lang/browser"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/project/fleet"
	"weft/internal/rewrite/schemas"
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

// InspectSchema returns the schema of the data values as one document. With the format Markdown,
// Result.WriteTo writes a table of the data values instead, and with Text a file of data values to fill
// in, with comments.
func InspectSchema(ctx context.Context, opts Options, format SchemaFormat) (*Result, error) {
	goal := engine.SchemaOpenAPI
	if format == JSONSchema {
		goal = engine.SchemaJSON
	}
	res, err := evaluate(ctx, opts, engine.Request{Goal: goal})
	if err != nil {
		return nil, err
	}
	switch {
	case browser.IsPage:
	case opts.Format == Markdown:
		res.text = schemas.Markdown(res.res.Schema)
	case opts.Format == Text:
		res.text = schemas.Skeleton(res.res.Schema)
	}
	return res, nil
}

// InspectFiles returns the relative paths of all inputs in order, as one document. It leaves out
// the files of private libraries.
func InspectFiles(ctx context.Context, opts Options) (*Result, error) {
	s, err := opts.options().Open(ctx)
	if err != nil {
		return nil, public(err)
	}
	var items []tree.Item
	for _, p := range s.Paths() {
		items = append(items, tree.Item{Value: tree.String(p)})
	}
	doc := tree.Doc{Value: tree.Of(tree.NewArray(items, source.Pos{}))}
	res := engine.Result{Docs: []tree.Doc{doc}, Files: s.Files()}
	return &Result{res: *Options{Format: opts.Format}.options().Result(&res)}, nil
}

// evaluate is like Render, up to the goal of a request.
func evaluate(ctx context.Context, opts Options, req engine.Request) (*Result, error) {
	defer opts.Observe.Timings.end()
	res, err := opts.options().Render(ctx, req)
	if err != nil {
		return nil, public(err)
	}
	return &Result{res: *res}, nil
}

// Result is the result of a run. It can be written any number of times. The zero value has no documents.
type Result struct {
	res  fleet.Result
	text string // what is written instead of documents, or ""
}

// Warnings returns the warnings of the run.
func (r *Result) Warnings() Messages { return Messages{r.res.Result.Files, r.res.Warnings} }

// WriteTo writes the documents in the format that Options.Format names. Text files are left out;
// see Files.
func (r *Result) WriteTo(w io.Writer) (int64, error) {
	if r.text != "" {
		n, err := io.WriteString(w, r.text)
		return int64(n), err
	}
	return r.res.WriteTo(w)
}

// Documents returns the documents in the order in which WriteTo writes them.
func (r *Result) Documents() iter.Seq[Document] {
	return func(yield func(Document) bool) {
		for _, d := range r.res.Docs {
			if !d.Value.Empty() && !yield(Document{doc: d, of: r}) {
				return
			}
		}
	}
}

// Texts returns the text files of the result.
func (r *Result) Texts() (files []File) {
	for _, out := range r.res.Outputs {
		if out.File.Input.Type == load.Text {
			files = append(files, File{Path: out.File.Input.Path, Data: []byte(out.Text)})
		}
	}
	return files
}

// Document is one document of a result.
type Document struct {
	doc tree.Doc
	of  *Result
}

// Place returns where the document starts in the file that produced it.
func (d Document) Place() Place {
	if d.of == nil {
		return Place{}
	}
	return placeIn(d.of.res.Result.Files, d.doc.Pos.To(d.doc.Pos.Offset()))
}

// YAML returns the document as text, without a `---` line.
func (d Document) YAML() []byte {
	if d.of == nil {
		return (&fleet.Result{}).YAML(d.doc)
	}
	return d.of.res.YAML(d.doc)
}

// Value returns the document as a Go value: nil, bool, int, int64, uint64, *big.Int, float64,
// string, []any, or map[string]any. A map with keys that are not strings is a map[any]any.
func (d Document) Value() any { return d.doc.Value.Go() }

// public converts an error of other packages to one of the public API.
func public(err error) error {
	if f, ok := err.(*diag.Failure); ok {
		return newError(f.Files, f.List)
	}
	return err
}
