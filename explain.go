package weft

import (
	"context"
	"io"

	"weft/internal/engine"
	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/secret"
)

// ExplainReport lists, for each overlay in order, what it matched and changed. The overlays of a
// library appear once per evaluation of the library, before those of the file that evaluates it.
type ExplainReport struct {
	res   engine.Result
	rules secret.Rules
}

// steps returns the steps with their secrets hidden.
func (x *ExplainReport) steps() []explain.Step {
	return explain.Hide(x.res.Steps, x.rules, x.res.Secrets)
}

// Explain renders like Render and returns what the overlays did. If the run fails, the ExplainReport
// contains what they did until then; if a path of secrets is wrong, it is nil.
func Explain(ctx context.Context, opts Options, secrets Secrets) (*ExplainReport, error) {
	defer opts.Observe.Timings.end()
	rules, err := secrets.rules()
	if err != nil {
		return nil, err
	}
	x := &ExplainReport{rules: rules}
	s, err := opts.options().Open(ctx)
	if err != nil {
		return x, public(err)
	}
	res, err := s.Evaluate(ctx, engine.Request{Explain: true, Print: opts.Observe.Print})
	if res != nil {
		x.res = *res
	}
	secret.HideData(ctx, x.res.Docs)
	return x, public(err)
}

// Warnings returns the warnings of the run.
func (x *ExplainReport) Warnings() Messages { return Messages{x.res.Files, x.res.Warnings} }

// Write writes the explanation as Text, or as JSON: an array with one object per overlay.
func (x *ExplainReport) Write(w io.Writer, how ReportOptions) error {
	return how.write(w, writers{
		Text: x.writeText,
		JSON: func(w io.Writer) error { return explain.WriteJSON(w, x.res.Files, x.steps()) },
	})
}

func (x *ExplainReport) writeText(w io.Writer) error {
	if x.res.Explained && len(x.res.Steps) == 0 {
		return written(w, []byte("there are no overlays\n"))
	}
	return explain.WriteText(w, x.res.Files, x.steps())
}
