package weft

import (
	"context"
	"io"

	"weft/internal/engine/load"
	"weft/internal/origin/blame"
)

// ImpactOptions says what Impact tells of.
type ImpactOptions struct {
	// Paths are data values, such as replicas or image.tag. The path of a map means all that is in
	// it; @library:path means a value of a library.
	Paths []string

	// Secrets say what is hidden. Their paths are those of documents and of data values.
	Secrets Secrets

	// Prove renders again with other data values, to show which uses do change.
	Prove bool
}

// Impacted tells what depends on data values.
type Impacted struct {
	blamed Blamed
	list   []blame.Impact
}

// Impact renders like Render and returns which lines of the output depend on data values.
func Impact(ctx context.Context, opts Options, what ImpactOptions) (*Impacted, error) {
	defer opts.Timings.end()
	stdin := load.Share(opts.Stdin)
	opts.Stdin = stdin.Reader()
	b, err := traced(ctx, opts, BlameOptions{Secrets: what.Secrets})
	if err != nil {
		return nil, err
	}
	if what.Prove {
		opts.Stdin = stdin.Reader()
		err := prove(ctx, opts, func(render blame.Render) error {
			return b.report.ProveValues(ctx, what.Paths, render)
		})
		if err != nil {
			return nil, err
		}
	}
	list, err := b.report.Impacts(what.Paths)
	if err != nil {
		return nil, public(err)
	}
	return &Impacted{*b, list}, nil
}

// WriteText prints, for people, what depends on each data value.
func (x *Impacted) WriteText(w io.Writer, color bool) error {
	return x.blamed.report.WriteImpacts(w, x.list, color)
}

// WriteJSON writes the same for programs.
func (x *Impacted) WriteJSON(w io.Writer) error { return x.blamed.report.WriteImpactsJSON(w, x.list) }

// Warnings returns the warnings of the run.
func (x *Impacted) Warnings() []Diagnostic { return x.blamed.Warnings() }

// WriteWarnings prints the warnings for people, as Error.Render prints errors.
func (x *Impacted) WriteWarnings(w io.Writer, color bool) error {
	return x.blamed.WriteWarnings(w, color)
}
