package process

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/engine/budget"
	"weft/internal/engine/shortcut"
	"weft/internal/lang/diag"
)

// Flags are the flags that decide how a run is executed, not what it produces.
type Flags struct {
	jobs    int
	timeout TimeoutFlag
	Quiet   bool
	warn    WarningsFlag
	Timings bool
	debug   bool
	watch   watchFlag
}

// AddLimits adds the flags that limit the time and the processors of a run.
func (f *Flags) AddLimits(flags *pflag.FlagSet) {
	f.watch.add(flags)
	flags.IntVar(&f.jobs, "jobs", 0, "use at most `N` processors (default: all)")
	f.timeout.Add(flags)
}

// TimeoutFlag is the flag --timeout.
type TimeoutFlag struct{ limit time.Duration }

// Add adds the flag.
func (f *TimeoutFlag) Add(flags *pflag.FlagSet) {
	flags.DurationVar(&f.limit, "timeout", 0, "give up after `DURATION`, such as 30s or 2m (default: never)")
}

// AddMessages adds the flags that decide what is printed besides the result.
func (f *Flags) AddMessages(flags *pflag.FlagSet) {
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "print errors only: no warnings and no progress")
	f.warn.Add(flags)
	flags.BoolVar(&f.Timings, "timings", false,
		"print where the time went: stages and slowest files")
	flags.BoolVar(&f.debug, "debug", false,
		"print how files are parsed and compiled, and the timings")
}

// Run renders and writes the result, within the limits of the flags.
func (f *Flags) Run(
	cmd *cobra.Command,
	opts weft.Options,
	render func(*cobra.Command, weft.Options) error,
) error {
	began := time.Now()
	if cmd.Flags().Changed("jobs") {
		if f.jobs < 1 {
			return Usagef("--jobs takes a number of at least 1, but found %d", f.jobs)
		}
		opts.Limits.Parallelism = f.jobs
	}
	if err := f.timeout.check(cmd); err != nil {
		return err
	}
	msg := MessagesOf(cmd)
	msg.Quiet = f.Quiet
	if cmd.Flags().Changed("warnings") {
		opts.Warnings = f.warn.Mode
	}
	if f.Quiet && opts.Warnings == weft.WarningsOn {
		opts.Warnings = weft.WarningsOff
	}
	opts.Observe.Print = msg.Print
	if f.debug {
		opts.Observe.Debug = infoWriter{msg}
	}
	again := WatchingOf(cmd)
	if again != nil {
		if err := again.watched(cmd, &opts); err != nil {
			return err
		}
		f.timeout.limit = 0 // the timeout of a project is for commands that end
	}
	watched := msg.onScreen() && again == nil
	if f.Timings || f.debug || watched {
		opts.Observe.Timings = &weft.Timings{}
	}
	if watched {
		cmd.SetOut(behindStatus{msg, cmd.OutOrStdout()})
		stop := msg.progress(opts.Observe.Timings)
		defer stop()
	}
	var tally shortcut.Tally
	cmd.SetContext(shortcut.WithTally(cmd.Context(), &tally))
	err := f.timeout.limited(cmd, func() error { return render(cmd, opts) })
	err = unmatched(msg, &tally, err)
	if f.Timings || f.debug {
		msg.Info(timingsText(opts.Observe.Timings, began, time.Now()))
	}
	return err
}

// unmatched reports the short cuts of weft.yml that match nothing in any environment, and returns the error
// of a run.
func unmatched(msg *Messages, t *shortcut.Tally, err error) error {
	list := t.Unmatched()
	for i, f := range list {
		if err == nil && i == len(list)-1 {
			return f
		}
		msg.Report(f)
	}
	return err
}

// limited calls render and gives up after the timeout. Most of weft checks the context. Code that
// does not, such as a read from standard input, is abandoned, since the program is about to end. A
// run that is printing or writing files is never abandoned: it writes its result completely or not at
// all.
func (f *TimeoutFlag) limited(cmd *cobra.Command, render func() error) error {
	if f.limit <= 0 {
		return render()
	}
	message := fmt.Sprintf("the run took longer than %s, the limit set by --timeout", f.limit)
	hint := ""
	if cmd.Flags().Lookup("timings") != nil {
		hint = "use --timings to see where the time goes"
	}
	ctx, cancel := budget.Timeout(cmd.Context(), f.limit, message, hint)
	defer cancel()
	cmd.SetContext(ctx)
	type outcome struct {
		err   error
		fault any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.fault = recover()
			done <- o
		}()
		o.err = render()
	}()
	var o outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		var ended bool
		if o, ended = awaited(MessagesOf(cmd).Stdout, done, nil, lateGrace); !ended {
			o.err = ctx.Err()
		}
	}
	switch {
	case o.fault != nil:
		panic(o.fault) // it is reported elsewhere
	case errors.Is(o.err, context.DeadlineExceeded):
		return diag.Failf(budget.CodeTime, "%s", message).WithHint("%s", hint)
	}
	return o.err
}

// Run calls do, which has the time that the flag allows.
func (f *TimeoutFlag) Run(cmd *cobra.Command, do func() error) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	return f.limited(cmd, do)
}

func (f *TimeoutFlag) check(cmd *cobra.Command) error {
	if cmd.Flags().Changed("timeout") && f.limit <= 0 {
		return Usagef("--timeout takes a duration above zero, but found %s", f.limit)
	}
	return nil
}

// MessagesOf returns standard error for a command.
func MessagesOf(cmd *cobra.Command) *Messages {
	if m, ok := cmd.ErrOrStderr().(*Messages); ok {
		return m
	}
	return &Messages{Out: cmd.ErrOrStderr()}
}
