package weft

import (
	"context"
	"io"
	"regexp"

	"weft/internal/project/test"
)

// TestOptions configures Test.
type TestOptions struct {
	// Options apply to all tests: they are passed to Project.Options or, without a project, are the
	// whole configuration. Test files, golden files and scripts are always on disk, even if FS is set.
	Options

	// Project is the project that is tested, or nil.
	Project *Project

	// Files are test files, or directories with files that end in .test.yml. If it is empty, those of
	// the project are run.
	Files []string

	// AllowOutside are paths outside the repository that tests without a project may use. With a
	// project, ProjectOptions decides.
	AllowOutside []string

	// Environments are the environments of the project that tests run in; nil means all of them. A
	// test without envs still runs only in the default environment.
	Environments []string

	// Run selects tests by their titles, such as "production [prod]"; nil means all of them.
	Run *regexp.Regexp

	// Update writes golden files that are missing or differ.
	Update bool

	// Coverage measures what the tests cover: see TestReport.Coverage. Then Options.Cache is not
	// used, because it would hide what this run executes.
	Coverage bool
}

// TestReport is the outcome of tests. It can be written any number of times.
type TestReport struct {
	report test.Report
}

// Coverage returns the coverage of the tests, or nil without TestOptions.Coverage.
func (t *TestReport) Coverage() *CoverageReport {
	if t.report.Coverage == nil {
		return nil
	}
	return &CoverageReport{*t.report.Coverage}
}

// Failed returns how many tests failed.
func (t *TestReport) Failed() int { return t.report.Failed() }

// Write writes the outcome as Text, JSON, JUnit or TAP.
func (t *TestReport) Write(w io.Writer, how ReportOptions) error {
	opt := test.TextOptions{Color: how.Color, Quiet: how.Summary, Times: how.Long}
	return how.write(w, writers{
		Text: func(w io.Writer) error { return t.report.WriteText(w, opt) },
		JSON: t.report.WriteJSON, JUnit: t.report.WriteJUnit, TAP: t.report.WriteTAP,
	})
}

// Test renders the configuration as each test says, and compares the result with what the test
// expects. Inputs are read and compiled once for all tests that share them. If a test fails, the
// others still run. The error is about the test files, or means that there are no tests or that
// nothing can be rendered.
func Test(ctx context.Context, opts TestOptions) (*TestReport, error) {
	defer opts.Observe.Timings.end()
	what := test.Options{
		Options: opts.options(), Files: opts.Files, AllowOutside: opts.AllowOutside,
		Environments: opts.Environments, Run: opts.Run, Update: opts.Update, Measure: opts.Coverage,
	}
	if p := opts.Project; p != nil {
		what.Project, what.Given = p.loaded(), p.given
	}
	report, err := test.Run(ctx, what)
	if report == nil {
		return nil, public(err)
	}
	return &TestReport{*report}, public(err)
}
