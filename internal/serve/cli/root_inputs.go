package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft/internal/lang/diag"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// runRoot runs weft without a command. Arguments are inputs, or environments of the project. Without
// arguments it renders the project, or prints the help.
func (f *renderEnvironmentFlags) runRoot(cmd *cobra.Command, args []string) error {
	flags := cmd.Flags()
	given := flags.Changed("file") || flags.Changed("bulk-in")
	for _, name := range f.options.Inputs {
		if isPattern(name) && !exists(name) {
			return unexpanded(name)
		}
	}
	if given && len(args) == 0 {
		return f.renderFlags.run(cmd, nil)
	}
	if !given {
		p, err := f.project.open(cmd)
		switch {
		case err != nil && len(args) == 0:
			return err
		case err == nil && p != nil && len(args) > 0 && slices.Contains(p.Names(), args[0]):
			process.AsVerb(cmd)
			return f.run(cmd, args)
		case err == nil && p == nil && len(args) == 0 && flags.NFlag() == 0:
			return cmd.Help()
		}
		f.project.opened = nil // with inputs there is no project
	}
	if err := f.addInputs(cmd, args); err != nil {
		return err
	}
	return f.renderFlags.run(cmd, nil)
}

// addInputs adds arguments to the inputs, in the order of the command line.
func (f *renderEnvironmentFlags) addInputs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	for i, arg := range args {
		if d := spacedValue(cmd, args[i:]); d != nil && !exists(arg) {
			return d
		}
		if err := checkInput(arg); err != nil {
			return err
		}
	}
	flag := cmd.Flags().Lookup("file")
	var inputs []string
	taken := 0
	for i, name := range f.options.Inputs {
		before := len(args)
		if placed, ok := flag.Value.(*placedFlag); ok {
			before = placed.before[i]
		}
		inputs = append(append(inputs, args[taken:before]...), name)
		taken = before
	}
	f.options.Inputs = append(inputs, args[taken:]...)
	flag.Changed = true
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// checkInput rejects arguments that are probably not inputs: words, and patterns.
func checkInput(arg string) error {
	switch {
	case arg == "-" || exists(arg):
		return nil
	case isPattern(arg):
		return unexpanded(arg)
	case isExpression(arg):
		return process.Usagef("'%s' is an expression, but weft takes files and directories", diag.Shortened(arg)).
			WithHint("write what should change as a mapping: weft override FILE --overrides '{spec: {replicas: 3}}'")
	case process.IsInput(arg):
		return nil // a missing input is reported where it is read
	}
	return unknownWord(arg)
}

// isPattern reports whether a path has characters that a shell expands.
func isPattern(path string) bool {
	return strings.ContainsAny(path, "*?[") && !strings.Contains(path, "://") && !strings.Contains(path, "=")
}

// isExpression reports whether an argument is what yq takes before a file: .spec.replicas = 3.
func isExpression(arg string) bool {
	before, _, ok := strings.Cut(arg, "=")
	return ok && len(before) > 1 && before[0] == '.' && before[1] != '.' && !strings.Contains(before, "/")
}

// unexpanded returns an error that explains a pattern that the shell did not expand.
func unexpanded(pattern string) error {
	dir := beforePattern(pattern)
	if dir != "." {
		dir += "/" // so that it does not look like a command
	}
	return process.Usagef("'%s' is a pattern that the shell did not expand, and no file has this name", pattern).
		WithHint("remove the quotes, or name the directory: weft %s", diag.PathInShell(dir))
}

// verbsFrom returns the verbs that begin with a word, as commands.
func verbsFrom(word string) (list []string) {
	for _, name := range shownNames() {
		if strings.HasPrefix(name, word) {
			list = append(list, "weft "+name)
		}
	}
	slices.Sort(list)
	return list
}

// unknownWord returns the error that a word is neither a command nor a path, with a suggestion.
func unknownWord(word string) error {
	d := help.NoVerb(word)
	if hint := help.Elsewhere(word); hint != "" {
		return d.WithHint("%s", hint)
	}
	if like := verbsFrom(word); len(like) > 0 {
		return d.WithHint("did you mean %s?", strings.Join(like, " or "))
	}
	switch near := diag.Nearest(word, append(shownNames(), "version")); near {
	case "":
		return d.WithHint("weft --help lists the verbs")
	case "version":
		return d.WithHint("did you mean weft --version?")
	default:
		return d.WithHint("did you mean weft %s?", near)
	}
}

// placedFlag is a list that records how many arguments came before each of its values.
type placedFlag struct {
	pflag.Value
	pflag.SliceValue
	flags  *pflag.FlagSet
	before []int
}

// Set implements pflag.Value.
func (f *placedFlag) Set(s string) error {
	f.before = append(f.before, f.flags.NArg())
	return f.Value.Set(s)
}
