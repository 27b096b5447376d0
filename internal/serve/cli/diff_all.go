package cli

import (
	"bytes"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/serve/cli/process"
)

// compareAll compares environments with a revision.
func (f *diffFlags) compareAll(
	cmd *cobra.Command, p *weft.Project, names []string, how weft.Options,
) error {
	all := len(names) == len(p.Names()) // and those that are only at the revision
	if _, err := p.Environments(names...); err != nil {
		return err
	}
	first, second, err := f.revisions(cmd, p)
	defer func() { first.close(); second.close() }()
	if err != nil {
		return err
	}
	if all {
		names = nil
	}
	before, err := f.environmentsAt(cmd, first, names, how)
	if err != nil {
		return err
	}
	after, err := f.environmentsAt(cmd, second, names, how)
	if err != nil {
		return err
	}
	f.refused.tell(cmd)
	report := environmentReport{form: f.output}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(
		slices.Concat(before.names(), after.names())))) {
		d, err := weft.DiffResults(before.results[name], after.results[name],
			[2]string{first.name(), second.name()}, f.options)
		if err != nil {
			return err
		}
		if !d.Same() {
			var b bytes.Buffer
			if _, err := f.print(&b, d, process.Colored(cmd)); err != nil {
				return err
			}
			report.add(name, b.String())
		}
		report.count++
	}
	if err := report.write(cmd); err != nil {
		return err
	}
	process.MessagesOf(cmd).Note(report.summary("differ", "differs"))
	if len(report.groups) > 0 {
		return process.ErrDifferent
	}
	return nil
}

// renderedEnvironments are the results of environments.
type renderedEnvironments struct {
	runs    []weft.ProjectRun
	results map[string]*weft.Result
}

func (r *renderedEnvironments) names() (names []string) {
	for _, run := range r.runs {
		names = append(names, run.Name)
	}
	return names
}

// environmentsAt renders environments of the project at a revision, or all if there are no names.
func (f *diffFlags) environmentsAt(
	cmd *cobra.Command, at *revision, names []string, how weft.Options,
) (*renderedEnvironments, error) {
	side, err := f.side(cmd.Flags(), "--a", "")
	if err != nil {
		return nil, err
	}
	p, err := side.projectAt(cmd.Context(), f.render.project.opened, at)
	if err != nil {
		return nil, err
	}
	made := &renderedEnvironments{results: map[string]*weft.Result{}}
	for _, name := range p.Names() {
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		s, err := side.sideOf(p, at, name)
		if err != nil {
			return nil, err
		}
		s.Warnings, s.Env = weft.WarningsOff, how.Env
		runLike(&s.Options, how)
		f.refused.leaveOut(&s.Options)
		made.runs = append(made.runs, weft.ProjectRun{Name: name, Options: s.Options})
	}
	results, err := renderEach(cmd.Context(), made.runs)
	for i, run := range made.runs {
		if results != nil {
			made.results[run.Name] = results[i]
		}
	}
	return made, err
}

// renderEach renders environments. The error is that of the first that fails, with its name.
func renderEach(ctx context.Context, runs []weft.ProjectRun) ([]*weft.Result, error) {
	results, errs := make([]*weft.Result, len(runs)), make([]error, len(runs))
	err := weft.RenderAll(ctx, runs, func(i int, r weft.EnvironmentResult) {
		results[i], errs[i] = r.Result, r.Err
	})
	if err != nil {
		return nil, err
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}
