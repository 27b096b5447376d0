package weft

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"

	"weft/internal/diag"
	"weft/internal/eval"
	"weft/internal/modules"
	"weft/internal/overlay"
	"weft/internal/schema"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/values"
)

// run is what a run and all its libraries share.
type run struct {
	ctx   context.Context
	opts  Options
	files *source.Set
	env   modules.Env
	once  bool // there is no other run of the same files

	overrides []tree.Document // those of opts, if they have been read already

	mu    sync.Mutex // guards what follows
	bases map[baseKey]*base
	reads map[string]*tree.Reads // by the folders of libraries, if it is asked for which values are read
	texts []string               // warnings of modules
}

// library is the library of the run itself, still without data values.
func (r *run) library(s eval.Scope) *library {
	r.env.YAML = r.opts.compile().YAML
	r.env.Warn = func(text string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.texts = append(r.texts, text)
	}
	l := &library{run: r, scope: s, eval: r.opts.eval(), valid: !r.opts.DisableValidation}
	l.eval.Env, l.eval.Files = &r.env, r.files
	l.eval.InOrder = r.opts.explained != nil
	return l
}

// said is what an evaluation has to say besides what it makes.
type said struct {
	prints []string
	notes  diag.List
}

func (s *said) add(more said) {
	s.prints = append(s.prints, more.prints...)
	s.notes = append(s.notes, more.notes...)
}

// library is one evaluation of the files of a scope: the whole run, or a private library with the values that its user gave it. A nested library is the same
// pipeline on a part of the tree.
type library struct {
	run   *run
	scope eval.Scope
	name  string // as messages show it; empty for the run itself
	eval  eval.Options
	valid bool // validations are run

	given   []handed        // documents from outside, in order
	with    []tree.Document // of with_data_values
	schemas []tree.Document // of with_data_values_schema
	notes   diag.List       // what is to be said of the data values of the command line
}

// target is a document of data values, or of a schema, that is meant for a library.
type target struct {
	doc    tree.Document
	at     source.Span // where that is said
	ref    values.Ref
	schema bool
	after  bool // it is laid over what the library module gives
	used   atomic.Bool
}

// handed is a target on its way: ref is what is left of it to go.
type handed struct {
	*target
	rest values.Ref
}

// resolved is a library with its data values worked out.
type resolved struct {
	base   *base
	typ    *schema.Type
	own    func() laid // the values that the library has of its own
	values values.Stack
	inner  []handed // what is meant for libraries inside of it
}

// take hands the data values of the command line to the library.
func (l *library) take(opts Options, files *source.Set) error {
	docs, notes, err := opts.layers(files)
	if err != nil {
		return err
	}
	l.give(docs)
	l.notes = append(l.notes, notes...)
	return nil
}

// stage notes that a stage of the run begins. Those of libraries inside of it are part of the run's own.
func (l *library) stage(name string) (end func()) {
	if l.name != "" {
		return (*Timings)(nil).stage(name)
	}
	return l.run.opts.Timings.stage(name)
}

// give hands documents from outside to the library.
func (l *library) give(docs []values.Document) {
	for _, d := range docs {
		t := &target{doc: d.Document, at: d.At, ref: d.Ref}
		l.given = append(l.given, handed{t, d.Ref})
	}
}

// render evaluates the library: its data values, its templates, its overlays.
func (l *library) render(log *said) (*eval.Result, error) {
	vals, err := l.values(log)
	if err != nil {
		return nil, err
	}
	opt := l.eval
	opt.Values, opt.Reads = vals.values.Value, l.reads()
	opt.Once = l.run.once && l.name == ""
	var got names
	opt.Library = func(path string, s eval.Scope, kwargs []starlark.Tuple) (starlark.Value, error) {
		return l.inner(path, s, kwargs, vals.inner, &got)
	}
	opt.Missing = func(name string) string { return l.missing(vals, name) }
	log.notes = append(log.notes, l.testedTexts(vals)...)
	end := l.stage("templates")
	made, err := vals.base.templates.Run(l.run.ctx, opt)
	end()
	vals.base.rendered.Store(true)
	log.add(said{made.Prints, made.Notes})
	if err != nil {
		return nil, err
	}
	if err := unused(vals.inner, &got); err != nil {
		return nil, err
	}
	log.notes = append(log.notes, l.printedValues(made, vals)...)
	err = l.overlay(made, log)
	log.notes = append(log.notes, made.LateNotes()...)
	if err == nil && l.name == "" && l.run.opts.WarnUnused {
		log.notes = append(log.notes, l.run.unread(vals.values.Value)...)
	}
	return made, err
}

