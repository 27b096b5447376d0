package mcp

import (
	"context"
	"slices"
	"strings"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/project/test"
)

// check lints the files and runs the tests.
func check(ctx context.Context, args *arguments) (*report, error) {
	p, err := args.open(ctx)
	if err != nil {
		return nil, err
	}
	names := []string{args.Environment}
	if p != nil && args.Environment == "" && len(p.Names()) > 0 {
		names = p.Names()
	}
	found, err := lint(ctx, args, p, names)
	if err != nil || p == nil {
		return found, err
	}
	tested, err := runTests(ctx, args, p)
	if err != nil {
		f := failure(ctx, err)
		tested = &report{summary: "the tests: " + f.summary, data: f.data, failed: true}
	}
	return &report{
		summary: found.summary + "; " + tested.summary, data: found.data + tested.data,
		failed: found.failed || tested.failed,
	}, nil
}

// lint returns the findings of the linter. What could not be checked is an error of the report.
func lint(ctx context.Context, args *arguments, p *weft.Project, names []string) (*report, error) {
	var what weft.LintOptions
	if p != nil {
		what = p.LintSettings(what)
	}
	var envs []weft.Options
	note := ""
	var refused *report
	for _, name := range names {
		s, err := args.sceneOf(p, name, "")
		if err != nil { // the others can be checked
			f := failure(ctx, err)
			if refused == nil {
				refused = f
			} else {
				refused.data += f.data
			}
			continue
		}
		s.Warnings, note = weft.WarningsOn, s.note
		envs = append(envs, s.Options)
	}
	if len(envs) == 0 {
		return refused, nil
	}
	l, wrong := weft.Lint(ctx, envs, what)
	if l == nil {
		return nil, wrong
	}
	if slices.ContainsFunc(l.Findings(), func(f weft.Finding) bool { return isUnread(f.Code) }) {
		for _, env := range envs { // the finding has no files
			if _, err := weft.Render(ctx, env); err != nil {
				hideUnread(ctx, diag.FailureOf(weft.ErrorOf(err)))
			}
		}
	}
	text, err := written(l, weft.ReportOptions{})
	if err != nil {
		return nil, err
	}
	r := &report{summary: "lint: " + diag.Count(len(l.Findings()), "finding") + note, data: forAgents(text)}
	if wrong != nil {
		f := failure(ctx, wrong)
		r.summary, r.data, r.failed = r.summary+", and "+f.summary, f.data+r.data, true
		r.place = f.place
	}
	if refused != nil {
		r.summary, r.data, r.failed = r.summary+"; an environment cannot be checked", refused.data+r.data, true
	}
	return r, nil
}

// runTests runs the tests of a project, and returns those that fail.
func runTests(ctx context.Context, args *arguments, p *weft.Project) (*report, error) {
	what := weft.TestOptions{Project: p, Options: weft.Options{Warnings: weft.WarningsOff}}
	if args.Environment != "" {
		what.Environments = []string{args.Environment}
	}
	t, err := weft.Test(ctx, what)
	if err != nil && none(err) {
		return &report{summary: "no tests"}, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := written(t, weft.ReportOptions{Summary: true})
	if err != nil {
		return nil, err
	}
	if t.Failed() == 0 {
		return &report{summary: "all tests pass"}, nil
	}
	return &report{summary: diag.Count(t.Failed(), "test") + " failed", data: forAgents(strings.TrimLeft(text, "\n"))}, nil
}

// none reports whether an error means that there are no tests.
func none(err error) bool {
	return !slices.ContainsFunc(weft.ErrorOf(err).Diagnostics(), func(d weft.Diagnostic) bool {
		return d.Code != string(test.CodeNone)
	})
}
