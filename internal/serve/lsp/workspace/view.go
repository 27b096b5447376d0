package workspace

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"sync"

	"weft/internal/check/lint"
	"weft/internal/engine"
	"weft/internal/engine/budget"
	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/engine/shortcut"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project/fleet"
	"weft/internal/serve/lsp/wire"
)

// View is a project with one of its environments, which one run of the command line would render. Its
// methods may be called from several goroutines.
type View struct {
	Env string

	folder *Folder
	opts   fleet.Options
	config engine.Config

	opening    sync.Mutex    // held while the next session is created
	tracing    chan struct{} // a semaphore of traced evaluations
	valuing    sync.Mutex    // held while data values are computed
	undoing    sync.Mutex    // held while what a file changes is undone
	explaining sync.Mutex    // held while steps of overlays are computed

	mu      sync.Mutex
	session *engine.Session // the newest session
	at      int             // the ID of its snapshot
	texts   map[string]*source.File
	kinds   map[string]compile.Kind // kinds of its files, by path
	layers  map[string]bool         // paths of plain data values
	charted map[string]bool         // paths of values of charts
	outcome *Outcome
	good    *Outcome
	edited  string   // the file that the user edits now, see Before
	before  *Outcome // the last good outcome before that
	traced  *Traced
	linted  *lint.Seen // see NoteLinted
	facts   facts

	outlined valuesOutline

	reads tracedReads // see runtime.go

	kubernetes sync.Mutex // held while objects is used
	objects    *Kubernetes
}

func newView(f *Folder, env string, opts fleet.Options, config engine.Config) *View {
	v := &View{Env: env, folder: f, opts: opts, config: config}
	v.layers, v.charted = map[string]bool{}, map[string]bool{}
	v.tracing = make(chan struct{}, 1)
	for _, name := range config.Values.Files {
		v.layers[name] = true
	}
	if p := config.Values.Project; p != nil {
		for _, l := range p.Layers {
			v.layers[filepath.ToSlash(l.Path)] = true
		}
	}
	for _, g := range config.Generators {
		for _, x := range g.Values {
			v.charted[filepath.ToSlash(x.Path)] = true
		}
	}
	return v
}

// Options returns the options that the command line would render the environment with.
func (v *View) Options() fleet.Options { return v.opts }

// Config returns the options for the pipeline, without the files.
func (v *View) Config() engine.Config { return v.config }

// ValueFiles returns the paths of plain data values.
func (v *View) ValueFiles() []string { return slices.Sorted(maps.Keys(v.layers)) }

// KindOf returns how the view reads a file. It returns false if it does not read the file.
func (v *View) KindOf(path string) (compile.Kind, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if kind, ok := v.kinds[path]; ok {
		return kind, true
	}
	return compile.PlainYAML, v.layers[path]
}

// Session returns the pipeline session of a snapshot, in which stale files have their last versions
// without errors. It reads only what has changed since the last call, and goes on in the background if ctx
// ends. The error is a *diag.Failure, or that of ctx.
func (v *View) Session(ctx context.Context, s *Snapshot) (*engine.Session, error) {
	v.mu.Lock()
	last, at := v.session, v.at
	v.mu.Unlock()
	if last != nil && at == s.ID {
		return last, nil
	}
	var session *engine.Session
	var failed error
	err := s.inBackground(ctx, "loading files", func(ctx context.Context) {
		session, failed = v.openSession(ctx, s)
	})
	if err != nil {
		return nil, err
	}
	return session, failed
}

