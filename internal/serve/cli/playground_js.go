package cli

import (
	"github.com/spf13/cobra"

	"weft/internal/serve/cli/process"
)

// newPlayground returns a command that fails: it needs a server, which WebAssembly cannot run.
func newPlayground() *cobra.Command {
	return &cobra.Command{
		Use:   "playground [flags]",
		Short: "Edit and render files in your browser",
		RunE: func(*cobra.Command, []string) error {
			return process.Usagef("weft as WebAssembly cannot listen on a port")
		},
	}
}
