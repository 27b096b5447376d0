package process

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
)

// The exit codes. For a signal, they are what a shell reports for a program that the signal ended.
const (
	ExitOK        = 0
	ExitError     = 1 // the check failed; for command lines of ytt, any error
	ExitInternal  = 2 // a bug in weft
	ExitDifferent = 1 // something differs, a test failed, a finding
	ExitTrouble   = 2 // the check could not run
	exitInterrupt = 130
)

// errorCode returns the exit code for an error of a command. If err is nil, environments have failed.
func errorCode(cmd *cobra.Command, err error) int {
	switch {
	case isDropIn(cmd):
		return ExitError
	case asks(cmd):
		return ExitTrouble
	case err != nil && isTrouble(err):
		return ExitTrouble
	}
	return ExitError
}

// isDropIn reports whether a command line would also work with ytt: no command and some inputs, or a
// command of ytt. Then all errors have the code 1.
func isDropIn(cmd *cobra.Command) bool {
	flags := cmd.Flags()
	inputs := flags.Changed("file") || flags.Changed("bulk-in")
	switch {
	case cmd.Annotations[asVerb] != "":
		return false
	case !cmd.HasParent():
		return inputs || slices.ContainsFunc(flags.Args(), IsInput)
	case cmd.Name() == "fmt":
		return inputs
	}
	for cmd.Parent().HasParent() { // completion bash
		cmd = cmd.Parent()
	}
	return slices.Contains([]string{"template", "version", "website", "completion"}, cmd.Name())
}

// asVerb is the annotation of the main command that says that its arguments are not inputs.
const asVerb = "verb"

// AsVerb records that the main command runs as a verb: its arguments are environments.
func AsVerb(root *cobra.Command) { root.Annotations = map[string]string{asVerb: "render"} }

// IsInput reports whether an argument of the main command is an input: standard input, a path, or
// text that looks like one.
func IsInput(arg string) bool {
	if arg == "-" || strings.ContainsAny(arg, `/\.=`) {
		return true
	}
	_, err := os.Lstat(arg)
	return err == nil
}

// asks reports whether a command is a check, which passes only if it finds nothing: differences,
// findings or failing tests.
func asks(cmd *cobra.Command) bool {
	if slices.Contains([]string{"diff", "lint", "migrate", "test", "update"}, cmd.Name()) {
		return true
	}
	for _, name := range []string{"diff", "check"} { // these check whether something would change
		f := cmd.Flags().Lookup(name)
		if f != nil && f.Value.String() != "" && f.Value.String() != "false" {
			return true
		}
	}
	return false
}

// isTrouble reports whether an error is not about the content of the inputs: a command was used
// incorrectly, or something could not be read or written.
func isTrouble(err error) bool {
	for _, d := range weft.ErrorOf(err).Diagnostics() {
		if d.Severity == weft.SeverityError {
			return troubleCode(diag.Code(d.Code))
		}
	}
	return false
}

// troubleCode reports whether errors with a code are not about the content of the inputs.
func troubleCode(code diag.Code) bool {
	switch code {
	case "", codeUsage, codeOutput, codeInternal,
		"run/timeout", "run/memory",
		"load/not-found", "load/unreadable", "load/irregular", "load/symlink", "load/stdin-twice",
		"load/too-large", "load/url", "load/bad-name", "load/bad-mark", "load/mark-no-match",
		"load/unknown-type",
		"project/file", "project/path", "project/outside", "project/git", "project/environment",
		"project/env",
		"values/flag", "values/env-prefix", "override/argument", "override/internal",
		"emit/symlink", "emit/refused", "emit/git", "emit/write", "emit/changed", "emit/bulk",
		"blame/select", "blame/ambiguous", "impact/value", "path/no-document", "suggest/set", "fmt/path",
		"vendor/fetch", "vendor/host", "vendor/archive":
		return true
	}
	return false
}

// ExitCodes is the table of exit codes, for documentation.
var ExitCodes = [...]struct{ Code, Meaning string }{
	{"0", "done. Checks (`diff`, `lint`, `test`, `--check`, `--diff`): passed, nothing differs"},
	{"1", "the answer is no: something differs, there is a finding, a test failed, an environment failed, " +
		"or the input does not render; with `migrate`: values may change. In the form of ytt, any error"},
	{"2", "the question could not be asked: wrong usage, unreadable files, `--timeout`, an internal error; " +
		"checks of a configuration that does not render"},
	{"129", "the terminal was closed (SIGHUP)"},
	{"130", "interrupted by Ctrl-C"},
	{"143", "terminated by SIGTERM"},
}
