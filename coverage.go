package weft

import (
	"io"

	"weft/internal/project/test"
)

// CoverageReport is what the tests of a run cover: nodes of templates, branches, functions, overlays,
// rules of schemas, and data values. It can be written any number of times.
type CoverageReport struct{ report test.Coverage }

// Require returns an *Error if coverage is below a minimum, with the largest gaps.
func (c *CoverageReport) Require(percent int) error {
	if err := c.report.Require(percent); err != nil {
		return ErrorOf(err)
	}
	return nil
}

// Write writes the figures, and what is not covered, as Text, as JSON, as LCOV, which CI systems and
// editors read, or as HTML: one page with the sources, what is covered and what is not. Secret data
// values are hidden.
func (c *CoverageReport) Write(w io.Writer, how ReportOptions) error {
	return how.write(w, writers{
		Text: c.report.WriteText, HTML: c.report.WriteHTML, JSON: c.report.WriteJSON, LCOV: c.report.WriteLCOV,
	})
}
