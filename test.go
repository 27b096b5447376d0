package weft

import (
	"bytes"
	"context"
	"errors"
	"io"
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
	"weft/internal/project/test"
)

// TestOptions says what Test tests, and how.
type TestOptions struct {
	// Options apply to all tests: those that Project.Options would be given, or the whole
	// configuration if there is no project. Test files, golden files and scripts are on disk.
	Options

	// Project is the project that is tested, or nil.
	Project *Project

	// Files are test files, or directories with files that end in .test.yml. If there are none, they
	// are those of the project.
	Files []string

	// AllowOutside are paths outside of the repository that tests without a project may use. With one,
	// they are those of ProjectOptions.
	AllowOutside []string

	// Environments are those of the project that tests run in; nil means all of them. A test without
	// envs is for the default environment alone, here too.
	Environments []string

	// Run selects tests by their titles, such as "production [prod]"; nil means all of them.
	Run *regexp.Regexp

	// Update writes golden files that are missing or differ.
	Update bool

	// Coverage measures what the tests that run cover: see Tested.Coverage. What an earlier run left in
	// Options.Cache is not used then: it would hide what this one executes.
	Coverage bool
}

// Tested is the outcome of tests. It can be written any number of times.
type Tested struct {
	report   test.Report
	coverage *Coverage
}

// Coverage returns what the tests cover, or nil if that was not asked for.
func (t *Tested) Coverage() *Coverage { return t.coverage }

// Failed returns how many tests failed.
func (t *Tested) Failed() int { return t.report.Failed() }

// TestTextOptions says how Tested.WriteText prints.
type TestTextOptions struct {
	Color bool
	Quiet bool // only tests that failed
	Times bool // how long each test took
}

// WriteText prints the outcome for people.
func (t *Tested) WriteText(w io.Writer, o TestTextOptions) error {
	return t.report.WriteText(w, test.TextOptions(o))
}

// WriteJSON writes the outcome for programs.
func (t *Tested) WriteJSON(w io.Writer) error { return t.report.WriteJSON(w) }

// WriteJUnit writes the outcome as JUnit XML.
func (t *Tested) WriteJUnit(w io.Writer) error { return t.report.WriteJUnit(w) }

// WriteTAP writes the outcome in the Test Anything Protocol.
func (t *Tested) WriteTAP(w io.Writer) error { return t.report.WriteTAP(w) }

// Test runs tests: it renders the configuration as each of them says, and compares the result with
// what the test expects. Inputs are read and compiled once for all tests that share them. Every test
// runs, whatever the others do. The error is one of the test files, if there is no test, or if
// nothing at all can be rendered.
func Test(ctx context.Context, opts TestOptions) (*Tested, error) {
	defer opts.Timings.end()
	t := tester{opts: opts, files: &source.Set{}, scripts: map[string]*testScript{}}
	if opts.Coverage {
		t.cover, t.opts.Cache = &cover.Recorder{}, nil
	}
	if err := t.gather(); err != nil {
		if _, made := errors.AsType[*Error](err); made {
			return nil, err
		}
		return nil, &Error{files: t.files, list: diag.Of(err)}
	}
	runs, err := t.runs()
	if err != nil {
		return nil, err
	}
	out := &Tested{report: test.Report{Outcomes: make([]test.Outcome, len(t.cases))}}
	done := make([]bool, len(t.cases))
	for i := range t.cases {
		out.report.Outcomes[i] = t.cases[i].outcome()
	}
	err = RenderAll(ctx, runs, func(i int, r Rendered) {
		t.judge(ctx, &t.cases[i], r, &out.report.Outcomes[i])
		done[i] = true
	})
	if ctx.Err() != nil {
		return nil, err
	}
	if err := t.shared(ctx, err, done, out); err != nil {
		return nil, err
	}
	t.measure(out)
	t.tell(out)
	if err := t.write(ctx, out); err != nil {
		return nil, err
	}
	return out, t.trace(ctx, out)
}

// tester runs tests.
type tester struct {
	opts  TestOptions
	files *source.Set // the test files
	cases []testCase

	cover *cover.Recorder // nil unless coverage is measured

	mu      sync.Mutex // guards what follows
	scripts map[string]*testScript
}

// testScript is a file of functions that look at documents. It is evaluated once.
type testScript struct {
	once sync.Once
	made *engine.Script
	err  error
}

// shared deals with an error of all cases. It is the outcome of each if one of them expects an error;
// else nothing was tested.
func (t *tester) shared(ctx context.Context, err error, done []bool, out *Tested) error {
	if err == nil {
		return nil
	}
	expected := slices.ContainsFunc(t.cases, func(c testCase) bool { return c.test.Error != nil })
	if !expected {
		return err
	}
	for i := range t.cases {
		if !done[i] {
			t.judge(ctx, &t.cases[i], Rendered{Err: err}, &out.report.Outcomes[i])
		}
	}
	return nil
}

