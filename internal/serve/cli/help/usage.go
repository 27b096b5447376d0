package help

import (
	"strings"

	"github.com/spf13/cobra"
)

// Usage prints how a command is called, below its description.
func Usage(cmd *cobra.Command) error {
	width := Columns(cmd.OutOrStdout())
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		b.WriteString("  " + cmd.UseLine() + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("  " + cmd.CommandPath() + " [command]\n")
	}
	if len(cmd.Aliases) > 0 {
		b.WriteString("\nAliases:\n  " + cmd.NameAndAliases() + "\n")
	}
	if cmd.HasExample() {
		b.WriteString("\nExamples:\n" + cmd.Example + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		var list []definition
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				list = append(list, definition{c.Name(), c.Short})
			}
		}
		b.WriteString(table(list, width))
	}
	b.WriteString(flagGroups(cmd, width))
	if cmd.HasAvailableSubCommands() {
		more := "Run " + cmd.CommandPath() + " [command] --help for more about a command."
		b.WriteString("\n" + strings.Join(Fold(more, width), "\n") + "\n")
	}
	_, err := cmd.OutOrStdout().Write([]byte(b.String()))
	return err
}

// flagGroups returns the flags of a command in their groups.
func flagGroups(cmd *cobra.Command, width int) string {
	var b strings.Builder
	for _, g := range Groups(cmd) {
		var list []definition
		for _, f := range g.Flags {
			term := FlagTerm(f)
			if f.Shorthand == "" {
				term = "    " + term // aligned with flags that have a short form
			}
			list = append(list, definition{term, FlagText(f)})
		}
		b.WriteString("\n" + g.Title + ":\n" + table(list, width))
	}
	return b.String()
}
