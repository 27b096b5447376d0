package cli

import (
	"encoding/json"
	"os"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/serve/argocd"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// argocdFlags are the flags of the command that Argo CD calls.
type argocdFlags struct {
	render   renderFlags
	announce bool
	paths    bool
}

// newArgocd returns the command that Argo CD calls.
func newArgocd() *cobra.Command {
	f := &argocdFlags{}
	cmd := &cobra.Command{
		Use:   "argocd [ENV] [flags]",
		Short: "Run as a config management plugin of Argo CD",
		Long: `argocd renders the project, or what -f names, with the parameters of an Argo CD application as data
values. Argo CD passes them in the variable ` + argocd.Variable + `, and the environment of the
project in ARGOCD_ENV_WEFT_ENV.

With --announce it prints all data values with their types and defaults, for the parameters that
Argo CD shows. With --paths it prints the annotation argocd.argoproj.io/manifest-generate-paths of the
application: with it, Argo CD renders only when a commit changes one of these paths.`,
		Example: `  weft argocd
  weft argocd --announce
  weft argocd prod --paths
  weft argocd -f config`,
		Args: environmentArgs,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, renderedBy())
	flags.BoolVar(&f.announce, "announce", false, "print the parameters that applications can set, and exit")
	flags.BoolVar(&f.paths, "paths", false, "print the value of manifest-generate-paths, and exit")
	help.Inspect.Of(flags)
	return cmd
}

func (f *argocdFlags) run(cmd *cobra.Command, args []string) error {
	f.render.project.take(args)
	if !cmd.Flags().Changed("file") {
		if _, err := f.render.project.need(cmd); err != nil {
			return err
		}
	}
	opts, err := f.render.inProject(cmd)
	if err != nil {
		return err
	}
	opts.AllowEnv = append(opts.AllowEnv, argocd.Prefixes...)
	if f.announce {
		return f.render.how.Run(cmd, opts, announce)
	}
	return f.render.how.Run(cmd, opts, func(cmd *cobra.Command, opts weft.Options) error {
		if f.paths {
			return generatePaths(cmd, opts, f.render.project.rootOf())
		}
		opts, err := argocd.Set(cmd.Context(), opts, os.Getenv(argocd.Variable))
		if err != nil {
			return err
		}
		return f.render.render(cmd, opts)
	})
}

// announce prints the parameters.
func announce(cmd *cobra.Command, opts weft.Options) error {
	list, err := argocd.Announce(cmd.Context(), opts)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return process.WriteOut(cmd, append(text, '\n'))
}
