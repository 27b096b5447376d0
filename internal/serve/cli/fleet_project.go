package cli

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/engine/outdir"
	"weft/internal/serve/cli/process"
)

// projectFleet renders environments of a project in parallel.
type projectFleet struct {
	flags   *renderFlags
	project *weft.Project
	names   []string
	dirs    []weft.Dir // where each is written; nil if nothing is written

	// done receives each result, from several goroutines.
	done func(i int, r weft.EnvironmentResult) (weft.Changes, error)

	formats []weft.Format // the format of each environment
}

// render renders the environments and reports on them. If none has failed, it calls last.
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
	runs := weft.ProjectRuns{Names: f.names, Options: func(i int) (weft.Options, error) {
		return f.project.Options(f.names[i], base)
	}}
	watched := process.WatchingOf(cmd) != nil
	f.formats = make([]weft.Format, len(f.names))
	for i := range f.names {
		if f.dirs != nil && !watched {
			break // only printed output has a format
		}
		opts, err := runs.Options(i)
		if err != nil {
			continue // it is reported as the failure of this environment
		}
		if w := process.WatchingOf(cmd); w != nil && f.dirs != nil && f.dirs[i].Path != "" {
			if err := w.WritesTo(f.dirs[i], opts); err != nil {
				return err
			}
		}
		f.formats[i] = opts.Format
	}
	report := newFleetReport(cmd, len(f.names))
	finish := func(i int, r weft.EnvironmentResult) {
		var changes weft.Changes
		if r.Err == nil {
			changes, r.Err = f.done(i, r)
		}
		report.add(i, r, changes)
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
	envs, err := f.which.of(cmd, p, args)
	if err != nil {
		return err
	}
	f.render.out.elsewhere, f.render.out.none = true, f.output == "none"
	if f.output != "" && !f.render.out.none && f.output != "yaml" {
		return process.Usagef("unknown output type '%s': --output of fleet takes yaml or none", f.output)
	}
	w := environmentsWriter{flags: &f.render, project: p, envs: envs}
	return w.run(cmd)
}

// environmentsWriter renders environments of a project in parallel, and writes each to its output.
type environmentsWriter struct {
	flags   *renderFlags
	project *weft.Project
	envs    []weft.Environment
}

func (w *environmentsWriter) run(cmd *cobra.Command) error {
	none := w.flags.out.none
	dirs, err := w.outputs(cmd)
	if err != nil {
		return err
	}
	run := projectFleet{flags: w.flags, project: w.project, dirs: dirs, names: namesOf(w.envs)}
	if w.flags.out.diff != noDiff {
		return w.showDiff(cmd, &run)
	}
	msg := process.MessagesOf(cmd)
	run.done = func(i int, r weft.EnvironmentResult) (weft.Changes, error) {
		if none || !msg.Stdout.Begin() {
			return weft.Changes{}, nil
		}
		defer msg.Stdout.End()
		// Create it here, not for each environment: an environment that fails to write removes the
		// directories that it created.
		_ = outdir.MakeDir(filepath.Dir(dirs[i].Path))
		return r.Result.WriteFiles(cmd.Context(), dirs[i])
	}
	return run.render(cmd, !none, func(*cobra.Command) error { return nil })
}

func namesOf(envs []weft.Environment) (names []string) {
	for _, e := range envs {
		names = append(names, e.Name)
	}
	return names
}

// showDiff shows the changes in the output of each environment, in their order.
func (w *environmentsWriter) showDiff(cmd *cobra.Command, run *projectFleet) error {
	texts := make([][]byte, len(run.dirs))
	run.done = func(i int, r weft.EnvironmentResult) (_ weft.Changes, err error) {
		texts[i], err = w.flags.out.diff.environment(cmd, r, run.dirs[i])
		return weft.Changes{}, err
	}
	return run.render(cmd, false, func(cmd *cobra.Command) error { return printDifferences(cmd, texts) })
}

// outputs returns the directories to write to, one for each environment.
func (w *environmentsWriter) outputs(cmd *cobra.Command) ([]weft.Dir, error) {
	none := w.flags.out.none
	common, err := w.flags.out.dir(cmd.Flags())
	if err != nil {
		return nil, err
	}
	if common.Path != "" && !strings.Contains(common.Path, placeholder) {
		return nil, noPlaceholder(common.Path)
	}
	dirs := make([]weft.Dir, len(w.envs))
	if none {
		return dirs, nil
	}
	if common.Path == "" {
		if err := w.project.CheckOutputs(); err != nil {
			return nil, err
		}
	}
	for i, e := range w.envs {
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
