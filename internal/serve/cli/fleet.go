package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/engine/outdir"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// fleetFlags are the flags of the fleet command. Those that it shares with the main command are in
// render.
type fleetFlags struct {
	render renderFlags
	envs   []string
	which  environmentSet
	output string
}

// notOfFleet are the flags of the main command that the fleet command does not have, or defines
// differently.
var notOfFleet = []string{
	"output", "environment", "bulk-in", "bulk-out", "debug",
	"files-inspect", "data-values-inspect", "data-values-schema-inspect",
}

// placeholder is replaced by the name of an environment in the path of a directory.
const placeholder = "{env}"

// newFleet returns the command that renders one configuration for many environments.
func newFleet() *cobra.Command {
	f := &fleetFlags{}
	cmd := &cobra.Command{
		Use:   "fleet [ENV...] [flags]",
		Short: "Old word for weft render --all --write",
		Long: `fleet is the old word for weft render --all --write. It renders environments and writes each to its
output. It reads and compiles what they have in common once. If an environment fails, weft reports it
and still writes the others.

The environments are those of the project: all, those that are named, or those with the labels of
-l. Or they are data values files that match --env: the name of an environment is then the file
name without the extension, and it is rendered as weft would render it with that file as the last
--data-values-file.`,
		Example: `  weft fleet                         write all environments of the project
  weft fleet dev prod
  weft fleet -l region=eu --shard 0/4
  weft fleet -o none                 check all environments, write nothing
  weft fleet --env 'envs/*.yml' -f config --output-files 'out/{env}'
  weft fleet --env 'envs/*.yml' -f config --output-files 'out/{env}' --shard 0/4`,
		Args: fleetArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if ofProject(cmd) {
				return f.runProject(cmd, args)
			}
			return f.run(cmd)
		},
	}
	flags := cmd.Flags()
	addList(flags, &f.envs, "env", "",
		"render once for each data values file that matches `PATTERN`, with *, ? and [a-z] as in "+
			"a shell (repeatable)")
	f.which.add(flags)
	flags.StringVarP(&f.output, "output", "o", "",
		"write as `FORMAT`: yaml; none checks everything and writes nothing (default yaml)")
	help.Output.Of(flags)
	f.render.command("").Flags().VisitAll(func(flag *pflag.Flag) {
		if !slices.Contains(notOfFleet, flag.Name) {
			flags.AddFlag(flag)
		}
	})
	return cmd
}

// ofProject reports whether the environments come from a project, not from --env and -f.
func ofProject(cmd *cobra.Command) bool {
	flags := cmd.Flags()
	return !flags.Changed("env") && (!flags.Changed("file") || flags.Changed("project"))
}

// fleetArgs rejects arguments with --env. Usually the shell has expanded a pattern that was meant for
// weft.
func fleetArgs(cmd *cobra.Command, args []string) error {
	if ofProject(cmd) {
		return nil
	}
	if err := noArgs(cmd, args); err != nil {
		if cmd.Flags().Changed("env") {
			return process.Usagef("%s", err).
				WithHint("put the pattern in quotes, so that the shell leaves it alone: --env 'envs/*.yml'")
		}
		return err
	}
	return nil
}

func (f *fleetFlags) run(cmd *cobra.Command) error {
	opts, dir, err := f.resolve(cmd)
	if err != nil {
		return err
	}
	if dir.Path != "" {
		if err := apart(opts.Environments); err != nil {
			return err
		}
	}
	return f.render.how.Run(cmd, opts.Options, func(cmd *cobra.Command, common weft.Options) error {
		opts.Options = common
		if w := process.WatchingOf(cmd); w != nil && dir.Path != "" {
			parent := weft.Dir{Path: filepath.Dir(beforePlaceholder(dir.Path) + "x")}
			if err := w.WritesTo(parent, common); err != nil {
				return err
			}
		}
		return renderFleet(cmd, opts, dir, f.render.out.diff)
	})
}

// apart rejects environments whose directories are the same on some file systems.
func apart(envs []weft.Environment) error {
	first := make(map[string]string, len(envs))
	for _, e := range envs {
		key := outdir.Key(e.Name)
		if other, ok := first[key]; ok {
			return process.Usagef("environments '%s' and '%s' would be written to directories that some file systems "+
				"treat as one", other, e.Name).WithHint("rename one of them")
		}
		first[key] = e.Name
	}
	return nil
}

