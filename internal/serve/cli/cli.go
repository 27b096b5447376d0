// Package cli is the command line: it turns flags into weft.Options, prints the result on standard
// output, and messages on standard error. Each command is in its own file.
package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// Main runs weft with the arguments after the program's name and returns the exit code.
func Main(args []string, stdin io.Reader, out, stderr io.Writer) int {
	return program().Main(args, stdin, out, stderr)
}

// Guard runs the program again as a child process, where the system may refuse memory.
func Guard() (code int, done bool) { return program().Guard() }

func program() process.Program {
	return process.Program{Root: newRoot, Add: addNamed, AddAll: addCommands}
}

// newRoot returns the main command, without the other commands.
func newRoot(msg *process.Messages) *cobra.Command {
	cobra.MousetrapHelpText = "" // weft also works when it is started by a double click
	f := &renderEnvironmentFlags{}
	root := f.command("weft")
	root.Short = "Render, patch and check YAML"
	root.Use = "weft [VERB|PATH...] [flags]"
	root.Long = `weft renders YAML templates with data values, applies overlays and overrides, and prints the
result.

A PATH is an input, exactly as after -f: a file, a directory, or - for standard input. Documents
appear in the order of the inputs; files in a directory are sorted by path. In a project, weft
without arguments is weft render.`
	root.Example = `  weft config/                       render the templates in a directory
  weft config/ -v name=prod          set a data value
  weft config/ --data-values-file prod.yml --output-files out
  kubectl get pod x -o yaml | weft - -o json
  weft app.yml --strict              reject scalars that YAML parsers disagree about`
	version := root.Flags().Bool("version", false,
		"print the version") // without cobra's -v, which has another meaning in ytt
	help.About.Of(root.Flags())
	root.Args = cobra.ArbitraryArgs
	file := root.Flags().Lookup("file")
	file.Value = &placedFlag{
		Value: file.Value, SliceValue: file.Value.(pflag.SliceValue), flags: root.Flags(),
	}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *version {
			return writeVersion(cmd)
		}
		return f.runRoot(cmd, args)
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
	// Settings of the root apply to all commands: weft reports errors itself.
	root.SilenceErrors, root.SilenceUsage = true, true
	whole := func() { // only runs that call another command need it
		if !root.HasSubCommands() {
			addCommands(root)
		}
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		whole()
		return help.FlagError(cmd, err)
	})
	root.SetUsageFunc(help.Usage)
	show := help.Show(verbs())
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		whole()
		show(cmd, args)
	})
	return root
}

// verbs returns the commands that help shows. The others work as well: old names, and names of ytt.
func verbs() []help.Verbs {
	return []help.Verbs{
		{Title: "Render", Names: []string{"render", "override"}},
		{Title: "Understand", Names: []string{"blame", "explain", "impact", "diff"}},
		{Title: "Check", Names: []string{"fmt", "lint", "test"}},
		{Title: "Project", Names: []string{"init", "env", "migrate", "schema", "vendor"}},
		{
			Title: "Edit", Names: []string{"edit", "suggest", "playground"},
			Short: "the output",
		},
		{Title: "Serve", Names: []string{"lsp", "mcp", "krm", "argocd"}, Short: "editors, agents, others"},
	}
}

// other is a command other than the main one.
type other struct {
	names  []string // its name and its aliases
	build  func() *cobra.Command
	hidden bool // neither shown nor suggested: an old name, or one of ytt
}

