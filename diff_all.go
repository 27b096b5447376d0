package weft

import (
	"bytes"
	"context"
	"slices"

	"weft/internal/engine"
	"weft/internal/engine/shortcut"
	"weft/internal/lang/selector"
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
//
// With DiffOptions.Causes, it returns a report of all of them, by cause: what one change of the inputs
// changes in many environments is in one place. It looks for causes in at most 50 environments, among them
// one of each kind of difference, and the report says so if there are more. A selector that selects nothing
// in any environment is an error.
func DiffAll(
	ctx context.Context, before, after ProjectRuns, opts *DiffOptions,
	each func(name, change string, d *DiffReport, failed [2]error) error,
) (*DiffReport, error) {
	found, err := fleet.Changed(ctx, before.runs(), after.runs())
	if err != nil {
		return nil, public(err)
	}
	if opts == nil {
		for _, c := range found {
			if err := each(c.Name, c.Kind.String(), nil, errorsOf(c)); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
	opt, err := opts.options(Options{}.syntax())
	if err != nil {
		return nil, err
	}
	all := allDiffs{
		before: before, after: after, options: *opts, unused: opt.Select, byText: map[string]*diffGroup{},
	}
	for rest := found; len(rest) > 0; { // compare only as many at a time as fit into memory
		some := rest[:min(len(rest), maxTogether)]
		rest = rest[len(some):]
		reports, err := diffSome(ctx, before, after, some, opt)
		if err != nil {
			return nil, err
		}
		for i, c := range some {
			all.add(c.Name, reports[i])
			if err := each(c.Name, c.Kind.String(), reports[i], errorsOf(c)); err != nil {
				return nil, err
			}
		}
	}
	if err := all.selects(ctx, found); err != nil || !opts.Causes {
		return nil, err
	}
	return all.byCause(ctx)
}

// allDiffs collects the differences of environments.
type allDiffs struct {
	before, after ProjectRuns
	options       DiffOptions
	groups        []*diffGroup
	byText        map[string]*diffGroup
	unused        []selector.Selector // those that have selected nothing yet
	docs          []selector.Selectable
}

// diffGroup is environments with the same differences.
type diffGroup struct{ names []string }

// maxExplained is the maximum number of environments for which causes are searched, the first of each group
// before others: each takes as many runs as inputs differ.
const maxExplained = 50

func (a *allDiffs) add(name string, d *DiffReport) {
	if d == nil {
		return
	}
	a.unused = slices.DeleteFunc(slices.Clone(a.unused), d.comparison.Selects)
	if len(a.unused) > 0 {
		a.docs = d.comparison.Selectable()
	}
	var b bytes.Buffer
	if d.Same() || d.Write(&b, ReportOptions{Format: JSON}) != nil {
		return
	}
	text := b.String()
	if g := a.byText[text]; g != nil {
		g.names = append(g.names, name)
		return
	}
	g := &diffGroup{[]string{name}}
	a.groups, a.byText[text] = append(a.groups, g), g
}

// selects returns an error about a selector that selects nothing in any environment. Environments that have
// not changed were not compared, and are looked at only if a selector has selected nothing yet.
func (a *allDiffs) selects(ctx context.Context, found []fleet.EnvironmentChange) error {
	compared := map[string]bool{}
	for _, c := range found {
		if compared[c.Name] = true; c.Before != nil || c.After != nil {
			return nil // it is not known what it would select
		}
	}
	for _, name := range a.after.Names {
		if len(a.unused) == 0 {
			return nil
		}
		if compared[name] {
			continue
		}
		results, err := a.after.resultsOf(ctx, []fleet.EnvironmentChange{{Name: name}})
		if err != nil {
			return err
		}
		if r := results[name]; r != nil {
			a.docs = selector.Of(r.Docs, r.Files)
			a.unused = slices.DeleteFunc(a.unused, func(s selector.Selector) bool {
				return slices.Contains(s.Select(a.docs), true)
			})
		}
	}
	if len(a.unused) == 0 {
		return nil
	}
	return public(selector.Unused("--select", a.unused[:1], a.docs))
}

// byCause returns the differences of all environments by cause.
func (a *allDiffs) byCause(ctx context.Context) (*DiffReport, error) {
	all := &diff.Environments{}
	more := max(maxExplained-len(a.groups), 0)
	for i, g := range a.groups {
		searches := 0
		if i < maxExplained {
			searches = 1 + min(more, len(g.names)-1)
			more -= searches - 1
		}
		parts, err := a.explained(ctx, g.names, searches)
		if err != nil {
			return nil, err
		}
		all.Search(g.names, searches)
		for _, p := range parts {
			all.Add(p.names, p.report.comparison.Difference, p.report.mask)
		}
	}
	return &DiffReport{environments: all}, nil
}

// explainedPart is environments with the same differences from the same causes.
type explainedPart struct {
	names  []string
	report *DiffReport
	text   string
}

// explained looks for the causes of the same differences in the first of some environments: files of the same
// meaning may have changed in each, and each of them is a cause in one environment only. Those that are not
// searched have the causes of the others if these agree, and otherwise none.
func (a *allDiffs) explained(
	ctx context.Context, names []string, searches int,
) (parts []*explainedPart, err error) {
	for k, name := range names {
		if k >= searches && len(parts) == 1 {
			parts[0].names = append(parts[0].names, names[k:]...)
			break
		}
		p := &explainedPart{names: []string{name}}
		if p.report, err = a.compare(ctx, name, k < searches); err != nil {
			return nil, err
		}
		var b bytes.Buffer // the text, which has the places of causes
		if err := p.report.Write(&b, ReportOptions{}); err != nil {
			return nil, err
		}
		p.text = b.String()
		i := slices.IndexFunc(parts, func(x *explainedPart) bool { return x.text == p.text })
		switch {
		case k >= searches:
			p.names = names[k:]
			return append(parts, p), nil
		case i >= 0:
			parts[i].names = append(parts[i].names, name)
		default:
			parts = append(parts, p)
		}
	}
	return parts, nil
}

// compare compares one environment, with the causes if they are searched.
func (a *allDiffs) compare(ctx context.Context, name string, causes bool) (*DiffReport, error) {
	opts := a.options
	opts.Causes = causes
	first, err := a.before.sideOf(name)
	if err != nil {
		return nil, err
	}
	second, err := a.after.sideOf(name)
	if err != nil {
		return nil, err
	}
	return diffSides(ctx, first, second, opts)
}

// sideOf returns one environment, or a side without documents if it does not exist.
func (r ProjectRuns) sideOf(name string) (Side, error) {
	i := slices.Index(r.Names, name)
	if i < 0 {
		return Side{Plain: true, Name: r.Side}, nil
	}
	opts, err := r.Options(i)
	return Side{Options: opts, Name: r.Side}, err
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
			reports[i] = &DiffReport{comparison: compare.Results(first[c.Name], second[c.Name], names, opt)}
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
