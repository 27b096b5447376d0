package weft

import (
	"context"
	"io"

	"weft/internal/engine"
	"weft/internal/engine/overlay"
	"weft/internal/lang/secret"
	"weft/internal/origin/explain"
)

// Explanation lists, for each overlay in order, what it matched and changed. The overlays of a
// library appear once per evaluation of the library, before those of the file that evaluates it.
type Explanation struct {
	made  engine.Result
	rules secret.Rules
}

// Hide decides which values nobody should see. Unless it is called, the data of Kubernetes Secrets
// is hidden, and so are data values that the schema marks as secret.
func (x *Explanation) Hide(s Secrets) error {
	rules, err := s.rules()
	if err == nil {
		x.rules = rules
	}
	return err
}

// steps are the steps with their secrets hidden.
func (x *Explanation) steps() []overlay.Step {
	return explain.Hide(x.made.Steps, x.rules, x.made.Secrets)
}

// Explain renders like Render and returns what the overlays did. If the run fails, the Explanation
// contains what they did until then.
func Explain(ctx context.Context, opts Options) (*Explanation, error) {
	defer opts.Timings.end()
	s, err := opts.options().Open(ctx)
	if err != nil {
		return &Explanation{}, public(err)
	}
	made, err := s.Evaluate(ctx, engine.Request{Explain: true, Print: opts.Print})
	x := &Explanation{}
	if made != nil {
		x.made = *made
	}
	secret.HideData(ctx, x.made.Docs)
	return x, public(err)
}

// Warnings returns the warnings of the run.
func (x *Explanation) Warnings() []Diagnostic { return diagnostics(x.made.Files, x.made.Warnings) }

// WriteWarnings prints the warnings for people, as Error.Render prints errors.
func (x *Explanation) WriteWarnings(w io.Writer, color bool) error {
	return writeWarnings(w, x.made.Files, x.made.Warnings, color)
}

// WriteText prints the explanation for people.
func (x *Explanation) WriteText(w io.Writer) error {
	if x.made.Explained && len(x.made.Steps) == 0 {
		_, err := io.WriteString(w, "there are no overlays\n")
		return err
	}
	return overlay.WriteText(w, x.made.Files, x.steps())
}

// WriteJSON writes the explanation for programs: an array with one object per overlay.
func (x *Explanation) WriteJSON(w io.Writer) error {
	return overlay.WriteJSON(w, x.made.Files, x.steps())
}
