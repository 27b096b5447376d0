package cli

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// renderEnvironmentFlags are the flags of the command that renders environments of a project.
type renderEnvironmentFlags struct {
	renderFlags
	which environmentSet
	all   bool
	write bool
}

// newRenderEnvironment returns the command that renders environments of a project.
func newRenderEnvironment() *cobra.Command {
	f := &renderEnvironmentFlags{}
	cmd := f.command("render")
	cmd.Use = "render [ENV...] [flags]"
	cmd.Short = "Print or write environments"
	cmd.Long = `render prints an environment of the project, as weft.yml describes it. Without ENV it is that of
the variable WEFT_ENV (or ARGOCD_ENV_WEFT_ENV, which Argo CD sets), or the default of the project.

With --write each environment goes to its output in weft.yml. Several environments, or --all, are
rendered side by side: what they have in common is read and compiled once. If one fails, weft reports
it, leaves its output as it was, still writes the others, and the exit code is 1.

Flags win over weft.yml. With -f the project is ignored, unless --project names it.`
	cmd.Example = `  weft render prod
  weft render prod -v version=1.2.3 | kubectl apply -f -
  weft render prod --write           write to the output of weft.yml
  weft render --all --write          write all environments
  weft render --all --write --diff   show what would change
  weft render -l region=eu --write --shard 0/4
  weft render --all -o none          check all environments, write nothing`
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = f.run
	flags := cmd.Flags()
	flags.Lookup("environment").Usage = "render environment `NAME` of the project, as ENV does (repeatable)"
	flags.Lookup("output").Usage = "print as `FORMAT`: yaml, json or pos; none checks everything and prints " +
		"and writes nothing (default yaml)"
	flags.BoolVar(&f.all, "all", false, allUsage)
	f.which.add(flags)
	flags.BoolVarP(&f.write, "write", "w", false, "write to the output that weft.yml names, instead of printing")
	help.Output.Of(flags)
	return cmd
}

// allUsage is the help of --all in every command.
const allUsage = "all environments of the project"

func (f *renderEnvironmentFlags) run(cmd *cobra.Command, args []string) error {
	f.project.take(args)
	if err := f.project.checkNames(); err != nil {
		return err
	}
	f.none()
	flags := cmd.Flags()
	several := f.all || len(f.project.named) > 1 || f.which.given(flags)
	if len(f.project.named) == 0 && !several && flags.Changed("file") && !flags.Changed("project") {
		return f.single(cmd, nil, "") // the same as weft without a command
	}
	p, err := f.project.need(cmd)
	if err != nil {
		return err
	}
	for i, name := range f.project.named {
		if !slices.Contains(p.Names(), name) {
			if d := spacedValue(cmd, f.project.named[i:]); d != nil {
				return d
			}
			if err := refusePath(cmd, p, name); err != nil {
				return err
			}
		}
	}
	if several && !f.allIsOne(cmd, p) {
		return f.several(cmd, p)
	}
	env, err := f.project.choose(cmd, p)
	if err != nil {
		return err
	}
	return f.single(cmd, p, env)
}

// allIsOne reports whether --all selects a project without environments, which has one output.
func (f *renderEnvironmentFlags) allIsOne(cmd *cobra.Command, p *weft.Project) bool {
	return f.all && len(f.project.named) == 0 && !f.which.given(cmd.Flags()) && len(p.Names()) == 0
}

// none removes -o none from the formats: then everything is rendered, and nothing is printed or
// written.
func (f *renderEnvironmentFlags) none() {
	n := len(f.output)
	f.output = slices.DeleteFunc(f.output, func(form string) bool { return form == "none" })
	f.out.none = len(f.output) < n
}

// several renders environments in parallel. It writes each to its output, or prints all of them.
func (f *renderEnvironmentFlags) several(cmd *cobra.Command, p *weft.Project) error {
	if f.all && len(f.project.named) > 0 {
		return allAndSome(f.project.named)
	}
	envs, err := f.which.of(cmd, p, f.project.named)
	if err != nil {
		return err
	}
	flags := cmd.Flags()
	elsewhere := flags.Changed("output-files") || flags.Changed("dangerous-emptied-output-directory")
	if f.write && elsewhere {
		return writesElsewhere()
	}
	if f.write || elsewhere || f.out.none || f.out.diff != noDiff {
		f.out.elsewhere = f.write || f.comparesOutput(cmd, p)
		w := environmentsWriter{flags: &f.renderFlags, project: p, envs: envs}
		return w.run(cmd)
	}
	return f.printAll(cmd, p, inOrder(p, envs))
}

