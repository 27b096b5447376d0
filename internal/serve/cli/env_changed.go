package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/project/fleet"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// changedFlags are the flags of `env --changed`.
type changedFlags struct {
	rev     string
	render  renderFlags // how environments are rendered
	refused refusedEnv
}

func (f *changedFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.rev, "changed", "",
		"list only environments whose output differs from that at git revision `REV`, or between two of "+
			"them with REV..REV")
	help.Sides.Of(flags)
	mainFlags := f.render.command("").Flags()
	for _, name := range []string{"jobs", "timeout"} {
		flags.AddFlag(mainFlags.Lookup(name))
	}
}

// changedEnvironment is an environment whose output differs between two sides.
type changedEnvironment struct {
	weft.Environment
	change string
	failed [2]error
}

// run lists the environments that differ from a revision.
func (f *changedFlags) run(
	cmd *cobra.Command, p *weft.Project, of *projectFlags, labels []string, form string,
) error {
	want, err := parseSelector(labels)
	if err != nil {
		return err
	}
	if f.rev == "" {
		return process.Usagef("--changed takes a revision, but found an empty one")
	}
	if err := applyFlags(cmd, p, ""); err != nil {
		return err
	}
	f.render.project = *of
	base, err := f.render.resolve(nil)
	if err != nil {
		return err
	}
	return f.render.how.Run(cmd, base, func(cmd *cobra.Command, how weft.Options) error {
		list, err := f.find(cmd, p, base, how, want)
		if err != nil {
			return err
		}
		f.refused.tell(cmd)
		return reportChanged(cmd, list, form)
	})
}

// find renders all environments on both sides, and returns those that differ, and those that fail on
// both sides.
func (f *changedFlags) find(
	cmd *cobra.Command, p *weft.Project, base, how weft.Options, want labelSelector,
) ([]changedEnvironment, error) {
	sides := diffFlags{rev: f.rev}
	first, second, err := sides.revisions(cmd, p)
	defer func() { first.close(); second.close() }()
	if err != nil {
		return nil, err
	}
	before, err := f.side(cmd, p, first, base, how)
	if err != nil {
		return nil, err
	}
	after, err := f.side(cmd, p, second, base, how)
	if err != nil {
		return nil, err
	}
	selectBoth(before, after, want)
	if len(before.Names) == 0 && len(after.Names) == 0 {
		return nil, process.Usagef("there is no environment to compare").
			WithHint("`weft env` lists the environments and their labels")
	}
	var list []changedEnvironment
	_, err = weft.DiffAll(cmd.Context(), before.ProjectRuns, after.ProjectRuns, nil,
		func(name, change string, _ *weft.DiffReport, failed [2]error) error {
			from := after
			if change == fleet.Removed.String() {
				from = before
			}
			c := changedEnvironment{change: change, failed: failed}
			c.Name = name
			if envs, err := from.project.Environments(name); err == nil {
				c.Environment = envs[0]
			}
			list = append(list, c)
			return nil
		})
	return list, err
}

// side returns the environments of one side.
func (f *changedFlags) side(
	cmd *cobra.Command, p *weft.Project, at *revision, base, how weft.Options,
) (*projectSide, error) {
	var err error
	if at != nil {
		side := sideFlags{flags: cmd.Flags()}
		if p, err = side.projectAt(cmd.Context(), p, at); err != nil {
			return nil, err
		}
	}
	s, err := newProjectSide(p, at, base, how, &f.refused)
	if err != nil {
		return nil, err
	}
	s.Output = func(i int) weft.Dir {
		envs, err := p.Environments(s.Names[i])
		if err != nil {
			return weft.Dir{}
		}
		dir, _ := outputOf(envs[0]) // none if it is not written
		if at == nil && dir.Path != "" {
			if path, err := belowRoot(p, dir.Path); err == nil {
				dir.Path = path // the path at the revision
			}
		}
		return dir
	}
	return s, nil
}