// renderFleet renders environments and writes each to its directory, unless the directory has no
// path. With a diff form, it shows the changes instead.
func renderFleet(
	cmd *cobra.Command, opts weft.FleetOptions, dir weft.Dir, form diffForm,
) error {
	if form != noDiff {
		return diffFleet(cmd, opts, dir, form)
	}
	done := newFleetReport(cmd, len(opts.Environments))
	var parent sync.Once
	err := weft.Fleet(cmd.Context(), opts, func(i int, r weft.EnvironmentResult) {
		var changes weft.Changes
		if r.Err == nil && dir.Path != "" {
			// Create it here, not for each environment: an environment that fails to write removes
			// the directories that it created.
			parent.Do(
				func() { _ = outdir.MakeDir(filepath.Dir(beforePlaceholder(dir.Path) + "x")) },
			)
			if !done.msg.Stdout.Begin() {
				return
			}
			changes, r.Err = writeEnvironment(cmd.Context(), r, dir)
			done.msg.Stdout.End()
		}
		done.add(i, r, changes)
	})
	if err != nil {
		return err
	}
	return done.write(dir.Path != "")
}

// diffFleet renders environments and shows the changes in the directory of each, in their order.
func diffFleet(
	cmd *cobra.Command, opts weft.FleetOptions, dir weft.Dir, form diffForm,
) error {
	done := newFleetReport(cmd, len(opts.Environments))
	texts := make([][]byte, len(opts.Environments))
	err := weft.Fleet(cmd.Context(), opts, func(i int, r weft.EnvironmentResult) {
		if r.Err == nil {
			envDir := dir
			envDir.Path = strings.ReplaceAll(dir.Path, placeholder, r.Name)
			texts[i], r.Err = form.environment(cmd, r, envDir)
		}
		done.add(i, r, weft.Changes{})
	})
	if err != nil {
		return err
	}
	printed := printDifferences(cmd, texts)
	if printed == nil || errors.Is(printed, process.ErrDifferent) {
		if err := done.write(false); err != nil {
			return err
		}
	}
	return printed
}

// resolve returns the options and the output directory for the flags. The directory has no path if
// nothing is written.
func (f *fleetFlags) resolve(cmd *cobra.Command) (weft.FleetOptions, weft.Dir, error) {
	none := f.output == "none"
	if !none && f.output != "" {
		f.render.output = []string{f.output}
	}
	common, err := f.render.resolve(cmd.InOrStdin())
	if err == nil && common.Format == weft.JSON && f.render.out.split == "" {
		err = filesAreYAML(cmd, &common)
	}
	opts := weft.FleetOptions{Options: common}
	if err != nil {
		return opts, weft.Dir{}, err
	}
	dir, err := f.render.out.dir(cmd.Flags())
	switch {
	case err != nil:
		return opts, dir, err
	case common.Format == weft.Pos:
		return opts, dir, process.Usagef("unknown output type 'pos': --output of fleet takes yaml or none")
	case none && f.render.out.diff != noDiff:
		return opts, dir, process.Usagef("--diff and -o none cannot be used together")
	case none && dir.Path != "":
		return opts, dir, process.Usagef("-o none writes nothing, and cannot be used with an output " +
			"directory")
	case !none && dir.Path == "":
		return opts, dir, process.Usagef("fleet needs a directory to write to").WithHint("add "+
			"--output-files 'out/%s', or -o none to write nothing", placeholder)
	case !none && !strings.Contains(dir.Path, placeholder):
		return opts, dir, noPlaceholder(dir.Path)
	}
	if w := process.WatchingOf(cmd); w != nil {
		for _, pattern := range f.envs {
			w.Files.Add(beforePattern(pattern))
		}
	}
	if opts.Environments, err = environments(f.envs); err != nil {
		return opts, dir, err
	}
	if cmd.Flags().Changed("shard") {
		part, err := parseShard(f.which.shard)
		if err != nil {
			return opts, dir, err
		}
		opts.Environments = partOf(part, opts.Environments)
	}
	return opts, dir, nil
}

func noPlaceholder(dir string) error {
	return process.Usagef("expected '%s' in the name of the directory '%s': without it environments would "+
		"overwrite each other", placeholder, dir).
		WithHint("give each environment its own directory: %s", filepath.Join(dir, placeholder))
}

// writeEnvironment writes the result of an environment to its directory.
func writeEnvironment(ctx context.Context, r weft.EnvironmentResult, dir weft.Dir) (weft.Changes, error) {
	dir.Path = strings.ReplaceAll(dir.Path, placeholder, r.Name)
	return r.Result.WriteFiles(ctx, dir)
}

func beforePlaceholder(path string) string {
	before, _, _ := strings.Cut(path, placeholder)
	return before
}
