package cli

import (
	"github.com/spf13/cobra"

	"weft/internal/serve/cli/help"
)

// newConfig returns the command with the old name of weft env ENV. It shows the default environment
// if none is named.
func newConfig() *cobra.Command {
	f := &envFlags{}
	cmd := &cobra.Command{
		Use:   "config [ENV] [flags]",
		Short: "Old word for weft env ENV",
		Long: `config is the old word for weft env ENV: it prints all settings of an environment. Without ENV it is
the default environment.`,
		Example: `  weft env prod
  weft env prod -o json
  weft env --schema > weft.schema.json     for editors`,
		RunE: f.showOne,
	}
	flags := cmd.Flags()
	f.project.add(flags)
	flags.StringVarP(&f.form, "output", "o", "text", "print as `FORMAT`: text (YAML with comments) or json")
	flags.BoolVar(&f.schema, "schema", false, "print the JSON Schema of weft.yml")
	help.Output.Of(flags)
	return cmd
}
