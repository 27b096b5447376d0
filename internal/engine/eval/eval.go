// Package eval runs compiled units: templates to documents and text, modules to their globals.
//
// It takes a Library of files and returns the results of each, in order. Files run in parallel, each in
// its own Starlark thread; a module runs once, whoever loads it, and is then frozen, so that threads may
// share it. Output, prints and errors come as if the files had run one after another.
package eval

import (
	gocontext "context"
	"slices"
	"sync"
	"sync/atomic"

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

// Options of a run.
type Options struct {
	MaxSteps  uint64     // Starlark steps of one file; 0 means DefaultMaxSteps
	MaxNodes  int        // nodes that one file makes; 0 means DefaultMaxNodes
	Overrides bool       // a map key may come again, as if annotated with yaml/map-key-override
	Values    tree.Value // what data.values is

	Unresolved bool // the values are being worked out: they are empty as yet
	// a hint for a data value that is not there, or ""; may be nil
	Missing func(name string) string

	Workers parallel.Workers // how many files are evaluated at a time
	// files are evaluated one after another: for a run that tells what it does
	InOrder bool
	// where positions point into, for places inside messages; nil if messages have none
	Files *source.Set

	// Once says that the files are not evaluated again: what they were compiled to is forgotten as
	// soon as they have run, so that its memory serves the next.
	Once bool

	// Keep says that what files made is kept for the next evaluation: see Result.Keep. Kept is what
	// the last one kept. ValuesID stands for Values: evaluations in which it is the same have the
	// same.
	Keep     bool
	Kept     *Kept
	ValuesID any

	Env   *modules.Env // what modules share with other runs; nil if they share nothing
	Reads *tree.Reads  // notes which of the values are read, if it is not nil
	// Literals says that what is copied from the data values stays as it is written there. The
	// library has to be compiled for it.
	Literals bool

	Origins *tree.Origins // takes what overlay.apply sets, if it is not nil
	// Trace follows the run, if it is not nil. Then the files are compiled for it, and evaluated in
	// order.
	Trace *trace.Tracer
	// Cover takes what the files reach, if it is not nil. The library has to be compiled for it.
	Cover *cover.Recorder
	// Matched is that of overlay.Options, for overlay.apply
	Matched func(at source.Pos, n int)
	// Explained is that of overlay.Options, for overlay.apply
	Explained func(explain.Step)
	// Owns is that of overlay.Options, for overlay.apply
	Owns func(source.Pos) bool
	// Used is that of overlay.Options, for overlay.apply
	Used func(tree.Value, overlay.Use)

	// Library makes a library of files, for library.get. Nil if there is none. The scope is that of
	// the library's files, got by path from a file of this run. The context is that of the thread
	// that asks for it.
	Library func(ctx gocontext.Context, path string, s Scope, kwargs []starlark.Tuple) (starlark.Value, error)
}

// The limits that hold unless Options set others.
const (
	DefaultMaxSteps = 1_000_000_000
	DefaultMaxNodes = tree.MaxNodes
)

// Output is what one file made.
type Output struct {
	File *File
	Docs []tree.Doc // of YAML
	Kept bool       // it has documents, or had some before overlays took them away
	Text string     // of text

	// Lines is what made each line of Text, in a traced run: a setting by a template each, or 0 for
	// text that is taken as it is.
	Lines []tree.Origin
}

// Result is what a run made.
type Result struct {
	Outputs []Output  // of the files that are part of the output, in the order of the library
	Exports []Export  // of the files that are there to be loaded, in the order of the library
	Prints  []string  // what print() wrote, in order
	Notes   diag.List // what libraries that it evaluated have to say besides: see Note
	Stats   Stats

	run    *run
	kept   *Kept
	files  []*File          // that were evaluated, as they were given
	procs  []*proc          // their evaluations
	logged map[*module]bool // whose log has been added
}

// Stats counts the work that was done, so that tests can show that nothing is done twice.
type Stats struct {
	Compiled  int // files that were read and compiled, since the library was made
	Evaluated int // files that were evaluated in this run
}

// Export is the globals of a file that is there to be loaded.
type Export struct {
	File    *File
	Globals starlark.StringDict
}

// Thread makes a thread that calls functions of the files after they have run, until ctx ends.
func (res *Result) Thread(ctx gocontext.Context) *starlark.Thread {
	p := &proc{ctx: ctx, run: res.run, site: site{file: &File{lib: res.run.scope.lib}}, late: true}
	p.build.maxNodes = res.run.opt.MaxNodes
	p.build.trace, p.build.literals = res.run.opt.Trace, res.run.literals
	p.build.cover = res.run.newCoverage()
	t, _ := p.thread("call") // it ends with the run
	p.build.enter(nil, 0)
	return t
}

// Literals returns those of the data values, if they are kept.
func (res *Result) Literals() *tree.Literals { return res.run.literals }

// Overlays reports whether there can be annotations of overlays in what was made.
func (res *Result) Overlays() bool { return res.run.scope.lib.original().overlays.Load() }

// Diagnose turns the error of a function that was called in such a thread into diagnostics.
func (res *Result) Diagnose(err error) diag.List {
	p := &proc{run: res.run}
	return p.diagnose(err)
}

// Batch is files of a scope that are evaluated together. It may be evaluated any number of times.
type Batch struct {
	scope Scope
	files []*File // as they were given
	order []int   // the files in the order in which they are evaluated, or seem to be
}

// Files evaluates files of a scope, which has been compiled, as Batch.Run does.
func Files(ctx gocontext.Context, s Scope, files []*File, opt Options) (*Result, error) {
	return s.Batch(files).Run(ctx, opt)
}

// Batch makes a batch of files of the scope, which has been compiled.
func (s Scope) Batch(files []*File) *Batch {
	return &Batch{scope: s, files: files, order: treeOrder(files)}
}

// Only returns the batch without the files that are not wanted.
func (b *Batch) Only(wanted func(*File) bool) *Batch {
	return b.scope.Batch(
		slices.DeleteFunc(slices.Clone(b.files), func(f *File) bool { return !wanted(f) }),
	)
}

// fewFiles is up to how many files a library inside another evaluates them one after another.
// Such a library is often evaluated many times over, and then to begin and end goroutines costs as
// much as what they do.
const fewFiles = 8

// Run evaluates the files. The error is a diag.List; what the other files made and printed is in
// the Result all the same.
func (b *Batch) Run(ctx gocontext.Context, opt Options) (*Result, error) {
	r := newRun(ctx, b.scope, opt)
	procs := make([]*proc, len(b.files)) // as given
	evaluate := func(i int) { procs[b.order[i]] = r.evaluate(b.files[b.order[i]]) }
	if opt.InOrder || opt.Trace != nil || b.scope.root != "" && len(b.files) <= fewFiles {
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

// Unique leaves out what was said before: two files that load a broken one have the same to say.
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

	mu      sync.Mutex // guards what follows
	modules map[site]*module
	late    diag.List  // what was noted when the files had run: see Note
	loading sync.Mutex // held by the one thread that evaluates modules

	valuesOnce sync.Once
	values     starlark.Value // data.values, of which files get copies
	literals   *tree.Literals // those of the values, if they are kept

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

// site is where a file is, which decides what its loads mean: the same file means something
// else in another library, so that it is one module for each.
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
	loader *proc // the one that loads it, if it is a module
	build  builder

	needs needs // what the outcome depends on

	vals starlark.Value // data.values
	log  []logEntry
	late bool // it runs when the files have run
	docs []tree.Doc
	text string
	err  error

	lines []tree.Origin // what made the lines of the text, in a traced run

	reported  map[*compile.Drop]bool // which dropped values have been reported
	fragments map[*compile.Node]bool // which texts of fragments have been reported
}

// logEntry is a line that was printed, a module that was loaded there, or what a library had to
// say.
type logEntry struct {
	text   string
	module *module
	notes  diag.List
}

// Note adds warnings to those of the run that a thread belongs to. What has no place, since
// Starlark made it, is placed where the thread is.
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

// note adds warnings to those of the run.
func (p *proc) note(list diag.List) {
	if !p.late {
		p.log = append(p.log, logEntry{notes: list})
		return
	}
	p.run.mu.Lock()
	defer p.run.mu.Unlock()
	p.run.late = append(p.run.late, list...)
}

// Here returns where a thread is in the code of a file, or nowhere.
func Here(t *starlark.Thread) source.Span {
	at, _ := hints.Innermost(t.CallStack(), procOf(t).source)
	return at
}

// Context is that of the evaluation that a thread belongs to.
func Context(t *starlark.Thread) gocontext.Context { return procOf(t).ctx }

// LateNotes returns the warnings of what was called in threads that the Result made. These run side
// by side, so the order is that of the places.
func (res *Result) LateNotes() diag.List {
	res.run.mu.Lock()
	defer res.run.mu.Unlock()
	res.run.late.Sort()
	return res.run.late
}

// evaluate runs a file that nothing has loaded.
func (r *run) evaluate(f *File) *proc {
	p := &proc{ctx: r.ctx, run: r, site: site{file: f, root: r.scope.root}}
	if f.Input.Library {
		// It may be loaded by others, or have been: it runs once.
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
		p.unit = f.forget() // no one can load it
	}
	return p
}

// exec runs the unit and gathers what it made.
func (p *proc) exec() starlark.StringDict {
	p.unit, p.err = p.site.file.Unit()
	if p.err != nil {
		return nil
	}
	if p.unit.Warnings != nil {
		p.log = append(p.log, logEntry{notes: p.unit.Warnings})
	}
	defer p.site.file.time(Evaluating)()
	defer budget.Of(p.ctx).Enter(p.unit.File.Name())()
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
	thread, stop := p.thread(p.unit.File.Name())
	defer stop()

	p.build.maxNodes = p.run.opt.MaxNodes
	p.build.override = p.run.opt.Overrides
	p.build.literals, p.build.replaced = p.run.literals, p.run.opt.Owns != nil
	p.build.cover = p.run.newCoverage()
	p.build.borrow()
	defer p.build.giveBack()
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
// have millions, and a list that grows to that takes several times their memory.
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

// thread makes the thread of p. stop ends its ties to the run.
func (p *proc) thread(name string) (t *starlark.Thread, stop func() bool) {
	t = &starlark.Thread{
		Name:  name,
		Print: func(_ *starlark.Thread, msg string) { p.log = append(p.log, logEntry{text: msg}) },
		Load: func(_ *starlark.Thread, module string) (starlark.StringDict, error) {
			return p.loadStatement(module)
		},
	}
	t.SetLocal(procKey, p)
	p.run.opt.Trace.Attach(t)
	t.SetLocal(modules.TryToLocal, p.tryTo)
	t.SetLocal(modules.ReplaceLocal, p.replace)
	t.SetLocal(modules.TextLocal, warnOfHidden)
	t.SetLocal(modules.OverlayKey, overlay.Options{
		Diagnose: p.diagnose,
		Warn:     func(d *diag.Diagnostic) { p.log = append(p.log, logEntry{notes: diag.List{d}}) },
		MaxNodes: p.run.opt.MaxNodes,
		Files:    p.run.opt.Files,
		Origins:  p.run.opt.Origins,
		Matched:  p.run.opt.Matched,
		Trace:    p.run.opt.Trace.ForOverlays(),
		Literals: p.run.literals,
		Owns:     p.run.opt.Owns,
		Used:     p.run.opt.Used,

		Here:    func() source.Span { return Here(t) },
		Explain: explain.New,
		Record:  explain.Steps(p.explained(t)),
	})
	t.SetLocal(
		modules.LimitsKey,
		&modules.Limits{MaxSteps: p.run.opt.MaxSteps, Memory: budget.Of(p.ctx)},
	)
	p.limitSteps(t)
	return t, gocontext.AfterFunc(p.ctx, func() { t.Cancel("interrupted") })
}

// explained returns what takes the steps of overlay.apply. A dict has no place of its own: it is
// where it is applied.
func (p *proc) explained(t *starlark.Thread) func(explain.Step) {
	if p.run.opt.Explained == nil {
		return nil
	}
	return func(s explain.Step) {
		caller := t.CallFrame(1).Pos
		if !s.Overlay.IsValid() && caller.Filename() == p.unit.File.Name() {
			s.PlaceAt(script.Span(p.unit.File, caller))
		}
		p.run.opt.Explained(s)
	}
}

// tryTo calls f, and puts the builder back to where it was if f fails.
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

// listen adds what p printed and noted, and the same of modules that it was the first to load.
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
