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
	made  engine.Result
	rules secret.Rules
}

// Hide decides which values no one should see. Unless it is called, the data of Kubernetes Secrets
// is hidden, and so are data values that the schema marks as secret.
func (x *ExplainReport) Hide(s Secrets) error {
	rules, err := s.rules()
	if err == nil {
		x.rules = rules
	}
	return err
}

// steps returns the steps with their secrets hidden.
func (x *ExplainReport) steps() []explain.Step {
	return explain.Hide(x.made.Steps, x.rules, x.made.Secrets)
}

// Explain renders like Render and returns what the overlays did. If the run fails, the ExplainReport
// contains what they did until then.
func Explain(ctx context.Context, opts Options) (*ExplainReport, error) {
	defer opts.Observe.Timings.end()
	s, err := opts.options().Open(ctx)
	if err != nil {
		return &ExplainReport{}, public(err)
	}
	made, err := s.Evaluate(ctx, engine.Request{Explain: true, Print: opts.Observe.Print})
	x := &ExplainReport{}
	if made != nil {
		x.made = *made
	}
	secret.HideData(ctx, x.made.Docs)
	return x, public(err)
}

// Warnings returns the warnings of the run.
func (x *ExplainReport) Warnings() Messages { return Messages{x.made.Files, x.made.Warnings} }

// Write writes the explanation as Text, or as JSON: an array with one object per overlay.
func (x *ExplainReport) Write(w io.Writer, how ReportOptions) error {
	return how.write(w, writers{
		Text: x.writeText,
		JSON: func(w io.Writer) error { return explain.WriteJSON(w, x.made.Files, x.steps()) },
	})
}

func (x *ExplainReport) writeText(w io.Writer) error {
	if x.made.Explained && len(x.made.Steps) == 0 {
		return written(w, []byte("there are no overlays\n"))
	}
	return explain.WriteText(w, x.made.Files, x.steps())
}
