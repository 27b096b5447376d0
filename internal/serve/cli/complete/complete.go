package complete

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/docs"
	"weft/internal/check/lint"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/serve/cli/help"
)

// known are the flags whose values come from the inputs or from the program.
var known = lazy.Value[map[string]cobra.CompletionFunc]{New: func() map[string]cobra.CompletionFunc {
	return map[string]cobra.CompletionFunc{
		"data-value":      completeValue,
		"data-value-yaml": completeValue,
		"data-value-file": completeValueFile,
		"environment":     completeEnvironmentFlag,
		"select":          completeSelect,
		"selector":        completeLabel,
		"rule":            completeRule,
	}
}}

// marks are the values of --file-mark after the path.
var marks = []string{
	"type=yaml-template", "type=yaml-plain", "type=text-template", "type=text-plain",
	"type=starlark", "type=data", "path=", "exclude=true", "for-output=true",
	"exclusive-for-output=true",
}

// Choices are the values of flags with a fixed set of values, by the name of the flag, or by the
// names of the command and the flag.
type Choices map[string][]cobra.Completion

// Add adds completions for the flags and arguments of all commands.
func (c Choices) Add(root *cobra.Command) {
	root.ValidArgsFunction = cobra.NoFileCompletions
	c.completeFlags(root, root.PersistentFlags())
	c.completeFlags(root, root.Flags())
	c.addBelow(root)
}

// addBelow says what the shell may offer for the commands of a command.
func (c Choices) addBelow(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.ValidArgsFunction = completeSubject
		case "man":
			cmd.ValidArgsFunction = completeCommand
		case "blame":
			cmd.ValidArgsFunction = completeBlame
		case "impact":
			cmd.ValidArgsFunction = completeImpact
		case "render", "config", "fleet", "lint", "env", "explain", "argocd", "export":
			cmd.ValidArgsFunction = completeEnvironment
		case "diff":
			cmd.ValidArgsFunction = completeSides
		case "fmt", "override", "test", "import", "infer": // the shell completes files
		case "completion": // it has its own completions
			continue
		default:
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
		c.completeFlags(cmd, cmd.Flags())
		c.addBelow(cmd)
	}
}

func (c Choices) completeFlags(cmd *cobra.Command, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if err := cmd.RegisterFlagCompletionFunc(f.Name, c.completionOf(cmd, f)); err != nil {
			panic(err) // the flag has a completion already
		}
	})
}

// completionOf returns the completion of a flag: its values if they are known, or else what its help
// calls the value.
func (c Choices) completionOf(cmd *cobra.Command, f *pflag.Flag) cobra.CompletionFunc {
	if f.Name == "explain" && cmd.Name() == "lint" {
		return completeRuleName
	}
	if values, ok := c[cmd.Name()+" "+f.Name]; ok {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	}
	if complete, ok := known.Get()[f.Name]; ok {
		return complete
	}
	if values, ok := c[f.Name]; ok && f.Value.Type() != "bool" {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	}
	switch name, _ := pflag.UnquoteUsage(f); name {
	case "PATH", "FILE", "PATTERN", "KEY=PATH":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	case "DIR":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case "PATH:KEY=VALUE":
		return completeBehind(":", marks, cobra.ShellCompDirectiveNoSpace)
	case "PATH=HOW":
		how := []string{"append", "replace", "union"}
		return completeBehind("=", how, cobra.ShellCompDirectiveNoFileComp)
	}
	return cobra.NoFileCompletions
}

// completeBehind completes values after the last separator of a word. Before there is one, it calls
// before.
func completeBehind(
	separator string, values []string, before cobra.ShellCompDirective,
) cobra.CompletionFunc {
	return func(
		_ *cobra.Command, _ []string, word string,
	) ([]cobra.Completion, cobra.ShellCompDirective) {
		i := strings.LastIndex(word, separator)
		if i < 0 {
			return nil, before
		}
		var offers []cobra.Completion
		for _, v := range values {
			if offer := word[:i+1] + v; strings.HasPrefix(offer, word) {
				offers = append(offers, offer)
			}
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		if slices.ContainsFunc(offers, func(o string) bool { return strings.HasSuffix(o, "=") }) {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		return offers, directive
	}
}

// completeEnvironment offers the environments of the project as arguments.
func completeEnvironment(
	cmd *cobra.Command, args []string, word string,
) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	if len(args) > 0 && !slices.Contains([]string{"render", "fleet", "lint"}, cmd.Name()) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return offerEnvironments(cmd, args, word)
}

// completeSides completes environments of the project, and files if no environment begins with the
// word.
func completeSides(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	names, _ := offerEnvironments(cmd, args, word)
	return names, cobra.ShellCompDirectiveDefault
}

// completeEnvironmentFlag completes environments for -e, without those that are already given.
func completeEnvironmentFlag(
	cmd *cobra.Command, _ []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	given, _ := cmd.Flags().GetStringArray("environment") // for most commands it is not a list
	return offerEnvironments(cmd, given, word)
}

func offerEnvironments(
	cmd *cobra.Command, given []string, word string,
) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	none := cobra.ShellCompDirectiveNoFileComp
	file, err := cmd.Flags().GetString("project")
	if err != nil || file == "" && cmd.Flags().Changed("file") {
		return nil, none
	}
	p, err := weft.OpenProject(cmd.Context(), weft.ProjectOptions{Path: file})
	if err != nil {
		return nil, none
	}
	for _, name := range p.Names() {
		if strings.HasPrefix(name, word) && !slices.Contains(given, name) {
			names = append(names, name)
		}
	}
	return names, none
}

// completeCommand offers the names of commands, for the first argument.
func completeCommand(
	cmd *cobra.Command, args []string, word string,
) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	if len(args) == 0 {
		for _, c := range help.Documented(cmd.Root()) {
			if strings.HasPrefix(c.Name(), word) {
				names = append(names, c.Name()+"\t"+c.Short)
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeSubject completes subjects of help: commands, topics, and codes of messages once their
// first letters are typed.
func completeSubject(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	names, directive := completeCommand(cmd, args, word)
	if len(args) > 0 {
		return names, directive
	}
	for _, name := range begins(append(docs.Topics(), help.TopicList, help.FlagPage), word) {
		names = append(names, name+"\ttopic")
	}
	for _, info := range diag.Codes() {
		if word != "" && strings.HasPrefix(string(info.Code), word) {
			names = append(names, string(info.Code)+"\t"+info.Title)
		}
	}
	return names, directive
}

// completeRuleName offers the rules of the linter.
func completeRuleName(
	_ *cobra.Command, _ []string, word string,
) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, r := range lint.Rules() {
		if strings.HasPrefix(string(r.Code), word) {
			info, _ := diag.About(r.Code)
			names = append(names, string(r.Code)+"\t"+info.Title)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeRule completes rules of the linter, and their levels.
func completeRule(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if strings.Contains(word, "=") {
		levels := completeBehind("=", []string{"error", "warning", "off"}, 0)
		return levels(cmd, args, word)
	}
	names, directive := completeRuleName(cmd, args, word)
	for i, name := range names {
		code, title, _ := strings.Cut(name, "\t")
		names[i] = code + "=\t" + title
	}
	return names, directive | cobra.ShellCompDirectiveNoSpace
}
