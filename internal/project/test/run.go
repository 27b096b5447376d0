package test

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"weft/internal/engine"
	"weft/internal/engine/cover"
	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/origin/blame"
	"weft/internal/project"
	"weft/internal/project/fleet"
)

// Options configures Run. The public API documents the fields.
type Options struct {
	fleet.Options
	Project      *project.Description   // nil without a project
	Given        func(flag string) bool // as in fleet.Environment
	Files        []string
	AllowOutside []string
	Environments []string
	Run          *regexp.Regexp
	Update       bool
	Measure      bool // measure coverage
	// LeftOut are the places of overlays that are not applied, by environment: see engine.Config.Without.
	LeftOut map[string][]string
}

// Run runs tests: it renders the configuration for each of them, and compares the result with what
// the test expects. Inputs are read and compiled once for all tests that share them. Every test runs,
// even if others fail. The error is about the test files: that they are wrong, that there is no test,
// or that nothing can be rendered.
func Run(ctx context.Context, opts Options) (*Report, error) {
	t := runner{opts: opts, files: &source.Set{}, scripts: map[string]*testScript{}}
	if opts.Measure {
		t.cover, t.opts.Cache = &cover.Recorder{}, nil
	}
	if err := t.gather(); err != nil {
		if f, ok := errors.AsType[*diag.Failure](err); ok {
			return nil, f
		}
		return nil, &diag.Failure{Files: t.files, List: diag.Of(err)}
	}
	runs, err := t.runs()
	if err != nil {
		return nil, err
	}
	out := &Report{Outcomes: make([]Outcome, len(t.cases))}
	done := make([]bool, len(t.cases))
	for i := range t.cases {
		out.Outcomes[i] = t.cases[i].outcome()
	}
	err = fleet.RenderAll(ctx, fleet.RunsOf(runs), func(i int, r fleet.Rendered) {
		t.judge(ctx, &t.cases[i], r, &out.Outcomes[i])
		done[i] = true
	})
	if ctx.Err() != nil {
		return nil, err
	}
	if err := t.shared(ctx, err, done, out); err != nil {
		return nil, err
	}
	t.measure(out)
	t.printLines(out)
	if err := t.write(ctx, out); err != nil {
		return nil, err
	}
	return out, t.trace(ctx, out)
}

// runner runs tests.
type runner struct {
	opts  Options
	files *source.Set // the test files
	cases []testCase

	cover *cover.Recorder // nil unless coverage is measured

	mu      sync.Mutex // guards the following fields
	scripts map[string]*testScript
}

// testScript is a file of functions that check documents. It is evaluated once.
type testScript struct {
	once   sync.Once
	script *engine.Script
	err    error
}

// shared handles an error of all cases. If a case expects an error, it is the outcome of each case;
// otherwise nothing was tested.
func (t *runner) shared(ctx context.Context, err error, done []bool, out *Report) error {
	if err == nil {
		return nil
	}
	expected := slices.ContainsFunc(t.cases, func(c testCase) bool { return c.test.Error != nil })
	if !expected {
		return err
	}
	for i := range t.cases {
		if !done[i] {
			t.judge(ctx, &t.cases[i], fleet.Rendered{Err: err}, &out.Outcomes[i])
		}
	}
	return nil
}

// judge compares the output with what a case expects.
func (t *runner) judge(ctx context.Context, c *testCase, r fleet.Rendered, o *Outcome) {
	o.Took = r.Took
	c.prints = r.Prints
	e := diag.FailureOf(r.Err)
	switch {
	case c.test.Error != nil && e != nil:
		o.Failures = c.suite.CheckError(c.test.Error, e.Files, e.List)
		return
	case c.test.Error != nil:
		o.Failures = c.suite.CheckError(c.test.Error, nil, nil)
		return
	case e != nil:
		o.Error = rendered(e)
		return
	}
	docs := renderedDocuments(r.Result)
	secret.HideData(ctx, docs.Docs)
	o.Failures = c.suite.Check(c.test, docs)
	if c.test.Star != nil {
		t.call(ctx, c, docs, o)
	}
	if c.golden != "" {
		t.compare(c, r.Result, docs, o)
	}
}

// rendered returns an error for people, without its warnings.
func rendered(f *diag.Failure) string {
	list := f.List
	if list.Failed() {
		list = list.Errors()
	}
	var b strings.Builder
	_ = diag.Render(&b, f.Files, list, diag.RenderOptions{}) // writing to a builder cannot fail
	return b.String()
}

