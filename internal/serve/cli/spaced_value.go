package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"weft/internal/lang/diag"
	"weft/internal/serve/cli/process"
)

// spacedValue returns an error if spaces separate a flag from the value in args: `-v name = x`,
// `-v name =x`, `-v name= x` and `-v name x`. It returns nil if each flag has its value.
func spacedValue(cmd *cobra.Command, args []string) *diag.Diagnostic {
	for _, flag := range []string{"data-value", "data-value-yaml", "data-value-file"} {
		given, _ := cmd.Flags().GetStringArray(flag)
		for _, text := range given {
			key, value, _ := strings.Cut(text, "=")
			if value != "" {
				continue
			}
			rest := strings.TrimPrefix(args[0], "=")
			if rest == "" && len(args) > 1 {
				rest = args[1]
			}
			return process.Usagef("--%s takes KEY=VALUE as one word, but found '%s' after '%s'", flag,
				args[0], text).
				WithHint("write KEY=VALUE without spaces: --%s %s", flag, diag.InShell(key+"="+rest))
		}
	}
	return nil
}
