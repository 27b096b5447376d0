package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/project/fleet"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// projectFlags select the project of a run, and its environments.
type projectFlags struct {
	file    string
	named   []string // environments, from -e and from leading arguments
	outside []string
	env     []string
	engines string

	opened *weft.Project
}

func (f *projectFlags) add(flags *pflag.FlagSet) {
	addList(flags, &f.named, "environment", "e",
		"use environment `NAME` of the project (default: that of weft.yml)")
	help.Environments.Of(flags)
	f.addFile(flags)
}

// severalUsage is the help of -e for commands that take several environments.
const severalUsage = "use environment `NAME` of the project (repeatable)"

// addFile adds the flags of commands that are about all environments.
func (f *projectFlags) addFile(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "project", "",
		"use the project in `FILE`, also with -f (default: weft.yml, here or above in the repository)")
	addList(flags, &f.outside, "allow-outside", "",
		"allow the project to use `PATH` outside of its repository, or a URL and all below it "+
			"(repeatable)")
	addList(flags, &f.env, "allow-env", "",
		"allow the project to read environment variables that begin with `PREFIX`_ (repeatable)")
	addEngines(flags, &f.engines)
	help.Projects.Of(flags)
}

// addEngines adds the flag that names the program that renders charts and kustomizations.
func addEngines(flags *pflag.FlagSet, to *string) {
	flags.StringVar(to, "engines", "",
		"render charts and kustomizations with the program `PATH` (default: weft-engines next to weft)")
}

// open opens the project that the flags name, or finds one. With -f, or if there is none, it returns
// nil.
func (f *projectFlags) open(cmd *cobra.Command) (*weft.Project, error) {
	flags := cmd.Flags()
	switch {
	case f.opened != nil:
		return f.opened, nil
	case flags.Changed("project") && f.file == "":
		return nil, process.Usagef("--project takes a file, but found an empty name")
	case !flags.Changed("project") && (flags.Changed("file") || flags.Changed("bulk-in")):
		return nil, nil
	}
	path := f.file
	if info, err := os.Stat(path); path != "" && err == nil && info.IsDir() {
		path = filepath.Join(path, "weft.yml")
	}
	engines := process.EnginesOf(cmd.Context(), f.engines)
	opts := weft.ProjectOptions{Path: path, AllowOutside: f.outside, Engines: engines}
	if w := process.WatchingOf(cmd); w != nil {
		opts.Reads = w.Files.Add
	}
	p, err := weft.OpenProject(fleet.WithGiven(cmd.Context(), flags.Changed), opts)
	if errors.Is(err, weft.ErrNoProject) {
		return nil, nil
	}
	f.opened = p
	return p, err
}

// need is like open, but there must be a project.
func (f *projectFlags) need(cmd *cobra.Command) (*weft.Project, error) {
	p, err := f.open(cmd)
	switch {
	case err != nil || p != nil:
		return p, err
	case cmd.Flags().Changed("file") || cmd.Flags().Changed("bulk-in"):
		return nil, process.Usagef("with -f there is no project, and no environment").
			WithHint("remove -f, or name the project: --project weft.yml")
	}
	for _, name := range f.named {
		if err := refusePath(cmd, nil, name); err != nil && cmd.Flags().Lookup("file") != nil {
			return nil, err
		}
	}
	return nil, noProject(cmd)
}

// noProject returns the error that there is no project, with a hint about where environments come
// from, and how to do without them if the command can.
func noProject(cmd *cobra.Command) *diag.Diagnostic {
	without := ""
	if cmd.Flags().Lookup("file") != nil {
		without = "; or name inputs with -f"
	}
	return process.Usagef("found no weft.yml, neither here nor above: it lists the environments").
		WithHint("`weft init --write` creates one from the files in this directory%s", without)
}

// take handles arguments that are names of environments, as if each were given with -e.
func (f *projectFlags) take(args []string) {
	for _, name := range args {
		if !slices.Contains(f.named, name) {
			f.named = append(f.named, name)
		}
	}
}

