package weft

import (
	"cmp"
	"context"

	"weft/internal/project/engines"
)

// Engines render charts and kustomizations. They start the program weft-engines when it is needed first,
// which has the engines of Helm and kustomize, and keep its results as long as no file changes. It is safe
// for concurrent use.
type Engines struct{ engines *engines.Engines }

// NewEngines returns the engines of the program weft-engines at a path, which must be of the same release. If
// the path is empty, weft-engines must be in the directory of the running program.
func NewEngines(program string) *Engines { return &Engines{engines.New(program)} }

// Close ends the program.
func (e *Engines) Close() { e.unwrapped().Close() }

// enginesOf returns the engines that options name, or those of the context.
func enginesOf(ctx context.Context, e *Engines) *engines.Engines {
	return cmp.Or(e.unwrapped(), engines.From(ctx))
}

func (e *Engines) unwrapped() *engines.Engines {
	if e == nil {
		return nil
	}
	return e.engines
}
