package process

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
)

// Program is the commands that arguments can name.
type Program struct {
	// Root returns a new main command, without the others, so that runs in one process do not share
	// flags.
	Root func(*Messages) *cobra.Command

	// Add adds the other commands if the arguments may name one.
	Add func(root *cobra.Command, args []string)

	// AddAll adds all other commands.
	AddAll func(root *cobra.Command)
}

// process is one run of a program.
type process struct {
	Program
	args  []string
	stdin io.Reader
	out   *Stdout
	msg   *Messages
	lost  chan error // receives the error of a run that cannot be stopped otherwise
}

// grace is how long an interrupted run may take to stop by itself.
var grace = 100 * time.Millisecond

// lateGrace is how long a run that exceeds its time may take to stop by itself, and to say where it was.
const lateGrace = 2 * time.Second

// Main runs a program with the arguments after its name and returns the exit code.
//
// The run has its own goroutine, so that Ctrl-C also ends one that waits for standard input or is
// busy where nothing looks at the context. A run that has begun to print its result finishes, unless
// the user interrupts it again.
func (p Program) Main(args []string, stdin io.Reader, out, stderr io.Writer) int {
	var pool enginePool
	defer pool.close() // after cancel, which ends what it does
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), enginesKey{}, &pool))
	defer cancel()
	signals := make(chan os.Signal, 1)
	defer listen(signals)()

	widenStack()
	printed := &Stdout{w: out}
	msg := &Messages{Out: stderr, Redactor: &weft.Redactor{}, Stdout: printed}
	ctx = weft.WithRedactor(ctx, msg.Redactor)
	var waits pending
	defer waits.remove()
	ctx = context.WithValue(ctx, pendingKey{}, &waits)
	r := &process{Program: p, args: args, stdin: stdin, out: printed, msg: msg, lost: make(chan error, 1)}
	done := make(chan int, 1)
	go func() { done <- r.run(ctx) }()
	for {
		select {
		case code := <-done:
			return code
		case err := <-r.lost:
			if !printed.stop() { // the result is complete, and is being written
				if code, ok := awaited(printed, done, signals, grace); ok {
					return code
				}
			}
			return r.failed(err)
		case s := <-signals:
			if waits.isForOther(s) {
				continue
			}
			cancel()
			if code, ok := awaited(printed, done, signals, waits.grace()); ok && code == ExitOK {
				return ExitOK // the whole result was written
			}
			return signalCode(s)
		}
	}
}

// signalCode returns the exit code of a run that a signal ends, as shells count.
func signalCode(s os.Signal) int {
	if n, ok := s.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return exitInterrupt
}

// hangup is what a terminal sends when it is closed. Package syscall does not name it on all systems.
const hangup = syscall.Signal(1)

// hasHangup means that there are signals at all: in a browser, asking about one is a panic.
const hasHangup = runtime.GOOS != "js"

// ignoreSignals is how long a run does not handle signals, so that the system ends it: that is fine
// while little has been done. Handling signals costs a thread, a fifth of a millisecond: more than
// anything else in a short run.
var ignoreSignals = 5 * time.Millisecond

// listen makes signals go to the channel, after a while, until the returned function is called.
func listen(signals chan<- os.Signal) (stop func()) {
	begin := func() {
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		if hasHangup && !signal.Ignored(hangup) { // nohup ignores it, and so must weft
			signal.Notify(signals, hangup)
		}
	}
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

func (r *process) run(ctx context.Context) (code int) {
	defer func() {
		if v := recover(); v != nil {
			r.msg.reportPanic(v)
			code = ExitInternal
		}
	}()
	if mayWatch(r.args) {
		return r.watch(ctx)
	}
	return r.exitCode(ctx, r.execute(ctx, r.stdin, r.out))
}

// execute runs the command that the arguments name.
func (r *process) execute(ctx context.Context, stdin io.Reader, out io.Writer) error {
	root := r.Root(r.msg)
	root.SetOut(out) // before commands are created: completion stores the writer
	root.SetErr(r.msg)
	defer r.msg.watch(root, r.lost)()
	r.Add(root, r.args)
	root.SetArgs(r.args)
	root.SetIn(stdin)
	return root.ExecuteContext(ctx)
}

// exitCode reports the error err of a run and returns the exit code.
func (r *process) exitCode(ctx context.Context, err error) int {
	if failed := r.out.failed(); failed != nil && (err == nil || errors.Is(err, failed)) {
		err = OutputError(failed)
	}
	switch {
	case err == nil:
		return ExitOK
	case ctx.Err() != nil:
		return ExitError // Main and the user know why
	case IsBrokenPipe(err):
		return ExitOK // the reader does not want more
	case errors.Is(err, ErrUntold):
		return ExitTrouble
	case errors.Is(err, ErrDifferent), errors.Is(err, ErrUnproven),
		errors.Is(err, ErrUnfinished):
		return ExitDifferent
	case errors.Is(err, ErrFleet):
		return errorCode(r.msg.command, nil) // each environment has been reported
	}
	return r.failed(err)
}

// failed reports an error and returns the exit code.
func (r *process) failed(err error) int {
	cmd := r.msg.command
	if cmd == nil {
		cmd = r.misread()
	}
	r.msg.Report(err)
	return errorCode(cmd, err)
}

// misread returns the command for arguments that cannot be parsed, or are not parsed yet, with the
// flags that decide how errors are reported: the parser stops at the first mistake, and these flags
// may come after it.
func (r *process) misread() *cobra.Command {
	root := r.Root(r.msg)
	r.AddAll(root)
	cmd, rest, err := root.Find(r.args)
	if err != nil {
		cmd, rest = root, r.args
	}
	flags := cmd.Flags()
	flags.AddFlagSet(root.PersistentFlags())
	flags.ParseErrorsAllowlist.UnknownFlags = true
	_ = flags.ParseAll(rest, func(f *pflag.Flag, value string) error {
		switch f.Name {
		case "diagnostics", "diff", "check":
			_ = f.Value.Set(value) // a wrong value is the error that is reported
		case "file", "bulk-in":
			f.Changed = true
		}
		return nil
	})
	return cmd
}
