package cli

import (
	"io"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/project"
	"weft/internal/serve/cli/process"
)

// showOne prints the settings of one environment, or the JSON Schema of weft.yml.
func (f *envFlags) showOne(cmd *cobra.Command, args []string) error {
	if f.form != "text" && f.form != "yaml" && f.form != "json" {
		return process.Usagef("unknown output type '%s': the settings of an environment are text, yaml or json",
			f.form)
	}
	if f.schema {
		return process.PrintText(cmd, func(w io.Writer) error {
			_, err := w.Write(project.Schema())
			return err
		})
	}
	f.project.take(args)
	p, err := f.project.open(cmd)
	if err == nil && p == nil {
		err = noSettings(cmd)
	}
	if err != nil {
		return err
	}
	env, err := f.project.choose(cmd, p)
	if err != nil {
		return err
	}
	learnSecrets(cmd, p, env)
	return process.PrintText(cmd, func(w io.Writer) error { return p.WriteConfig(w, env, f.form == "json") })
}

// noSettings returns the error that there is no project. The old command config is often the name of
// a directory that was meant.
func noSettings(cmd *cobra.Command) error {
	d := noProject(cmd)
	if name := cmd.Name(); name == "config" && exists(name) {
		return d.WithHint("weft %s/ renders the directory", name)
	}
	return d
}

// learnSecrets finds out which data values are secret, so that the report hides those that a project
// sets. Errors in data values are reported by other commands.
func learnSecrets(cmd *cobra.Command, p *weft.Project, env string) {
	opts, err := p.Options(env, weft.Options{Warnings: weft.WarningsOff})
	if err == nil {
		_, _ = weft.InspectDataValues(cmd.Context(), opts)
	}
}
