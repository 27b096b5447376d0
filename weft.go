package weft

import (
	"context"
	"io"

	"weft/internal/compile"
	"weft/internal/diag"
	"weft/internal/emit"
	"weft/internal/eval"
	"weft/internal/load"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// Render reads the inputs and gives the documents that they make. If the input is wrong, the error is an *Error.
func Render(ctx context.Context, opts Options) (*Result, error) {
	files := &source.Set{}
	opts.Stdin = load.Once(opts.Stdin)
	fail := func(err error) (*Result, error) { return nil, &Error{Files: files, List: diag.Of(err)} }

	inputs, err := load.Read(files, load.Options{
		Memory: opts.memory(), Paths: opts.Inputs, Marks: opts.Marks, Stdin: opts.Stdin, Symlinks: load.Symlinks(opts.Symlinks),
	})
	if err != nil {
		return fail(err)
	}
	res := &Result{format: opts.Format, files: files}
	if opts.FilesInspect {
		return res.inspect(inputs), nil
	}
	res.read(inputs)
	r := &run{ctx: ctx, opts: opts, files: files}
	lib := &library{run: r, scope: eval.NewLibrary(inputs, opts.compile()).Root(), eval: opts.eval(), valid: !opts.DisableValidation}
	if err := lib.take(opts, files); err != nil {
		return fail(err)
	}
	if opts.DataValuesInspect || opts.SchemaInspect {
		err = res.inspectValues(lib, opts)
	} else {
		err = res.render(lib, opts)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return fail(append(r.warnings, diag.Of(err)...))
	}
	res.warnings = r.warnings
	if opts.Format == JSON {
		if list := emit.CheckJSON(res.docs); list != nil {
			return fail(list)
		}
	}
	return res, nil
}

// render makes the documents of the library.
func (r *Result) render(lib *library, opts Options) error {
	made, err := lib.render()
	if made != nil {
		opts.tell(made.Prints, made.Warnings)
	}
	if err != nil {
		return err
	}
	r.outputs = made.Outputs
	for _, out := range made.Outputs {
		r.docs = append(r.docs, out.Docs...)
	}
	return nil
}

// inspectValues makes the data values of the library, or their schema, the document of the result.
func (r *Result) inspectValues(lib *library, opts Options) error {
	if !opts.SchemaInspect {
		vals, err := lib.values()
		if err != nil {
			return err
		}
		r.docs = []tree.Document{vals.values.Document}
		return nil
	}
	vals, err := lib.schema()
	if err != nil {
		return err
	}
	doc := tree.Document{Value: vals.typ.OpenAPI()}
	if opts.SchemaFormat == JSONSchema {
		doc.Value = vals.typ.JSONSchema()
	}
	r.docs = []tree.Document{doc}
	return nil
}

func (o Options) compile() compile.Options {
	c := compile.Options{Strict: o.Strict, IgnoreUnknownComments: o.IgnoreUnknownComments}
	c.YAML = yaml.Options{MaxDepth: min(o.MaxDepth, LargestMaxDepth), MaxNodes: o.MaxNodes}
	if o.YAML == YAML12 {
		c.YAML.Grammar, c.YAML.Schema = yaml.YAML12, yaml.Core
	}
	return c
}

func (o Options) eval() eval.Options {
	return eval.Options{MaxSteps: o.MaxSteps, MaxNodes: o.MaxNodes, Overrides: o.ImplicitMapKeyOverrides}
}

// tell hands on what templates printed, and warnings.
func (o Options) tell(prints, warnings []string) {
	if o.Print == nil {
		return
	}
	for _, s := range prints {
		o.Print(s)
	}
	for _, s := range warnings {
		o.Print(s)
	}
}

// Result is what a run made. It can be written as often as one likes.
type Result struct {
	docs     []tree.Document
	outputs  []eval.Output // what each file made; docs is all of theirs
	format   Format
	files    *source.Set
	warnings diag.List
	inputs   []string // where the inputs lie on disk
}

// Warnings is what the run has to say besides its output, or nil: as Render would say it of an error.
func (r *Result) Warnings() *Error {
	if r.warnings == nil {
		return nil
	}
	return &Error{Files: r.files, List: r.warnings}
}

// WriteTo writes the documents in the format that Options asked for.
func (r *Result) WriteTo(w io.Writer) (int64, error) {
	switch r.format {
	case JSON:
		return emit.JSON(w, r.docs)
	case Pos:
		return emit.Pos(w, r.files, r.docs)
	default:
		return emit.YAML(w, r.docs)
	}
}