// renderedDocuments returns the documents of a result for tests.
func renderedDocuments(r *fleet.Result) *Rendered {
	docs := make([]tree.Doc, 0, len(r.Docs))
	for _, d := range r.Docs {
		if !d.Value.Empty() {
			docs = append(docs, d)
		}
	}
	var rules secret.Rules
	rules.Hide(slices.Clone(r.Secrets))
	return &Rendered{Docs: docs, Files: r.Result.Files, Secrets: rules}
}

// call calls the function of a test with the documents.
func (t *runner) call(ctx context.Context, c *testCase, r *Rendered, o *Outcome) {
	s := t.script(ctx, c)
	err := s.err
	if err == nil {
		var prints []string
		prints, err = s.script.Call(ctx, c.test.Star.Call.Text, r.Docs)
		c.prints = append(c.prints, prints...)
	}
	if err != nil {
		o.Error = rendered(diag.FailureOf(err))
	}
}

// script returns the script of a test, evaluated.
func (t *runner) script(ctx context.Context, c *testCase) *testScript {
	path := c.path(c.test.Star.File.Text)
	t.opts.ReportRead(path)
	t.mu.Lock()
	s := t.scripts[path]
	if s == nil {
		s = &testScript{}
		t.scripts[path] = s
	}
	t.mu.Unlock()
	s.once.Do(func() { s.script, s.err = engine.OpenScript(ctx, c.options.Config(), path) })
	return s
}

// printLines passes on what templates and scripts printed, in the order of the tests.
func (t *runner) printLines(out *Report) {
	if t.opts.Print == nil {
		return
	}
	for i := range t.cases {
		for _, line := range t.cases[i].prints {
			t.opts.Print(out.Outcomes[i].Title() + ": " + line)
		}
	}
}

// maxTraced is the maximum number of failed cases that are rendered again to find the origins of
// values.
const maxTraced = 20

// trace finds the origins of unexpected values: it renders their cases again, with tracing, so that
// passing tests do not pay for it.
func (t *runner) trace(ctx context.Context, out *Report) error {
	traced := 0
	for i := range t.cases {
		list := out.Outcomes[i].Failures
		wanted := func(f Failure) bool { return f.Doc >= 0 }
		if !slices.ContainsFunc(list, wanted) || traced == maxTraced {
			continue
		}
		traced++
		report, err := t.cases[i].report(ctx)
		if err != nil {
			return err
		}
		for j := range list {
			if f := &list[j]; f.Doc >= 0 && report != nil {
				if s := report.Source(f.Doc, f.ValuePath); s != "" {
					f.Found = s
				}
			}
		}
	}
	return nil
}

// report renders a case again and returns the origins of its values, or nil if that fails.
func (c *testCase) report(ctx context.Context) (report *blame.Report, err error) {
	config := c.options.Config()
	config.Origins, config.Cover = true, nil
	config.Debug, config.Values.Project = nil, nil
	s, err := engine.Open(ctx, config)
	if err != nil {
		return nil, ctx.Err()
	}
	env := engine.Environment{
		Name: c.env, Project: c.options.Layers, Test: c.options.Test,
	}
	err = s.Fleet(ctx, engine.Request{}, 1, func(int) (engine.Environment, error) { return env, nil },
		func(_ int, r engine.Rendered) {
			if r.Err == nil {
				res := r.Result
				in := blame.Input{
					Docs: res.Docs, Files: res.Files, Origins: res.Origins,
				}
				in.Secrets.Hide(slices.Clone(res.Secrets))
				report = blame.New(in)
			}
		})
	if err != nil && !errors.Is(err, ctx.Err()) {
		err = nil // rendering succeeded the first time
	}
	return report, err
}

// compare compares the documents with a golden file.
func (t *runner) compare(c *testCase, r *fleet.Result, docs *Rendered, o *Outcome) {
	t.opts.ReportRead(c.golden)
	data, err := readGolden(c.golden)
	var list []Failure
	switch {
	case err != nil:
		list = []Failure{{At: c.golden, Doc: -1, Message: "cannot be read: " + reason(err)}}
	case data == nil:
		list = []Failure{{
			At: c.suite.Where(c.test.Golden.At), Doc: -1,
			Message: "golden file '" + c.golden + "' does not exist; weft test --update writes it",
		}}
	default:
		g, err := ReadGolden(c.golden, data, c.options.Syntax())
		if err != nil {
			o.Error = rendered(&diag.Failure{Files: g.Files, List: diag.Of(err)})
			return
		}
		list = g.Compare(docs, c.options.Syntax())
	}
	if !t.opts.Update || list == nil || err != nil {
		o.Failures = append(o.Failures, list...)
		return
	}
	var b bytes.Buffer
	if _, err := r.WriteTo(&b); err != nil {
		o.Error = err.Error()
		return
	}
	c.update, c.was = b.Bytes(), data
}
