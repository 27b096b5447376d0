package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"weft/internal/diag"
)

// newHelp makes the command that shows the help of others. The one that comes with cobra shows that
// of weft itself for a command that there is not.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show help for a command",
		Long:  "help shows what weft or one of its commands does, and lists its flags.",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 || found == root && len(args) > 0 {
				return unknownCommand(args)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// unknownCommand says that there is no such command, and which may be meant.
func unknownCommand(words []string) error {
	err := usagef("unknown command '%s'", strings.Join(words, " "))
	if hint := elsewhere(words[0]); hint != "" {
		return err.WithHint("%s", hint)
	}
	if near := diag.Nearest(words[0], commandNames()); near != "" {
		return err.WithHint("did you mean %s?", near)
	}
	return err.WithHint("run weft --help to list the commands")
}

// refuseUnknown makes a command that has only others below it an error where none of them is named.
func refuseUnknown(cmd *cobra.Command) {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		err := usagef(
			"command '%s' takes %s, but found '%s'",
			cmd.CommandPath(),
			strings.Join(names, ", "),
			args[0],
		)
		if near := diag.Nearest(args[0], names); near != "" {
			err.WithHint("did you mean %s %s?", cmd.CommandPath(), near)
		}
		return err
	}
}
