package cli

import (
	"github.com/spf13/cobra"

	"weft/internal/serve/cli/process"
)

// newMcp returns a command that fails: pages have no standard input that an agent could use.
func newMcp() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp [flags]",
		Short: "Serve an agent: where lines come from, what a change does",
		RunE: func(*cobra.Command, []string) error {
			return process.Usagef("weft as WebAssembly cannot serve an agent")
		},
	}
}
