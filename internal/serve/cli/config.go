package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/project"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// configFlags are the flags of the config command.
type configFlags struct {
	project projectFlags
	form    string
	schema  bool
}

// newConfig makes the command that shows the project as an environment sees it.
func newConfig() *cobra.Command {
	f := &configFlags{}
	cmd := &cobra.Command{
		Use:   "config [ENV] [flags]",
		Short: "Show the effective weft.yml of an environment",
		Long: `config prints all settings of an environment: its own, those of environments and files that it
extends, and those of the project. A comment on each line says where the setting comes from.`,
		Example: `  weft config prod
  weft config prod -o json
  weft config --schema > weft.schema.json     for editors`,
		Args: configArgs,
		RunE: f.run,
	}
	flags := cmd.Flags()
	f.project.add(flags)
	flags.StringVarP(&f.form, "output", "o", "yaml", "print as `FORMAT`: yaml or json")
	flags.BoolVar(&f.schema, "schema", false, "print the JSON Schema of weft.yml")
	help.Output.Of(flags)
	return cmd
}

// configArgs refuses more than one environment.
func configArgs(cmd *cobra.Command, args []string) error {
	if len(args) <= 1 {
		return nil
	}
	return process.Usagef("config takes one environment, but found '%s'", strings.Join(args, "', '")).
		WithHint("look at one after the other: %s %s", cmd.CommandPath(), args[0])
}

func (f *configFlags) run(cmd *cobra.Command, args []string) error {
	if f.form != "yaml" && f.form != "json" {
		return process.Usagef("unknown output type '%s': config prints yaml or json", f.form)
	}
	if f.schema {
		return process.PrintText(cmd, func(w io.Writer) error {
			_, err := w.Write(project.Schema())
			return err
		})
	}
	if len(args) > 0 {
		f.project.environment = args[0]
	}
	p, err := f.project.need(cmd)
	if err != nil {
		return err
	}
	env, err := f.project.choose(p)
	if err != nil {
		return err
	}
	learnSecrets(cmd, p, env)
	return process.PrintText(cmd, func(w io.Writer) error { return p.WriteConfig(w, env, f.form == "json") })
}

// learnSecrets finds out which data values are secret, so that the report hides those that a project
// sets. What is wrong with them is for other commands to say.
func learnSecrets(cmd *cobra.Command, p *weft.Project, env string) {
	opts, err := p.Options(env, weft.Options{Warnings: weft.WarningsOff})
	if err == nil {
		_, _ = weft.InspectDataValues(cmd.Context(), opts)
	}
}
