package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/project/fleet"
	"weft/internal/serve/cli/process"
)

// inProject returns the project that is compared, or nil if files are compared: with -f, or if no
// argument names an environment or may be meant to.
func (f *diffFlags) inProject(cmd *cobra.Command, args []string) (*weft.Project, error) {
	p, err := f.render.project.open(cmd)
	if err == nil && p == nil && (f.all || len(f.render.project.named) > 0) {
		return f.render.project.need(cmd)
	}
	if err == nil && p == nil && !cmd.Flags().Changed("file") {
		if i := slices.IndexFunc(args, misspelled); i >= 0 {
			return nil, noSuchSide(args[i])
		}
	}
	if err != nil || p == nil {
		return nil, err
	}
	names := p.Names()
	if len(args) > 0 && !slices.ContainsFunc(args, func(a string) bool {
		return slices.Contains(names, a) || misspelled(a)
	}) {
		return nil, nil
	}
	return p, nil
}

// runProject compares environments.
func (f *diffFlags) runProject(cmd *cobra.Command, p *weft.Project, args []string) error {
	if err := f.checkProject(cmd.Flags(), p, args); err != nil {
		return err
	}
	if err := applyFlags(cmd, p, ""); err != nil {
		return err
	}
	common, err := f.render.resolve(nil)
	if err != nil {
		return err
	}
	names := f.compared(cmd, p, args)
	return f.render.how.Run(cmd, common, func(cmd *cobra.Command, how weft.Options) error {
		if len(names) > 1 {
			return f.compareAll(cmd, p, names, how)
		}
		a, b, closing, err := f.projectSides(cmd, p, args)
		defer closing()
		if err != nil {
			return err
		}
		return f.compareSides(cmd, a, b, how)
	})
}

// compared returns the environments to compare with a revision, if there are several: the named ones,
// or all.
func (f *diffFlags) compared(cmd *cobra.Command, p *weft.Project, args []string) []string {
	flags := cmd.Flags()
	if f.rev == "" || flags.Changed("a") || flags.Changed("b") {
		return nil
	}
	if names := slices.Concat(args, f.render.project.named); len(names) > 0 {
		return slices.Compact(slices.Sorted(slices.Values(names)))
	}
	names := p.Names()
	if len(names) < 2 {
		tellAll(cmd, "comparing", names) // compareAll knows those that exist only at the revision, too
	}
	return names
}

// checkProject rejects flags and arguments that do not fit together.
func (f *diffFlags) checkProject(flags *pflag.FlagSet, p *weft.Project, args []string) error {
	sides := flags.Changed("a") || flags.Changed("b")
	named := len(f.render.project.named) > 0
	one := len(args)+len(f.render.project.named) == 1 || len(p.Names()) < 2
	switch {
	case f.all && f.rev == "":
		return process.Usagef("--all compares all environments with a revision").WithHint("add --rev main")
	case f.all && (len(args) > 0 || named || sides):
		return process.Usagef("--all cannot be used with environments, --a or --b")
	case f.rev != "" && !sides && !one && f.output == "patch":
		return process.Usagef("-o patch is for one environment").
			WithHint("name one: weft diff %s --rev %s -o patch", diag.InShell(p.Names()[0]), diag.InShell(f.rev))
	case len(args) > 0 && (named && f.rev == "" || sides):
		return process.Usagef("diff compares either its arguments or what -e, --a and --b name, but found both").
			WithHint("two environments are compared with: weft diff A B")
	case f.rev == "" && len(args) > 0 && len(args) != 2:
		return process.Usagef("diff compares two environments, but found %s",
			diag.Count(len(args), "argument")).
			WithHint("name another one: weft diff %s %s", diag.InShell(args[0]), diag.InShell(otherThan(p, args[0])))
	case f.rev == "" && len(args) == 0 && !sides:
		return process.Usagef("diff needs two sides to compare").
			WithHint("name two environments, or compare with a revision: --rev main")
	}
	return nil
}

// otherThan returns an environment of a project that is not the named one.
func otherThan(p *weft.Project, name string) string {
	for _, other := range p.Names() {
		if other != name {
			return other
		}
	}
	return "OTHER"
}

// projectSides returns the two sides that arguments and flags name.
func (f *diffFlags) projectSides(
	cmd *cobra.Command, p *weft.Project, args []string,
) (a, b weft.Side, closing func(), err error) {
	closing = func() {}
	stdin := cmd.InOrStdin()
	if len(args) == 2 && f.rev == "" {
		if err = sameKind(p, args); err != nil {
			return a, b, closing, err
		}
		if a, err = f.argument(cmd, p, args[0]); err == nil {
			b, err = f.argument(cmd, p, args[1])
		}
		a.Stdin, b.Stdin = stdin, stdin
		return a, b, closing, err
	}
	if len(args) == 1 {
		if err := cmd.Flags().Set("environment", args[0]); err != nil {
			return a, b, closing, err
		}
	}
	if f.rev == "" {
		if a, err = f.projectSide(cmd, nil, "--a", f.a); err == nil {
			b, err = f.projectSide(cmd, nil, "--b", f.b)
		}
		a.Name, b.Name = "--a", "--b"
		a.Stdin, b.Stdin = stdin, stdin
		return a, b, closing, err
	}
	first, second, err := f.revisions(cmd, p)
	closing = func() { first.close(); second.close() }
	if err != nil {
		return a, b, closing, err
	}
	if a, err = f.projectSide(cmd, first, "--a", f.a); err == nil {
		b, err = f.projectSide(cmd, second, "--b", f.b)
	}
	a.Name, b.Name = first.name(), second.name()
	a.Stdin, b.Stdin = stdin, stdin
	return a, b, closing, err
}

