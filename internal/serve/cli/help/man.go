package help

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft/internal/engine/emit"
	"weft/internal/engine/outdir"
	"weft/internal/serve/cli/process"
)

// ManCommand returns the command that prints man pages. They are generated from the commands, so they
// are always up to date.
func ManCommand(commands []string) *cobra.Command {
	dir := ""
	cmd := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print man pages",
		Long: "man prints the man page of weft or of one of its commands. --dir writes all pages, " +
			"for packagers.",
		Example: `  weft man | man -l -
  weft man render | man -l -
  weft man --dir /usr/local/share/man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.InitDefaultHelpCmd()
			root.InitDefaultCompletionCmd()
			if cmd.Flags().Changed("dir") {
				if len(args) > 0 {
					return process.Usagef("--dir writes the pages of all commands: remove '%s'", args[0])
				}
				return writeManPages(cmd.Context(), root, dir)
			}
			page := root
			if len(args) > 0 {
				found, rest, err := root.Find(args)
				if err != nil || len(rest) > 0 || found == root {
					return unknownCommand(args, commands)
				}
				page = found
			}
			_, err := cmd.OutOrStdout().Write([]byte(manPage(page)))
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write the pages of all commands to `DIR`")
	Output.Of(cmd.Flags())
	return cmd
}

// writeManPages writes weft.1, weft-version.1 and so on.
func writeManPages(ctx context.Context, root *cobra.Command, dir string) error {
	var pages []emit.File
	for _, c := range append([]*cobra.Command{root}, Documented(root)...) {
		pages = append(pages, emit.File{Path: manName(c) + ".1", Data: []byte(manPage(c))})
	}
	_, err := outdir.Target{Dir: dir}.Write(ctx, pages)
	return err
}

// Documented returns the commands of root that have their own pages.
func Documented(root *cobra.Command) []*cobra.Command {
	var list []*cobra.Command
	for _, c := range root.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		list = append(list, c)
		if c.Name() != "completion" { // whose commands are those of cobra
			list = append(list, Documented(c)...)
		}
	}
	return list
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage returns the page of a command in the man macros of roff.
func manPage(cmd *cobra.Command) string {
	var p roff
	name := manName(cmd)
	p.macro(".TH", strings.ToUpper(name), "1", "", "weft "+process.Version(), "weft")
	p.macro(".SH", "NAME")
	p.text(name + " - " + lowerFirst(cmd.Short))
	p.macro(".SH", "SYNOPSIS")
	p.bold(cmd.UseLine())
	p.macro(".SH", "DESCRIPTION")
	p.paragraphs(cmd.Long)
	if len(cmd.Aliases) > 0 {
		p.paragraphs("Other names: " + strings.Join(cmd.Aliases, ", ") + ".")
	}
	if cmd.HasAvailableSubCommands() && !cmd.HasParent() {
		p.macro(".SH", "COMMANDS")
		for _, c := range Documented(cmd) {
			p.term(c.Name(), c.Short)
		}
	}
	p.macro(".SH", "OPTIONS")
	for _, g := range Groups(cmd) {
		p.macro(".SS", g.Title)
		for _, f := range g.Flags {
			p.term(FlagTerm(f), FlagText(f))
		}
	}
	if !cmd.HasParent() {
		p.macro(".SH", "EXIT STATUS")
		for _, e := range process.ExitCodes {
			p.term(e.Code, strings.ReplaceAll(e.Meaning, "`", ""))
		}
		p.macro(".SH", "ENVIRONMENT")
		for _, v := range Variables {
			p.term(v.Name, v.Meaning)
		}
	}
	if cmd.HasExample() {
		p.macro(".SH", "EXAMPLES")
		p.macro(".nf")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			p.text(strings.TrimPrefix(line, "  "))
		}
		p.macro(".fi")
	}
	if cmd.HasParent() {
		p.macro(".SH", "SEE ALSO")
		p.text("weft(1)")
	}
	return p.String()
}

// FlagTerm returns a flag as it is written: -f, --file PATH.
func FlagTerm(f *pflag.Flag) string {
	term := "--" + f.Name
	if f.Shorthand != "" {
		term = "-" + f.Shorthand + ", " + term
	}
	value, _ := pflag.UnquoteUsage(f)
	switch {
	case value == "":
		return term
	case f.NoOptDefVal != "":
		return term + "[=" + value + "]"
	}
	return term + " " + value
}

// FlagText returns what a flag does, and its default.
func FlagText(f *pflag.Flag) string {
	_, text := pflag.UnquoteUsage(f)
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
		return text
	}
	return text + " (default " + f.DefValue + ")"
}

// roff is a man page that is being written.
type roff struct{ strings.Builder }

// macro writes a request with its arguments.
func (p *roff) macro(name string, args ...string) {
	p.WriteString(name)
	for _, a := range args {
		p.WriteString(` "` + strings.ReplaceAll(roffEscape(a), `"`, `\(dq`) + `"`)
	}
	p.WriteByte('\n')
}

// text writes a line. If it begins like a request, it is escaped.
func (p *roff) text(line string) {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		p.WriteString(`\&`)
	}
	p.WriteString(roffEscape(line) + "\n")
}

func (p *roff) bold(line string) { p.WriteString(`\fB` + roffEscape(line) + `\fR` + "\n") }

// paragraphs writes text whose paragraphs are separated by empty lines.
func (p *roff) paragraphs(text string) {
	for par := range strings.SplitSeq(text, "\n\n") {
		p.macro(".PP")
		for line := range strings.SplitSeq(par, "\n") {
			p.text(line)
		}
	}
}

// term writes an entry of a list.
func (p *roff) term(term, text string) {
	p.macro(".TP")
	p.bold(term)
	p.text(text)
}

// roffEscape escapes characters that have a meaning in roff. A bare - could be shown as a hyphen,
// which cannot be pasted into a shell.
func roffEscape(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Variables are the environment variables that weft reads, besides those that --data-values-env
// names.
var Variables = [...]struct{ Name, Meaning string }{
	{
		"WEFT_ENV, ARGOCD_ENV_WEFT_ENV",
		"The environment of the project to use if the command line names none.",
	},
	{
		"WEFT_ALLOW_ENV",
		"Prefixes of environment variables that projects may read, separated by commas; see --allow-env.",
	},
	{"NO_COLOR", "If set, messages have no color unless --color says so."},
	{"TERM", "If dumb, messages have no color, and no progress is shown."},
	{"HTTP_PROXY, HTTPS_PROXY, NO_PROXY", "The proxy for URLs, and the hosts to reach without it."},
	{
		"GOGC, GOMEMLIMIT",
		"Settings of Go's garbage collector. If one of them is set, weft does not tune the collector.",
	},
	{"WEFT_DEBUG_PANIC", "If set, an internal error prints a stack trace."},
}