// inOrder returns environments in the order of weft.yml, in which they are printed.
func inOrder(p *weft.Project, envs []weft.Environment) []weft.Environment {
	place := map[string]int{}
	for i, name := range p.Names() {
		place[name] = i
	}
	return slices.SortedFunc(slices.Values(envs), func(a, b weft.Environment) int {
		return place[a.Name] - place[b.Name]
	})
}

// single renders one environment.
func (f *renderEnvironmentFlags) single(cmd *cobra.Command, p *weft.Project, env string) error {
	var opts weft.Options
	var err error
	if p == nil {
		opts, err = f.resolve(cmd.InOrStdin())
	} else {
		opts, err = f.environmentOptions(cmd, p, env)
	}
	if err == nil && !f.out.none && (f.write || f.comparesOutput(cmd, p)) {
		err = f.writeTo(cmd, p, env)
	}
	if err != nil {
		return err
	}
	return f.how.Run(cmd, opts, f.render)
}

// comparesOutput reports whether --check or --diff compares the output of the project.
func (f *renderEnvironmentFlags) comparesOutput(cmd *cobra.Command, p *weft.Project) bool {
	elsewhere := cmd.Flags().Changed("output-files") ||
		cmd.Flags().Changed("dangerous-emptied-output-directory")
	return p != nil && f.out.diff != noDiff && !f.out.bulkOut && !elsewhere
}

// writeTo sets the output of the run to that of an environment.
func (f *renderEnvironmentFlags) writeTo(cmd *cobra.Command, p *weft.Project, env string) error {
	if p == nil {
		return process.Usagef("--write needs a project, which says where to").
			WithHint("use --output-files DIR")
	}
	flags := cmd.Flags()
	if flags.Changed("output-files") || flags.Changed("dangerous-emptied-output-directory") {
		return writesElsewhere()
	}
	envs, err := p.Environments(env)
	if err != nil {
		return err
	}
	dir, err := outputOf(envs[0])
	if err != nil {
		return err
	}
	f.out.files, f.out.single = dir.Path, dir.Single
	f.out.prune = f.out.prune || dir.Prune
	if f.out.split == "" {
		f.out.split = dir.Split
	}
	flags.Lookup("output-files").Changed = true
	return nil
}

func writesElsewhere() error {
	return process.Usagef("--write writes where weft.yml says, and cannot be used with another directory").
		WithHint("remove --write, or --output-files")
}

// outputOf returns where an environment is written.
func outputOf(e weft.Environment) (weft.Dir, error) {
	switch out := e.Output; {
	case out.File != "":
		return weft.Dir{Path: filepath.Dir(out.File), Single: filepath.Base(out.File)}, nil
	case out.Dir != "":
		return weft.Dir{Path: out.Dir, Prune: out.Prune, Split: out.Split}, nil
	}
	what := "the project"
	if e.Name != "" {
		what = "environment '" + e.Name + "'"
	}
	return weft.Dir{}, process.Usagef("%s has no output to write to", what).
		WithHint("add `output: {dir: 'out/{env}'}` to weft.yml, or --output-files DIR")
}

// printAll prints environments, in their order, or nothing if one fails.
func (f *renderEnvironmentFlags) printAll(
	cmd *cobra.Command, p *weft.Project, envs []weft.Environment,
) error {
	run := projectFleet{flags: &f.renderFlags, project: p, names: namesOf(envs)}
	texts := make([][]byte, len(run.names))
	run.done = func(i int, r weft.EnvironmentResult) (weft.Changes, error) {
		var b bytes.Buffer
		if run.formats[i] == weft.YAML {
			b.WriteString("# environment: " + r.Name + "\n---\n")
		}
		_, err := r.Result.WriteTo(&b)
		texts[i] = b.Bytes()
		return weft.Changes{}, err
	}
	return run.render(cmd, false, func(cmd *cobra.Command) error {
		if w := process.WatchingOf(cmd); w != nil && run.formats[0] == weft.YAML {
			w.Form = process.PrintedYAML
		}
		_, err := cmd.OutOrStdout().Write(bytes.Join(texts, nil))
		return process.OutputError(err)
	})
}
