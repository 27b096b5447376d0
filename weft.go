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
	fail := func(err error) (*Result, error) { return nil, &Error{Files: files, List: diag.Of(err)} }

	inputs, err := load.Read(files, load.Options{
		Paths: opts.Inputs, Marks: opts.Marks, Stdin: opts.Stdin, Symlinks: load.Symlinks(opts.Symlinks),
	})
	if err != nil {
		return fail(err)
	}
	made, err := eval.Templates(ctx, eval.NewLibrary(inputs, opts.compile()), opts.eval())
	opts.tell(made.Prints, made.Warnings)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return fail(err)
	}
	res := &Result{format: opts.Format, files: files}
	texts := false
	for _, out := range made.Outputs {
		res.docs = append(res.docs, out.Docs...)
		texts = texts || out.File.Input.Type == load.Text
	}
	if texts {
		opts.tell(nil, []string{textNotPrinted})
	}
	if opts.Format == JSON {
		if list := emit.CheckJSON(res.docs); list != nil {
			return fail(list)
		}
	}
	return res, nil
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

// textNotPrinted is what the reference says of text templates.
const textNotPrinted = "\nWarning: Found Non-YAML templates in input. Non-YAML templates are not rendered to standard output.\n" +
	"If you want to include those results, use the --output-files or --dangerous-emptied-output-directory flag."

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
	docs   []tree.Document
	format Format
	files  *source.Set
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