// judge compares what was rendered with what a case expects.
func (t *tester) judge(ctx context.Context, c *testCase, r Rendered, o *test.Outcome) {
	o.Took = r.took
	c.prints = r.Prints
	e := ErrorOf(r.Err)
	switch {
	case c.test.Error != nil && e != nil:
		o.Failures = c.suite.CheckError(c.test.Error, e.files, e.list)
		return
	case c.test.Error != nil:
		o.Failures = c.suite.CheckError(c.test.Error, nil, nil)
		return
	case e != nil:
		o.Error = rendered(e)
		return
	}
	made := renderedDocuments(r.Result)
	hideData(ctx, made.Docs)
	o.Failures = c.suite.Check(c.test, made)
	if c.test.Star != nil {
		t.call(ctx, c, made, o)
	}
	if c.golden != "" {
		t.compare(c, r.Result, made, o)
	}
}

// rendered is an error for people, without its warnings.
func rendered(e *Error) string {
	var b strings.Builder
	if only := e.WithoutWarnings(); only != nil {
		e = only
	}
	_ = e.Render(&b, false) // a builder takes everything
	return b.String()
}

// renderedDocuments are the documents of a result as tests look at them.
func renderedDocuments(r *Result) *test.Rendered {
	docs := make([]tree.Document, 0, len(r.made.Docs))
	for _, d := range r.made.Docs {
		if !d.Value.Empty() {
			docs = append(docs, d)
		}
	}
	var rules secret.Rules
	rules.Hide(slices.Clone(r.made.Secrets))
	return &test.Rendered{Docs: docs, Files: r.made.Files, Secrets: rules}
}

// call calls the function of a test with the documents.
func (t *tester) call(ctx context.Context, c *testCase, r *test.Rendered, o *test.Outcome) {
	s := t.script(ctx, c)
	err := s.err
	if err == nil {
		var prints []string
		prints, err = s.made.Call(ctx, c.test.Star.Call.Text, r.Docs)
		c.prints = append(c.prints, prints...)
	}
	if err != nil {
		o.Error = rendered(ErrorOf(public(err)))
	}
}

// script is the script of a test, evaluated.
func (t *tester) script(ctx context.Context, c *testCase) *testScript {
	path := c.path(c.test.Star.File.Text)
	t.reads(path)
	t.mu.Lock()
	s := t.scripts[path]
	if s == nil {
		s = &testScript{}
		t.scripts[path] = s
	}
	t.mu.Unlock()
	s.once.Do(func() { s.made, s.err = engine.OpenScript(ctx, c.options.config(), path) })
	return s
}

// tell hands on what templates and scripts printed, in the order of the tests.
func (t *tester) tell(out *Tested) {
	if t.opts.Print == nil {
		return
	}
	for i := range t.cases {
		for _, line := range t.cases[i].prints {
			t.opts.Print(out.report.Outcomes[i].Title() + ": " + line)
		}
	}
}

// mostTraced is how many failed cases are rendered again to find out where their values come from.
const mostTraced = 20

// trace finds out where values come from that tests did not expect: it renders their cases again,
// traced, since tests that pass need not pay for it.
func (t *tester) trace(ctx context.Context, out *Tested) error {
	traced := 0
	for i := range t.cases {
		list := out.report.Outcomes[i].Failures
		wanted := func(f test.Failure) bool { return f.Doc >= 0 }
		if !slices.ContainsFunc(list, wanted) || traced == mostTraced {
			continue
		}
		traced++
		report, err := t.cases[i].report(ctx)
		if err != nil {
			return err
		}
		for j := range list {
			if f := &list[j]; f.Doc >= 0 && report != nil {
				if s := report.Source(f.Doc, f.Way); s != "" {
					f.Found = s
				}
			}
		}
	}
	return nil
}

// report renders a case again and tells where its values come from. It is nil if that cannot be
// told.
func (c *testCase) report(ctx context.Context) (report *blame.Report, err error) {
	config := c.options.config()
	config.Origins, config.Cover = true, nil
	config.Debug, config.Values.Project = nil, nil
	s, err := engine.Open(ctx, config)
	if err != nil {
		return nil, ctx.Err()
	}
	env := engine.Environment{
		Name: c.env, Project: c.options.DataValues.project.values, Test: c.options.DataValues.test,
	}
	err = s.Fleet(ctx, engine.Request{}, []engine.Environment{env},
		func(_ int, r engine.Rendered) {
			if r.Err == nil {
				made := r.Result
				in := blame.Input{
					Docs: made.Docs, Files: made.Files, Origins: made.Origins,
				}
				in.Secrets.Hide(slices.Clone(made.Secrets))
				report = blame.New(in)
			}
		})
	if err != nil && !errors.Is(err, ctx.Err()) {
		err = nil // the first time it could be rendered
	}
	return report, err
}

// compare compares the documents with a golden file.
func (t *tester) compare(c *testCase, r *Result, made *test.Rendered, o *test.Outcome) {
	t.reads(c.golden)
	data, err := readGolden(c.golden)
	var list []test.Failure
	switch {
	case err != nil:
		list = []test.Failure{{At: c.golden, Doc: -1, Message: "cannot be read: " + reason(err)}}
	case data == nil:
		list = []test.Failure{{
			At: c.suite.Where(c.test.Golden.At), Doc: -1,
			Message: "golden file '" + c.golden + "' does not exist; weft test --update writes it",
		}}
	default:
		g, err := test.ReadGolden(c.golden, data, c.options.syntax())
		if err != nil {
			o.Error = rendered(&Error{files: g.Files, list: diag.Of(err)})
			return
		}
		list = g.Compare(made, c.options.syntax())
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
