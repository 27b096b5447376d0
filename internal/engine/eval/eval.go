// Package eval runs compiled units: templates to documents and text, modules to their globals.
//
// It evaluates the files of a Library and returns their results in order. Files run in parallel, each
// in its own Starlark thread. A module runs once, however many files load it, and is then frozen so
// that threads can share it. Output, prints and errors appear as if the files had run sequentially.
package eval

import (
	gocontext "context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"weak"

	"go.starlark.net/starlark"

	"weft/internal/engine/budget"
	"weft/internal/engine/compile"
	"weft/internal/engine/cover"
	"weft/internal/engine/eval/hints"
	"weft/internal/engine/eval/modules"
	"weft/internal/engine/overlay"
	"weft/internal/engine/overlay/explain"
	"weft/internal/engine/trace"
	"weft/internal/lang/diag"
	"weft/internal/lang/parallel"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Options configures a run.
type Options struct {
	MaxSteps  uint64     // Starlark steps of one file; 0 means DefaultMaxSteps
	MaxNodes  int        // nodes that one file creates; 0 means DefaultMaxNodes
	Overrides bool       // allow duplicate map keys, as if annotated with yaml/map-key-override
	Values    tree.Value // the value of data.values

	Unresolved bool // the values are still being computed: they are empty
	// returns a hint for a missing data value, or ""; may be nil
	Missing func(name string) string

	Workers parallel.Workers // the number of files that are evaluated at a time
	// evaluate files one after another, for a run that reports what it does
	InOrder bool
	// the files that positions refer to, for places inside messages; nil if messages have none
	Files *source.Set

	// Once means that the files are not evaluated again: their compiled form is released as soon as
	// they have run.
	Once bool

	// Keep means that results are kept for the next evaluation: see Result.Keep. Kept is what the
	// last evaluation kept. ValuesID identifies Values: equal IDs mean equal values.
	Keep     bool
	Kept     *Kept
	ValuesID any

	Env   *modules.Env // what modules share with other runs; nil if nothing
	Reads *tree.Reads  // records which of the values are read; may be nil
	Uses  *Uses        // records which files are used; may be nil
	// Literals means that copies of data values keep the spelling of the original. The library must
	// be compiled for it.
	Literals bool

	Origins *tree.Origins // receives what overlay.apply sets; may be nil
	// Trace follows the run, if it is not nil. The files must be compiled for it, and are evaluated
	// in order.
	Trace *trace.Tracer
	// Cover records which code is reached; may be nil. The library must be compiled for it.
	Cover *cover.Recorder
	// Matched is overlay.Options.Matched for overlay.apply.
	Matched func(at source.Pos, n int)
	// Explained is overlay.Options.Explained for overlay.apply.
	Explained func(explain.Step)
	// HasComments is overlay.Options.HasComments for overlay.apply.
	HasComments func(source.Pos) bool
	// Used is overlay.Options.Used for overlay.apply.
	Used func(tree.Value, overlay.Use)

	// Library creates the library value for library.get; nil if there are no libraries. s is the
	// scope of the library's files, which a file of this run requested by path. ctx is the context
	// of the thread that calls library.get.
	Library func(ctx gocontext.Context, path string, s Scope, kwargs []starlark.Tuple) (starlark.Value, error)
}

// The default limits.
const (
	DefaultMaxSteps = 1_000_000_000
	DefaultMaxNodes = tree.MaxNodes
)

// Output is the output of one file.
type Output struct {
	File *File
	Docs []tree.Doc // for a YAML file
	Kept bool       // it has documents, or had some before overlays removed them
	// Joins means that the documents belong to the same file as those of an earlier output with the same path.
	Joins bool
	Text  string // for a text file

	// Lines is the origin of each line of Text in a traced run: a setting by a template, or 0 for
	// text that is copied as it is.
	Lines []tree.Origin
}

// Result is the result of a run.
type Result struct {
	Outputs []Output  // of the files that belong to the output, in library order
	Exports []Export  // the globals of the files that can be loaded, in library order
	Prints  []string  // what print() wrote, in order
	Notes   diag.List // additional warnings of the libraries that were evaluated: see Note
	Stats   Stats

	run    *run
	kept   *Kept
	files  []*File          // the evaluated files, in input order
	procs  []*proc          // their evaluations
	logged map[*module]bool // modules whose log has been added
}

// Stats counts the work done, so that tests can show that nothing is done twice.
type Stats struct {
	Compiled  int // files that were read and compiled since the library was created
	Evaluated int // files that were evaluated in this run
}

// Export is the globals of a file that can be loaded.
type Export struct {
	File    *File
	Globals starlark.StringDict
}

// Thread returns a thread for calling functions of the files after they have run, until ctx ends.
func (res *Result) Thread(ctx gocontext.Context) *starlark.Thread {
	p := &proc{ctx: ctx, run: res.run, site: site{file: &File{lib: res.run.scope.lib}}, late: true}
	p.build.maxNodes, p.build.tooMany = res.run.opt.MaxNodes, budget.Hint(p.ctx, "--max-nodes")
	p.build.trace, p.build.literals = res.run.opt.Trace, res.run.literals
	p.build.cover = res.run.newCoverage()
	t := p.thread("call")
	// A run may use many threads, one for each overlay, so ctx must not keep those that are done.
	running := weak.Make(t)
	stop := gocontext.AfterFunc(ctx, func() {
		if t := running.Value(); t != nil {
			t.Cancel(hints.Interrupted)
		}
	})
	runtime.AddCleanup(t, func(stop func() bool) { stop() }, stop)
	p.build.enter(nil, 0)
	return t
}

// Literals returns the literals of the data values, if they are kept.
func (res *Result) Literals() *tree.Literals { return res.run.literals }

// Overlays reports whether the results can have overlay annotations.
func (res *Result) Overlays() bool { return res.run.scope.lib.original().overlays.Load() }

// Diagnose turns the error of a function called in such a thread into diagnostics.
func (res *Result) Diagnose(err error) diag.List {
	p := &proc{ctx: res.run.ctx, run: res.run}
	return p.diagnose(err)
}

// Batch is a set of files of a scope that are evaluated together. It may be evaluated any number of
// times.
type Batch struct {
	scope Scope
	files []*File // in input order
	order []int   // indexes of the files in the order in which they are evaluated, or appear to be
}

// Files evaluates files of a compiled scope, as Batch.Run does.
func Files(ctx gocontext.Context, s Scope, files []*File, opt Options) (*Result, error) {
	return s.Batch(files).Run(ctx, opt)
}

// Batch returns a batch of files of the scope, which must be compiled.
func (s Scope) Batch(files []*File) *Batch {
	return &Batch{scope: s, files: files, order: treeOrder(files)}
}

// Only returns the batch with only the wanted files.
func (b *Batch) Only(wanted func(*File) bool) *Batch {
	return b.scope.Batch(
		slices.DeleteFunc(slices.Clone(b.files), func(f *File) bool { return !wanted(f) }),
	)
}

// maxSequential is the maximum number of files that a library inside another evaluates sequentially.
// Such a library is often evaluated many times, and starting goroutines would cost as much as the
// work they do.
const maxSequential = 8

// Run evaluates the files. The error is a diag.List; the Result still has what the other files
// produced and printed.
func (b *Batch) Run(ctx gocontext.Context, opt Options) (*Result, error) {
	r := newRun(ctx, b.scope, opt)
	procs := make([]*proc, len(b.files)) // in input order
	evaluate := func(i int) { procs[b.order[i]] = r.evaluate(b.files[b.order[i]]) }
	if opt.InOrder || opt.Trace != nil || b.scope.root != "" && len(b.files) <= maxSequential {
		for i := range b.files {
			evaluate(i)
		}
	} else {
		opt.Workers.Each(len(b.files), evaluate)
	}
	if err := gocontext.Cause(ctx); err != nil {
		r.blame(b.order, procs)
		return &Result{run: r}, err
	}
	res := &Result{
		Stats: Stats{
			Compiled:  b.scope.lib.original().Compiled(),
			Evaluated: int(r.evaluated.Load()),
		},
		run:   r,
		files: b.files,
	}
	if opt.Keep {
		res.procs = procs
	}
	var list diag.List
	for _, i := range b.order {
		p := procs[i]
		res.listen(p)
		if p.err != nil {
			list = append(list, p.diagnose(p.err)...)
		}
	}
	for i, f := range b.files {
		if procs[i].err != nil {
			continue
		}
		if f.Input.Output {
			res.Outputs = append(
				res.Outputs,
				Output{File: f, Docs: procs[i].docs, Text: procs[i].text, Lines: procs[i].lines},
			)
		}
		if m := r.modules[site{file: f, root: b.scope.root}]; m != nil {
			res.Exports = append(res.Exports, Export{File: f, Globals: m.globals})
		}
	}
	if opt.Keep && !opt.Unresolved {
		res.kept = r.keep(procs)
	}
	if list != nil {
		return res, Unique(list)
	}
	return res, nil
}

// Unique removes duplicates: two files that load a broken one report the same errors.
func Unique(list diag.List) diag.List {
	type key struct {
		at      source.Span
		message string
	}
	seen := map[key]bool{}
	out := list[:0]
	for _, d := range list {
		if k := (key{d.At, d.Message}); !seen[k] {
			seen[k] = true
			out = append(out, d)
		}
	}
	return out
}

// run is one evaluation of a library.
type run struct {
	ctx    gocontext.Context
	scope  Scope
	opt    Options
	family *family // see Kept

	mu      sync.Mutex // guards the following fields
	modules map[site]*module
	late    diag.List  // warnings recorded after the files had run: see Note
	loading sync.Mutex // held by the one thread that evaluates modules

	valuesOnce sync.Once
	values     starlark.Value // data.values; files get copies of it
	literals   *tree.Literals // the literals of the values, if their spelling is kept

	evaluated atomic.Int64 // see Stats
}

func newRun(ctx gocontext.Context, s Scope, opt Options) *run {
	if opt.MaxSteps == 0 {
		opt.MaxSteps = DefaultMaxSteps
	}
	if opt.MaxNodes == 0 {
		opt.MaxNodes = DefaultMaxNodes
	}
	if opt.Env == nil {
		opt.Env = &modules.Env{YAML: s.lib.opt.YAML}
	}
	r := &run{ctx: ctx, scope: s, opt: opt, modules: map[site]*module{}}
	if opt.Kept != nil {
		r.family = opt.Kept.family
	} else {
		r.family = &family{}
	}
	if opt.Literals {
		r.literals = tree.LiteralsOf(r.dataValues())
	}
	return r
}

// site is a file together with the library from which its loads are resolved. In another library, the
// same file resolves them differently, so it is a separate module in each.
type site struct {
	file *File
	root string // the folder of the library that it belongs to
}

// proc is one evaluation of one file.
type proc struct {
	ctx    gocontext.Context
	run    *run
	site   site
	unit   *compile.Unit
	loader *proc // the proc that loads it, if it is a module
	build  builder

	needs needs // what the result depends on

	vals starlark.Value // data.values
	log  []logEntry
	late bool // it runs after all files have run
	docs []tree.Doc
	text string
	err  error

	lines []tree.Origin // the origins of the lines of the text, in a traced run

	reported  map[*compile.Drop]bool // discarded values that have been reported
	fragments map[*compile.Node]bool // nodes with formatted YAML that have been reported
}

// logEntry is a printed line, a module that was loaded at that point, or the warnings of a library.
type logEntry struct {
	text   string
	module *module
	notes  diag.List
}

// Note adds warnings to the run that a thread belongs to. A warning about a value that code created
// has no location: it gets the current location of the thread.
func Note(t *starlark.Thread, list diag.List) {
	if len(list) == 0 {
		return
	}
	p := procOf(t)
	list = slices.Clone(list)
	for i, d := range list {
		if !d.At.IsValid() {
			placed := *d
			placed.At = Here(t)
			list[i] = &placed
		}
	}
	p.note(list)
}

// note adds warnings to the run.
func (p *proc) note(list diag.List) {
	if !p.late {
		p.log = append(p.log, logEntry{notes: list})
		return
	}
	p.run.mu.Lock()
	defer p.run.mu.Unlock()
	p.run.late = append(p.run.late, list...)
}

// Here returns the current location of a thread in the code of a file, or the zero Span.
func Here(t *starlark.Thread) source.Span {
	at, _ := hints.Innermost(t.CallStack(), procOf(t).source)
	return at
}

// Context returns the context of the evaluation that a thread belongs to.
func Context(t *starlark.Thread) gocontext.Context { return procOf(t).ctx }

// LateNotes returns the warnings from threads that Thread returned. These run in parallel, so the
// warnings are sorted by location.
func (res *Result) LateNotes() diag.List {
	res.run.mu.Lock()
	defer res.run.mu.Unlock()
	res.run.late.Sort()
	return res.run.late
}

// evaluate runs a file that is not being loaded by another.
func (r *run) evaluate(f *File) *proc {
	p := &proc{ctx: r.ctx, run: r, site: site{file: f, root: r.scope.root}}
	if f.Input.Library {
		// Other files may load it, or have loaded it already: it runs only once.
		m := p.module(site{file: f, root: r.scope.root})
		p.err = m.err
		p.log = []logEntry{{module: m}}
		if m.proc != nil {
			p.docs, p.text, p.lines = m.proc.docs, m.proc.text, m.proc.lines
		}
		return p
	}
	if was := r.keptFile(p); was != nil {
		return was
	}
	p.exec()
	if r.opt.Once && p.err == nil {
		p.unit = f.forget() // no other file can load it
	}
	return p
}

// exec runs the unit and collects its results.
func (p *proc) exec() starlark.StringDict {
	p.run.opt.Uses.note(p.site.file.Input.Path)
	p.unit, p.err = p.site.file.Unit()
	if p.err != nil {
		return nil
	}
	if p.unit.Warnings != nil {
		p.log = append(p.log, logEntry{notes: p.unit.Warnings})
	}
	defer p.site.file.time(Evaluating)()
	defer budget.Of(p.ctx).Enter(p.unit.File.Name())()
	budget.At(p.ctx, p.unit.File.Shown(), 0)
	p.run.evaluated.Add(1)
	p.site.file.lib.original().evaluated.Add(1)
	switch p.unit.Kind {
	case compile.PlainYAML:
		p.docs = plainDocuments(p.unit.Trees)
		return nil
	case compile.PlainText:
		p.text = string(p.unit.File.Data())
		return nil
	}
	thread := p.thread(p.unit.File.Name())
	defer gocontext.AfterFunc(p.ctx, func() { thread.Cancel(hints.Interrupted) })()

	p.build.maxNodes, p.build.tooMany = p.run.opt.MaxNodes, budget.Hint(p.ctx, "--max-nodes")
	p.build.override = p.run.opt.Overrides
	p.build.literals, p.build.replaced = p.run.literals, p.run.opt.HasComments != nil
	p.build.cover = p.run.newCoverage()
	p.build.borrow()
	defer p.build.release()
	p.build.enter(p.unit, 1)
	p.build.trace = p.run.opt.Trace
	defer p.build.trace.File(p.unit.File, thread, p.isModule() || p.run.opt.Unresolved)()
	var globals starlark.StringDict
	globals, p.err = p.unit.Program.Init(thread, p.site.file.predeclared())
	delete(globals, compile.Dropped)
	p.run.opt.Trace.TakeShades(p, globals)
	if p.err == nil {
		p.err = p.freeze(globals)
	}
	if p.err != nil {
		return nil
	}
	pieces := p.build.top().pieces
	switch res := p.build.leave(p.unit.Kind == compile.Text).(type) {
	case starlark.String:
		p.text = string(res)
		if p.build.trace != nil {
			p.lines = p.build.trace.Lines(p.text, pieces)
		}
	case *tree.DocumentSet:
		p.docs = res.Documents()
	}
	return globals
}

// plainDocuments returns the documents of a file without code. They are counted first: a file may
// have millions, and growing a list to that size takes several times their memory.
func plainDocuments(trees []*yaml.Tree) []tree.Doc {
	n := 0
	for _, t := range trees {
		for range t.Documents() {
			n++
		}
	}
	docs := make([]tree.Doc, 0, n)
	for _, t := range trees {
		for doc := range t.Documents() {
			docs = append(docs, tree.Doc{Value: tree.FromSyntax(t, t.Root(doc)), Pos: t.Start(doc)})
		}
	}
	return docs
}

// thread returns a thread for the code of p. The caller cancels it when the context of the run ends.
func (p *proc) thread(name string) *starlark.Thread {
	t := &starlark.Thread{
		Name:  name,
		Print: func(_ *starlark.Thread, msg string) { p.log = append(p.log, logEntry{text: msg}) },
		Load: func(_ *starlark.Thread, module string) (starlark.StringDict, error) {
			return p.loadStatement(module)
		},
	}
	t.SetLocal(procKey, p)
	p.run.opt.Trace.Attach(t)
	t.SetLocal(modules.HostKey, &modules.Host{
		Limits: &modules.Limits{
			MaxSteps: p.run.opt.MaxSteps, Memory: budget.Of(p.ctx), Large: p.reportLarge(),
		},
		TryTo:   p.tryTo,
		Replace: p.replace,
		Text:    warnOfHidden,
		Overlay: p.overlayOptions,
	})
	p.limitSteps(t)
	return t
}

// overlayOptions returns the options of overlay.apply on thread t.
func (p *proc) overlayOptions(t *starlark.Thread) overlay.Options {
	return overlay.Options{
		Diagnose:    p.diagnose,
		Warn:        func(d *diag.Diagnostic) { p.log = append(p.log, logEntry{notes: diag.List{d}}) },
		YAML:        p.run.scope.lib.opt.YAML,
		MaxNodes:    p.run.opt.MaxNodes,
		Files:       p.run.opt.Files,
		Origins:     p.run.opt.Origins,
		Matched:     p.run.opt.Matched,
		Trace:       p.run.opt.Trace.ForOverlays(),
		Literals:    p.run.literals,
		HasComments: p.run.opt.HasComments,
		Used:        p.run.opt.Used,

		Here:    func() source.Span { return Here(t) },
		Explain: explain.New,
		Record:  explain.Steps(p.explained(t)),
	}
}

// explained returns the function that receives the steps of overlay.apply. A dict has no location,
// so it gets that of the call.
func (p *proc) explained(t *starlark.Thread) func(explain.Step) {
	if p.run.opt.Explained == nil {
		return nil
	}
	return func(s explain.Step) {
		caller := t.CallFrame(1).Pos
		// A function that runs after its file, in an overlay, has no unit.
		if !s.Overlay.IsValid() && p.unit != nil && caller.Filename() == p.unit.File.Name() {
			s.PlaceAt(script.Span(p.unit.File, caller))
		}
		p.run.opt.Explained(s)
	}
}

// tryTo calls f, and restores the state of the builder if f fails.
func (p *proc) tryTo(f func() (starlark.Value, error)) (starlark.Value, error) {
	b := &p.build
	depth := len(b.contexts)
	top := b.contexts[depth-1]
	back := p.run.opt.Trace.Position()
	v, err := f()
	if err != nil {
		back()
		b.contexts = b.contexts[:depth]
		b.contexts[depth-1] = top
	}
	return v, err
}

// listen adds what p printed and warned about, after what the modules that it loaded printed and
// warned about.
func (res *Result) listen(p *proc) {
	for _, e := range p.log {
		switch m := e.module; {
		case m == nil && e.notes == nil:
			res.Prints = append(res.Prints, e.text)
		case m == nil:
			res.Notes = append(res.Notes, e.notes...)
		case !res.logged[m] && m.proc != nil:
			if res.logged == nil {
				res.logged = map[*module]bool{}
			}
			res.logged[m] = true
			res.listen(m.proc)
		}
	}
}
