// Package cli is the command line: it turns flags into weft.Options, prints the result on standard
// output and whatever went wrong on standard error. One file holds one command.
package cli

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// Main runs weft with the arguments after the program's name and returns the exit code.
func Main(args []string, stdin io.Reader, out, stderr io.Writer) int {
	return program().Main(args, stdin, out, stderr)
}

// Guard runs the program once more, as its child, where the system may refuse it memory.
func Guard() (code int, done bool) { return program().Guard() }

func program() process.Program {
	return process.Program{Root: newRoot, Add: addNamed, AddAll: addCommands}
}

// newRoot builds the main command, without the others.
func newRoot(msg *process.Messages) *cobra.Command {
	cobra.MousetrapHelpText = "" // also started by a double click, weft is a command
	root := newRender("weft")
	root.Short = "Render, patch and check YAML"
	root.Long = `weft renders YAML templates with data values, applies overlays and overrides, and prints the
result.

Documents appear in the order of the -f flags; files in a directory are sorted by path.`
	root.Example = `  weft -f config/                    render the templates in a directory
  weft -f config/ -v name=prod       set a data value
  weft -f config/ --data-values-file prod.yml --output-files out
  kubectl get pod x -o yaml | weft -f - -o json
  weft -f app.yml --strict           reject scalars that YAML parsers disagree about`
	show := root.Flags().Bool("version", false,
		"print the version") // without cobra's -v, which ytt has another use for
	help.About.Of(root.Flags())
	render := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *show {
			return writeVersion(cmd)
		}
		return render(cmd, args)
	}
	flags := root.PersistentFlags()
	msg.Memory.Limit = process.DefaultMemory
	flags.Var(&msg.Memory, "max-memory",
		"use at most `SIZE` of memory, such as 512MiB; 0 for no limit")
	help.Limits.Of(flags)
	flags.Var(&msg.Color, "color", "color messages: auto, always or never")
	flags.Var(&msg.Form, "diagnostics",
		"print errors and warnings as text, or as json, one per line")
	help.Messages.Of(flags)
	// What holds for the root holds for all commands: weft reports errors itself.
	root.SilenceErrors, root.SilenceUsage = true, true
	whole := func() { // which runs that call no other command do without
		if !root.HasSubCommands() {
			addCommands(root)
		}
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		whole()
		return help.FlagError(cmd, err)
	})
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		whole()
		return help.Usage(cmd)
	})
	root.SetHelpFunc(help.Show)
	return root
}

// other is a command besides the main one.
type other struct {
	names []string // its name and its aliases
	build func() *cobra.Command
}

// others returns the other commands. Those without a function are made by cobra.
func others() []other {
	return []other{
		{[]string{"render"}, newRenderEnvironment},
		{[]string{"env"}, newEnv},
		{[]string{"config"}, newConfig},
		{[]string{"init"}, newInit},
		{[]string{"template", "t", "tpl"}, newTemplate},
		{[]string{"diff"}, newDiff},
		{[]string{"explain"}, newExplain},
		{[]string{"blame"}, newBlame},
		{[]string{"impact"}, newImpact},
		{[]string{"fleet"}, newFleet},
		{[]string{"override"}, newOverride},
		{[]string{"argocd"}, newArgocd},
		{[]string{"krm"}, newKrm},
		{[]string{"fmt"}, newFmt},
		{[]string{"migrate"}, newMigrate},
		{[]string{"lint"}, newLint},
		{[]string{"test"}, newTest},
		{[]string{"lsp"}, newLsp},
		{[]string{"playground"}, newPlayground},
		{[]string{"website"}, newWebsite},
		{[]string{"version"}, newVersion},
		{[]string{"man"}, func() *cobra.Command { return help.ManCommand(commandNames()) }},
		{[]string{"help"}, nil},
		{[]string{"completion"}, nil},
	}
}

// commandNames returns the names that a misspelled one is compared with.
func commandNames() (names []string) {
	for _, o := range others() {
		names = append(names, o.names...)
	}
	return names
}

func newTemplate() *cobra.Command {
	tpl := newRender("template")
	tpl.Short = "Same as weft without a command"
	tpl.Long = "template does the same as weft without a command. Scripts written for ytt use it."
	return tpl
}

// addNamed adds the other commands if the arguments may name one of them.
func addNamed(root *cobra.Command, args []string) {
	if mayName(args) {
		addCommands(root)
	}
	if completes(args) {
		flagChoices().Add(root)
	}
}

// addCommands adds the other commands.
func addCommands(root *cobra.Command) {
	for _, o := range others() {
		if o.build != nil {
			c := o.build()
			c.Aliases = o.names[1:]
			root.AddCommand(c)
		}
	}
	root.SetHelpCommand(help.Command(commandNames()))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			help.RefuseUnknown(c)
		}
	}
}

// mayName reports whether one of the arguments is the name of another command than the main one.
// Which one is called, if any, is for cobra to say: most runs have no such word at all, and to
// build commands that nothing calls would be the larger part of a short run.
func mayName(args []string) bool {
	names := commandNames()
	for i, a := range args {
		if slices.Contains(names, a) && (i == 0 || !takesPath[args[i-1]]) {
			return true
		}
	}
	return completes(args)
}

// takesPath are the flags whose values are often called like a command: -f config.
var takesPath = map[string]bool{
	"-f": true, "--file": true, "--data-values-file": true, "--output-files": true, "-e": true,
}

// completes reports whether the arguments are those of a shell that asks what it may offer.
func completes(args []string) bool {
	return len(args) > 0 &&
		(args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}
