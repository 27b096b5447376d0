package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/engine/outdir"
	"weft/internal/serve/cli/process"
)

// projectFleet renders environments of a project side by side.
type projectFleet struct {
	flags   *renderFlags
	project *weft.Project
	names   []string
	dirs    []weft.Dir // where each is written; nil if none is

	// done takes what was rendered, from several goroutines.
	done func(i int, r weft.EnvironmentResult) (weft.Changes, error)

	options []weft.Options // of each environment
}

// render renders the environments and reports on them. If none has failed, last is called.
func (f *projectFleet) render(
	cmd *cobra.Command, written bool, last func(*cobra.Command) error,
) error {
	if err := applyFlags(cmd, f.project, ""); err != nil {
		return err
	}
	base, err := f.flags.resolve(cmd.InOrStdin())
	if err != nil {
		return err
	}
	return f.flags.how.Run(cmd, base, func(cmd *cobra.Command, base weft.Options) error {
		return f.renderWith(cmd, base, written, last)
	})
}

func (f *projectFleet) renderWith(
	cmd *cobra.Command, base weft.Options, written bool, last func(*cobra.Command) error,
) error {
	if _, err := f.project.Environments(f.names...); err != nil {
		return err
	}
	runs := make([]weft.ProjectRun, len(f.names))
	f.options = make([]weft.Options, len(f.names))
	for i, name := range f.names {
		opts, err := f.project.Options(name, base)
		if err != nil {
			return err
		}
		if w := process.WatchingOf(cmd); w != nil && f.dirs != nil && f.dirs[i].Path != "" {
			if err := w.WritesTo(f.dirs[i], opts); err != nil {
				return err
			}
		}
		runs[i] = weft.ProjectRun{Name: name, Options: opts}
		f.options[i] = opts
	}
	report := &fleetReport{msg: process.MessagesOf(cmd), envs: make([]fleetEntry, len(runs))}
	finish := func(i int, r weft.EnvironmentResult) {
		var made weft.Changes
		if r.Err == nil {
			made, r.Err = f.done(i, r)
		}
		report.add(i, r, made)
	}
	nested := newNestedOutputs(f.dirs)
	err := weft.RenderAll(cmd.Context(), runs, func(i int, r weft.EnvironmentResult) {
		if !nested.hold(i, r) {
			finish(i, r)
		}
	})
	if err != nil {
		return err
	}
	nested.release(finish)
	return report.writeThen(written, func() error { return last(cmd) })
}

// runProject renders the environments of a project that arguments and labels select.
func (f *fleetFlags) runProject(cmd *cobra.Command, args []string) error {
	p, err := f.render.project.need(cmd)
	if err != nil {
		return err
	}
	envs, err := f.selected(cmd, p, args)
	if err != nil {
		return err
	}
	f.render.out.elsewhere = true
	none := f.output == "none"
	if f.output != "" && !none && f.output != "yaml" {
		return process.Usagef("unknown output type '%s': --output of fleet takes yaml or none", f.output)
	}
	dirs, err := f.outputs(cmd, p, envs, none)
	if err != nil {
		return err
	}
	run := projectFleet{flags: &f.render, project: p, dirs: dirs}
	for _, e := range envs {
		run.names = append(run.names, e.Name)
	}
	if f.render.out.diff != noDiff {
		return f.diffProject(cmd, &run, dirs)
	}
	msg := process.MessagesOf(cmd)
	run.done = func(i int, r weft.EnvironmentResult) (weft.Changes, error) {
		if none || !msg.Stdout.Begin() {
			return weft.Changes{}, nil
		}
		defer msg.Stdout.End()
		// Here and not by each environment: one that fails to write takes away the directories that
		// it made.
		_ = outdir.MakeDir(filepath.Dir(dirs[i].Path))
		return r.Result.WriteFiles(cmd.Context(), dirs[i])
	}
	return run.render(cmd, !none, func(*cobra.Command) error { return nil })
}

// diffProject shows what would change in the output of each environment, in their order.
func (f *fleetFlags) diffProject(cmd *cobra.Command, run *projectFleet, dirs []weft.Dir) error {
	texts := make([][]byte, len(dirs))
	run.done = func(i int, r weft.EnvironmentResult) (_ weft.Changes, err error) {
		texts[i], err = f.render.out.diff.environment(cmd, r, dirs[i])
		return weft.Changes{}, err
	}
	return run.render(cmd, false, func(cmd *cobra.Command) error { return printDifferences(cmd, texts) })
}

// selected returns the environments that arguments name or labels select, or all; of them, the part
// of --shard.
func (f *fleetFlags) selected(
	cmd *cobra.Command, p *weft.Project, args []string,
) ([]weft.Environment, error) {
	names := args
	if len(names) == 0 {
		names = p.Names()
	}
	if len(names) == 0 {
		return nil, process.Usagef("%s has no environments", p.Path()).
			WithHint("add some, or use weft render")
	}
	slices.Sort(names)
	names = slices.Compact(names)
	envs, err := environmentsOf(p, names, f.labels)
	if err != nil {
		return nil, err
	}
	if len(envs) == 0 {
		return nil, process.Usagef("no environment has the labels %s", strings.Join(f.labels, ",")).
			WithHint("`weft env` shows the labels of all environments")
	}
	if cmd.Flags().Changed("shard") {
		part, err := parseShard(f.shard)
		if err != nil {
			return nil, err
		}
		return partOf(part, envs), nil
	}
	return envs, nil
}

// outputs returns the directories to write to, one for each environment.
func (f *fleetFlags) outputs(
	cmd *cobra.Command, p *weft.Project, envs []weft.Environment, none bool,
) ([]weft.Dir, error) {
	common, err := f.render.out.dir(cmd.Flags())
	if err != nil {
		return nil, err
	}
	switch {
	case none && common.Path != "":
		return nil, process.Usagef("-o none writes nothing, and cannot be used with an output directory")
	case none && f.render.out.diff != noDiff:
		return nil, process.Usagef("--diff and -o none cannot be used together")
	case common.Path != "" && !strings.Contains(common.Path, placeholder):
		return nil, noPlaceholder(common.Path)
	}
	dirs := make([]weft.Dir, len(envs))
	if none {
		return dirs, nil
	}
	if common.Path == "" {
		if err := p.CheckOutputs(); err != nil {
			return nil, err
		}
	}
	for i, e := range envs {
		if common.Path != "" {
			dirs[i] = common
			dirs[i].Path = strings.ReplaceAll(common.Path, placeholder, e.Name)
			continue
		}
		if dirs[i], err = outputOf(e); err != nil {
			return nil, err
		}
		dirs[i].Prune = dirs[i].Prune || common.Prune && dirs[i].Single == ""
		dirs[i].Sync = common.Sync
		if common.Split != "" && dirs[i].Single == "" {
			dirs[i].Split = common.Split
		}
	}
	return dirs, nil
}
