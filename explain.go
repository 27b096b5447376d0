package weft

import (
	"context"
	"io"

	"weft/internal/overlay"
	"weft/internal/source"
)

// Explanation tells of each overlay, in order, what it matched and changed.
type Explanation struct {
	steps []overlay.Step
	files *source.Set
}

// Explain renders as Render does and tells what overlays did. If the run fails, the Explanation has what they did until then.
func Explain(ctx context.Context, opts Options) (*Explanation, error) {
	x := &Explanation{}
	opts.explained = x
	_, err := Render(ctx, opts)
	return x, err
}

// WriteText writes the explanation for people.
func (x *Explanation) WriteText(w io.Writer) error { return overlay.WriteText(w, x.files, x.steps) }

// WriteJSON writes the explanation for programs: an array with an object for each overlay.
func (x *Explanation) WriteJSON(w io.Writer) error { return overlay.WriteJSON(w, x.files, x.steps) }
