package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/project/git"
	"weft/internal/project/watch"
)

// watchFlag is the value of --watch.
type watchFlag uint8

const (
	noWatch   watchFlag = iota
	autoWatch           // use notifications of the system, if it has them
	pollWatch           // scan the files at intervals
)

// add adds the flag. Its default value is auto.
func (f *watchFlag) add(flags *pflag.FlagSet) {
	flags.Var(f, "watch", "run again whenever an input changes, until interrupted; `HOW` is auto "+
		"(the default), or poll for file systems that do not report changes")
	flags.Lookup("watch").NoOptDefVal = "auto"
}

// String implements pflag.Value.
func (f *watchFlag) String() string { return [...]string{"", "auto", "poll"}[*f] }

// Set implements pflag.Value.
func (f *watchFlag) Set(s string) error {
	switch s {
	case "auto", "true":
		*f = autoWatch
	case "poll":
		*f = pollWatch
	case "false":
		*f = noWatch
	default:
		return errors.New("expected auto or poll")
	}
	return nil
}

// Type implements pflag.Value.
func (f *watchFlag) Type() string { return "HOW" }

// mayWatch reports whether one of the arguments may be the flag. cobra decides whether it is.
func mayWatch(args []string) bool {
	for _, a := range args {
		if a == "--watch" || strings.HasPrefix(a, "--watch=") {
			return true
		}
	}
	return false
}

// watching is what repeated runs of a command share.
type watching struct {
	Files *watch.Watcher // nil until a command will be repeated
	cache weft.Cache
	stdin *load.Stdin

	Revisions map[[2]string]*git.Revision // revisions that runs have opened, by directory and name

	Again    bool // the command has run before
	warnings reportedWarnings

	// The form of what the current run prints, and of the last run that printed something else: see
	// print.
	Form      printedForm
	now, last bytes.Buffer
	printed   bool
}

// printedForm is the form of a run's output, which decides what separates it from that of the
// previous run.
type printedForm uint8

const (
	printedText  printedForm = iota // separated by an empty line
	PrintedYAML                     // a stream of documents
	printedLines                    // lines about what was done; all of them are printed
)

// WatchingOf returns what the runs of a command share, or nil if it runs once.
func WatchingOf(cmd *cobra.Command) *watching {
	if w := MessagesOf(cmd).Watching; w != nil && w.Files != nil {
		return w
	}
	return nil
}

// watch runs a command repeatedly until ctx ends. If the command does not watch, or there is no file
// that could change, it runs once. A mistake in the command line ends it too: no change of files
// would help.
//
// Each run starts with the arguments, as if it were the first, so only the cache has to know that the
// command has run before.
func (r *process) watch(ctx context.Context) int {
	w := &watching{stdin: load.Share(r.stdin), warnings: reportedWarnings{now: map[string]bool{}}}
	r.msg.Watching = w
	defer w.close()
	changed := 0
	for {
		began := time.Now()
		w.Form = printedText
		w.now.Reset()
		err := r.execute(ctx, w.stdin.Reader(), &w.now)
		if w.Files != nil && ctx.Err() != nil {
			return ExitError // Main and the user know why
		}
		if w.Files == nil || w.Files.Idle() || !w.Again && isUsage(err) {
			if _, e := r.out.Write(w.now.Bytes()); e != nil && err == nil {
				err = OutputError(e)
			}
			return r.exitCode(ctx, err)
		}
		failed := err != nil && !isAnswer(err)
		if failed {
			r.msg.Report(err)
		} else if err := w.print(r.out); err != nil {
			return r.exitCode(ctx, OutputError(err))
		}
		w.warnings.end(failed)
		w.status(r.msg, failed, time.Since(began), changed)
		w.Again = true
		now, err := w.Files.Next(ctx)
		if err != nil {
			return ExitError // as above
		}
		if now.Unsure {
			w.cache.Changed(now.Files...)
		} else {
			w.cache.ChangedOnly(slices.Concat(now.Files, now.Passed)...)
		}
		changed = len(now.Files)
	}
}

// reportedWarnings are the warnings of the current run and of the previous one: a warning of both is
// printed once.
type reportedWarnings struct {
	mu        sync.Mutex
	now, last map[string]bool
}

// WasReported records a warning of the current run, and reports whether the previous run had it too.
func (w *watching) WasReported(text string) bool {
	t := &w.warnings
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now[text] = true
	return t.last[text]
}

