package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/eval/modules"
	"weft/internal/engine/overlay"
	"weft/internal/engine/trace"
	"weft/internal/lang/browser"
	"weft/internal/lang/diag"
	"weft/internal/lang/keep"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// evaluation is one evaluation of a session: what the project and the libraries that it evaluates
// share.
type evaluation struct {
	ctx       context.Context
	caller    context.Context // of Evaluate: for places that messages name after it
	session   *Session
	config    *Config
	request   Request
	files     *source.Set
	env       modules.Env
	tracer    *trace.Tracer          // if origins are requested
	quoted    func() map[string]bool // the words that code quotes: see secret.Others
	mentioned *mentioned             // what code may read: see mentions

	mu        sync.Mutex             // guards the following fields
	reads     map[string]*tree.Reads // by folder of the library, if reads are requested
	uses      *eval.Uses             // the files that templates of the project use, if reads are requested
	final     *valued                // the data values of the project
	rendered  map[*declared]*library // libraries whose templates were evaluated, if requested
	remarks   []string               // warnings of modules
	steps     []Step
	explained bool
	secrets   []string // the texts of secret data values, of the project and of libraries
	concealed []string // the texts of this evaluation that messages must not show
	meanings  meanings
	placed    bool                                // documents name the files that they are written to
	follows   bool                                // some data values have two meanings; it matters if code uses them
	ambiguous source.Span                         // the place of one of them
	read      []string                            // files on disk that were read
	generated map[*source.File]*GeneratedDocument // the documents of charts and kustomizations
}

