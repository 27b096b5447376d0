package lint

import (
	"cmp"
	"context"
	"slices"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/keep"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
)

// Options configures a Linter.
type Options struct {
	Static bool        // check only the files, and evaluate nothing
	Rules  []string    // CODE=LEVEL; the last one for a code wins
	Paths  []PathRules // the last one that matches a file wins
	All    bool        // include findings of the level info
	Select []string    // only findings about these documents of the output

	// Cache keeps schemas for later linters. It may be nil.
	Cache *SchemaCache
}

// Environment is the evaluation of an environment, and the schemas for its documents.
type Environment struct {
	engine.Config
	Schemas Schemas
}

// Config returns the configuration of a session whose evaluations a linter can check.
func Config(config engine.Config, static bool) engine.Config {
	config.WarnUnused, config.Origins = true, !static
	config.Warnings = engine.WarningsOn
	return config
}

// Unchecked is the error of an environment that could not be checked: its files cannot be read.
type Unchecked struct {
	Index int // among the environments
	Err   error
}

func (e *Unchecked) Error() string { return e.Err.Error() }

func (e *Unchecked) Unwrap() error { return e.Err }

// Linter checks environments one after another.
type Linter struct {
	options Options
	levels  *levelSet
	seen    seen
	chosen  selection
	failed  bool // an environment could not be rendered
	sets    map[*diag.Diagnostic]*source.Set

	inputs []load.Input // the inputs of the last environment
	files  []*compile.Analysis
	read   readFiles
	last   *Seen

	schemas   openSchemas // schemas by version and locations
	validates bool        // the documents of some environment are checked against schemas
}

// New returns a linter without findings.
func New(opt Options) (*Linter, error) {
	levels, err := opt.levels()
	if err != nil {
		return nil, err
	}
	any, err := selector.ParseAll("--select", opt.Select)
	if err != nil {
		return nil, err
	}
	if opt.Cache == nil {
		opt.Cache = &SchemaCache{}
	}
	chosen := selection{any: any, used: make([]bool, len(any)), lines: map[fileLine]bool{}}
	return &Linter{
		options: opt, levels: levels, chosen: chosen,
		sets: map[*diag.Diagnostic]*source.Set{}, schemas: openSchemas{},
	}, nil
}

// Add adds the findings of an environment: about its files, and about an evaluation with explained
// overlays, or its failure. res is nil if nothing was evaluated. The error is why documents could
// not be checked against Kubernetes schemas; all other findings are added.
func (l *Linter) Add(
	ctx context.Context, env Environment, s *engine.Session, res *engine.Result, failed error,
) (err error) {
	project := FileSet{
		Files:         l.analyse(ctx, s),
		PlainComments: env.plainComments(),
		Vendored:      env.Load.Libraries,
	}
	rest, declaring := l.factsOf(project)
	x := begin(s, group{rest, s.Files()}, group{declaring, s.Files()})
	l.last = nil
	switch {
	case failed != nil:
		l.failed = true
		f := diag.FailureOf(failed)
		x.found, x.files = append(x.found, f.List...), cmp.Or(f.Files, x.files)
	case res == nil:
		for _, a := range project.Files {
			x.found = append(append(x.found, a.Errors...), a.Warnings...)
		}
	default:
		l.chosen.add(res.Docs, res.Origins, x.files)
		x.found = append(x.found, res.Warnings...)
		x.found = append(x.found, valuesOf(res.Origins)...)
		shown := evaluated(project, res.Docs, res.Steps, res.Origins)
		x.found = append(x.found, shown...)
		var more diag.List
		more, x.files, err = l.validate(&env, res)
		x.found = append(x.found, more...)
		l.noteSeen(env, res, shown, rest)
	}
	x.rest.set = x.files // the session's own files, which hide the secrets of this evaluation
	l.end(x)
	return err
}

// plainComments reports whether a comment may begin with `#` alone.
func (e *Environment) plainComments() bool {
	return e.Compile.KnownAnnotations || e.Keep&keep.Comments != 0
}

// added is an environment that is added to a linter.
type added struct {
	inputs  []load.Input
	files   *source.Set
	ignores *ignores

	declaring group // the files that only declare data values
	rest      group

	kept  diag.List // findings in the rest, which may be files of an earlier session
	found diag.List
}

// group is the facts of some files, and the set of files that their findings point into.
type group struct {
	*facts
	set *source.Set
}

