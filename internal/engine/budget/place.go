package budget

import "context"

type watchKey struct{}

// Watch returns a context whose evaluation reports where it is: it calls at with each file before the file is
// evaluated, and, in a browser, with the current line of code that takes long. Whoever ends a program that
// does not answer can then say what was evaluated. The line is 0 if it is not known.
func Watch(ctx context.Context, at func(file string, line int)) context.Context {
	return context.WithValue(ctx, watchKey{}, at)
}

// At reports where an evaluation is, if the context is watched.
func At(ctx context.Context, file string, line int) {
	if at, ok := ctx.Value(watchKey{}).(func(string, int)); ok {
		at(file, line)
	}
}
