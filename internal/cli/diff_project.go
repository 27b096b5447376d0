package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/diag"
	"weft/internal/git"
)

// inProject is the project that a comparison is about, or nil if it is about files: with -f, and if
// no argument names an environment.
func (f *diffFlags) inProject(cmd *cobra.Command, args []string) (*weft.Project, error) {
	p, err := f.render.project.open(cmd)
	if err == nil && p == nil && (f.all || cmd.Flags().Changed("environment")) {
		return f.render.project.need(cmd)
	}
	if err != nil || p == nil {
		return nil, err
	}
	names := p.Names()
	if len(args) > 0 && !slices.ContainsFunc(args, func(a string) bool {
		return slices.Contains(names, a)
	}) {
		return nil, nil // if one is misspelled, it is a path that does not exist
	}
	return p, nil
}

// runProject compares environments.
func (f *diffFlags) runProject(cmd *cobra.Command, p *weft.Project, args []string) error {
	if err := f.checkProject(cmd.Flags(), args); err != nil {
		return err
	}
	if err := applyFlags(cmd, p, p.CommonFlags()); err != nil {
		return err
	}
	common, err := f.render.resolve(nil)
	if err != nil {
		return err
	}
	return f.render.how.run(cmd, common, func(cmd *cobra.Command, how weft.Options) error {
		if f.all {
			return f.compareAll(cmd, p, how)
		}
		a, b, closing, err := f.projectSides(cmd, p, args)
		defer closing()
		if err != nil {
			return err
		}
		return f.compareSides(cmd, a, b, how)
	})
}

// checkProject finds flags and arguments that do not go together.
func (f *diffFlags) checkProject(flags *pflag.FlagSet, args []string) error {
	sides := flags.Changed("a") || flags.Changed("b")
	named := flags.Changed("environment")
	switch {
	case f.all && f.rev == "":
		return usagef("--all compares all environments with a revision").WithHint("add --rev main")
	case f.all && (len(args) > 0 || named || sides):
		return usagef("--all cannot be used with environments, --a or --b")
	case f.all && f.output == "patch":
		return usagef("-o patch is for one environment").WithHint("use -e NAME instead of --all")
	case len(args) > 0 && (named || sides):
		return usagef("diff compares either its arguments or what -e, --a and --b name, but found both")
	case f.rev != "" && len(args) > 1:
		return usagef("with --rev, diff compares one environment with its revision, but found %d",
			len(args)).WithHint("use --all for all environments")
	case f.rev == "" && len(args) > 0 && len(args) != 2:
		return usagef("diff compares two environments, but found %s",
			diag.Count(len(args), "argument")).WithHint("write weft diff %s OTHER", args[0])
	case f.rev == "" && len(args) == 0 && !sides:
		return usagef("diff needs two sides to compare").
			WithHint("name two environments, or compare with a revision: --rev main")
	}
	return nil
}

