package weft

import (
	"context"
	"io"

	"weft/internal/overlay"
	"weft/internal/source"
)

// Explanation tells of each overlay, in order, what it matched and changed. Those of a library come each time that it is evaluated, before those of who evaluates it.
type Explanation struct {
	steps    []overlay.Step
	files    *source.Set
	complete bool // the run has come to its own overlays
	warnings *Error
}

// Explain renders as Render does and tells what overlays did. If the run fails, the Explanation has what they did until then.
func Explain(ctx context.Context, opts Options) (*Explanation, error) {
	x := &Explanation{}
	opts.explained = x
	res, err := Render(ctx, opts)
	if err == nil {
		x.warnings = res.Warnings()
	}
	return x, err
}

// Warnings is what the run has to say besides, or nil: as Render would say it of an error.
func (x *Explanation) Warnings() *Error { return x.warnings }

// WriteText writes the explanation for people.
func (x *Explanation) WriteText(w io.Writer) error {
	if x.complete && len(x.steps) == 0 {
		_, err := io.WriteString(w, "there are no overlays\n")
		return err
	}
	return overlay.WriteText(w, x.files, x.steps)
}

// WriteJSON writes the explanation for programs: an array with an object for each overlay.
func (x *Explanation) WriteJSON(w io.Writer) error { return overlay.WriteJSON(w, x.files, x.steps) }
