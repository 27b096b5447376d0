package engines

import "context"

// contextKey is the key of Engines in a context.
type contextKey struct{}

// With returns a context in which projects that name no engines have these. So a command that also uses the
// engines itself renders nothing twice.
func With(ctx context.Context, e *Engines) context.Context {
	return context.WithValue(ctx, contextKey{}, e)
}

// From returns the engines of a context, or nil.
func From(ctx context.Context) *Engines {
	e, _ := ctx.Value(contextKey{}).(*Engines)
	return e
}
