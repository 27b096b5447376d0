package weft

import (
	"context"

	"weft/internal/pipeline"
)

// Environment is one of the places that a configuration is rendered for.
type Environment struct {
	Name   string // as people call it
	Values string // path of its data values, plain YAML as in DataValues.Files
}

// FleetOptions says what to render for which environments.
type FleetOptions struct {
	// Options are what all environments share. The data values of an environment are laid over
	// DataValues.Files and under the rest of DataValues, as if its file were the last of
	// DataValues.Files. Timings are summed up over all environments. Debug and Print, which look
	// into a single run, have no effect.
	Options

	Environments []Environment
}

// Rendered is what became of an environment.
type Rendered struct {
	Environment
	Result *Result  // nil if Err is not
	Err    error    // an *Error if the input is wrong
	Prints []string // what templates printed, and their warnings, in order
}

// Fleet renders one configuration for many environments, each as Render would. The inputs are
// read and compiled once; each environment is evaluated by itself, so that the failure of one is
// no other's.
//
// As many environments are rendered at a time as there are processors. As soon as
// environment i is done, Fleet calls each with it, from several goroutines at a time. It keeps no
// result, so that memory does not grow with the number of environments. The error is one of what
// they share, before any is evaluated, or the context's.
func Fleet(ctx context.Context, opts FleetOptions, each func(i int, r Rendered)) error {
	defer opts.Timings.end()
	config := opts.config()
	config.Debug = nil
	s, err := pipeline.Open(ctx, config)
	if err != nil {
		return public(err)
	}
	envs := make([]pipeline.Environment, len(opts.Environments))
	for i, e := range opts.Environments {
		envs[i] = pipeline.Environment(e)
	}
	req := pipeline.Request{JSON: opts.Format == JSON}
	return public(s.Fleet(ctx, req, envs, func(i int, r pipeline.Rendered) {
		done := Rendered{Environment: opts.Environments[i], Err: public(r.Err), Prints: r.Prints}
		if r.Err == nil {
			done.Result = &Result{made: r.Result, format: opts.Format}
		}
		each(i, done)
	}))
}
