package weft

import (
	"context"
	"time"

	"weft/internal/engine"
)

// Environment is one set of data values that a configuration is rendered with.
type Environment struct {
	Name   string // the name, for messages
	Values string // path of its data values: plain YAML, as in DataValues.Files
}

// FleetOptions configures a fleet.
type FleetOptions struct {
	// Options apply to all environments. The file of an environment acts like the last element of
	// DataValues.Files: it overrides the other files, and the rest of DataValues overrides it.
	// Timings are summed over all environments. Debug and Print have no effect.
	Options

	// Environments are the environments to render.
	Environments []Environment
}

// Rendered is the result of one environment.
type Rendered struct {
	Environment
	Result *Result  // nil if Err is not nil
	Err    error    // an *Error if the input is wrong
	Prints []string // lines that templates printed, and warnings of modules, in order

	took time.Duration
}

// Fleet renders one configuration for many environments, each as Render would. It reads and
// compiles the inputs once. If an environment fails, the others are not affected.
//
// Fleet renders at most Options.Parallelism environments at a time. It calls each(i, r) as soon
// as environment i is done, from several goroutines at a time. It keeps no results, so memory does
// not grow with the number of environments. The error is one of the shared inputs, before any
// environment is evaluated, or that of the context.
func Fleet(ctx context.Context, opts FleetOptions, each func(i int, r Rendered)) error {
	defer opts.Timings.end()
	config := opts.config()
	config.Debug = nil
	if opts.Reads != nil {
		for _, e := range opts.Environments {
			opts.readsFile(e.Values)
		}
	}
	k := opts.kept("fleet", config)
	s, err := k.open(ctx, config)
	if err != nil {
		return public(err)
	}
	envs := make([]engine.Environment, len(opts.Environments))
	for i, e := range opts.Environments {
		envs[i] = engine.Environment{Name: e.Name, Values: e.Values}
	}
	req := engine.Request{JSON: opts.Format == JSON}
	return public(s.Fleet(ctx, req, envs, func(i int, r engine.Rendered) {
		done := Rendered{Environment: opts.Environments[i], Err: public(r.Err), Prints: r.Prints}
		if r.Err == nil {
			done.Result = opts.result(r.Result)
			if r.Kept {
				done.Result.printed = k.printedOf(opts.Environments[i].Name)
			}
		}
		each(i, done)
	}))
}