// selectBoth leaves the environments whose labels match: on the second side, or on the first
// side if they exist only there.
func selectBoth(before, after *projectSide, want labelSelector) {
	if len(want) == 0 {
		return
	}
	now := map[string]bool{} // whether each environment of the second side is selected
	for _, name := range after.Names {
		now[name] = after.has(name, want)
	}
	after.keep(func(name string) bool { return now[name] })
	before.keep(func(name string) bool {
		selected, stays := now[name]
		return selected || !stays && before.has(name, want)
	})
}

// has reports whether the labels of an environment match. An environment with invalid settings
// matches, so that its error is reported.
func (s *projectSide) has(name string, want labelSelector) bool {
	envs, err := s.project.Environments(name)
	return err != nil || want.matches(envs[0].Labels)
}

// keep drops environments.
func (s *projectSide) keep(wanted func(name string) bool) {
	options := s.Options
	var names []string
	var at []int
	for i, name := range s.Names {
		if wanted(name) {
			names, at = append(names, name), append(at, i)
		}
	}
	s.Names, s.Options = names, func(n int) (weft.Options, error) { return options(at[n]) }
}

// reportChanged prints the environments that differ. It lists those that fail on standard error, and
// returns an error if one fails on the second side.
func reportChanged(cmd *cobra.Command, list []changedEnvironment, form string) error {
	write := map[string]func(io.Writer, []changedEnvironment) error{
		"text": writeChangedText, "json": writeChangedJSON, "name": writeChangedNames,
	}[form]
	var failed [2]environmentReport // for each side, before and now
	for _, c := range list {
		side := 1
		if c.failed[side] == nil {
			side = 0
		}
		if err := c.failed[side]; err != nil {
			var text bytes.Buffer
			buffered := &process.Messages{Out: &text, Form: process.MessagesOf(cmd).Form, Environment: c.Name}
			buffered.Report(err)
			failed[side].add(c.Name, text.String())
		}
	}
	changed := slices.DeleteFunc(slices.Clone(list), func(c changedEnvironment) bool {
		return c.change == fleet.Same.String()
	})
	if err := process.PrintText(cmd, func(w io.Writer) error { return write(w, changed) }); err != nil {
		return err
	}
	msg := process.MessagesOf(cmd)
	for side, report := range failed {
		for _, g := range report.groups {
			text := g.text
			if msg.Form != process.AsJSON { // in which each line names its environment
				text = fmt.Sprintf("%s%s:\n%s\n", g.title(), []string{" before", ""}[side], g.text)
			}
			msg.WriteText([]byte(text))
		}
	}
	if failed[1].groups != nil {
		return process.ErrFleet
	}
	return nil
}

func writeChangedNames(w io.Writer, list []changedEnvironment) error {
	for _, c := range list {
		fmt.Fprintln(w, c.Name)
	}
	return nil
}

func writeChangedText(w io.Writer, list []changedEnvironment) error {
	if len(list) == 0 {
		_, err := io.WriteString(w, "no environment has changed\n")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "NAME\tCHANGE\tLABELS\tOUTPUT")
	for _, c := range list {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", c.Name, c.change, orDash(labelText(c.Labels)),
			orDash(diag.Visible(c.Output.Dir+c.Output.File)))
	}
	return t.Flush()
}

// jsonChanged is the JSON form of an environment that differs. Its names are stable.
type jsonChanged struct {
	Name   string            `json:"name"`
	Change string            `json:"change"`           // changed, added or removed
	Failed string            `json:"failed,omitempty"` // the side that does not render: before or now
	Labels map[string]string `json:"labels"`
	Output string            `json:"output,omitempty"` // where it is written
}

// writeChangedJSON writes an array with one object per environment.
func writeChangedJSON(w io.Writer, list []changedEnvironment) error {
	all := []jsonChanged{}
	for _, c := range list {
		one := jsonChanged{Name: c.Name, Change: c.change, Labels: c.Labels, Output: c.Output.Dir + c.Output.File}
		if one.Labels == nil {
			one.Labels = map[string]string{}
		}
		switch {
		case c.failed[1] != nil:
			one.Failed = "now"
		case c.failed[0] != nil:
			one.Failed = "before"
		}
		all = append(all, one)
	}
	return process.WriteIndented(w, all)
}
