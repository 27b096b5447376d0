package weft

import (
	"context"
	"io"

	"weft/internal/engine"
	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/browser"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
)

// ExplainReport lists, for each overlay in order, what it matched and changed. The overlays of a
// library appear once per evaluation of the library, before those of the file that evaluates it.
type ExplainReport struct {
	res    engine.Result
	rules  secret.Rules
	chosen []selector.Selector
}

// ExplainOptions says what Explain reports.
type ExplainOptions struct {
	// Secrets says what is hidden.
	Secrets Secrets

	// Select are the documents that the report is about, such as Deployment/web; any of them may match.
	// Without any, it is about all documents.
	Select []string
}

// steps returns the steps with their secrets hidden.
func (x *ExplainReport) steps() []explain.Step {
	named := explain.Named(x.res.Steps, x.res.Docs, x.res.Files, x.chosen)
	return explain.Hide(named, x.rules, x.res.Secrets)
}

// Explain renders like Render and returns what the overlays did. If the run fails, the ExplainReport
// contains what they did until then; if a path or a selector is wrong, it is nil.
func Explain(ctx context.Context, opts Options, what ExplainOptions) (*ExplainReport, error) {
	defer opts.Observe.Timings.end()
	rules, err := what.Secrets.rules()
	if err != nil {
		return nil, err
	}
	chosen, err := selector.ParseAll("--select", what.Select)
	if err != nil {
		return nil, ErrorOf(err)
	}
	x := &ExplainReport{rules: rules, chosen: chosen}
	s, err := opts.options().Open(ctx)
	if err != nil {
		return x, public(err)
	}
	res, err := s.Evaluate(ctx, engine.Request{Explain: true, Print: opts.Observe.Print})
	if res != nil {
		x.res = *res
	}
	secret.HideData(ctx, x.res.Docs)
	if err == nil && len(chosen) > 0 {
		err = selector.Unused("--select", chosen, selector.Of(x.res.Docs, x.res.Files))
	}
	return x, public(err)
}

// Warnings returns the warnings of the run.
func (x *ExplainReport) Warnings() Messages { return Messages{x.res.Files, x.res.Warnings} }

// Write writes the explanation as Text, or as JSON: an array with one object per overlay.
func (x *ExplainReport) Write(w io.Writer, how ReportOptions) error {
	if browser.IsFirst {
		return explain.WriteJSON(w, x.res.Files, x.steps())
	}
	return how.write(w, writers{
		Text: x.writeText,
		JSON: func(w io.Writer) error { return explain.WriteJSON(w, x.res.Files, x.steps()) },
	})
}

func (x *ExplainReport) writeText(w io.Writer) error {
	if x.res.Explained && len(x.res.Steps) == 0 {
		return written(w, []byte("there are no overlays\n"))
	}
	steps := x.steps()
	if x.res.Explained && len(steps) == 0 {
		return written(w, []byte("no overlay matches the selected documents\n"))
	}
	return explain.WriteText(w, x.res.Files, steps)
}
