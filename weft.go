package weft

import (
	"context"
	"fmt"
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
	opts = opts.prepare(ctx)
	defer opts.Timings.end()
	if opts.explained != nil {
		opts.explained.files = files
	}
	res := &Result{format: opts.Format, files: files}
	fail := func(err error) (*Result, error) {
		if ctx.Err() != nil {
			return nil, ended(ctx, err, files)
		}
		return nil, opts.Warnings.failure(files, err)
	}

	end := opts.Timings.stage("load")
	inputs, err := opts.read(files)
	end()
	if err != nil {
		return fail(err)
	}
	if opts.FilesInspect {
		return res.inspect(inputs), nil
	}
	if !opts.DataValuesInspect || !opts.DataValues.given() {
		res.early = nothing(inputs)
	}
	res.read(inputs)
	res.protect(opts)
	opts.noted = res.read
	r := &run{ctx: ctx, opts: opts, files: files, once: true}
	all := eval.NewLibrary(inputs, opts.compile())
	all.Observe = opts.Timings.observe()
	if opts.Debug != nil {
		if err := writeDebug(opts.Debug, all, opts.compile().YAML); err != nil {
			return nil, fmt.Errorf("writing debug output: %w", err)
		}
	}
	lib := r.library(all.Root())
	if err := lib.take(opts, files); err != nil {
		return fail(err)
	}
	return res.finish(lib)
}

// finish makes the result of the run's library, which has its data values.
func (r *Result) finish(lib *library) (*Result, error) {
	run, opts := lib.run, lib.run.opts
	fail := func(err error) (*Result, error) {
		return nil, opts.Warnings.failure(run.files, err)
	}
	var err error
	var log said
	if opts.inspects() {
		err = r.inspectValues(lib, &log)
	} else {
		err = r.render(lib, &log)
	}
	opts.tell(log.prints, run.texts)
	if run.ctx.Err() != nil {
		return nil, ended(run.ctx, err, run.files)
	}
	notes := append(r.early, eval.Unique(log.notes)...)
	if err == nil {
		notes = append(notes, changed(lib.scope.Changed(run.once))...)
	}
	if opts.Warnings == WarningsError {
		notes = append(notes, remarks(run.texts)...)
	}
	if err != nil {
		return fail(append(notes, diag.Of(err)...))
	}
	if r.warnings = opts.Warnings.settle(notes); r.warnings.Failed() {
		return fail(r.warnings)
	}
	if opts.Format == JSON {
		if list := emit.CheckJSON(r.docs); list != nil {
			return fail(list)
		}
	}
	return r, nil
}

// render makes the documents of the library.
func (r *Result) render(lib *library, log *said) error {
	made, err := lib.render(log)
	if err != nil {
		return err
	}
	if err := lib.run.override(made.Outputs, log); err != nil {
		return err
	}
	r.outputs = made.Outputs
	for _, out := range made.Outputs {
		r.docs = append(r.docs, out.Docs...)
	}
	return nil
}

// inspects reports whether data values or their schema are the result, so that templates do not matter.
func (o Options) inspects() bool { return o.DataValuesInspect || o.SchemaInspect }

// inspectValues makes the data values of the library, or their schema, the document of the result.
func (r *Result) inspectValues(lib *library, log *said) error {
	opts := lib.run.opts
	if !opts.SchemaInspect {
		vals, err := lib.values(log)
		if err != nil {
			return err
		}
		r.docs = []tree.Document{vals.values.Document}
		return nil
	}
	vals, err := lib.schema(log)
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

// read reads the inputs.
func (o Options) read(files *source.Set) ([]load.Input, error) {
	opt := o.load()
	opt.Memory, opt.Paths, opt.Marks = o.memory(), o.Inputs, o.Marks
	return load.Read(files, opt)
}

// prepare is the options with what only the run itself can add.
func (o Options) prepare(ctx context.Context) Options {
	o.Stdin = load.Once(o.Stdin)
	o.fetch = func(url string) ([]byte, error) { return load.Fetch(ctx, url) }
	return o
}

// load is how everything is read that the run reads.
func (o Options) load() load.Options {
	return load.Options{Stdin: o.Stdin, Symlinks: load.Symlinks(o.Symlinks), FS: o.FS, Fetch: o.fetch}
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

// remarks are the warnings of modules as diagnostics. They have no place.
func remarks(texts []string) diag.List {
	var list diag.List
	for _, s := range texts {
		list = append(list, diag.Warningf(source.Span{}, codeRemark, "%s", s))
	}
	return list
}

// codeRemark is the code of warnings that have the form of text in ytt.
const codeRemark diag.Code = "module/remark"

// tell hands on what templates printed, and the warnings of modules.
func (o Options) tell(prints, warnings []string) {
	if o.Print == nil {
		return
	}
	for _, s := range prints {
		o.Print(s)
	}
	if o.Warnings != WarningsOn {
		return
	}
	for _, s := range warnings {
		o.Print("\nWarning: " + s + "\n") // ytt's form
	}
}

// Result is what a run made. It can be written as often as one likes.
type Result struct {
	docs     []tree.Document
	outputs  []eval.Output // what each file made; docs is all of theirs
	format   Format
	files    *source.Set
	early    diag.List // warnings of what was read, before anything is evaluated
	warnings diag.List
	inputs   []string // where the inputs lie on disk
}

// Warnings is what the run has to say besides its output, or nil: as Render would say it of an error.
func (r *Result) Warnings() *Error {
	if r.warnings == nil {
		return nil
	}
	return &Error{files: r.files, list: r.warnings}
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
