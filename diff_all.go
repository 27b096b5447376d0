package weft

import (
	"context"

	"weft/internal/engine"
	"weft/internal/engine/shortcut"
	"weft/internal/origin/compare"
	"weft/internal/origin/diff"
	"weft/internal/project/fleet"
)

// DiffAll finds the environments whose output differs between two sides of a project, such as a
// revision and the working tree: exactly those for which separate runs produce different bytes. The
// output is the files that are written, or else what Result.WriteTo prints and the text files. An
// environment that fails has no output: if it fails on one side, it has changed.
//
// It calls each for these environments, in the order of their names, with what happened: changed,
// added or removed; or same for one that fails on both sides, with both errors. If opts is not nil,
// it renders them once more and compares them by meaning, without causes: d is nil if one of the
// sides fails. Results are not kept, so memory does not grow with the number of environments.
func DiffAll(
	ctx context.Context, before, after ProjectRuns, opts *DiffOptions,
	each func(name, change string, d *DiffReport, failed [2]error) error,
) error {
	found, err := fleet.Changed(ctx, before.runs(), after.runs())
	if err != nil {
		return public(err)
	}
	if opts == nil {
		for _, c := range found {
			if err := each(c.Name, c.Kind.String(), nil, errorsOf(c)); err != nil {
				return err
			}
		}
		return nil
	}
	opt, err := opts.options(Options{}.syntax())
	if err != nil {
		return err
	}
	for len(found) > 0 { // compare only as many at a time as fit into memory
		some := found[:min(len(found), maxTogether)]
		found = found[len(some):]
		reports, err := diffSome(ctx, before, after, some, opt)
		if err != nil {
			return err
		}
		for i, c := range some {
			if err := each(c.Name, c.Kind.String(), reports[i], errorsOf(c)); err != nil {
				return err
			}
		}
	}
	return nil
}

func errorsOf(c fleet.EnvironmentChange) [2]error { return [2]error{public(c.Before), public(c.After)} }

// maxTogether is the number of environments that are compared at a time, with the results of both
// sides in memory.
const maxTogether = 256

// diffSome renders environments on both sides and compares them. An environment that fails has no
// report.
func diffSome(
	ctx context.Context, before, after ProjectRuns, list []fleet.EnvironmentChange, opt diff.Options,
) ([]*DiffReport, error) {
	first, err := before.resultsOf(shortcut.WithTally(ctx, nil), list)
	if err != nil {
		return nil, err
	}
	second, err := after.resultsOf(ctx, list)
	if err != nil {
		return nil, err
	}
	reports := make([]*DiffReport, len(list))
	for i, c := range list {
		if c.Before == nil && c.After == nil {
			names := [2]string{before.Side, after.Side}
			reports[i] = &DiffReport{compare.Results(first[c.Name], second[c.Name], names, opt)}
		}
	}
	return reports, nil
}

// resultsOf renders some of the environments of a side, if it has them.
func (r ProjectRuns) resultsOf(
	ctx context.Context, list []fleet.EnvironmentChange,
) (map[string]*engine.Result, error) {
	wanted := make(map[string]bool, len(list))
	for _, c := range list {
		wanted[c.Name] = true
	}
	var at []int
	for i, name := range r.Names {
		if wanted[name] {
			at = append(at, i)
		}
	}
	some := r.runs()
	options := some.Options
	some.Options = func(n int) (fleet.Options, error) { return options(at[n]) }
	some.Names = make([]string, len(at))
	for n, i := range at {
		some.Names[n] = r.Names[i]
	}
	results := make([]*engine.Result, len(at))
	err := fleet.RenderAll(ctx, some, func(n int, done fleet.Rendered) {
		if done.Err == nil {
			results[n] = &done.Result.Result
		}
	})
	if err != nil && ctx.Err() != nil {
		return nil, public(err)
	}
	byName := make(map[string]*engine.Result, len(at))
	for n, name := range some.Names {
		if results[n] != nil {
			byName[name] = results[n]
		}
	}
	return byName, nil
}