// end ends a run. If a run failed, it may have stopped before it reached warnings that still apply.
func (t *reportedWarnings) end(failed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if failed {
		maps.Copy(t.now, t.last)
	}
	t.now, t.last = map[string]bool{}, t.now
}

// start begins to watch, if the flags of a command require it.
func (w *watching) start(cmd *cobra.Command) {
	f := cmd.Flags().Lookup("watch")
	if f == nil || w.Files != nil {
		return
	}
	if how, ok := f.Value.(*watchFlag); ok && *how != noWatch {
		w.Files = watch.New(*how == pollWatch)
	}
}

func (w *watching) close() {
	if w.Files != nil {
		w.Files.Close()
	}
	for _, r := range w.Revisions {
		r.Close()
	}
}

// print prints the output of a run, if it differs from that of the last one.
func (w *watching) print(out *Stdout) error {
	defer out.complete()
	text := w.now.Bytes()
	if w.Form == printedLines {
		_, err := out.Write(text)
		return err
	}
	if w.printed && bytes.Equal(w.last.Bytes(), text) {
		return nil
	}
	if w.printed {
		if _, err := out.Write(w.Form.separator(text)); err != nil {
			return err
		}
	}
	_, err := out.Write(text)
	w.printed, w.now, w.last = true, w.last, w.now
	return err
}

// separator returns what separates two results. For YAML it begins a document, or ends the previous
// one if the result begins its own.
func (f printedForm) separator(next []byte) []byte {
	switch {
	case f != PrintedYAML:
		return []byte("\n")
	case bytes.HasPrefix(next, []byte("---")) || bytes.HasPrefix(next, []byte("%")):
		return []byte("... # changed\n")
	}
	return []byte("--- # changed\n")
}

// status describes on one line what has happened.
func (w *watching) status(msg *Messages, failed bool, took time.Duration, changed int) {
	if msg.Quiet {
		return
	}
	what := "rendered"
	if failed {
		what = "failed"
	}
	digits := 0
	if took < 10*time.Millisecond {
		digits = 1
	}
	text := fmt.Sprintf("weft: %s in %.*f ms", what, digits, took.Seconds()*1000)
	switch reason := w.Files.Polling(); {
	case w.Again:
		text += fmt.Sprintf(", %s changed", diag.Count(changed, "file"))
	case reason != "":
		text += fmt.Sprintf(", watching %s by polling (%s)", diag.Count(w.Files.Files(), "file"), reason)
	default:
		text += fmt.Sprintf(", watching %s", diag.Count(w.Files.Files(), "file"))
	}
	msg.Info(text + "\n")
}

// watched checks that a command can be repeated, and makes its runs process only what has changed.
func (w *watching) watched(cmd *cobra.Command, opts *weft.Options) error {
	for name, hint := range notWatched.Get() {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			return Usagef("--watch and --%s cannot be used together", name).WithHint("%s", hint)
		}
	}
	opts.Observe.Reads, opts.Cache = w.Files.Add, &w.cache
	return nil
}

// notWatched maps flags that cannot be combined with --watch to what to do instead.
var notWatched = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		"bulk-in":  "name files with -f: what is on the command line does not change",
		"bulk-out": "use --output-files DIR, which writes only files that change",
		"timeout":  "a command that watches runs until it is interrupted: remove --timeout",
		"dangerous-emptied-output-directory": "use --output-files DIR --prune, which deletes files that " +
			"are no longer written",
	}
}}

// Outputs records where a run writes its result: to a directory, or to standard output, where it may
// be a result or a report.
func (w *watching) Outputs(opts weft.Options, dir weft.Dir, result bool) error {
	switch {
	case dir.Path != "":
		if result {
			w.Form = printedLines
		}
		return w.WritesTo(dir, opts)
	case opts.Format == weft.YAML:
		w.Form = PrintedYAML
	}
	return nil
}

// WritesTo ignores changes in an output directory. It returns an error if the directory is also read:
// each run would read what the last one wrote.
func (w *watching) WritesTo(to weft.Dir, opts weft.Options) error {
	dir := filepath.Join(to.Path, to.Single)
	w.Files.Ignore(dir)
	if len(opts.Exclude)+len(opts.Marks) > 0 {
		return nil // an input may exclude the directory
	}
	for _, arg := range opts.Inputs {
		in := load.OnDisk(arg)
		if in != "" && isBelow(dir, in) {
			return Usagef("--watch cannot write to '%s', which is in the input '%s'", dir, in).
				WithHint("write to a directory outside of '%s'", in)
		}
	}
	return nil
}

func isBelow(path, dir string) bool {
	path, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return false
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
