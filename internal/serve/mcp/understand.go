package mcp

import (
	"context"
	"slices"

	"weft"
	"weft/internal/lang/diag"
)

// blame shows where lines come from.
func blame(ctx context.Context, args *arguments) (*report, error) {
	s, err := args.scene(ctx)
	if err != nil {
		return nil, err
	}
	b, err := weft.Blame(ctx, s.Options, weft.BlameOptions{Select: args.Document, Path: args.Path})
	if err != nil {
		return nil, err
	}
	text, err := written(b, weft.ReportOptions{Long: args.Path != ""})
	if args.Path != "" {
		return &report{summary: "the history of this place, the last change first" + s.note, data: text}, err
	}
	return &report{
		summary: "each line with the place that produced it; = copied from a data value, ~ computed, + added " +
			"and > changed by an overlay, - removed, ? left out" + s.note,
		data: text,
	}, err
}

// impact shows what depends on a data value, or what other values change.
func impact(ctx context.Context, args *arguments) (*report, error) {
	if (args.Value == "") == (len(args.Set) == 0) {
		return nil, diag.Failf(CodeArgument, "impact takes either `value` or `set`").
			WithHint("`value` shows what depends on a data value, `set` what another value changes")
	}
	now := *args
	now.Set = nil
	s, err := now.scene(ctx)
	if err != nil {
		return nil, err
	}
	var selects []string
	if args.Document != "" {
		selects = []string{args.Document}
	}
	if args.Value != "" {
		x, err := weft.Impact(ctx, s.Options, weft.ImpactOptions{Paths: []string{args.Value}, Select: selects})
		if err != nil {
			return nil, err
		}
		text, err := written(x, weft.ReportOptions{})
		return &report{
			summary: "what depends on the value; = copied from it, ~ computed, > overwritten later, ? decided by it" +
				s.note,
			data: text,
		}, err
	}
	before, after := weft.Side{Options: s.Options}, weft.Side{Options: s.Options}
	given, err := args.values()
	if err != nil {
		return nil, err
	}
	after.DataValues.KVYAML = slices.Concat(after.DataValues.KVYAML, given)
	return compared(ctx, before, after, weft.DiffOptions{Select: selects}, s.note)
}

// compared returns the difference of two sides.
func compared(
	ctx context.Context, before, after weft.Side, opts weft.DiffOptions, note string,
) (*report, error) {
	d, err := weft.Diff(ctx, before, after, opts)
	if err != nil {
		return nil, err
	}
	if d.Same() {
		return &report{summary: "nothing changes" + note}, nil
	}
	text, err := written(d, weft.ReportOptions{})
	return &report{summary: "what changes in the output; + added, - removed, ~ changed" + note, data: text}, err
}

// explain shows what overlays do, also if the run fails: that is when users want to know.
func explain(ctx context.Context, args *arguments) (*report, error) {
	s, err := args.scene(ctx)
	if err != nil {
		return nil, err
	}
	var what weft.ExplainOptions
	if args.Document != "" {
		what.Select = []string{args.Document}
	}
	x, wrong := weft.Explain(ctx, s.Options, what)
	if x == nil || ctx.Err() != nil {
		return nil, wrong
	}
	text, err := written(x, weft.ReportOptions{})
	if err != nil {
		return nil, err
	}
	r := &report{summary: "what each overlay matches and changes" + s.note, data: text}
	if wrong != nil {
		f := failure(ctx, wrong)
		r.summary, r.data, r.failed = f.summary+"; the overlays up to them", f.data+"\n"+text, true
		r.place = f.place
	}
	return r, nil
}

// diff compares two environments, or one with itself at a git revision.
func diff(ctx context.Context, args *arguments) (*report, error) {
	both := args.From != "" && args.To != ""
	switch {
	case args.Revision == "" && !both:
		return nil, diag.Failf(CodeArgument, "diff needs two sides").
			WithHint("name two environments with `from` and `to`, or a `revision`")
	case args.Revision != "" && (args.From != "" || args.To != ""), both && args.Environment != "":
		return nil, diag.Failf(CodeArgument, "diff compares two environments, or one with its revision").
			WithHint("name `from` and `to`, or `environment` and `revision`")
	}
	p, err := args.open(ctx)
	if err != nil {
		return nil, err
	}
	opts := weft.DiffOptions{Causes: true}
	if args.Document != "" {
		opts.Select = []string{args.Document}
	}
	if args.Revision != "" {
		return args.diffRevision(ctx, p, opts)
	}
	var sides [2]weft.Side
	note := ""
	for i, env := range []string{args.From, args.To} {
		s, err := args.sceneOf(p, env, "")
		if err != nil {
			return nil, err
		}
		sides[i], note = weft.Side{Options: s.Options, Name: env}, s.note
	}
	return compared(ctx, sides[0], sides[1], opts, note)
}
