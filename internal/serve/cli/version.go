package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"weft/internal/engine/eval/modules"
	"weft/internal/serve/cli/process"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeVersion(cmd)
		},
	}
}

func writeVersion(cmd *cobra.Command) error {
	_, err := fmt.Fprintln(cmd.OutOrStdout(), versionText())
	return err
}

func versionText() string {
	return "weft version " + process.Version() + "\nytt language level " + modules.LanguageLevel
}