// begin begins to add an environment, with the findings that need no evaluation.
func begin(s *engine.Session, rest, declaring group) *added {
	x := &added{inputs: s.Inputs(), files: declaring.set, rest: rest, declaring: declaring}
	x.ignores = rest.ignores.in(rest.set).join(declaring.ignores.in(declaring.set))
	x.kept, x.found = together(rest.facts, declaring.facts)
	x.found = append(x.found, portableShortcuts(s)...)
	return x
}

// end adds an environment with all its findings. others are findings in files of an earlier session.
func (l *Linter) end(x *added, others ...diag.Failure) {
	if !l.options.Static {
		found := slices.Concat(x.kept, x.found)
		x.kept = append(x.kept, unread(x.rest.errors, found, x.rest.set)...) // the others have no errors
	}
	groups := []diag.Failure{{Files: x.rest.set, List: x.kept}, {Files: x.files, List: x.found}}
	groups = append(groups, others...)
	for i := range groups {
		g := &groups[i]
		g.List = g.List.Opened(g.Files)
		for _, d := range g.List {
			l.sets[d] = g.Files
		}
	}
	if l.seen.ignores != nil {
		x.ignores = x.ignores.join(l.seen.ignores)
	}
	l.seen.ignores = x.ignores
	l.seen.add(x, groups)
}

// unread returns the errors in files that a run did not report, because it ended early or because
// no template uses their library. A file in which the run has reported an error is left out: the run
// knows more than the analysis of the file.
func unread(errors, found diag.List, files *source.Set) diag.List {
	reported := map[*source.File]bool{}
	for _, d := range found {
		if d.Severity == diag.Error {
			reported[files.File(d.At.Pos)] = true
		}
	}
	var more diag.List
	for _, d := range errors {
		if !reported[files.File(d.At.Pos)] {
			more = append(more, d)
		}
	}
	return more
}

// analyse returns the analyses of the files of a session. Environments of one project share their
// files.
func (l *Linter) analyse(ctx context.Context, s *engine.Session) []*compile.Analysis {
	if l.files == nil || !slices.Equal(l.inputs, s.Inputs()) {
		l.inputs, l.files = s.Inputs(), s.Analyse(ctx)
	}
	return l.files
}

// readFiles is the facts of the files that only declare data values, and of the rest.
type readFiles struct {
	of              FileSet
	rest, declaring *facts
}

// factsOf returns the facts of files. Environments of one project share their files.
func (l *Linter) factsOf(p FileSet) (rest, declaring *facts) {
	if was := l.read.of; was.Files == nil || was.PlainComments != p.PlainComments ||
		!slices.Equal(was.Files, p.Files) || !slices.Equal(was.Vendored, p.Vendored) {
		declaring, rest := engine.Declaring(p.Files)
		l.read = readFiles{p, readFacts(p, rest), readFacts(p, declaring)}
	}
	return l.read.rest, l.read.declaring
}

// Unused returns an error about a selector that selects no document in any environment, or nil. It is not
// known if an environment could not be rendered.
func (l *Linter) Unused() error {
	if l.failed {
		return nil
	}
	return l.chosen.unused()
}

// Everywhere adds findings about all environments together, in the place of those about single ones with the
// same code and place.
func (l *Linter) Everywhere(list []*diag.Failure) {
	for _, f := range list {
		for _, d := range f.List {
			l.sets[d] = f.Files
			l.seen.instead(f.Files, d)
		}
	}
}

// Report returns the findings of all environments.
func (l *Linter) Report() *Report {
	out := &Report{}
	ignores := l.seen.ignores
	if ignores == nil {
		return out
	}
	add := func(d *diag.Diagnostic, files *source.Set) {
		if f, ok := l.finding(d, files); ok {
			out.Found = append(out.Found, f)
		}
	}
	for _, d := range l.seen.all() {
		add(d, l.sets[d])
	}
	for _, d := range ignores.unused(l.checks) {
		add(d, ignores.set(d))
	}
	return out
}

// finding returns a finding. It returns false if it is not to be shown.
func (l *Linter) finding(d *diag.Diagnostic, files *source.Set) (Finding, bool) {
	name, line := "", 0
	if f := files.File(d.At.Pos); f != nil {
		name, line = f.Shown(), f.Line(d.At.Offset())
	}
	level := l.levels.of(d, name)
	r, _ := Find(string(d.Code))
	return Finding{d, level, files, r.Fix == SafeFix},
		level != Off && !l.seen.ignores.hides(name, line, d.Code) && (level != Info || l.options.All) &&
			l.chosen.has(d, files)
}

// checks reports whether the linter checks a rule.
func (l *Linter) checks(code diag.Code) bool {
	r, ok := Find(string(code))
	return ok && (!l.options.Static || r.Needs == Text) && (l.validates || !r.Validates)
}
