package weft

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"weft/internal/lang/diag"
)

// Report is what Blame, Impact, Explain, Diff, Lint, Test, FormatFiles, ApplyOverrides and Migrate
// return, and the coverage in a TestReport. It can be written any number of times.
type Report interface {
	// Write writes the report. If the report does not have the format, the error names the formats
	// that it has.
	Write(w io.Writer, how ReportOptions) error
}

// ReportOptions configures how a report is written. Options that a report or format does not have are
// ignored.
type ReportOptions struct {
	// Format is the format of the report; the zero value means Text.
	Format Format

	// Color adds terminal escape sequences to Text.
	Color bool

	// Columns is the width of the terminal that Text is for: a BlameReport aligns its columns for it. Without
	// it, a BlameReport folds nothing.
	Columns int

	// Summary leaves out the details: a DiffReport lists only the documents that differ, a TestReport
	// only the tests that failed.
	Summary bool

	// Long adds details: the whole history of each line to a BlameReport, and how long each test took
	// to a TestReport.
	Long bool

	// Lines writes a BlameReport as JSON for a page that shows the sources itself: each line of the
	// output and what is absent. It may change with any version.
	Lines bool
}

// in returns the format, or Text if none is set.
func (o ReportOptions) in() Format {
	if o.Format == YAML {
		return Text
	}
	return o.Format
}

// writers are the functions that write a report, by format.
type writers map[Format]func(io.Writer) error

// write writes a report in its format.
func (o ReportOptions) write(w io.Writer, formats writers) error {
	if write := formats[o.in()]; write != nil {
		return write(w)
	}
	var names []string
	for f := range formats {
		names = append(names, f.String())
	}
	slices.Sort(names)
	return fmt.Errorf("cannot write this report as %s, only as %s", o.in(), strings.Join(names, ", "))
}

// written writes a text, unless it is empty.
func written(w io.Writer, text []byte) error {
	if len(text) == 0 {
		return nil
	}
	_, err := w.Write(text)
	return err
}

// writeNames writes names of files, one per line.
func writeNames(w io.Writer, names []string) error {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(diag.Visible(name) + "\n")
	}
	return written(w, []byte(b.String()))
}
