package weft

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strconv"

	"weft/internal/check/lint"
	"weft/internal/engine"
	"weft/internal/engine/shortcut"
)

// LintOptions configures Lint and LintFix.
type LintOptions struct {
	// Static checks the files without evaluating them.
	Static bool

	// Rules are the values of --rule, CODE=LEVEL; the last one for a code wins. The levels are error,
	// warning, info and off.
	Rules []string

	// Paths are settings for some files; the last one that matches a file wins.
	Paths []LintPath

	// All includes findings of the level info.
	All bool

	// Select are the documents of the output that findings are about, such as Deployment/web; any of them
	// may match. A finding is about a document if it is on a line that produces it. Without any, all
	// findings are reported.
	Select []string
}

// LintPath configures the linter for some files.
type LintPath struct {
	Pattern string   // pattern of paths as messages show them, such as vendor/**
	Rules   []string // as in LintOptions; none means that nothing is reported
}

// LintReport has the findings of Lint.
type LintReport struct{ report lint.Report }

// Finding is one finding. As JSON it is what the command prints with -o json.
type Finding struct {
	Diagnostic        // Severity is error, warning or info
	Safe       bool   `json:"safe,omitempty"` // the fix does not change the meaning
	Doc        string `json:"doc,omitempty"`  // the page about the rule, in docs/lint
}

// SeverityInfo is the severity of findings that are suggestions.
const SeverityInfo Severity = "info"

// Lint checks the files of a configuration, which is rendered for one or more environments. A finding
// about something that never happens means that it happens in none of them. Errors of a run are
// findings too.
//
// If the files cannot be checked, Lint returns an error and no report. If only those of some environments
// cannot, or Kubernetes schemas cannot be found, it returns an error and a report with all other findings.
func Lint(ctx context.Context, envs []Options, what LintOptions) (*LintReport, error) {
	report, err := runLint(ctx, envs, what)
	if report == nil {
		return nil, err
	}
	return &LintReport{*report}, err
}

func runLint(ctx context.Context, envs []Options, what LintOptions) (*lint.Report, error) {
	l, err := lint.New(what.options())
	if err != nil {
		return nil, ErrorOf(err)
	}
	list := make([]lint.Environment, len(envs))
	for i := range envs {
		list[i] = envs[i].options().Linting()
		if err := list[i].Schemas.Check(); err != nil {
			return nil, public(err)
		}
	}
	tally := &shortcut.Tally{}
	ctx = shortcut.WithTally(ctx, tally)
	var failed error // why documents could not be checked against schemas
	var unchecked []error
	for i, env := range list {
		s, err := envs[i].options().Session(ctx, "lint", lint.Config(env.Config, what.Static))
		if ctx.Err() != nil {
			return nil, cmp.Or(public(err), ctx.Err())
		}
		if err != nil {
			unchecked = append(unchecked, &lint.Unchecked{Index: i, Err: public(err)})
			continue
		}
		var res *engine.Result
		if !what.Static {
			in := shortcut.InEnvironment(ctx, strconv.Itoa(i))
			res, err = s.Evaluate(in, engine.Request{Explain: true, Print: envs[i].Observe.Print})
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		err = l.Add(ctx, env, s, res, err)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failed = cmp.Or(failed, public(err))
	}
	switch {
	case len(envs) == 1 && len(unchecked) == 1:
		return nil, errors.Unwrap(unchecked[0])
	case len(unchecked) == len(envs):
		return nil, errors.Join(unchecked...)
	case len(unchecked) > 0:
		failed = errors.Join(unchecked...) // which selectors are unused is not known, either
	default:
		if err := l.Unused(); err != nil {
			return nil, public(err)
		}
	}
	l.Everywhere(tally.Unmatched())
	return l.Report(), failed
}

// options returns the options in the form of the linter.
func (o LintOptions) options() lint.Options {
	opt := lint.Options{Static: o.Static, Rules: o.Rules, All: o.All, Select: o.Select}
	for _, p := range o.Paths {
		opt.Paths = append(opt.Paths, lint.PathRules(p))
	}
	return opt
}

// Findings returns the findings, for programs.
func (l *LintReport) Findings() []Finding {
	var list []Finding
	for _, f := range l.report.Found {
		d := diagnostic(f.Files, f.Diagnostic)
		d.Severity = Severity(f.Level.String())
		out := Finding{Diagnostic: d, Safe: f.Safe && d.Fix != nil}
		if _, ok := lint.Find(d.Code); ok {
			out.Doc = "docs/lint/" + d.Code + ".md"
		}
		list = append(list, out)
	}
	return list
}

// Failed reports whether a finding is more than a suggestion.
func (l *LintReport) Failed() bool { return l.report.Failed() }

// Write writes the findings as Text, as Messages.Render prints errors.
func (l *LintReport) Write(w io.Writer, how ReportOptions) error {
	return how.write(w, writers{Text: func(w io.Writer) error { return l.report.WriteText(w, how.Color) }})
}

// WriteBaseline writes the findings as a file of known findings, and returns their number.
func (l *LintReport) WriteBaseline(w io.Writer) (int, error) { return l.report.WriteBaseline(w) }

// Without returns the findings that are not in a baseline: a file that WriteBaseline wrote, with its
// name for messages. A finding is identified by its rule, its file and the text of its line, so that
// lines may move.
func (l *LintReport) Without(name string, baseline []byte) (*LintReport, error) {
	known, err := lint.ParseBaseline(name, baseline)
	if err != nil {
		return nil, ErrorOf(err)
	}
	return &LintReport{*l.report.Without(known)}, nil
}
