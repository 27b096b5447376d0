// Package cli is the command line: it turns flags into weft.Options, prints the result on standard
// output and whatever went wrong on standard error. One file holds one command.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/lang/diag"
)

// grace is how long a run that was interrupted may take to stop by itself.
var grace = 100 * time.Millisecond

// Main runs weft with the arguments behind the program's name and gives the exit code.
//
// The run has its own goroutine, so that Ctrl-C also ends one that waits for standard input or is
// busy where nobody looks at the context. A run that has begun to print comes to its end, unless
// somebody insists.
func Main(args []string, stdin io.Reader, out, stderr io.Writer) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	defer listen(signals)()

	widenStack()
	msg := &messages{out: stderr, redactor: &weft.Redactor{}}
	ctx = weft.WithRedactor(ctx, msg.redactor)
	lost := make(chan error, 1)
	done := make(chan int, 1)
	printed := &stdout{w: out}
	msg.stdout = printed
	go func() { done <- run(ctx, args, stdin, printed, msg, lost) }()
	select {
	case code := <-done:
		return code
	case err := <-lost:
		if !printed.stop() { // the result is there, and is being given away
			if code, ok := awaited(printed, done, signals); ok {
				return code
			}
		}
		return failed(args, msg, err)
	case s := <-signals:
		cancel()
		if code, ok := awaited(printed, done, signals); ok && code == exitOK {
			return exitOK // all of the result is there
		}
		return signalCode(s)
	}
}

func signalCode(s os.Signal) int {
	if s == syscall.SIGTERM {
		return exitTerminated
	}
	return exitInterrupt
}

// ignoreSignals is how long a run lets the system end it on a signal, which is as good while little is done.
// To listen costs a thread, a fifth of a millisecond: more than anything else that a short run
// does.
var ignoreSignals = 5 * time.Millisecond

// listen makes signals go to the channel, after a while, until the result is called.
func listen(signals chan<- os.Signal) (stop func()) {
	begin := func() { signal.Notify(signals, os.Interrupt, syscall.SIGTERM) }
	if ignoreSignals == 0 {
		begin()
		return func() { signal.Stop(signals) }
	}
	timer := time.AfterFunc(ignoreSignals, begin)
	return func() {
		if !timer.Stop() {
			signal.Stop(signals)
		}
	}
}

func run(
	ctx context.Context,
	args []string,
	stdin io.Reader,
	out *stdout,
	msg *messages,
	lost chan<- error,
) (code int) {
	defer func() {
		if v := recover(); v != nil {
			msg.reportPanic(v)
			code = exitInternal
		}
	}()
	if len(args) == 0 {
		args = []string{"--help"}
	}
	if mayWatch(args) {
		return watchLoop(ctx, args, stdin, out, msg, lost)
	}
	return exitCode(ctx, args, out, msg, execute(ctx, args, stdin, out, msg, lost))
}

// execute runs the command that the arguments name.
func execute(
	ctx context.Context, args []string, stdin io.Reader, out io.Writer, msg *messages, lost chan<- error,
) error {
	root := newRoot(msg)
	root.SetOut(out) // before there are commands: completion takes note of it as it is made
	root.SetErr(msg)
	defer msg.watch(root, lost)()
	if mayName(args) {
		addCommands(root)
	}
	if completes(args) {
		addCompletions(root)
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	return root.ExecuteContext(ctx)
}

// exitCode is the exit code of a run that ended with err, which is reported.
func exitCode(ctx context.Context, args []string, out *stdout, msg *messages, err error) int {
	if failed := out.failed(); failed != nil && (err == nil || errors.Is(err, failed)) {
		err = outputError(failed)
	}
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		return exitError // Main was told why already, and so was the user
	case isBrokenPipe(err):
		return exitOK // the reader has seen enough
	case errors.Is(err, errDifferent), errors.Is(err, errUnproven),
		errors.Is(err, errUnfinished):
		return exitDifferent
	case errors.Is(err, errFleet):
		return errorCode(msg.command) // each environment has been told of
	}
	return failed(args, msg, err)
}

// failed tells an error and gives the exit code: where the code 1 means that something differs,
// errors have another one.
func failed(args []string, msg *messages, err error) int {
	cmd := msg.command
	if cmd == nil {
		cmd = misread(args, msg)
	}
	msg.report(err)
	return errorCode(cmd)
}

