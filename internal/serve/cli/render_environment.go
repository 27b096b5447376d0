package cli

import (
	"bytes"
	"path/filepath"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// renderEnvironmentFlags are the flags of the command that renders environments of a project.
type renderEnvironmentFlags struct {
	renderFlags
	all   bool
	write bool
}

// newRenderEnvironment makes the command that renders an environment of a project.
func newRenderEnvironment() *cobra.Command {
	f := &renderEnvironmentFlags{}
	cmd := f.command("render")
	cmd.Use = "render [ENV] [flags]"
	cmd.Short = "Render an environment of the project"
	cmd.Long = `render prints an environment of the project, as weft.yml describes it. Without ENV it is that of
the variable WEFT_ENV (or ARGOCD_ENV_WEFT_ENV, which Argo CD sets), or the default of the project.

Flags win over weft.yml. With -f the project is ignored, unless --project names it.`
	cmd.Example = `  weft render prod
  weft render prod -v version=1.2.3 | kubectl apply -f -
  weft render prod --write           write to the output of weft.yml
  weft render --all                  print all environments`
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return twoEnvironments(cmd, args)
		}
		return nil
	}
	cmd.RunE = f.run
	flags := cmd.Flags()
	flags.BoolVar(&f.all, "all", false, "render all environments of the project")
	help.Environments.Of(flags)
	flags.BoolVarP(&f.write, "write", "w", false, "write to the output that weft.yml names, instead of printing")
	help.Output.Of(flags)
	return cmd
}

// twoEnvironments refuses a second argument. If it is the value of a flag that lacks its `=`, it
// says so.
func twoEnvironments(cmd *cobra.Command, args []string) error {
	if d := spacedValue(cmd, args[1:]); d != nil {
		return d
	}
	d := process.Usagef("render takes one environment, but found '%s' and '%s'", args[0], args[1])
	return d.WithHint("render several with weft fleet %s", diag.WordsInShell(args[:2]))
}

func (f *renderEnvironmentFlags) run(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		if cmd.Flags().Changed("environment") && f.project.environment != args[0] {
			return process.Usagef("found two environments: '%s' and -e %s", args[0], f.project.environment)
		}
		f.project.environment = args[0]
	}
	if f.project.environment == "" && !f.all && cmd.Flags().Changed("file") &&
		!cmd.Flags().Changed("project") {
		return f.single(cmd, nil, "") // the same as weft without a command
	}
	p, err := f.project.need(cmd)
	if err != nil {
		return err
	}
	if f.all {
		if f.project.environment != "" {
			return process.Usagef("--all and environment '%s' cannot be used together", f.project.environment)
		}
		return f.renderAll(cmd, p)
	}
	env, err := f.project.choose(p)
	if err == nil {
		err = refusePath(cmd, p, env)
	}
	if err != nil {
		return err
	}
	return f.single(cmd, p, env)
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
	if err == nil && (f.write || f.comparesOutput(cmd, p)) {
		err = f.writeTo(cmd, p, env)
	}
	if err != nil {
		return err
	}
	return f.how.Run(cmd, opts, f.render)
}

// comparesOutput reports whether --check or --diff are about the output of the project.
func (f *renderEnvironmentFlags) comparesOutput(cmd *cobra.Command, p *weft.Project) bool {
	elsewhere := cmd.Flags().Changed("output-files") ||
		cmd.Flags().Changed("dangerous-emptied-output-directory")
	return p != nil && f.out.diff != noDiff && !f.out.bulkOut && !elsewhere
}

// writeTo makes the output of an environment that of the run.
func (f *renderEnvironmentFlags) writeTo(cmd *cobra.Command, p *weft.Project, env string) error {
	if p == nil {
		return process.Usagef("--write needs a project, which says where to").
			WithHint("use --output-files DIR")
	}
	flags := cmd.Flags()
	if flags.Changed("output-files") || flags.Changed("dangerous-emptied-output-directory") {
		return process.Usagef("--write writes where weft.yml says, and cannot be used with another directory")
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

// renderAll prints all environments, in their order, or nothing if one fails.
func (f *renderEnvironmentFlags) renderAll(cmd *cobra.Command, p *weft.Project) error {
	if f.write {
		return process.Usagef("--all prints all environments").
			WithHint("write them with weft fleet")
	}
	run := projectFleet{flags: &f.renderFlags, project: p, names: p.Names()}
	texts := make([][]byte, len(run.names))
	run.done = func(i int, r weft.EnvironmentResult) (weft.Changes, error) {
		var b bytes.Buffer
		if run.options[i].Format == weft.YAML {
			b.WriteString("# environment: " + r.Name + "\n---\n")
		}
		_, err := r.Result.WriteTo(&b)
		texts[i] = b.Bytes()
		return weft.Changes{}, err
	}
	return run.render(cmd, false, func(cmd *cobra.Command) error {
		if w := process.WatchingOf(cmd); w != nil && run.options[0].Format == weft.YAML {
			w.Form = process.PrintedYAML
		}
		_, err := cmd.OutOrStdout().Write(bytes.Join(texts, nil))
		return process.OutputError(err)
	})
}