// takeFirst handles the first argument if it is the name of an environment of the project, and
// returns the others. With -e it takes none. If a path has the name of an environment, write ./prod
// or prod/.
func (f *projectFlags) takeFirst(cmd *cobra.Command, args []string) (rest []string, err error) {
	all, _ := cmd.Flags().GetBool("all")
	if len(args) == 0 || len(f.named) > 0 || all {
		return args, nil
	}
	p, err := f.open(cmd)
	if err != nil || p == nil {
		return args, err
	}
	if !slices.Contains(p.Names(), args[0]) {
		return args, f.misspelled(cmd, p, args[0])
	}
	f.take(args[:1])
	return args[1:], nil
}

// misspelled returns an error if an argument looks like the name of an environment, and no environment is
// chosen otherwise.
func (f *projectFlags) misspelled(cmd *cobra.Command, p *weft.Project, name string) error {
	if diag.Nearest(name, p.Names()) == "" {
		return nil
	}
	if _, err := f.choose(cmd, p); err == nil {
		return nil
	}
	_, err := p.Environments(name)
	return err
}

// one returns the environment that was named, or "". More than one is an error.
func (f *projectFlags) one(cmd *cobra.Command) (string, error) {
	if err := f.checkNames(); err != nil {
		return "", err
	}
	switch len(f.named) {
	case 0:
		return "", nil
	case 1:
		return f.named[0], nil
	}
	return "", process.Usagef("%s takes one environment, but found '%s'", cmd.CommandPath(),
		strings.Join(f.named, "' and '")).
		WithHint("name one of them: %s -e %s", cmd.CommandPath(), diag.InShell(f.named[0]))
}

// environmentArgs handles the environment of a command that has no other arguments.
func environmentArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	file, _ := cmd.Flags().GetString("project")
	if cmd.Flags().Changed("file") && file == "" {
		return noArgs(cmd, args)
	}
	p, err := weft.OpenProject(cmd.Context(), weft.ProjectOptions{Path: file})
	if err != nil {
		return nil // the command reports the error
	}
	return refusePath(cmd, p, args[0])
}

// checked opens the project of a command that checks all environments unless some are named, by
// arguments or by -e.
func (f *projectFlags) checked(cmd *cobra.Command, args []string, all bool) (*weft.Project, error) {
	f.take(args)
	if err := f.checkNames(); err != nil {
		return nil, err
	}
	if all && len(f.named) > 0 {
		return nil, allAndSome(f.named)
	}
	if all || len(f.named) > 0 {
		return f.need(cmd)
	}
	return f.open(cmd)
}

func allAndSome(names []string) error {
	return process.Usagef("--all is all environments, and cannot be used with '%s'",
		strings.Join(names, "', '")).WithHint("remove --all, or the names")
}

// tellAll prints a note that a command handles all environments because none was named.
func tellAll(cmd *cobra.Command, doing string, names []string) {
	if quiet, _ := cmd.Flags().GetBool("quiet"); len(names) > 0 && !quiet {
		process.MessagesOf(cmd).Info(cmd.Name() + ": " + doing + " all environments: " +
			enumerate(names) + "\n")
	}
}

// checkNames rejects an empty name, which usually comes from a variable that is not set. Using the
// default environment would be a surprise.
func (f *projectFlags) checkNames() error {
	if slices.Contains(f.named, "") {
		return process.Usagef("expected the name of an environment, but found an empty one").
			WithHint("weft env lists the environments")
	}
	return nil
}

