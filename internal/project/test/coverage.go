package test

import (
	"fmt"
	"io"
	"strings"

	"weft/internal/engine/cover"
	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
)

// Coverage is what the tests of a run cover.
type Coverage struct {
	Report  cover.Report
	secrets secret.Rules
}

// Require returns an error if coverage is below a minimum, with the largest gaps.
func (c *Coverage) Require(percent int) error {
	score := c.Report.Figures().Score()
	if score.Percent() >= percent {
		return nil
	}
	d := diag.Failf(CodeCoverage,
		"tests cover %d %% of nodes and branches (%d of %d), but the minimum is %d %%",
		score.Percent(), score.Covered, score.Total, percent)
	var list []string
	for _, m := range c.Report.Largest(3) {
		list = append(list, c.secrets.MaskText(m.String()))
	}
	d.WithHint("the largest gaps: %s", strings.Join(list, ", "))
	return d
}

// WriteText writes the figures, and what is not covered, for people.
func (c *Coverage) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s\n%s", c.Report.Summary(), c.notCovered())
	return err
}

func (c *Coverage) notCovered() string { return c.secrets.MaskText(c.Report.NotCovered()) }

// WriteHTML writes a self-contained page: the sources, with what is covered and what is not. Secret
// data values are hidden.
func (c *Coverage) WriteHTML(w io.Writer) error { return c.Report.WriteHTML(w, c.secrets.MaskText) }

// WriteJSON writes the coverage for programs. Secret data values are hidden.
func (c *Coverage) WriteJSON(w io.Writer) error { return c.Report.WriteJSON(w, c.secrets.MaskText) }

// WriteLCOV writes the coverage in the format of lcov, which CI systems and editors read.
func (c *Coverage) WriteLCOV(w io.Writer) error { return c.Report.WriteLCOV(w) }

// measure adds the coverage to the report, if requested.
func (t *runner) measure(out *Report) {
	if t.cover == nil {
		return
	}
	out.Coverage = &Coverage{Report: *t.cover.Report()}
	out.Coverage.secrets.Hide(t.cover.Secrets())
}