// projectSides are the two sides that arguments and flags name.
func (f *diffFlags) projectSides(
	cmd *cobra.Command, p *weft.Project, args []string,
) (a, b weft.Side, closing func(), err error) {
	closing = func() {}
	stdin := cmd.InOrStdin()
	if len(args) == 2 {
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
	first, second, err := f.revisions(cmd.Context(), p)
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

// argument is the side that an argument names: an environment, or else plain YAML.
func (f *diffFlags) argument(cmd *cobra.Command, p *weft.Project, arg string) (weft.Side, error) {
	if !slices.Contains(p.Names(), arg) {
		opts, err := f.render.resolve(nil)
		s := weft.Side{Options: opts, Plain: true, Name: arg}
		s.Inputs = []string{arg}
		return s, err
	}
	if _, err := os.Lstat(arg); err == nil && !messagesOf(cmd).quiet {
		messagesOf(cmd).info("comparing environment " + diag.Visible(arg) + "; write ." +
			string(filepath.Separator) + diag.Visible(arg) + " for the path\n")
	}
	opts, err := f.render.resolve(nil)
	if err != nil {
		return weft.Side{}, err
	}
	opts, err = p.Options(arg, opts)
	return weft.Side{Options: opts, Name: arg}, err
}

// revision is a project as it is at a git revision; nil is the working tree.
type revision struct {
	rev   string
	files *git.Revision
	path  string // of the project file, below the root
	here  string // the current directory, below the root
}

func (r *revision) close() {
	if r != nil && r.files != nil {
		r.files.Close()
	}
}

func (r *revision) name() string {
	if r == nil {
		return "the working tree"
	}
	return r.rev
}

// revisions are the revisions of the two sides.
func (f *diffFlags) revisions(
	ctx context.Context, p *weft.Project,
) (first, second *revision, err error) {
	name, other, two := strings.Cut(f.rev, "..")
	if two && (name == "" || other == "" || strings.HasPrefix(other, ".")) {
		return nil, nil, usagef("--rev takes REV or REV..REV, but found '%s'", f.rev)
	}
	if first, err = openRevision(ctx, p, name); err == nil && two {
		second, err = openRevision(ctx, p, other)
	}
	return first, second, err
}

func openRevision(ctx context.Context, p *weft.Project, name string) (*revision, error) {
	r := &revision{rev: name}
	var err error
	if r.path, err = belowRoot(p, p.Path()); err != nil {
		return nil, err
	}
	if r.here, err = belowRoot(p, "."); err != nil {
		return nil, err
	}
	r.files, err = git.Open(ctx, p.Root(), name)
	return r, err
}

// belowRoot is a path on disk as seen from the root of a project.
func belowRoot(p *weft.Project, path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(p.Root(), abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", usagef("'%s' is not in the repository of the project", path).
			WithHint("change to a directory in '%s'", p.Root())
	}
	return filepath.ToSlash(rel), nil
}

// projectSide is an environment with the flags of a side, at a revision or in the working tree.
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
	env, err := side.project.choose(p)
	if err != nil {
		return weft.Side{}, err
	}
	return side.sideOf(p, at, env)
}

// projectAt opens a project at a revision, for the flags of the side.
func (f *sideFlags) projectAt(
	ctx context.Context, common *weft.Project, at *revision,
) (*weft.Project, error) {
	if at == nil {
		return weft.OpenProject(ctx, weft.ProjectOptions{
			Path: common.Path(), AllowOutside: f.project.outside, Given: f.flags.Changed,
		})
	}
	p, err := weft.OpenProject(ctx, weft.ProjectOptions{
		Path: at.path, FS: at.files, Given: f.flags.Changed,
	})
	if errors.Is(err, weft.ErrNoProject) {
		err = usagef("'%s' does not exist at revision '%s'", at.path, at.rev)
	}
	return p, err
}

// sideOf is an environment of a project at a revision, or nothing if it is not there.
func (f *sideFlags) sideOf(p *weft.Project, at *revision, env string) (weft.Side, error) {
	opts, err := f.resolve(nil)
	s := weft.Side{Options: opts}
	if err == nil && at != nil {
		if !slices.Contains(p.Names(), env) && env != "" {
			s.Plain = true
			return s, nil
		}
		err = below(&s, at.here, func(string, string, string) error { return nil })
	}
	if err != nil {
		return s, err
	}
	s.Options, err = p.Options(env, s.Options)
	return s, err
}

// compareAll compares all environments with a revision.
func (f *diffFlags) compareAll(cmd *cobra.Command, p *weft.Project, how weft.Options) error {
	first, second, err := f.revisions(cmd.Context(), p)
	defer func() { first.close(); second.close() }()
	if err != nil {
		return err
	}
	before, err := f.environmentsAt(cmd, first, how)
	if err != nil {
		return err
	}
	after, err := f.environmentsAt(cmd, second, how)
	if err != nil {
		return err
	}
	all := environmentReport{form: f.output}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(
		slices.Concat(before.names(), after.names())))) {
		d, err := weft.DiffResults(before.results[name], after.results[name],
			[2]string{first.name(), second.name()}, f.options)
		if err != nil {
			return err
		}
		if !d.Same() {
			var b bytes.Buffer
			if _, err := f.print(&b, d, colored(cmd)); err != nil {
				return err
			}
			all.add(name, b.String())
		}
		all.count++
	}
	if err := all.write(cmd); err != nil {
		return err
	}
	if !messagesOf(cmd).quiet {
		messagesOf(cmd).info(all.summary("differ", "differs"))
	}
	if len(all.groups) > 0 {
		return errDifferent
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

// environmentsAt renders all environments of the project at a revision.
func (f *diffFlags) environmentsAt(
	cmd *cobra.Command, at *revision, how weft.Options,
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
		s, err := side.sideOf(p, at, name)
		if err != nil {
			return nil, err
		}
		s.Parallelism, s.Timings, s.Env = how.Parallelism, how.Timings, how.Env
		s.Reads = how.Reads
		s.Warnings = weft.WarningsOff
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
	err := weft.RenderAll(ctx, runs, func(i int, r weft.Rendered) {
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
