package engine

import (
	"context"
	"slices"
	"sync/atomic"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval"
	"weft/internal/engine/overlay"
	"weft/internal/engine/overlay/explain"
	"weft/internal/engine/schema"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// library is one evaluation of the files of a scope: the whole project, or a private library with the
// data values that its caller passed.
type library struct {
	ctx   context.Context
	run   *evaluation
	scope eval.Scope
	name  string // as messages show it; empty for the project
	eval  eval.Options
	valid bool // validations are run

	given   *Layers    // the source of layers, if the library is the project
	layers  []routed   // documents from outside, in order
	with    []tree.Doc // values of with_data_values
	schemas []tree.Doc // schemas of with_data_values_schema
	notes   diag.List  // diagnostics about the data values of the command line
}

// layer is a document with data values or a schema that comes from outside of a library.
type layer struct {
	doc    tree.Doc
	by     tree.Setter // what sets it
	at     source.Span // where the target library is named
	ref    values.Ref
	schema bool
	after  bool // it is merged after the values of the library module
	used   atomic.Bool
}

// routed is a layer on its way to its library: rest is the remaining path.
type routed struct {
	*layer
	rest values.Ref
}

// typed is the type of a library's data values.
type typed struct {
	typ   *schema.Type
	own   func() ownValues // the values in the library's files, checked against the type
	inner []routed         // layers for inner libraries
}

// valued is a library with its data values computed.
type valued struct {
	typ   *schema.Type
	stack values.Stack
	id    *lastValues // identifies the stack: the same id means the same stack
	inner []routed    // layers for libraries inside it
	reads *tree.Reads // what functions of the schema and templates have read
}

// isProject reports whether the library is the project itself.
func (l *library) isProject() bool { return l.name == "" }

// stage records that a stage begins. Stages of inner libraries are part of the project's.
func (l *library) stage(name string) (end func()) {
	if !l.isProject() {
		return func() {}
	}
	return l.run.config.Timings.stage(name)
}

// addLayers passes layers from outside to the library.
func (l *library) addLayers(layers *Layers) {
	for _, d := range layers.docs {
		l.layers = append(l.layers, routed{&layer{doc: d.Doc, by: d.By, at: d.At, ref: d.Ref}, d.Ref})
	}
	l.notes = append(l.notes, layers.notes...)
	l.given = layers
}

// compile compiles the files of the library. If only data values are requested, templates may have
// errors, and if only the schema is, data values may.
func (l *library) compile() (*declared, error) {
	defer l.stage("compile")()
	d := l.declared()
	switch goal := l.run.request.Goal; {
	case goal == Documents || !l.isProject():
		return d, d.compile(l)
	case goal == DataValues:
		return d, l.scope.CompileFor(compile.ForValues)
	}
	return d, l.scope.CompileFor(compile.ForSchema)
}

// schema computes the type of the library's data values.
func (l *library) schema(files *declared, log *messages) (*typed, error) {
	defer l.stage("schema")()
	docs := files.schemaDocuments(l)
	log.add(docs.log)
	if docs.err != nil {
		return nil, docs.err
	}
	var more []tree.Doc
	for _, r := range l.layers {
		if len(r.rest) == 0 && r.schema {
			more = append(more, r.doc)
			r.used.Store(true)
		}
	}
	res := &typed{inner: docs.routed()}
	var t ownType
	if more = append(more, l.schemas...); more == nil {
		t, res.own = files.ownType(l), func() ownValues { return files.ownValues(l) }
	} else {
		t = l.typeOf(slices.Concat(docs.own, more), docs)
		res.own = func() ownValues { return files.valuesUnder(l, t) }
	}
	log.add(t.log)
	res.typ = t.typ
	return res, t.err
}

// values computes the data values of the library.
func (l *library) values(files *declared, typ *typed, log *messages) (*valued, error) {
	defer l.stage("values")()
	log.notes = append(log.notes, l.notes...)
	docs := files.valuesDocuments(l)
	log.add(docs.log)
	if docs.err != nil {
		return nil, docs.err
	}
	l.coverValues(typ.typ)
	res := &valued{typ: typ.typ, inner: slices.Concat(typ.inner, docs.routed())}
	var before, after []values.Given
	for _, r := range l.layers {
		switch {
		case len(r.rest) > 0: // after the values in the library's files, so that the caller's values win
			res.inner = append(res.inner, r)
			continue
		case r.schema:
			continue
		case r.after:
			after = append(after, values.Given{Doc: r.doc, By: r.by})
		default:
			before = append(before, values.Given{Doc: r.doc, By: r.by})
		}
		r.used.Store(true)
	}
	layers := slices.Concat(before, layersBy(tree.ByLibrary, l.with), after)
	return res, l.mergeValues(files, typ, layers, res, log)
}

// layersBy returns the documents that a setter provides.
func layersBy(by tree.Setter, docs []tree.Doc) []values.Given {
	layers := make([]values.Given, len(docs))
	for i, d := range docs {
		layers[i] = values.Given{Doc: d, By: by}
	}
	return layers
}

// mergeValues merges documents into the values in the library's files and validates the result,
// unless that was done before.
func (l *library) mergeValues(
	files *declared, typ *typed, layers []values.Given, res *valued, log *messages,
) error {
	if last := l.lastValues(files); last != nil {
		log.add(last.log)
		res.stack, res.id = last.stack, last
		return nil
	}
	var msgs messages
	defer func() { log.add(msgs) }()
	docs := files.valuesDocuments(l)
	l.conceal(typ.typ, docs.own, layers)
	before := typ.own()
	msgs.add(before.log)
	if before.err != nil {
		return before.err
	}
	opt := l.valueOptions(docs.res, &msgs)
	var err error
	if res.stack, err = before.stack.Apply(layers, opt); err != nil {
		return l.hintGiven(append(res.stack.Wrong(), diag.Of(err)...))
	}
	others := map[tree.Value]bool{}
	res.stack.Value = l.withOtherSecrets(typ.typ, res.stack.Value, others)
	if err := l.finish(res, docs.res, opt); err != nil {
		return l.hintGiven(err)
	}
	res.stack.Value = l.withOtherSecrets(typ.typ, res.stack.Value, others) // those that finish computes
	msgs.notes = append(msgs.notes, res.stack.Warnings...)
	if err := l.validate(res, docs.res, opt); err != nil {
		return err
	}
	res.id = &lastValues{
		stack:   res.stack,
		log:     msgs,
		layers:  l.given,
		schemas: files.schemaDocuments(l),
		values:  docs,
	}
	return nil
}

// finish checks data values after all layers, and computes those that nothing sets.
func (l *library) finish(vals *valued, res *eval.Result, opt overlay.Options) error {
	if list := vals.stack.Wrong(); list != nil {
		return list
	}
	if list := vals.typ.Missing(vals.stack.Doc); list != nil {
		return list
	}
	if !vals.typ.Computes() {
		return nil
	}
	c := schema.Computing{Call: l.caller(res, opt), Origins: opt.Origins, Trace: opt.Trace}
	c.Reads = l.watch(vals.stack.Value)
	doc, list := vals.typ.Compute(vals.stack.Doc, c)
	if list != nil {
		return list
	}
	c.Reads.Settle(doc.Value)
	vals.stack.Doc, vals.reads = doc, c.Reads
	return nil
}

// dataSchema returns the type of the library's data values, and computes nothing else.
func (l *library) dataSchema(log *messages) (*typed, error) {
	files, err := l.compile()
	if err != nil {
		return nil, err
	}
	return l.schema(files, log)
}

// dataValues returns the data values of the library, and computes nothing else.
func (l *library) dataValues(log *messages) (*valued, error) {
	files, err := l.compile()
	if err != nil {
		return nil, err
	}
	typ, err := l.schema(files, log)
	if err != nil {
		return nil, err
	}
	return l.values(files, typ, log)
}

// validate runs the validations of data values.
func (l *library) validate(vals *valued, res *eval.Result, opt overlay.Options) error {
	if !l.valid {
		return nil
	}
	list := vals.typ.Validate(vals.stack.Doc, l.caller(res, opt), l.run.verdictRecorder())
	if list = append(list, l.fit(vals.stack.Doc)...); list != nil {
		return list
	}
	return nil
}

// caller returns what calls the functions of a schema.
func (l *library) caller(res *eval.Result, opt overlay.Options) schema.Call {
	var thread *starlark.Thread
	return func(fn starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
		if thread == nil { // most schemas have no functions
			thread = res.Thread(l.ctx)
			thread.Print = func(_ *starlark.Thread, s string) { opt.Print(s) }
		}
		return starlark.Call(thread, fn, args, nil)
	}
}

// templates evaluates the templates of the library.
func (l *library) templates(files *declared, vals *valued, log *messages) (*eval.Result, error) {
	defer l.stage("templates")()
	var got names
	opt := l.templateOptions(vals, &got)
	opt.Once = l.run.config.Once && l.isProject() && len(l.run.config.Generators) == 0
	log.notes = append(log.notes, l.testedTexts(vals)...)
	l.keep(&opt, vals)
	res, err := l.batch(files).Run(l.ctx, opt)
	l.keepResult(res, vals)
	l.run.noteRendered(files, l)
	log.add(messages{res.Prints, res.Notes})
	if err != nil {
		return res, err
	}
	if err := unused(vals.inner, &got); err != nil && len(l.run.request.Only) == 0 {
		return res, err
	}
	log.notes = append(log.notes, l.printedValues(res, vals)...)
	return res, nil
}

// templateOptions returns how templates are evaluated that see data values. got receives the libraries that
// they request.
func (l *library) templateOptions(vals *valued, got *names) eval.Options {
	opt := l.eval
	if vals.reads == nil {
		vals.reads = l.watch(vals.stack.Value)
	}
	opt.Values, opt.Reads = vals.stack.Value, vals.reads
	if l.isProject() {
		opt.Uses = l.run.uses
	}
	opt.Library = func(
		ctx context.Context, path string, s eval.Scope, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		return l.inner(ctx, path, s, kwargs, vals.inner, got)
	}
	opt.Missing = func(name string) string { return l.missing(vals, name) }
	return opt
}

// overlays separates the overlays from the documents of templates and applies them to the rest.
func (l *library) overlays(res *eval.Result, log *messages) error {
	defer l.stage("overlays")()
	defer func() { log.notes = append(log.notes, res.LateNotes()...) }()
	full := func(d tree.Doc) bool { return !d.Value.Empty() }
	if !res.Overlays() && !l.run.request.Explain { // there are no overlays
		for i := range res.Outputs {
			res.Outputs[i].Kept = slices.ContainsFunc(res.Outputs[i].Docs, full)
		}
		return nil
	}
	left := make([][]tree.Doc, len(res.Outputs))
	var overlays []tree.Doc
	opt := l.overlayOptions(res, log)
	for i, out := range res.Outputs {
		for _, d := range out.Docs {
			if overlay.IsOverlay(d) {
				if len(l.run.config.Without) == 0 || !l.isWithout(opt.DocumentSpan(d.Pos)) {
					overlays = append(overlays, d)
				}
			} else {
				left[i] = append(left[i], d)
			}
		}
	}
	docs, err := l.apply(left, overlays, opt)
	if err != nil {
		return err
	}
	for i := range res.Outputs {
		out := &res.Outputs[i]
		out.Kept = slices.ContainsFunc(left[i], full)
		out.Docs = docs[i]
	}
	return nil
}

// isWithout reports whether the overlay document at a place is not to be applied.
func (l *library) isWithout(at source.Span) bool {
	f := l.run.files.File(at.Pos)
	return f != nil && slices.Contains(l.run.config.Without, f.WhereLine(at.Offset()))
}

// Step is what an overlay did.
type Step = explain.Step

// apply applies overlays, and records what they did if requested.
func (l *library) apply(
	left [][]tree.Doc, overlays []tree.Doc, opt overlay.Options,
) ([][]tree.Doc, error) {
	if !l.run.request.Explain {
		return overlay.Apply(l.ctx, left, overlays, opt)
	}
	steps, docs, err := explain.Explain(l.ctx, left, overlays, opt)
	l.run.steps = append(l.run.steps, steps...)
	l.run.explained = l.isProject()
	return docs, err
}

// valueOptions returns how data values are merged. An error in one is reported where it is set, even
// if the output keeps comments.
func (l *library) valueOptions(res *eval.Result, log *messages) overlay.Options {
	opt := l.overlayOptions(res, log)
	opt.HasComments, opt.Used = nil, nil
	return opt
}

// overlayOptions returns how overlays call the functions of the files that they come from.
func (l *library) overlayOptions(res *eval.Result, log *messages) overlay.Options {
	return overlay.Options{
		Thread:      func(source.Pos) *starlark.Thread { return res.Thread(l.ctx) },
		Print:       func(s string) { log.prints = append(log.prints, s) },
		Diagnose:    res.Diagnose,
		Explain:     explain.New,
		Warn:        func(d *diag.Diagnostic) { log.notes = append(log.notes, d) },
		Files:       l.run.files,
		YAML:        l.run.config.Compile.YAML,
		MaxNodes:    l.eval.MaxNodes,
		Origins:     l.eval.Origins,
		Matched:     l.eval.Matched,
		Trace:       l.run.trace(),
		Literals:    res.Literals(),
		HasComments: l.eval.HasComments,
		Used:        l.run.usedByOverlays(),
		Inner:       !l.isProject(),
		Names:       l.run.config.Compile.KnownAnnotations,
		Workers:     l.workers(),
	}
}
