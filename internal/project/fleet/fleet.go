// Package fleet renders environments: one, or many in parallel. It takes options, merged with the
// settings of projects, and returns results that can be written.
//
// Environments whose configurations have the same key (engine.Config.Key) share a session, so their
// inputs are read and compiled once. Groups that differ only in their inputs share the common ones. A
// Cache keeps sessions for the next run, which reads again only what changed; documents that consist
// of the same nodes as before are not printed again.
//
//	options.go   options of one environment → engine.Config
//	edition.go   what an edition decides
//	json_schema.go  JSON Schemas of data values
//	shortcut.go  `kubernetes` of weft.yml → the short cuts of a run
//	generators.go  charts and kustomizations of weft.yml → requests to engines
//	project.go   settings of weft.yml → options
//	fleet.go     Render, Fleet: one environment, or one configuration for many
//	all.go       RenderAll: environments grouped by what they can share
//	changed.go   Changed: the environments that two sides render differently
//	inputs.go    what the result of a run depends on
//	cache.go     Cache: sessions for the next run
//	printed.go   what earlier results have printed and written
//	result.go    Result: documents and files, written to a stream or a directory
//	split.go     one file for each document
//	placed.go    documents that name their files
//	prune.go     which files of earlier runs are never deleted
package fleet

import (
	"context"
	"time"

	"weft/internal/engine"
)

// Rendered is the result of rendering an environment.
type Rendered struct {
	Result *Result  // nil if Err is not nil
	Err    error    // a *diag.Failure if the input is wrong
	Prints []string // lines that templates printed, and warnings of modules, in order
	Took   time.Duration
}

// Open loads the inputs of the options for a single evaluation.
func (o Options) Open(ctx context.Context) (*engine.Session, error) {
	s, _, err := o.open(ctx)
	return s, err
}

// open also returns what was printed before, which is nil without a cache.
func (o Options) open(ctx context.Context) (*engine.Session, *printed, error) {
	config := o.Config()
	config.Once = true
	k := o.kept("render", config)
	s, err := k.open(ctx, config)
	return s, k.printedOf(""), err
}

// Render evaluates the inputs of the options, up to the goal of a request.
func (o Options) Render(ctx context.Context, req engine.Request) (*Result, error) {
	s, printed, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	req.Print, req.JSON = o.Print, o.Format == JSON
	evaluated, err := s.Evaluate(ctx, req)
	if err != nil {
		return nil, err
	}
	o.reportDecides(evaluated.Read)
	res := o.Result(evaluated)
	res.printed = printed
	return res, nil
}

// Fleet renders one configuration for many environments, each as Render would. It calls each(i, r)
// as soon as environment i is done, from several goroutines at a time. The error is one about the
// shared inputs, or that of the context.
func (o Options) Fleet(
	ctx context.Context, envs []engine.Environment, each func(i int, r Rendered),
) error {
	config := o.Config()
	config.Debug = nil
	for _, e := range envs {
		o.ReportRead(e.Values)
	}
	k := o.kept("fleet", config)
	s, err := k.open(ctx, config)
	if err != nil {
		return err
	}
	req := engine.Request{JSON: o.Format == JSON}
	env := func(i int) (engine.Environment, error) { return envs[i], nil }
	return s.Fleet(ctx, req, len(envs), env, func(i int, r engine.Rendered) {
		each(i, o.rendered(r, k, envs[i].Name))
	})
}

// rendered returns the result of an environment, linked to what earlier runs have printed.
func (o Options) rendered(r engine.Rendered, k *cachedSession, name string) Rendered {
	done := Rendered{Err: r.Err, Prints: r.Prints, Took: r.Took}
	if r.Err == nil {
		done.Result = o.Result(r.Result)
		if r.Kept {
			done.Result.printed = k.printedOf(name)
		}
	}
	return done
}
