package weft

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/check/lint"
	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// LintOptions say how files are looked at.
type LintOptions struct {
	// Static looks at the files alone and evaluates nothing.
	Static bool

	// Rules are the values of --rule, CODE=LEVEL; the last one for a code counts. The levels are
	// error, warning, info and off.
	Rules []string

	// Paths are settings for some files; the last one that matches a file counts.
	Paths []LintPath

	// All includes findings of the level info.
	All bool

	// Cache, if not nil, keeps the schemas that were read, for linters that come later.
	Cache *SchemaCache
}

// LintPath is settings of the linter for some files.
type LintPath struct {
	Pattern string   // of paths as messages show them, such as vendor/**
	Rules   []string // as in LintOptions; none means that nothing is reported
}

// LintRule describes a rule.
type LintRule struct {
	Code  string   `json:"code"`
	Level string   `json:"level"` // unless LintOptions choose another: error, warning, info or off
	Needs string   `json:"needs"` // what it looks at: files, a run, or all environments
	Fix   string   `json:"fix"`   // whether it can be fixed: no, yes, or unsafe
	Also  []string `json:"also,omitempty"`
}

// LintRules returns all rules, sorted by their codes.
func LintRules() []LintRule {
	var list []LintRule
	for _, r := range lint.Rules() {
		list = append(list, LintRule{
			string(r.Code), r.Level().String(), r.Needs.String(), r.Fix.String(), r.Also,
		})
	}
	return list
}

// LintRuleNamed returns the code of the rule with a name, which may be an older name of it.
func LintRuleNamed(name string) (string, error) {
	r, ok := lint.Find(name)
	if !ok {
		d := diag.Failf(lint.CodeRule, "there is no rule '%s'", name)
		if _, known := diag.About(diag.Code(name)); known {
			d.WithHint("it is a message of other commands: weft help %s", name)
		} else if near := diag.Nearest(name, lint.Names()); near != "" {
			d.WithHint("did you mean %s?", near)
		} else {
			d.WithHint("weft lint --list lists the rules")
		}
		return "", ErrorOf(d)
	}
	return string(r.Code), nil
}

// Linted is what was found.
type Linted struct{ found []finding }

// finding is one finding, and the files that its places point into.
type finding struct {
	*diag.Diagnostic
	level lint.Level
	files *source.Set
	safe  bool
}

// Finding is one finding. As JSON it is what the command prints with -o json.
type Finding struct {
	Diagnostic        // Severity is error, warning or info
	Safe       bool   `json:"safe,omitempty"` // the fix leaves the meaning as it is
	Doc        string `json:"doc,omitempty"`  // the page about the rule, in docs/lint
}

// SeverityInfo is the severity of findings that are suggestions.
const SeverityInfo Severity = "info"

// Lint looks at the files of a configuration that is rendered in one way or in several, its
// environments. It reports what never happens only if it happens in none of them. What keeps a run
// from succeeding is a finding too. The error says why the files could not be looked at; if Linted is
// not nil, only the schemas of Kubernetes are missing, and it has all other findings.
func Lint(ctx context.Context, envs []Options, what LintOptions) (*Linted, error) {
	l, err := NewLinter(what)
	if err != nil {
		return nil, err
	}
	for i := range envs {
		if err := envs[i].Validate.check(); err != nil {
			return nil, err
		}
	}
	for i := range envs {
		if err := l.run(ctx, envs[i]); err != nil {
			return nil, err
		}
	}
	return l.Linted(), l.failed
}

// Linter looks at environments one after another, for commands that evaluate by themselves: see
// Options.Pipeline.
type Linter struct {
	what   LintOptions
	levels *lintLevels
	seen   lint.Seen
	sets   map[*diag.Diagnostic]*source.Set

	inputs []load.Input // of the last environment
	files  []*compile.Analysis

	schemas   openSchemas // by what options say of them
	validates bool        // some environment is held to schemas
	failed    error       // why one could not be
}

// NewLinter returns a linter that has seen nothing yet.
func NewLinter(what LintOptions) (*Linter, error) {
	levels, err := what.levels()
	if err != nil {
		return nil, err
	}
	if what.Cache == nil {
		what.Cache = &SchemaCache{}
	}
	return &Linter{
		what: what, levels: levels, sets: map[*diag.Diagnostic]*source.Set{},
		schemas: openSchemas{},
	}, nil
}

// open makes of a zero linter one that has seen nothing yet.
func (l *Linter) open() {
	if l.levels == nil {
		empty, _ := NewLinter(LintOptions{}) // without rules, none can be wrong
		*l = *empty
	}
}

// LintConfig is the configuration of a session whose evaluations a linter can look at.
func LintConfig(config engine.Config, static bool) engine.Config {
	config.WarnUnused, config.Origins = true, !static
	config.Warnings = engine.WarningsOn
	return config
}

