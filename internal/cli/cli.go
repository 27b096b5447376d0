// Package cli is the command line: it turns flags into weft.Options, prints the result on standard output
// and whatever went wrong on standard error. One file holds one command.
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
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/diag"
	"weft/internal/source"
)

// The exit codes. Those of a signal are what a shell reports for a program that the signal ended.
const (
	exitOK         = 0
	exitError      = 1 // wrong input or wrong usage
	exitInternal   = 2 // a bug in weft
	exitDifferent  = 1 // --diff found a difference
	exitTrouble    = 2 // what exitError is elsewhere, with --diff
	exitInterrupt  = 130
	exitTerminated = 143
)

// grace is how long a run that was interrupted may take to stop by itself.
const grace = 100 * time.Millisecond

// Main runs weft with the arguments behind the program's name and gives the exit code.
//
// The run has its own goroutine, so that Ctrl-C also ends one that waits for standard input or is busy
// where nobody looks at the context.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)

	done := make(chan int, 1)
	go func() { done <- run(ctx, args, stdin, stdout, stderr) }()
	select {
	case code := <-done:
		return code
	case s := <-signals:
		cancel()
		select {
		case <-done:
		case <-time.After(grace):
		}
		if s == syscall.SIGTERM {
			return exitTerminated
		}
		return exitInterrupt
	}
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if v := recover(); v != nil {
			reportPanic(stderr, v)
			code = exitInternal
		}
	}()
	var color colorFlag
	root := newRoot(&color)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		return exitError // Main was told why already, and so was the user
	case isBrokenPipe(err):
		return exitOK // the reader has seen enough
	case errors.Is(err, errDifferent):
		return exitDifferent
	}
	report(stderr, err, color)
	if wantsDiff(args) {
		return exitTrouble
	}
	return exitError
}

// newRoot builds the command with all that it can do. It is built anew for each run, so that runs in one
// process do not share flags.
func newRoot(color *colorFlag) *cobra.Command {
	cobra.MousetrapHelpText = "" // also started by a double click, weft is a command
	root := newRender("weft")
	root.Short = "Shape YAML by its structure"
	root.Long = `weft reads YAML files, works on their structure and prints the result.

Files come in the order of the -f flags; the files of a directory come sorted by path.`
	root.Example = `  weft -f config/                    print all documents of a directory
  weft -f base.yml -f prod.yml       print the documents of two files in this order
  kubectl get pod x -o yaml | weft -f - -o json
  weft -f app.yml --strict           refuse scalars that YAML readers disagree about`
	root.Version = versionText()
	root.SetVersionTemplate("{{.Version}}\n")
	root.Flags().Bool("version", false, "print weft's version") // without cobra's -v, which ytt has another use for
	root.PersistentFlags().Var(color, "color", "colour messages: auto, always or never")
	complete(root, "color", "auto", "always", "never")

	tpl := newRender("template")
	tpl.Aliases = []string{"t", "tpl"}
	tpl.Short = "The same as weft without a command"
	tpl.Long = "template does what weft does without a command; scripts written for ytt use it."
	root.AddCommand(tpl, newVersion())
	return root
}

// report shows what went wrong.
func report(w io.Writer, err error, color colorFlag) {
	opt := diag.RenderOptions{Color: color.enabled(w)}
	var files *source.Set
	list := diag.Of(err)
	if e, ok := errors.AsType[*weft.Error](err); ok {
		files, list = e.Files, e.List
	}
	_ = diag.Render(w, files, list, opt) // there is nowhere left to complain
}

// reportPanic says in one line that weft has a bug. The stack is for those who look for it.
func reportPanic(w io.Writer, v any) {
	fmt.Fprintf(w, "weft: internal error: %v (%s, %s/%s): this is a bug in weft, please report it with the input that causes it\n",
		v, buildVersion(), runtime.GOOS, runtime.GOARCH)
	if os.Getenv("WEFT_DEBUG_PANIC") != "" {
		_, _ = w.Write(debug.Stack())
	}
}

// isBrokenPipe reports whether a write failed because nobody reads any more, as in `weft -f . | head -1`.
// Unix systems end the program before it gets here, unless the signal is ignored.
func isBrokenPipe(err error) bool {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // what Windows calls it
		return errno == syscall.EPIPE || runtime.GOOS == "windows" && (errno == brokenPipe || errno == noData)
	}
	return errors.Is(err, io.ErrClosedPipe)
}
