package help

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft/docs"
	"weft/internal/lang/diag"
	"weft/internal/serve/cli/process"
)

// Command returns the command that shows the help of other commands, topics, and explanations of
// messages. cobra's own help command shows the help of weft itself if a command does not exist.
func Command(commands []string) *cobra.Command {
	forAgents := false
	cmd := &cobra.Command{
		Use:   "help [COMMAND|TOPIC|CODE]",
		Short: "Show help for a command, a topic, or the code of a message",
		Long: `help shows what a command does and lists its flags, explains a topic on one screen, or says what
the code of a message means and what to do about it. weft help topics lists the topics. With --skill it
prints one page about weft for agents.`,
		Example: `  weft help render
  weft help flags
  weft help overlays
  weft help overlay/match-count
  weft help --skill > SKILL.md`,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if forAgents {
				if len(args) > 0 {
					return process.Usagef("--skill is one page about weft: remove '%s'", args[0])
				}
				_, err := cmd.OutOrStdout().Write([]byte(skill(root, commands)))
				return err
			}
			found, rest, err := root.Find(args)
			if err == nil && len(rest) == 0 && (found != root || len(args) == 0) {
				found.InitDefaultHelpFlag()
				return found.Help()
			}
			if len(args) == 1 && args[0] == FlagPage {
				out := cmd.OutOrStdout()
				_, err := out.Write([]byte(flagPage(root, Columns(out))))
				return err
			}
			if len(args) == 1 {
				if text := subject(args[0]); text != "" {
					out := cmd.OutOrStdout()
					_, err := out.Write([]byte(Page(text, Columns(out))))
					return err
				}
			}
			return unknownSubject(args, commands)
		},
	}
	cmd.Flags().BoolVar(&forAgents, "skill", false, "print one page about weft for agents, in Markdown")
	Output.Of(cmd.Flags())
	return cmd
}

// TopicList is the name of the list of topics.
const TopicList = "topics"

// subject returns the page about a topic or a code, or "".
func subject(name string) string {
	if name == TopicList {
		return topics()
	}
	if text, err := docs.Topic(name); err == nil {
		return string(text)
	}
	code := strings.Trim(name, "[]") // in the form that ends a message
	if text, err := docs.Rule(code); err == nil {
		return string(text)
	}
	if info, ok := diag.About(diag.Code(code)); ok {
		return "# " + code + "\n\n" + upperFirst(info.Title) + ".\n\nFix: " + info.Doc + ".\n"
	}
	return ""
}

// topics returns the list of topics.
func topics() string {
	var b strings.Builder
	b.WriteString("Topics, each on one screen: weft help TOPIC\n\n```\n")
	for _, name := range docs.Topics() {
		b.WriteString(name + strings.Repeat(" ", max(1, 14-len(name))) + topicTitle(name) + "\n")
	}
	b.WriteString("```\n\nAlso: weft help COMMAND, weft help flags for the flags of rendering, " +
		"and weft help CODE for the code at the end of a message.\n")
	return b.String()
}

// topicTitle returns the title of a topic.
func topicTitle(name string) string {
	text, _ := docs.Topic(name)
	title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
	return title
}

// unknownSubject returns the error that there is no help about something, with a suggestion.
func unknownSubject(words, commands []string) error {
	names := append(slices.Concat(commands, docs.Topics()), TopicList, FlagPage)
	var ends []string // codes that end with the word
	for _, info := range diag.Codes() {
		names = append(names, string(info.Code))
		if strings.HasSuffix(string(info.Code), "/"+words[0]) {
			ends = append(ends, "weft help "+string(info.Code))
		}
	}
	if ends != nil {
		return process.Usagef("no help about '%s'", strings.Join(words, " ")).
			WithHint("did you mean %s?", strings.Join(ends, " or "))
	}
	if near := diag.Nearest(words[0], names); near != "" && !slices.Contains(commands, near) {
		return process.Usagef("no help about '%s'", strings.Join(words, " ")).
			WithHint("did you mean weft help %s?", near)
	}
	if strings.Contains(words[0], "/") {
		return process.Usagef("unknown code '%s'", words[0]).
			WithHint("copy the code from the brackets at the end of a message")
	}
	return unknownCommand(words, commands)
}

// unknownCommand returns the error that a command does not exist, with a suggestion.
func unknownCommand(words, commands []string) error {
	err := process.Usagef("unknown command '%s'", strings.Join(words, " "))
	if hint := Elsewhere(words[0]); hint != "" {
		return err.WithHint("%s", hint)
	}
	return err.WithHint("weft help topics lists the topics, and weft --help the commands").
		WithNearest(words[0], commands)
}

// RefuseUnknown makes it an error to call a command that only has subcommands without naming one of
// them.
func RefuseUnknown(cmd *cobra.Command) {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		err := process.Usagef("command '%s' takes %s, but found '%s'", cmd.CommandPath(),
			strings.Join(names, ", "), args[0])
		return err.WithNearestAs(cmd.CommandPath()+" %s", args[0], names)
	}
}

// Show returns a function that prints what a command does, wrapped to the width of the terminal, and
// its usage; for the main command it lists the other commands.
func Show(groups []Verbs) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, _ []string) {
		if cmd.HasParent() {
			show(cmd)
			return
		}
		out := cmd.OutOrStdout()
		_, _ = out.Write([]byte(overview(cmd, groups, Columns(out)))) // as in show
	}
}

func show(cmd *cobra.Command) {
	out := cmd.OutOrStdout()
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(paragraph, " ") || strings.Contains(paragraph, "\n ") ||
			strings.Contains(paragraph, "\n\t") {
			b.WriteString(paragraph + "\n\n") // formatted by hand
			continue
		}
		b.WriteString(strings.Join(Fold(paragraph, Columns(out)), "\n") + "\n\n")
	}
	_, _ = out.Write([]byte(b.String())) // standard output records write errors
	_ = cmd.Usage()
}
