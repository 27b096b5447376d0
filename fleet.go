package weft

import (
	"context"

	"weft/internal/engine"
	"weft/internal/project/fleet"
)

// Environment is what a configuration is rendered for. A project has all fields; Fleet needs the first
// two.
type Environment struct {
	Name   string
	Values string // path of its data values, plain YAML; in a project, the file that the key `each` found
	Labels map[string]string
	Output ProjectOutput
	Place  Place // where it is defined
}

// FleetOptions configures a fleet.
type FleetOptions struct {
	// Options apply to all environments. The file of an environment acts like the last element of
	// DataValues.Files: it overrides the other files, and the rest of DataValues overrides it.
	// Timings are summed over all environments. Observe.Debug and Observe.Print have no effect.
	Options

	// Environments are the environments to render.
	Environments []Environment
}

// EnvironmentResult is the result of one environment.
type EnvironmentResult struct {
	Name   string
	Result *Result  // nil if Err is not nil
	Err    error    // an *Error if the input is wrong
	Prints []string // lines that templates printed, and warnings of modules, in order
}

// Fleet renders one configuration for many environments, each as Render would. It reads and
// compiles the inputs once. If an environment fails, the others are not affected.
//
// Fleet renders at most Limits.Parallelism environments at a time. It calls each(i, r) as soon
// as environment i is done, from several goroutines at a time. It keeps no results, so memory does
// not grow with the number of environments. If something is wrong with the shared inputs, Fleet returns
// that error and evaluates nothing. Otherwise the error is that of the context.
func Fleet(ctx context.Context, opts FleetOptions, each func(i int, r EnvironmentResult)) error {
	defer opts.Observe.Timings.end()
	envs := make([]engine.Environment, len(opts.Environments))
	for i, e := range opts.Environments {
		envs[i] = engine.Environment{Name: e.Name, Values: e.Values}
	}
	return public(opts.options().Fleet(ctx, envs, func(i int, r fleet.Rendered) {
		each(i, renderedOf(opts.Environments[i].Name, r))
	}))
}

func renderedOf(name string, r fleet.Rendered) EnvironmentResult {
	done := EnvironmentResult{Name: name, Err: public(r.Err), Prints: r.Prints}
	if r.Err == nil {
		done.Result = &Result{res: *r.Result}
	}
	return done
}

// ProjectRuns are environments of a project.
type ProjectRuns struct {
	Names []string

	// Options returns the options of an environment, as Project.Options does. It is called when they
	// are needed, up to twice for each environment and from several goroutines. They are not kept, so
	// memory does not grow with the number of environments.
	Options func(i int) (Options, error)

	// Side is what the reports of DiffAll call this side.
	Side string

	// Output returns where an environment is written, for DiffAll. If it is nil, nothing is written.
	Output func(i int) Dir
}

// RenderAll renders environments of a project, each as Render would. Inputs that environments have in
// common are read and compiled once. If an environment fails, or has no options, the others are not
// affected.
//
// RenderAll renders at most Limits.Parallelism environments at a time, according to the options of
// the first one. It calls each(i, r) as soon as environment i is done, from several goroutines at a
// time, and keeps no results. The error is that of the context, or is about inputs that all
// environments share.
func RenderAll(ctx context.Context, runs ProjectRuns, each func(i int, r EnvironmentResult)) error {
	if len(runs.Names) == 0 {
		return nil
	}
	if first, err := runs.Options(0); err == nil {
		defer first.Observe.Timings.end()
	}
	return public(fleet.RenderAll(ctx, runs.runs(), func(i int, r fleet.Rendered) {
		each(i, renderedOf(runs.Names[i], r))
	}))
}

func (r ProjectRuns) runs() fleet.Runs {
	return fleet.Runs{Names: r.Names, Options: func(i int) (fleet.Options, error) {
		o, err := r.Options(i)
		return o.options(), err
	}, Output: func(i int) fleet.Dir {
		if r.Output == nil {
			return fleet.Dir{}
		}
		return fleet.Dir(r.Output(i))
	}}
}