// others returns the other commands. cobra creates those without a function.
func others() []other {
	return []other{
		{names: []string{"render"}, build: newRenderEnvironment},
		{names: []string{"override"}, build: newOverride},
		{names: []string{"blame"}, build: newBlame},
		{names: []string{"explain"}, build: newExplain},
		{names: []string{"impact"}, build: newImpact},
		{names: []string{"diff"}, build: newDiff},
		{names: []string{"fmt"}, build: newFmt},
		{names: []string{"lint"}, build: newLint},
		{names: []string{"test"}, build: newTest},
		{names: []string{"init"}, build: newInit},
		{names: []string{"env"}, build: newEnv},
		{names: []string{"migrate"}, build: newMigrate},
		{names: []string{"schema"}, build: newSchema},
		{names: []string{"vendor"}, build: newVendor},
		{names: []string{"edit"}, build: newEdit},
		{names: []string{"suggest"}, build: newSuggest},
		{names: []string{"playground"}, build: newPlayground},
		{names: []string{"lsp"}, build: newLsp},
		{names: []string{"mcp"}, build: newMcp},
		{names: []string{"krm"}, build: newKrm},
		{names: []string{"argocd"}, build: newArgocd},
		{names: []string{"help"}},
		{names: []string{"man"}, build: func() *cobra.Command { return help.ManCommand(shownNames()) }},
		{names: []string{"fleet"}, build: newFleet, hidden: true},
		{names: []string{"config"}, build: newConfig, hidden: true},
		{names: []string{"template", "t", "tpl"}, build: newTemplate, hidden: true},
		{names: []string{"website"}, build: newWebsite, hidden: true},
		{names: []string{"version"}, build: newVersion, hidden: true},
		{names: []string{"completion"}, hidden: true},
	}
}

// commandNames returns the names of all commands.
func commandNames() (names []string) {
	for _, o := range others() {
		names = append(names, o.names...)
	}
	return names
}

// shownNames returns the names of the commands that help shows and hints suggest.
func shownNames() (names []string) {
	for _, o := range others() {
		if !o.hidden {
			names = append(names, o.names...)
		}
	}
	return names
}

func newTemplate() *cobra.Command {
	tpl := newRender("template")
	tpl.Args = templateArgs
	tpl.Short = "Same as weft without a verb"
	tpl.Long = "template does the same as weft -f without a verb. Scripts written for ytt use it."
	return tpl
}

// templateArgs rejects arguments, which helm accepts.
func templateArgs(cmd *cobra.Command, args []string) error {
	if len(args) < 2 {
		return noArgs(cmd, args)
	}
	d := process.Usagef("weft template takes no release and no chart, but found '%s'",
		strings.Join(args, "', '"))
	if last := args[len(args)-1]; exists(last) {
		if slices.Contains(commandNames(), last) {
			last += "/"
		}
		return d.WithHint("weft has no releases: it renders the files that are named: weft %s",
			diag.PathInShell(last))
	}
	return d.WithHint("weft has no releases: it renders the files that are named: weft PATH")
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
	hidden := map[string]bool{}
	for _, o := range others() {
		hidden[o.names[0]] = o.hidden
		if o.build != nil {
			c := o.build()
			c.Aliases = o.names[1:]
			root.AddCommand(c)
		}
	}
	root.SetHelpCommand(help.Command(shownNames()))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		c.Hidden = hidden[c.Name()]
		if c.Name() == "completion" {
			help.RefuseUnknown(c)
		}
	}
}

// mayName reports whether one of the arguments is the name of another command. cobra decides which
// command is called. Most runs contain no such word, and building commands that are not called would
// take most of the time of a short run.
func mayName(args []string) bool {
	var names []string
	for i, a := range args {
		if strings.ContainsAny(a, notInNames) {
			continue
		}
		if names == nil {
			names = commandNames()
		}
		if slices.Contains(names, a) && (i == 0 || !takesPath.Get()[args[i-1]]) {
			return true
		}
	}
	return completes(args)
}

// notInNames are characters that flags and most paths have, and names of commands do not.
const notInNames = "-./="

// takesPath are the flags whose values are often named like a command: -f config.
var takesPath = lazy.Value[map[string]bool]{New: func() map[string]bool {
	return map[string]bool{
		"-f": true, "--file": true, "--data-values-file": true, "--output-files": true, "-e": true,
	}
}}

// completes reports whether the arguments come from a shell that asks for completions.
func completes(args []string) bool {
	return len(args) > 0 &&
		(args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}
