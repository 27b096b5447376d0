package weft

import (
	"io"

	"weft/internal/project/test"
)

// Coverage is what the tests of a run cover: nodes of templates, branches, functions, overlays,
// rules of schemas, and data values. It can be written any number of times.
type Coverage struct{ made test.Coverage }

// Percent returns how many of the nodes and branches are covered, rounded down.
func (c *Coverage) Percent() int { return c.made.Percent() }

// Require reports coverage that is below a minimum, with the largest misses. The error is an
// *Error.
func (c *Coverage) Require(percent int) error {
	if err := c.made.Require(percent); err != nil {
		return ErrorOf(err)
	}
	return nil
}

// WriteText writes the figures, and what is not covered, for people.
func (c *Coverage) WriteText(w io.Writer) error { return c.made.WriteText(w) }

// WriteHTML writes one page that needs nothing else: the sources with what is covered and what is
// not. Secret data values are hidden.
func (c *Coverage) WriteHTML(w io.Writer) error { return c.made.WriteHTML(w) }

// WriteJSON writes the coverage for programs. Secret data values are hidden.
func (c *Coverage) WriteJSON(w io.Writer) error { return c.made.WriteJSON(w) }

// WriteLCOV writes the coverage in the format of lcov, which CI systems and editors read.
func (c *Coverage) WriteLCOV(w io.Writer) error { return c.made.WriteLCOV(w) }