// run evaluates an environment and adds what it shows.
func (l *Linter) run(ctx context.Context, opts Options) error {
	s, err := opts.session(ctx, "lint", LintConfig(opts.config(), l.what.Static))
	if err != nil {
		return public(err)
	}
	var made *engine.Result
	if !l.what.Static {
		made, err = s.Evaluate(ctx, engine.Request{Explain: true, Print: opts.Print})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := l.Add(ctx, opts, s, made, err); l.failed == nil {
		l.failed = err
	}
	return ctx.Err()
}

// Add adds what an environment shows: its files, and what an evaluation made that explains what
// overlays did, or why it failed. Made is nil if nothing was evaluated. The error says why documents
// could not be held to schemas of Kubernetes; all else is added.
func (l *Linter) Add(
	ctx context.Context, opts Options, s *engine.Session, made *engine.Result, failed error,
) (err error) {
	l.open()
	project := lint.Project{
		Files:         l.analyse(ctx, s),
		PlainComments: opts.Edition == Edition2026 || opts.Keep&KeepComments != 0,
	}
	files := s.Files()
	ignores, found := lint.ReadIgnores(project.Files, files)
	found = append(found, lint.Static(project)...)
	switch {
	case failed != nil:
		e := ErrorOf(public(failed))
		found = append(found, e.list...)
		if e.files != nil {
			files = e.files
		}
	case made == nil:
		for _, a := range project.Files {
			found = append(append(found, a.Errors...), a.Warnings...)
		}
	default:
		found = append(found, made.Warnings...)
		found = append(found, lint.Evaluated(project, made.Docs, made.Steps, made.Origins)...)
		var more diag.List
		more, files, err = l.validate(opts, made)
		found = append(found, more...)
	}
	if !l.what.Static {
		found = append(found, unread(project.Files, found, files)...)
	}
	for _, d := range found {
		l.sets[d] = files
	}
	if l.seen.Ignores != nil {
		ignores = ignores.Join(l.seen.Ignores)
	}
	l.seen.Ignores = ignores
	l.seen.Add(files, found)
	return err
}

// unread are the errors in files about which a run says nothing, because it ended before or because
// no template uses their library. Where a run does say something, it knows better than the file.
func unread(list []*compile.Analysis, found diag.List, files *source.Set) diag.List {
	told := map[*source.File]bool{}
	for _, d := range found {
		if d.Severity == diag.Error {
			told[files.File(d.At.Pos)] = true
		}
	}
	var more diag.List
	for _, a := range list {
		for _, d := range a.Errors {
			if !told[files.File(d.At.Pos)] {
				more = append(more, d)
			}
		}
	}
	return more
}

// analyse tells what the files of a session say. Environments that are siblings have the same ones.
func (l *Linter) analyse(ctx context.Context, s *engine.Session) []*compile.Analysis {
	if l.files == nil || !slices.Equal(l.inputs, s.Inputs()) {
		l.inputs, l.files = s.Inputs(), s.Analyse(ctx)
	}
	return l.files
}

// Linted returns what was found in all environments together.
func (l *Linter) Linted() *Linted {
	out := &Linted{}
	ignores := l.seen.Ignores
	if ignores == nil {
		return out
	}
	for _, d := range l.seen.Found() {
		out.add(d, l.sets[d], l.levels, l.what.All, ignores)
	}
	for _, d := range ignores.Unused(l.looksFor) {
		out.add(d, ignores.Set(d), l.levels, l.what.All, ignores)
	}
	return out
}

// lintLevels are the levels of rules: those of a file, or of all.
type lintLevels struct {
	all    map[diag.Code]lint.Level
	chosen map[diag.Code]bool // those whose level the options say
	paths  []pathLevels
}

type pathLevels struct {
	pattern string
	own     map[diag.Code]lint.Level // nil: nothing is reported
}

// levels are the levels of the rules.
func (o LintOptions) levels() (*lintLevels, error) {
	levels := &lintLevels{all: map[diag.Code]lint.Level{}, chosen: map[diag.Code]bool{}}
	for _, r := range lint.Rules() {
		levels.all[r.Code] = r.Level()
	}
	own := map[diag.Code]lint.Level{}
	if err := setLevels(own, o.Rules); err != nil {
		return nil, err
	}
	for code, level := range own {
		levels.all[code], levels.chosen[code] = level, true
	}
	for _, p := range o.Paths {
		own := pathLevels{pattern: p.Pattern}
		if len(p.Rules) > 0 {
			own.own = map[diag.Code]lint.Level{}
			if err := setLevels(own.own, p.Rules); err != nil {
				return nil, err
			}
		}
		levels.paths = append(levels.paths, own)
	}
	return levels, nil
}

// setLevels sets the levels of rules: CODE=LEVEL.
func setLevels(levels map[diag.Code]lint.Level, rules []string) error {
	for _, text := range rules {
		name, value, ok := strings.Cut(text, "=")
		level, known := lint.ParseLevel(value)
		if !ok || !known {
			return ErrorOf(diag.Failf(lint.CodeRule, "expected CODE=LEVEL with one of the levels %s, "+
				"but found '%s'", strings.Join(lint.Levels(), ", "), text))
		}
		code, err := LintRuleNamed(name)
		if err != nil {
			return err
		}
		levels[diag.Code(code)] = level
	}
	return nil
}

// of is how grave a finding in a file is. What is no rule has the level of its severity.
func (l *lintLevels) of(d *diag.Diagnostic, file string) lint.Level {
	level, ok := l.all[d.Code]
	switch {
	case ok && (d.Severity != diag.Error || l.chosen[d.Code]):
	case d.Severity == diag.Error: // a run that fails is more than a suggestion
		level = lint.Error
	default:
		level = lint.Warning
	}
	if level == lint.Warning && !l.chosen[d.Code] && lint.IsVendored(file) {
		level = lint.Info
	}
	for _, p := range l.paths {
		if !load.MatchPath(p.pattern, filepath.ToSlash(file)) {
			continue
		}
		if p.own == nil {
			level = lint.Off
		} else if own, ok := p.own[d.Code]; ok {
			level = own
		}
	}
	return level
}

// looksFor reports whether findings of a rule would have been found.
func (l *Linter) looksFor(code diag.Code) bool {
	r, ok := lint.Find(string(code))
	return ok && (!l.what.Static || r.Needs == lint.Text) && (l.validates || !r.Validates)
}

// add adds a finding, unless nobody wants to see it.
func (l *Linted) add(
	d *diag.Diagnostic, files *source.Set, levels *lintLevels, all bool, ignores *lint.Ignores,
) {
	name, line := "", 0
	if f := files.File(d.At.Pos); f != nil {
		name, line = f.Shown(), f.Line(d.At.Offset())
	}
	level := levels.of(d, name)
	if level == lint.Off || ignores.Hides(name, line, d.Code) || level == lint.Info && !all {
		return
	}
	r, _ := lint.Find(string(d.Code))
	l.found = append(l.found, finding{d, level, files, r.Fix == lint.SafeFix})
}

// Each calls f with what was found, as the packages of weft take it: the level is that which the
// options choose, and safe says that the fix leaves the meaning as it is. The types are internal:
// other programs call Findings.
func (l *Linted) Each(f func(d *diag.Diagnostic, files *source.Set, level lint.Level, safe bool)) {
	for _, x := range l.found {
		f(x.Diagnostic, x.files, x.level, x.safe)
	}
}

// Findings returns what was found, for programs.
func (l *Linted) Findings() []Finding {
	var list []Finding
	for _, f := range l.found {
		d := diagnostics(f.files, diag.List{f.Diagnostic})[0]
		d.Severity = Severity(f.level.String())
		out := Finding{Diagnostic: d, Safe: f.safe && d.Fix != nil}
		if _, ok := lint.Find(d.Code); ok {
			out.Doc = "docs/lint/" + d.Code + ".md"
		}
		list = append(list, out)
	}
	return list
}

// Failed reports whether something was found that is more than a suggestion.
func (l *Linted) Failed() bool {
	return slices.ContainsFunc(l.found, func(f finding) bool { return f.level >= lint.Warning })
}

// WriteText writes the findings for people, as Error.Render prints errors.
func (l *Linted) WriteText(w io.Writer, color bool) error {
	for i, f := range l.found {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		d := *f.Diagnostic
		d.Severity = map[lint.Level]diag.Severity{
			lint.Error: diag.Error, lint.Warning: diag.Warning, lint.Info: diag.Advice,
		}[f.level]
		if err := diag.Render(w, f.files, diag.List{&d}, diag.RenderOptions{Color: color}); err != nil {
			return err
		}
	}
	return nil
}

// Summary counts the findings: "2 errors, 1 warning".
func (l *Linted) Summary() string {
	count := map[lint.Level]int{}
	for _, f := range l.found {
		count[f.level]++
	}
	var parts []string
	for _, level := range []lint.Level{lint.Error, lint.Warning} {
		if n := count[level]; n > 0 {
			parts = append(parts, diag.Count(n, level.String()))
		}
	}
	if n := count[lint.Info]; n > 0 {
		parts = append(parts, diag.Count(n, "suggestion"))
	}
	if len(parts) == 0 {
		return "nothing found"
	}
	return fmt.Sprint(strings.Join(parts, ", "))
}
