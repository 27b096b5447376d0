package cli

import (
	"github.com/spf13/cobra"

	"weft/internal/serve/cli/process"
)

// newEdit returns a command that fails: it needs an editor, which WebAssembly cannot start.
func newEdit() *cobra.Command {
	return &cobra.Command{
		Use:   "edit [ENV] [DOCUMENT] [flags]",
		Short: "Edit the output, and change the sources",
		RunE: func(*cobra.Command, []string) error {
			return process.Usagef("weft as WebAssembly cannot start an editor")
		},
	}
}
