package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// newWebsite returns the command that ytt has for its playground.
func newWebsite() *cobra.Command {
	return &cobra.Command{
		Use:   "website",
		Short: "Say where the playground is",
		Long:  "website is what ytt calls its playground. In weft it is a command of another name.",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), `The playground is now a command: weft playground -f PATH
It shows your files and their output in your browser. See weft playground --help.`)
			return err
		},
	}
}
