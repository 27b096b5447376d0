package cli

import (
	"bytes"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/serve/cli/process"
)

// coverageForms are the formats of the coverage report.
var coverageForms = []string{"text", "html", "json", "lcov"}

// coverageFiles are the default files for the coverage report. As text, it is part of the test
// report.
var coverageFiles = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		"html": "coverage.html", "json": "coverage.json", "lcov": "lcov.info",
	}
}}

// addCoverage adds the flags about coverage.
func (f *testFlags) addCoverage(flags *pflag.FlagSet) {
	flags.StringVar(&f.coverage, "coverage", "",
		"measure what the tests cover, and list what they do not; --coverage=`FORMAT` with html, json "+
			"or lcov also writes a file (coverage.html, coverage.json, lcov.info)")
	flags.Lookup("coverage").NoOptDefVal = "text"
	flags.StringVar(&f.coverageFile, "coverage-file", "", "write that file to `FILE`")
	flags.IntVar(&f.min, "min", 0,
		"fail if less than `PERCENT` of nodes and branches are covered (default: test.min of weft.yml, "+
			"if all tests run)")
	flags.Lookup("min").DefValue = "" // the default is not 0, but the value in weft.yml
}

// checkCoverage rejects invalid values of the flags.
func (f *testFlags) checkCoverage() error {
	switch {
	case f.coverage != "" && !slices.Contains(coverageForms, f.coverage):
		return process.Usagef("unknown format '%s': --coverage takes %s", f.coverage,
			strings.Join(coverageForms, ", "))
	case f.coverageFile != "" && coverageFiles.Get()[f.coverage] == "":
		return process.Usagef("--coverage-file needs --coverage=html, json or lcov")
	case f.min < 0 || f.min > 100:
		return process.Usagef("--min takes a number of percent from 0 to 100, but found %d", f.min)
	}
	return nil
}

// minOf returns the minimum coverage. The project's minimum applies to all tests together, so it is
// not required of a selection.
func (f *testFlags) minOf(cmd *cobra.Command, p *weft.Project) {
	some := f.what.Run != nil || len(f.what.Environments) > 0 || len(f.what.Files) > 0
	if p != nil && !some && !cmd.Flags().Changed("min") {
		f.min = max(0, p.MinCoverage())
	}
}

// reportCoverage writes the coverage report. It reports whether as much is covered as the project demands.
func (f *testFlags) reportCoverage(cmd *cobra.Command, c *weft.CoverageReport) (covered bool, err error) {
	if c == nil {
		return true, nil
	}
	msg := process.MessagesOf(cmd)
	if f.form != "text" && !msg.Quiet { // as text, it is part of the test report
		var b bytes.Buffer
		_ = c.Write(&b, weft.ReportOptions{}) // writing to a buffer cannot fail
		msg.Info(b.String())
	}
	if err := f.writeCoverage(cmd, c); err != nil {
		return false, err
	}
	if err := c.Require(f.min); err != nil {
		msg.Report(err)
		return false, nil
	}
	return true, nil
}

// writeCoverage writes the file of the report, if there is one.
func (f *testFlags) writeCoverage(cmd *cobra.Command, c *weft.CoverageReport) error {
	path := coverageFiles.Get()[f.coverage]
	if path == "" {
		return nil
	}
	if f.coverageFile != "" {
		path = f.coverageFile
	}
	if w := process.WatchingOf(cmd); w != nil {
		w.Files.Ignore(path) // the file may be next to the tests
	}
	var b bytes.Buffer
	formats := map[string]weft.Format{"html": weft.HTML, "json": weft.JSON, "lcov": weft.LCOV}
	err := c.Write(&b, weft.ReportOptions{Format: formats[f.coverage]})
	if err == nil {
		err = outdir.WriteFile(cmd.Context(), path, process.MessagesOf(cmd).Redacted(b.Bytes()))
	}
	if err != nil {
		return err
	}
	process.MessagesOf(cmd).Note("test: wrote " + diag.Visible(path) + "\n")
	return nil
}
