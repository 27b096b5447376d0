package engines

import "context"

// contextKey is the key of Engines in a context.
type contextKey struct{}

// With returns a context in which projects that name no engines have these. A command that renders with the
// engines itself shares their results so.
func With(ctx context.Context, e *Engines) context.Context {
	return context.WithValue(ctx, contextKey{}, e)
}

// From returns the engines of a context, or nil.
func From(ctx context.Context) *Engines {
	e, _ := ctx.Value(contextKey{}).(*Engines)
	return e
}