// refusePath returns an error that explains a path in place of the name of an environment.
func refusePath(cmd *cobra.Command, p *weft.Project, name string) error {
	if p != nil && slices.Contains(p.Names(), name) {
		return nil
	}
	if _, err := os.Stat(name); err != nil {
		if cmd.Flags().Lookup("select") != nil && strings.Contains(name, "/") { // no environment is called so
			return process.Usagef("%s takes environments, but '%s' may be a document", cmd.CommandPath(), name).
				WithHint("write %s --select %s", cmd.CommandPath(), diag.InShell(name))
		}
		return nil
	}
	return process.Usagef("%s takes environments, but '%s' is a path", cmd.CommandPath(), name).
		WithHint("name files with -f: %s -f %s", cmd.CommandPath(), diag.InShell(name))
}

// choose returns the environment to use: the named one, or that of an environment variable, or the
// default.
func (f *projectFlags) choose(cmd *cobra.Command, p *weft.Project) (string, error) {
	if env, err := f.one(cmd); err != nil || env != "" {
		return env, err
	}
	for _, name := range chosenBy {
		if env := os.Getenv(name); env != "" {
			if _, err := p.Environments(env); err != nil {
				return "", variableError(name, err)
			}
			return env, nil
		}
	}
	return p.Default()
}

// chosenBy are environment variables that name an environment if no argument does. Argo CD adds its
// own prefix.
var chosenBy = []string{"WEFT_ENV", "ARGOCD_ENV_WEFT_ENV"}

// variableError adds the variable that an error comes from.
func variableError(name string, err error) error {
	list := weft.ErrorOf(err).Diagnostics()
	if len(list) != 1 || list[0].Code != string(project.CodeEnvironment) {
		return err
	}
	d := process.Usagef("%s: %s", name, list[0].Message)
	d.Hint = list[0].Hint
	return d
}

// inProject returns the options for the flags: those of an environment of the project, if there is
// one, overridden by the flags.
func (f *renderFlags) inProject(cmd *cobra.Command) (weft.Options, error) {
	p, err := f.project.open(cmd)
	if err == nil && p == nil && len(f.project.named) > 0 {
		_, err = f.project.need(cmd)
	}
	if err != nil {
		return weft.Options{}, err
	}
	if p == nil {
		return f.resolve(cmd.InOrStdin())
	}
	env, err := f.project.choose(cmd, p)
	if err != nil {
		return weft.Options{}, err
	}
	return f.environmentOptions(cmd, p, env)
}

// understood is inProject for verbs that show how output comes about: without a project and inputs there is
// nothing to show.
func (f *renderFlags) understood(cmd *cobra.Command) (weft.Options, error) {
	p, err := f.project.open(cmd)
	if err == nil && p == nil && !cmd.Flags().Changed("file") && !cmd.Flags().Changed("bulk-in") {
		_, err = f.project.need(cmd)
	}
	if err != nil {
		return weft.Options{}, err
	}
	return f.inProject(cmd)
}

// environmentOptions returns the options of an environment, overridden by the flags.
func (f *renderFlags) environmentOptions(
	cmd *cobra.Command, p *weft.Project, env string,
) (weft.Options, error) {
	if err := applyFlags(cmd, p, env); err != nil {
		return weft.Options{}, err
	}
	opts, err := f.resolve(cmd.InOrStdin())
	if err != nil {
		return opts, err
	}
	return p.Options(env, opts)
}

// applyFlags sets the flags that a project sets for an environment, or for all if env is empty,
// unless the command line sets them. It appends to lists. Flags of other commands are ignored.
func applyFlags(cmd *cobra.Command, p *weft.Project, env string) error {
	return p.EachFlag(env, func(name string, values []string) error {
		target := cmd.Flags().Lookup(name)
		if target == nil {
			return nil
		}
		if list, ok := target.Value.(pflag.SliceValue); ok {
			return list.Replace(slices.Concat(values, list.GetSlice()))
		}
		if target.Changed {
			return nil
		}
		for _, v := range values {
			if err := target.Value.Set(v); err != nil {
				return process.Usagef("flag '%s' takes another value than '%s': %s", name, v, err)
			}
		}
		return nil
	})
}
