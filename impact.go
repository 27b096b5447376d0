package weft

import (
	"context"
	"io"

	"weft/internal/engine/load"
	"weft/internal/lang/selector"
	"weft/internal/origin/blame"
)

// ImpactOptions says what Impact reports.
type ImpactOptions struct {
	// Paths are data values, such as replicas or image.tag. The path of a map means everything in it;
	// @library:path means a value of a library.
	Paths []string

	// Select are the documents and text files that the report is about, such as Deployment/web; any of
	// them may match. Without any, it is about all of them.
	Select []string

	// Secrets says what is hidden. Its paths are those of documents and of data values.
	Secrets Secrets

	// Prove renders again with other data values, to show which of the uses really change.
	Prove bool
}

// ImpactReport lists what depends on data values.
type ImpactReport struct {
	blamed BlameReport
	list   []blame.Impact
}

// Impact renders like Render and returns which lines of the output depend on data values.
func Impact(ctx context.Context, opts Options, what ImpactOptions) (*ImpactReport, error) {
	defer opts.Observe.Timings.end()
	chosen, err := selector.ParseAll("--select", what.Select)
	if err != nil {
		return nil, ErrorOf(err)
	}
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
	list, err := b.report.Impacts(what.Paths, chosen)
	if err != nil {
		return nil, public(err)
	}
	return &ImpactReport{*b, list}, nil
}

// Write writes what depends on each data value as Text or JSON.
func (x *ImpactReport) Write(w io.Writer, how ReportOptions) error {
	return how.write(w, writers{
		Text: func(w io.Writer) error { return x.blamed.report.WriteImpacts(w, x.list, how.Color) },
		JSON: func(w io.Writer) error { return x.blamed.report.WriteImpactsJSON(w, x.list) },
	})
}

// Warnings returns the warnings of the run.
func (x *ImpactReport) Warnings() Messages { return x.blamed.Warnings() }