// sameKind rejects an environment next to a path.
func sameKind(p *weft.Project, args []string) error {
	first, second := slices.Contains(p.Names(), args[0]), slices.Contains(p.Names(), args[1])
	if first == second {
		return nil
	}
	env, path := args[0], args[1]
	if second {
		env, path = path, env
	}
	if misspelled(path) {
		return nil // the error is reported where the environment is looked up
	}
	return process.Usagef("'%s' is an environment, and '%s' is a path: diff compares two environments, or two "+
		"paths", env, path).
		WithHint("write the environment to files that diff can compare: weft render %s --output-files DIR",
			diag.InShell(env))
}

// misspelled reports whether an argument that is not an environment is probably not meant as a path
// either: it looks like a name, and no such file exists.
func misspelled(arg string) bool {
	_, err := os.Lstat(arg)
	return errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(arg, `./\`) && arg != "-"
}

// noSuchSide returns the error for an argument that names neither a file nor, without a project, an
// environment.
func noSuchSide(arg string) error {
	return process.Usagef("'%s' is neither a file nor a directory, and there is no weft.yml with "+
		"environments, neither here nor above", arg).
		WithHint("`weft init --write` creates one from the files in this directory")
}

// argument returns the side that an argument names: an environment, or else plain YAML.
func (f *diffFlags) argument(cmd *cobra.Command, p *weft.Project, arg string) (weft.Side, error) {
	if !slices.Contains(p.Names(), arg) {
		if misspelled(arg) {
			_, err := p.Environments(arg)
			return weft.Side{}, err
		}
		return f.plainSide(arg)
	}
	if _, err := os.Lstat(arg); err == nil {
		process.MessagesOf(cmd).Note("comparing environment " + diag.Visible(arg) + "; write ." +
			string(filepath.Separator) + diag.Visible(arg) + " for the path\n")
	}
	opts, err := f.render.resolve(nil)
	if err != nil {
		return weft.Side{}, err
	}
	opts, err = p.Options(arg, opts)
	return weft.Side{Options: opts, Name: arg}, err
}

// projectSide returns an environment with the flags of a side, at a revision or in the working
// tree.
func (f *diffFlags) projectSide(
	cmd *cobra.Command, at *revision, flag, text string,
) (weft.Side, error) {
	side, err := f.side(cmd.Flags(), flag, text)
	if err != nil {
		return weft.Side{}, err
	}
	p, err := side.projectAt(cmd.Context(), f.render.project.opened, at)
	if err != nil {
		return weft.Side{}, err
	}
	env, err := side.project.choose(cmd, p)
	if err != nil {
		return weft.Side{}, err
	}
	return side.sideOf(p, at, env)
}

// projectAt opens a project at a revision, for the flags of the side.
func (f *sideFlags) projectAt(
	ctx context.Context, common *weft.Project, at *revision,
) (*weft.Project, error) {
	ctx = fleet.WithGiven(ctx, f.flags.Changed)
	engines := process.EnginesOf(ctx, f.project.engines)
	if at == nil {
		return weft.OpenProject(ctx, weft.ProjectOptions{
			Path: common.Path(), AllowOutside: f.project.outside, Engines: engines,
		})
	}
	text, err := at.projectText(common)
	if err != nil {
		return nil, err
	}
	return weft.OpenProject(ctx, weft.ProjectOptions{Path: at.path, Text: text, FS: at.fs, Engines: engines})
}

// projectText returns the present project file if the revision has none, as before `weft init`: the files of
// the revision are compared by the same rules then. Otherwise, it returns nil.
func (r *revision) projectText(now *weft.Project) ([]byte, error) {
	if _, err := fs.Stat(r.fs, r.path); !errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return os.ReadFile(now.Path())
}

// sideOf returns an environment of a project at a revision, or an empty side if it does not exist
// there.
func (f *sideFlags) sideOf(p *weft.Project, at *revision, env string) (weft.Side, error) {
	opts, err := f.resolve(nil)
	s := weft.Side{Options: opts}
	if err == nil && at != nil {
		if !slices.Contains(p.Names(), env) && env != "" {
			s.Plain = true
			return s, nil
		}
		s.Revision = at.files.ID()
		err = below(&s, localTo(at.here, "--rev"), func(string, string, string) error { return nil })
	}
	if err != nil {
		return s, err
	}
	s.Options, err = p.Options(env, s.Options)
	return s, err
}