// overlay takes the overlays out of the documents that templates made and applies them to the rest.
func (l *library) overlay(made *eval.Result, log *said) error {
	defer l.stage("overlays")()
	full := func(d tree.Document) bool { return !d.Value.Empty() }
	if !made.Overlays() && l.run.opts.explained == nil { // there is nothing to look for
		for i := range made.Outputs {
			made.Outputs[i].Kept = slices.ContainsFunc(made.Outputs[i].Docs, full)
		}
		return nil
	}
	left := make([][]tree.Document, len(made.Outputs))
	var overlays []tree.Document
	for i, out := range made.Outputs {
		for _, d := range out.Docs {
			if overlay.IsOverlay(d) {
				overlays = append(overlays, d)
			} else {
				left[i] = append(left[i], d)
			}
		}
	}
	docs, err := l.apply(left, overlays, l.overlayOptions(made, log))
	if err != nil {
		return err
	}
	for i := range made.Outputs {
		out := &made.Outputs[i]
		out.Kept = slices.ContainsFunc(left[i], full)
		out.Docs = docs[i]
	}
	return nil
}

// apply applies overlays, and explains them if that is what the run is for.
func (l *library) apply(left [][]tree.Document, overlays []tree.Document, opt overlay.Options) ([][]tree.Document, error) {
	x := l.run.opts.explained
	if x == nil {
		return overlay.Apply(l.run.ctx, left, overlays, opt)
	}
	steps, docs, err := overlay.Explain(l.run.ctx, left, overlays, opt)
	x.steps = append(x.steps, steps...)
	x.complete = l.name == ""
	return docs, err
}

// overlayOptions is how overlays call the functions of the files that made them.
func (l *library) overlayOptions(made *eval.Result, log *said) overlay.Options {
	return overlay.Options{
		Thread:   func(source.Pos) *starlark.Thread { return made.Thread() },
		Print:    func(s string) { log.prints = append(log.prints, s) },
		Diagnose: made.Diagnose,
		Warn:     func(d *diag.Diagnostic) { log.notes = append(log.notes, d) },
		Files:    l.run.files,
		MaxNodes: l.eval.MaxNodes,
		Inner:    l.name != "",
	}
}

// schema works out the type of the library's data values.
func (l *library) schema(log *said) (*resolved, error) {
	b := l.base()
	end := l.stage("compile")
	err := b.compiled()
	end()
	if err != nil {
		return nil, err
	}
	defer l.stage("schema")()
	docs := b.schemas()
	log.add(docs.said)
	if docs.err != nil {
		return nil, docs.err
	}
	res := &resolved{base: b, inner: docs.targets()}
	var more []tree.Document
	for _, h := range l.given {
		if len(h.rest) == 0 && h.schema {
			more = append(more, h.doc)
			h.used.Store(true)
		}
	}
	var t typed
	if more = append(more, l.schemas...); more == nil {
		t, res.own = b.typed(), b.own
	} else {
		t = l.typeOf(append(docs.own[:len(docs.own):len(docs.own)], more...), docs)
		res.own = func() laid { return b.lay(t) }
	}
	log.add(t.said)
	res.typ = t.typ
	return res, t.err
}

// values works out the data values of the library.
func (l *library) values(log *said) (*resolved, error) {
	res, err := l.schema(log)
	if err != nil {
		return nil, err
	}
	defer l.stage("values")()
	log.notes = append(log.notes, l.notes...)
	docs := res.base.values()
	log.add(docs.said)
	if docs.err != nil {
		return nil, docs.err
	}
	res.inner = append(res.inner, docs.targets()...)
	var before, after []tree.Document
	for _, h := range l.given {
		switch {
		case len(h.rest) > 0: // behind the library's own, so that what its user says is stronger
			res.inner = append(res.inner, h)
			continue
		case h.schema:
			continue
		case h.after:
			after = append(after, h.doc)
		default:
			before = append(before, h.doc)
		}
		h.used.Store(true)
	}
	opt := l.overlayOptions(docs.made, log)
	own := res.own()
	log.add(own.said)
	if own.err != nil {
		return nil, own.err
	}
	if res.values, err = own.stack.Lay(slices.Concat(before, l.with, after), opt); err != nil {
		return nil, l.hintGiven(err)
	}
	log.notes = append(log.notes, res.values.Warnings...)
	if !l.valid {
		return res, nil
	}
	var thread *starlark.Thread
	call := func(fn starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
		if thread == nil { // most values have no rules that call functions
			thread = docs.made.Thread()
			thread.Print = func(_ *starlark.Thread, s string) { opt.Print(s) }
		}
		return starlark.Call(thread, fn, args, nil)
	}
	if list := res.typ.Validate(res.values.Document, call); list != nil {
		return nil, list
	}
	return res, nil
}
