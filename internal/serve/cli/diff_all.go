package cli

import (
	"bytes"
	"io"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/serve/cli/process"
)

// compareAll compares environments with a revision. Differences are printed by cause, with the environments
// that a cause touches; without causes, environments with the same differences are printed together.
func (f *diffFlags) compareAll(
	cmd *cobra.Command, p *weft.Project, names []string, how weft.Options,
) error {
	all := len(names) == len(p.Names()) // including those that exist only at the revision
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
	compared := slices.Clone(after.Names)
	for _, name := range before.Names {
		if !slices.Contains(after.Names, name) {
			compared = append(compared, name)
		}
	}
	if cmd.Flags().NArg()+len(f.render.project.named) == 0 {
		tellAll(cmd, "comparing", compared)
	}
	report, fails := environmentReport{form: f.output, count: len(compared)}, failuresOf(cmd)
	opts := f.options
	opts.Causes = f.causes && !f.summary
	byCause, err := weft.DiffAll(cmd.Context(), before.ProjectRuns, after.ProjectRuns, &opts,
		func(name, _ string, d *weft.DiffReport, failed [2]error) error {
			for i, err := range failed {
				if err != nil && (i == 1 || failed[1] == nil) {
					fails.add([]string{name + " at " + before.Side, name}[i], err)
				}
			}
			if d == nil || d.Same() {
				return nil
			}
			var b bytes.Buffer
			_, err := f.print(&b, d, process.Colored(cmd))
			report.add(name, b.String())
			return err
		})
	if err != nil {
		return err
	}
	f.refused.tell(cmd)
	if err := f.writeAll(cmd, &report, byCause); err != nil {
		return err
	}
	process.MessagesOf(cmd).Note(report.summary("differ", "differs"))
	if err := fails.write(report.count); err != nil {
		return err
	}
	if len(report.groups) > 0 {
		return process.ErrDifferent
	}
	return nil
}

// writeAll prints the differences of all environments: by cause, or else by environment.
func (f *diffFlags) writeAll(cmd *cobra.Command, report *environmentReport, byCause *weft.DiffReport) error {
	if byCause == nil || byCause.Same() {
		return report.write(cmd)
	}
	write := func(w io.Writer) error {
		var b bytes.Buffer
		if _, err := f.print(&b, byCause, process.Colored(cmd)); err != nil {
			return err
		}
		_, err := w.Write(b.Bytes())
		return err
	}
	if f.output == "text" {
		return process.PrintFolded(cmd, write)
	}
	return process.PrintText(cmd, write)
}

// projectSide is the environments of a project at a revision, or in the working tree.
type projectSide struct {
	weft.ProjectRuns
	project *weft.Project
}

// environmentsAt returns environments of the project at a revision, or all if there are no names, with the
// flags of both sides.
func (f *diffFlags) environmentsAt(
	cmd *cobra.Command, at *revision, names []string, how weft.Options,
) (*projectSide, error) {
	side, err := f.side(cmd.Flags(), "--a", "")
	if err != nil {
		return nil, err
	}
	p, err := side.projectAt(cmd.Context(), f.render.project.opened, at)
	if err != nil {
		return nil, err
	}
	base, err := side.resolve(nil)
	if err != nil {
		return nil, err
	}
	s, err := newProjectSide(p, at, base, how, &f.refused)
	if err == nil && names != nil {
		s.keep(func(name string) bool { return slices.Contains(names, name) })
	}
	return s, err
}

// newProjectSide returns the environments of a project that is opened at a revision. Variables that
// the project may not read are left out and recorded: the author of the revision also wrote its
// project file.
func newProjectSide(
	p *weft.Project, at *revision, base, how weft.Options, refused *refusedEnv,
) (*projectSide, error) {
	whole := weft.Side{Options: base}
	if at != nil {
		whole.Revision = at.files.ID()
		unread := func(string, string, string) error { return nil }
		if err := below(&whole, localTo(at.here, "--rev"), unread); err != nil {
			return nil, err
		}
	}
	whole.Warnings, whole.Env = weft.WarningsOff, how.Env
	runLike(&whole.Options, how)
	names := p.Names()
	var mu sync.Mutex
	options := func(i int) (weft.Options, error) {
		opts, err := p.Options(names[i], whole.Options)
		if err != nil {
			return opts, err
		}
		opts, prefixes := opts.WithoutRefusedEnv()
		mu.Lock()
		defer mu.Unlock()
		for _, x := range prefixes {
			if !slices.Contains(*refused, x) {
				*refused = append(*refused, x)
			}
		}
		return opts, nil
	}
	runs := weft.ProjectRuns{Names: names, Options: options, Side: at.name()}
	return &projectSide{runs, p}, nil
}