// errorCode is the exit code of errors of a command.
func errorCode(cmd *cobra.Command) int {
	if slices.Contains([]string{"diff", "lint", "migrate", "test"}, cmd.Name()) {
		return exitTrouble
	}
	for _, name := range []string{"diff", "check"} { // which ask whether something would change
		f := cmd.Flags().Lookup(name)
		if f != nil && f.Value.String() != "" && f.Value.String() != "false" {
			return exitTrouble
		}
	}
	return exitError
}

// misread is the command that arguments are for which cannot be understood, or are not read yet,
// with the flags that say how to tell of it: the parser stops at the first mistake, and they may
// come after it.
func misread(args []string, msg *messages) *cobra.Command {
	root := newRoot(msg)
	addCommands(root)
	cmd, rest, err := root.Find(args)
	if err != nil {
		cmd, rest = root, args
	}
	flags := cmd.Flags()
	flags.AddFlagSet(root.PersistentFlags())
	flags.ParseErrorsAllowlist.UnknownFlags = true
	_ = flags.ParseAll(rest, func(f *pflag.Flag, value string) error {
		if f.Name == "diagnostics" || f.Name == "diff" || f.Name == "check" {
			_ = f.Value.Set(value) // a wrong value is what is reported
		}
		return nil
	})
	return cmd
}

// newRoot builds the main command, without the others. It is built anew for each run, so that runs
// in one process do not share flags.
func newRoot(msg *messages) *cobra.Command {
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
	render := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *show {
			return writeVersion(cmd)
		}
		return render(cmd, args)
	}
	root.PersistentFlags().Var(&msg.color, "color", "color messages: auto, always or never")
	root.PersistentFlags().Var(&msg.form, "diagnostics",
		"print errors and warnings as text, or as json, one per line")
	msg.memory.limit = defaultMemory
	root.PersistentFlags().Var(&msg.memory, "max-memory",
		"use at most `SIZE` of memory, such as 512MiB; 0 for no limit")
	// What holds for the root holds for all commands: weft reports errors itself.
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(usage)
	root.SetHelpFunc(help)
	return root
}

// other is a command besides the main one.
type other struct {
	names []string // its name and its aliases
	build func() *cobra.Command
}

// others are the other commands. Those without a function are made by cobra.
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
		{[]string{"man"}, newMan},
		{[]string{"help"}, nil},
		{[]string{"completion"}, nil},
	}
}

// commandNames are the names that a misspelled one is compared with.
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

// addCommands adds the other commands.
func addCommands(root *cobra.Command) {
	for _, o := range others() {
		if o.build != nil {
			c := o.build()
			c.Aliases = o.names[1:]
			c.Flags().SortFlags = false // the order in which they were added
			root.AddCommand(c)
		}
	}
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			refuseUnknown(c)
		}
	}
}

// mayName reports whether one of the arguments is the name of another command than the main one.
// Which one is called, if any, is for cobra to say: most runs have no such word at all, and to
// build commands that nobody calls would be the larger part of a short run.
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

// codeInternal is the code of a bug.
const codeInternal diag.Code = "internal"

// reportPanic says in one line that weft has a bug. The stack is for those who look for it.
func (m *messages) reportPanic(v any) {
	text := fmt.Sprintf(
		"internal error: %v (%s, %s/%s): this is a bug in weft, "+
			"please report it with the input that causes it",
		v,
		buildVersion(),
		runtime.GOOS,
		runtime.GOARCH,
	)
	if m.form == asJSON {
		m.write(
			jsonLine(
				jsonDiagnostic{
					Diagnostic: weft.Diagnostic{
						Severity: weft.SeverityError,
						Code:     string(codeInternal),
						Message:  text,
					},
				},
			),
		)
	} else {
		m.write([]byte("weft: " + text + "\n"))
	}
	if os.Getenv("WEFT_DEBUG_PANIC") != "" {
		m.write(debug.Stack())
	}
}

// isBrokenPipe reports whether a write failed because nobody reads any more, as in `weft -f . |
// head -1`. Unix systems end the program before it gets here, unless the signal is ignored.
func isBrokenPipe(err error) bool {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // what Windows calls it
		return errno == syscall.EPIPE ||
			runtime.GOOS == "windows" && (errno == brokenPipe || errno == noData)
	}
	return errors.Is(err, io.ErrClosedPipe)
}
