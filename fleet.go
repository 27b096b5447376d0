package weft

import (
	"context"
	"slices"

	"weft/internal/diag"
	"weft/internal/eval"
	"weft/internal/load"
	"weft/internal/parallel"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/values"
)

// Environment is one of the places that a configuration is rendered for.
type Environment struct {
	Name   string // as people call it
	Values string // path of its data values, plain YAML as in DataValues.Files
}

// FleetOptions says what to render for which environments.
type FleetOptions struct {
	// Options are what all environments share. The data values of an environment are laid over DataValues.Files and under the rest of
	// DataValues, as if its file were the last of DataValues.Files. Timings are summed up over all environments. What looks into a single run has no effect:
	// FilesInspect, DataValuesInspect, SchemaInspect, Debug and Print.
	Options

	Environments []Environment
}

// Rendered is what became of an environment.
type Rendered struct {
	Environment
	Result *Result  // nil if Err is not
	Err    error    // an *Error if the input is wrong
	Prints []string // what templates printed, and their warnings, in order
}

// Fleet renders one configuration for many environments, each as Render would. The inputs are read and compiled once; each environment is evaluated
// by itself, so that the failure of one is no other's.
//
// As many environments are rendered at a time as there are processors. As soon as environment i is done, Fleet calls each with it, from several goroutines at a
// time. It keeps no result, so that memory does not grow with the number of environments. The error is one of what they share, before any is evaluated, or the
// context's.
func Fleet(ctx context.Context, opts FleetOptions, each func(i int, r Rendered)) error {
	defer opts.Timings.end()
	f, err := newFleet(ctx, opts.Options)
	if err != nil {
		return err
	}
	parallel.Each(len(opts.Environments), func(i int) {
		if ctx.Err() != nil {
			return
		}
		if r := f.render(ctx, opts.Environments[i]); ctx.Err() == nil {
			each(i, r)
		}
	})
	if ctx.Err() != nil {
		return ended(ctx, nil, f.files)
	}
	return nil
}

// fleet is what environments share. It never changes; units are compiled once, and data values are documents that nobody writes to.
type fleet struct {
	opts   Options
	files  *source.Set
	scope  eval.Scope
	base   *base             // what the files say of data values
	read   []load.Input      // all that was read
	before []values.Document // the data values that an environment's are laid over
	after  []values.Document // those that are laid over an environment's
	notes  diag.List         // what is to be said of those

	overrides []tree.Document
	early     diag.List // warnings of what was read
}

// newFleet reads and compiles the inputs.
func newFleet(ctx context.Context, opts Options) (*fleet, error) {
	opts = opts.prepare(ctx)
	opts.FilesInspect, opts.DataValuesInspect, opts.SchemaInspect = false, false, false
	opts.Debug = nil
	f := &fleet{files: &source.Set{}}
	fail := func(err error) (*fleet, error) {
		if ctx.Err() != nil {
			return nil, ended(ctx, err, f.files)
		}
		return nil, opts.Warnings.failure(f.files, err)
	}
	end := opts.Timings.stage("load")
	inputs, err := opts.read(f.files)
	end()
	if err != nil {
		return fail(err)
	}
	f.read, f.early = inputs, nothing(inputs)
	all := eval.NewLibrary(inputs, opts.compile())
	all.Observe = opts.Timings.observe()
	f.scope = all.Root()
	// What cannot be compiled is wrong for all environments. What else is wrong is theirs to tell: their data values may mend it.
	r := &run{ctx: ctx, opts: opts, files: f.files}
	f.base = r.library(f.scope).base()
	end = opts.Timings.stage("compile")
	err = f.base.compiled()
	end()
	if err != nil {
		return fail(err)
	}
	f.opts = opts
	opts.noted = func(more []load.Input) { f.read = append(f.read, more...) }
	before, after := opts, opts
	before.DataValues = DataValues{Files: opts.DataValues.Files}
	after.DataValues.Files = nil
	if f.before, _, err = before.layers(f.files); err != nil {
		return fail(err)
	}
	if f.after, f.notes, err = after.layers(f.files); err != nil {
		return fail(err)
	}
	if len(opts.Overrides) > 0 {
		r.opts.noted = opts.noted
		read, err := r.readOverrides()
		if err != nil {
			return fail(err)
		}
		f.overrides = append([]tree.Document{}, read...) // not nil, which would be read again
	}
	return f, nil
}

// render renders one environment.
func (f *fleet) render(ctx context.Context, env Environment) Rendered {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // of its own, so that nothing of it is kept by those who wait for the end
	done := Rendered{Environment: env}
	// Files that it adds are its own: where they stand in the order of positions must not depend on who else is at work.
	files := f.files.Fork()
	res := &Result{format: f.opts.Format, files: files}
	res.read(f.read)
	res.protect(f.opts)
	opts := f.opts
	opts.DataValues, opts.valuesFlag = DataValues{Files: []string{env.Values}}, "--env"
	opts.Print = func(line string) { done.Prints = append(done.Prints, line) }
	opts.noted = res.read

	res.early = f.early

	lib := (&run{ctx: ctx, opts: opts, files: files, overrides: f.overrides}).library(f.scope)
	lib.run.bases = map[baseKey]*base{lib.baseKey(): f.base.forRun()}
	lib.notes = slices.Clone(f.notes)
	lib.give(f.before)
	if err := lib.take(opts, files); err != nil {
		done.Err = opts.Warnings.failure(files, err)
		return done
	}
	lib.give(f.after)
	done.Result, done.Err = res.finish(lib)
	return done
}
