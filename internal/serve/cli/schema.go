package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"weft/internal/serve/cli/process"
)

// newSchema makes the command that converts schemas.
func newSchema() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Import, infer and export schemas",
		Long: `schema converts schemas of data values. import makes a weft schema from a JSON Schema, an OpenAPI
document, a custom resource or a Helm chart; infer makes one from values and templates; export writes
that of a project for editors, programs and people.`,
		Example: `  weft schema import values.schema.json > schema.yml
  weft schema infer values.yml > schema.yml
  weft schema export --to markdown --write README.md`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return process.Usagef("weft schema has no command '%s'", args[0]).
				WithHint("the commands are import, infer and export").
				WithNearestAs("weft schema %s", args[0], []string{"import", "infer", "export"})
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSchemaImport(), newSchemaInfer(), newSchemaExport())
	return cmd
}

// oneOf checks the value of a flag that takes one of several.
func oneOf(flag, value string, names []string) error {
	for _, name := range names {
		if name == value {
			return nil
		}
	}
	return process.Usagef("unknown format '%s': %s takes %s", value, flag, strings.Join(names, ", ")).
		WithNearestAs(flag+" %s", value, names)
}