func (v *View) openSession(ctx context.Context, s *Snapshot) (*engine.Session, error) {
	v.opening.Lock()
	defer v.opening.Unlock()
	v.mu.Lock()
	last, at, texts := v.session, v.at, v.texts
	v.mu.Unlock()
	if last != nil && at == s.ID {
		return last, nil
	}
	if last == nil {
		last, at, texts = v.sibling()
	}
	if at > s.ID {
		return nil, wire.ErrModified
	}
	files, now := s.evaluable()
	changed := v.folder.changedSince(at, texts, now)
	next, err := v.load(ctx, last, files, changed)
	if err != nil && ctx.Err() == nil { // a file may have been deleted without a notification
		v.folder.disk.forget()
		next, err = v.load(ctx, last, files, changed)
	}
	if err != nil {
		return nil, err
	}
	kinds := map[string]compile.Kind{}
	for _, in := range next.Inputs() {
		if in.Type != load.Data && in.Origin() != "" {
			kinds[in.Origin()] = engine.KindOf(in)
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.session, v.at, v.texts, v.kinds = next, s.ID, now, kinds
	if last != nil {
		last.Release()
	}
	return next, nil
}

// load loads the files that have changed since the last session, or all files if there is none.
func (v *View) load(
	ctx context.Context, last *engine.Session, files *Files, changed []string,
) (*engine.Session, error) {
	if last == nil {
		return engine.Open(ctx, loading(v.config, files))
	}
	return last.Reload(ctx, engine.FileChanges{FS: files, Paths: changed})
}

// loading returns a configuration with the files to read.
func loading(config engine.Config, files *Files) engine.Config {
	config.Load.FS = files
	config.Load.Fetch = func(string) ([]byte, error) { return nil, errOffline }
	config.Load.Refuse = tooLarge
	return config
}

// sibling returns a session for a view that has none, based on that of another environment, so that
// files that both have are loaded and compiled once. It returns nil if no environment has the same
// files.
func (v *View) sibling() (*engine.Session, int, map[string]*source.File) {
	for _, other := range v.folder.views() {
		if !sameButValues(other.config, v.config) {
			continue
		}
		other.mu.Lock()
		session, at, texts := other.session, other.at, other.texts
		other.mu.Unlock()
		if session != nil {
			return session.Sibling(v.config), at, texts
		}
	}
	return nil, 0, nil
}

// sameButValues reports whether configurations differ only in ways that engine.Session.Sibling
// supports.
func sameButValues(a, b engine.Config) bool {
	a.Values, a.Overrides, a.Shortcuts, a.Generators = b.Values, b.Overrides, b.Shortcuts, b.Generators
	return sameConfig(a, b)
}

// sameConfig reports whether configurations are equal. How JSON Schemas are read is the same in all of a
// project, and functions cannot be compared: an edit of weft.yml would drop every view.
func sameConfig(a, b engine.Config) bool {
	a.JSONSchemas = b.JSONSchemas
	same := slices.EqualFunc(a.Generators, b.Generators, func(x, y engine.Generator) bool {
		x.Render, y.Render = nil, nil
		return reflect.DeepEqual(x, y)
	})
	a.Generators = b.Generators[:0]
	b.Generators = a.Generators
	return same && reflect.DeepEqual(a, b)
}

// changedSince returns the files that have changed since a snapshot. Open files are left out if the
// text that is evaluated is still the same.
func (f *Folder) changedSince(at int, was, now map[string]*source.File) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var paths []string
	for p, id := range f.changes {
		if id > at && (now[p] == nil || was[p] == nil || !now[p].SameText(was[p])) {
			paths = append(paths, p)
		}
	}
	return paths
}

// Stale returns the open files that have errors now and had none in an earlier version. That version
// is evaluated.
func (s *Snapshot) Stale() []string {
	var paths []string
	for p, b := range s.open {
		if s.isStale(b) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

func (s *Snapshot) isStale(b *buffer) bool {
	if b.good == nil {
		return false
	}
	kind, opt := s.folder.reading(s, b)
	return len(b.analyse(kind, opt).Errors) > 0
}

// evaluable returns the files in a state that can be evaluated: stale files in their last versions
// without errors.
func (s *Snapshot) evaluable() (*Files, map[string]*source.File) {
	open, texts := maps.Clone(s.Files().open), map[string]*source.File{}
	for p, b := range s.open {
		texts[p] = b.file
		if s.isStale(b) {
			texts[p] = b.good.File
			open[p] = b.good.File.Data()
		}
	}
	return s.Files().with(open), texts
}

// Outcome is the result of an evaluation of a view.
type Outcome struct {
	Snapshot *Snapshot
	Session  *engine.Session // nil if the files could not be loaded
	Result   *engine.Result  // nil if nothing could be rendered; has the output of files without errors

	Diagnostics diag.Failure // errors and warnings in the current files
	Failed      bool

	// Stale are the open files of the view that have errors now. Result and StaleDiagnostics are those of their
	// last versions without errors; StaleDiagnostics is nil if no file is stale.
	Stale            []string
	StaleDiagnostics *diag.Failure

	inputs map[string]load.Input // by path in the folder
	read   map[string]load.Input // the inputs with the current text of stale files; nil if none is stale
}

// Input returns a file as it was evaluated. It returns false if it was not.
func (o *Outcome) Input(path string) (load.Input, bool) {
	in, ok := o.inputs[path]
	return in, ok
}

// inputsOf returns the files of a session by their paths in the folder.
func inputsOf(s *engine.Session) map[string]load.Input {
	inputs := map[string]load.Input{}
	for _, in := range s.Inputs() {
		if in.File != nil && in.Origin() != "" {
			inputs[in.Origin()] = in
		}
	}
	return inputs
}

// Latest returns the outcome of the last evaluation, or nil. It does not wait.
func (v *View) Latest() *Outcome {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.outcome
}

// LastGood returns the last outcome without errors, or nil.
func (v *View) LastGood() *Outcome {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.good
}

// Text returns the text with which a file was evaluated, or nil if it was not: the text that the
// diagnostics are about.
func (o *Outcome) Text(path string) []byte {
	inputs := o.inputs
	if o.read != nil {
		inputs = o.read
	}
	if in, ok := inputs[path]; ok {
		return in.File.Data()
	}
	return nil
}

// Evaluate evaluates the view and makes the outcome the latest. It returns nil if ctx ends.
func (v *View) Evaluate(ctx context.Context, s *Snapshot) *Outcome {
	out := v.evaluate(ctx, s, nil)
	if out != nil {
		v.keep(out)
	}
	return out
}

// EvaluateFile evaluates a file and those that load it. It returns nil if ctx ends, and if the view
// cannot be loaded or does not have the file.
func (v *View) EvaluateFile(ctx context.Context, s *Snapshot, path string) *Outcome {
	session, err := v.Session(ctx, s)
	if err != nil {
		return nil
	}
	if only := v.affected(ctx, session, path); len(only) > 0 {
		return v.evaluate(ctx, s, only)
	}
	return nil
}

// evaluate evaluates the view as the command line would, or only some of its files. The result is
// that of the last versions without errors; the diagnostics are those of the current files. It
// returns nil if ctx ends.
func (v *View) evaluate(outer context.Context, s *Snapshot, only []string) *Outcome {
	ctx, stop := limited(outer)
	defer stop()
	out := &Outcome{Snapshot: s, Stale: s.Stale()}
	session, err := v.Session(ctx, s)
	if err == nil {
		out.Session, out.inputs = session, inputsOf(session)
		out.Stale = slices.DeleteFunc(out.Stale, func(path string) bool { return !v.uses(out, path) })
		if len(out.Stale) > 0 {
			ctx = shortcut.WithTally(ctx, nil) // what counts is the evaluation of the current files
		}
		req := engine.Request{Only: only, JSON: v.opts.Format == fleet.JSON}
		req.Partial = true
		out.Result, err = session.Evaluate(ctx, req)
		req.Partial = false
		if len(out.Stale) > 0 && only == nil {
			out.StaleDiagnostics = out.diagnostics(err)
			stop()
			err = v.asItIs(outer, s, out, req)
		} else if session.Compile(ctx) != nil {
			_, err = session.Evaluate(ctx, req)
		}
	}
	if outer.Err() != nil || errors.Is(err, wire.ErrModified) {
		return nil
	}
	out.Failed = err != nil
	out.Diagnostics = *out.diagnostics(err)
	return out
}

// uses reports whether an outcome depends on a file: other projects may be in the same folder.
func (v *View) uses(out *Outcome, path string) bool {
	_, isInput := out.inputs[path]
	return isInput || v.layers[path] || v.charted[path]
}

// MaxMemory limits the memory of the server during an evaluation: half-typed code must not use all
// memory of the machine.
const MaxMemory = 1 << 30

// limited returns a context that ends when an evaluation uses too much memory.
func limited(ctx context.Context) (context.Context, func()) {
	const hint = "let the code do less at once; an editor's server has this limit, weft render may use more"
	return budget.Limit(budget.WithHint(ctx, hint), MaxMemory, nil)
}

// asItIs evaluates the current files, including those with errors. If that succeeds, the outcome gets
// its result.
func (v *View) asItIs(
	outer context.Context, s *Snapshot, out *Outcome, req engine.Request,
) error {
	ctx, stop := limited(outer) // the previous evaluation had its own limit
	defer stop()
	session, err := out.Session.Reload(ctx, engine.FileChanges{FS: s.Files(), Paths: out.Stale})
	if err != nil {
		return err
	}
	out.read = inputsOf(session)
	res, err := session.Evaluate(ctx, req)
	if err == nil {
		out.Result = res
	}
	return err
}

// diagnostics returns the diagnostics of an error or, if there is none, the warnings of the result.
func (o *Outcome) diagnostics(err error) *diag.Failure {
	if err == nil {
		return &diag.Failure{Files: o.Result.Files, List: o.Result.Warnings}
	}
	f := diag.FailureOf(err)
	if f.Files == nil && o.Session != nil {
		return &diag.Failure{Files: o.Session.Files(), List: f.List}
	}
	return f
}

func (v *View) keep(out *Outcome) {
	v.mu.Lock()
	v.outcome = out
	v.mu.Unlock()
	v.keepGood(out)
}

// keepGood makes an outcome the last one without errors, unless there is a newer one.
func (v *View) keepGood(out *Outcome) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !out.Failed && (v.good == nil || v.good.Snapshot.ID <= out.Snapshot.ID) {
		v.noteEdit(out)
		v.good = out
	}
}

// affected returns a file and those that load it, by the paths that templates use.
func (v *View) affected(ctx context.Context, s *engine.Session, path string) []string {
	for _, in := range s.Inputs() {
		if in.Origin() == path {
			return s.Dependents(ctx, in.Path)
		}
	}
	return nil
}

// noteEdit notes which overlay or override an outcome is about that follows the last good one. Other files cannot
// change or remove documents, and an outcome takes much memory. The caller holds the lock.
func (v *View) noteEdit(out *Outcome) {
	if v.good == nil || v.good == out {
		return
	}
	overrides := v.changedOverrides(v.good.Snapshot, out.Snapshot)
	switch changed := append(changedInputs(v.good.inputs, out.inputs), overrides...); {
	case len(changed) == 0 || len(changed) == 1 && changed[0] == v.edited:
	case len(changed) == 1 && (len(overrides) == 1 || hasOverlays(out.inputs[changed[0]].File)):
		v.edited, v.before = changed[0], v.good
	default:
		v.edited, v.before = "", nil
	}
}

// changedOverrides returns the paths of open files with overrides that are not the same in two snapshots.
func (v *View) changedOverrides(a, b *Snapshot) (paths []string) {
	for path := range b.open {
		if _, ok := v.overrides(path); !ok {
			continue
		}
		if was := a.Document(path); was == nil || !was.File().SameText(b.Document(path).File()) {
			paths = append(paths, path)
		}
	}
	return paths
}

// hasOverlays reports whether a text may have overlays. f may be nil.
func hasOverlays(f *source.File) bool {
	return f != nil && bytes.Contains(f.Data(), []byte("@overlay/"))
}

// changedInputs returns the paths of up to two files that are not the same in two evaluations.
func changedInputs(a, b map[string]load.Input) (paths []string) {
	for path, in := range b {
		if was, ok := a[path]; len(paths) < 2 && (!ok || !was.File.SameText(in.File)) {
			paths = append(paths, path)
		}
	}
	for path := range a {
		if _, ok := b[path]; len(paths) < 2 && !ok {
			paths = append(paths, path)
		}
	}
	return paths
}