// THE PIPELINE. The session loads the files; evaluate does the rest, for the project and for each
// library in it. Each stage takes only the results of those before it:
//
//	load → compile → schema → values → templates → charts → overlays → short cuts → overrides
//	→ output
func (l *library) evaluate(log *messages) (*eval.Result, error) {
	files, broken := l.compile()
	if broken != nil && !l.run.request.Partial {
		return nil, broken
	}
	typ, err := l.schema(files, log)
	if err != nil {
		return nil, err
	}
	vals, err := l.values(files, typ, log)
	if err != nil {
		return nil, err
	}
	l.noteSecrets(vals)
	l.run.noteValues(vals)
	res, err := l.templates(files, vals, log)
	if err != nil || broken != nil || l.isPart() {
		return res, errors.Join(broken, err)
	}
	if err := l.generate(res, vals, log); err != nil {
		return res, err
	}
	if err := l.overlays(res, log); err != nil {
		return nil, err
	}
	if l.isProject() {
		l.run.final = vals
		log.notes = append(log.notes, l.run.unread(vals.stack.Value)...)
		log.notes = append(log.notes, l.run.unreadFlags()...)
		if err := l.run.shortcuts(res.Outputs, log); err != nil {
			return nil, err
		}
		if err := l.run.override(res.Outputs, log); err != nil {
			return nil, err
		}
		if l.run.placed, err = place(res.Outputs, l.run.trace()); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// run evaluates the project as far as the request needs.
func (e *evaluation) run(layers *Layers) (*Result, error) {
	res := &Result{Files: e.files, Origins: e.session.origins, Keep: e.session.lib.Keep}
	root := e.root()
	root.addLayers(layers)
	var log messages
	err := e.reach(root, res, &log)
	if err == nil {
		err = e.output(res)
	}
	if err == nil && e.request.Goal == Documents {
		if e.session.follows {
			e.restoreSpelling(res)
			res.Origins = nil
		}
		e.printed(res.Docs)
	}
	e.noteTexts()
	e.reportPrints(log.prints)
	res.Steps, res.Explained, res.Placed = e.steps, e.explained, e.placed
	res.Secrets = secret.Distinct(e.secrets)
	if err == nil {
		res.Watched = e.watched()
	}
	e.concealData(res.Docs)
	if e.ctx.Err() != nil {
		return res, ended(e.ctx, err, e.files)
	}
	notes := append(e.early(), eval.Unique(log.notes)...)
	if err == nil {
		notes = append(notes, e.meanings.warnings()...)
		notes = append(notes, changedScalars(root.scope.Changed(e.config.Once, e.copied(res.Outputs)))...)
	}
	if e.config.Warnings == WarningsError {
		notes = append(notes, remarkList(e.remarks)...)
	}
	if err != nil {
		e.concealSources()
		return res, e.config.failure(e.files, e.opened(append(notes, diag.Of(err)...)))
	}
	if res.Warnings = e.config.applyWarnings(e.opened(notes)); res.Warnings.Failed() {
		return res, e.config.failure(e.files, res.Warnings)
	}
	res.Read = append(e.session.readFrom(layers), e.read...)
	return res, nil
}

// reach evaluates the project up to the goal of the request.
func (e *evaluation) reach(root *library, res *Result, log *messages) error {
	switch e.request.Goal {
	case DataValues:
		vals, err := root.dataValues(log)
		if err != nil {
			return err
		}
		root.noteSecrets(vals)
		res.Docs = []tree.Doc{vals.stack.Doc}
		return nil
	case SchemaOpenAPI, SchemaJSON:
		typ, err := root.dataSchema(log)
		if err != nil {
			return err
		}
		doc := tree.Doc{Value: typ.typ.OpenAPI()}
		if e.request.Goal == SchemaJSON {
			doc.Value = typ.typ.JSONSchema()
		}
		res.Docs, res.Schema = []tree.Doc{doc}, typ.typ
		return nil
	}
	result, err := root.evaluate(log)
	if result == nil {
		return err
	}
	res.Outputs = result.Outputs
	if err != nil {
		res.Outputs = withoutOverlays(result.Outputs)
	}
	for _, out := range res.Outputs {
		res.Docs = append(res.Docs, out.Docs...)
	}
	return err
}

// withoutOverlays returns the outputs without the overlays among them, which were not applied.
func withoutOverlays(outputs []eval.Output) []eval.Output {
	outputs = slices.Clone(outputs)
	for i := range outputs {
		outputs[i].Docs = slices.DeleteFunc(slices.Clone(outputs[i].Docs), overlay.IsOverlay)
	}
	return outputs
}

// output finds what cannot be printed, before anything is printed.
func (e *evaluation) output(res *Result) error {
	if !e.request.JSON {
		return nil
	}
	docs := e.session.unchecked(res.Docs)
	if list := emit.CheckJSON(docs); list != nil {
		return list
	}
	e.session.checked(res.Docs)
	return nil
}

// early returns the warnings about inputs, before anything is evaluated.
func (e *evaluation) early() diag.List {
	if e.request.Goal == DataValues && e.config.hasValues() {
		return nil // standard input and data values need no files
	}
	if len(e.config.Generators) > 0 {
		return unrenderedInputs(e.session.inputs) // inputs are not needed
	}
	return append(nothingRead(e.session.inputs, e.config.Load.Paths), unrenderedInputs(e.session.inputs)...)
}

// root returns the project as a library, without data values yet.
func (e *evaluation) root() *library {
	l := &library{
		ctx:   e.ctx,
		run:   e,
		scope: e.session.scope(e.request.Library),
		eval:  e.config.Eval,
		valid: !e.config.NoValidation,
	}
	l.eval.Env, l.eval.Files = &e.env, e.files
	l.eval.Origins, l.eval.Trace = e.session.origins, e.tracer
	l.eval.HasComments, l.eval.Matched, l.eval.Used = e.hasComments(), e.covers(), e.usedByOverlays()
	if e.request.Explain {
		l.eval.InOrder = true
		l.eval.Explained = func(s Step) { e.steps = append(e.steps, s) }
	}
	return l
}

// hasComments returns the function that tells overlays whether an item has its own comments, or nil if
// comments are not kept.
func (e *evaluation) hasComments() func(source.Pos) bool {
	files := e.session.lib.Keep
	if browser.IsFirst || e.config.Keep&keep.Comments == 0 { // see Open
		return nil
	}
	return func(pos source.Pos) bool { return files.HasComments(e.files, pos) }
}

// copied returns the files that are printed unchanged.
func (e *evaluation) copied(outputs []eval.Output) map[*source.File]bool {
	if browser.IsFirst || e.config.Keep != keep.Everything {
		return nil
	}
	files := map[*source.File]bool{}
	for _, out := range outputs {
		if f := out.File.Input.File; e.session.lib.Keep.Whole(keep.Source{File: f, Docs: out.Docs}) {
			files[f] = true
		}
	}
	return files
}

// remark records the warning of a module.
func (e *evaluation) remark(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.remarks = append(e.remarks, text)
}

// reportPrints passes on what templates printed, and the warnings of modules.
func (e *evaluation) reportPrints(prints []string) {
	if e.request.Print == nil {
		return
	}
	for _, s := range prints {
		e.request.Print(s)
	}
	if e.config.Warnings != WarningsOn {
		return
	}
	for _, s := range e.remarks {
		e.request.Print("\nWarning: " + s + "\n") // the form of ytt
	}
}

// messages is what an evaluation reports besides its result.
type messages struct {
	prints []string
	notes  diag.List
}

func (m *messages) add(more messages) {
	m.prints = append(m.prints, more.prints...)
	m.notes = append(m.notes, more.notes...)
}
