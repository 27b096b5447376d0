package weft

import (
	"fmt"
	"io"
	"strings"

	"weft/internal/engine/cover"
	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/project/test"
)

// Coverage is what the tests of a run cover: nodes of templates, branches, functions, overlays,
// rules of schemas, and data values. It can be written any number of times.
type Coverage struct {
	report  cover.Report
	secrets secret.Rules
}

// Percent returns how many of the nodes and branches are covered, rounded down.
func (c *Coverage) Percent() int { return c.report.Figures().Score().Percent() }

// Require reports coverage that is below a minimum, with the largest misses. The error is an
// *Error.
func (c *Coverage) Require(percent int) error {
	score := c.report.Figures().Score()
	if score.Percent() >= percent {
		return nil
	}
	d := diag.Failf(test.CodeCoverage,
		"tests cover %d %% of nodes and branches (%d of %d), but the minimum is %d %%",
		score.Percent(), score.Covered, score.Total, percent)
	var list []string
	for _, m := range c.report.Largest(3) {
		list = append(list, c.secrets.MaskText(m.String()))
	}
	d.WithHint("the largest gaps: %s", strings.Join(list, ", "))
	return ErrorOf(d)
}

// WriteText writes the figures, and what is not covered, for people.
func (c *Coverage) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s\n%s", c.report.Summary(), c.notCovered())
	return err
}

func (c *Coverage) notCovered() string { return c.secrets.MaskText(c.report.NotCovered()) }

// WriteHTML writes one page that needs nothing else: the sources with what is covered and what is
// not. Secret data values are hidden.
func (c *Coverage) WriteHTML(w io.Writer) error { return c.report.WriteHTML(w, c.secrets.MaskText) }

// WriteJSON writes the coverage for programs. Secret data values are hidden.
func (c *Coverage) WriteJSON(w io.Writer) error { return c.report.WriteJSON(w, c.secrets.MaskText) }

// WriteLCOV writes the coverage in the format of lcov, which CI systems and editors read.
func (c *Coverage) WriteLCOV(w io.Writer) error { return c.report.WriteLCOV(w) }

// MinCoverage returns the least coverage in percent that the project asks for, or -1.
func (p *Project) MinCoverage() int { return p.loaded().Testing().Min }

// measure gives what the tests have covered, if that was asked for.
func (t *tester) measure(out *Tested) {
	if t.cover == nil {
		return
	}
	c := &Coverage{report: *t.cover.Report()}
	c.secrets.Hide(t.cover.Secrets())
	out.coverage = c
	out.report.Coverage, out.report.NotCovered = c.report.Summary(), c.notCovered()
}
