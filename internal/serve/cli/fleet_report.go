package cli

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/serve/cli/process"
)

// fleetReport collects messages about environments, and prints them in the order of the environments
// once all are done.
type fleetReport struct {
	verb string // the verb of the command
	msg  *process.Messages
	envs []fleetEntry // an entry for each environment

	progress *process.Tally

	mu     sync.Mutex
	counts fileCounts
}

func newFleetReport(cmd *cobra.Command, count int) *fleetReport {
	msg := process.MessagesOf(cmd)
	return &fleetReport{
		verb: cmd.Name(), msg: msg, envs: make([]fleetEntry, count),
		progress: msg.Tally(count, "environment"),
	}
}

// fleetEntry is the messages about one environment.
type fleetEntry struct {
	name   string
	text   string // what it printed, its warnings and errors
	failed bool
}

// fileCounts counts the created, updated and deleted files of all environments. Listing their names
// would take a kilobyte for each environment.
type fileCounts struct{ files, updated, unchanged, removed int }

// add records the result of environment i. It may be called from several goroutines.
func (f *fleetReport) add(i int, r weft.EnvironmentResult, changes weft.Changes) {
	text := f.msg.About(r.Name, func(msg *process.Messages) {
		for _, line := range r.Prints {
			msg.Print(line)
		}
		if r.Result != nil {
			msg.Warn(r.Result)
		}
		reportKept(msg, changes.Kept)
		if r.Err != nil {
			msg.Report(r.Err)
		}
	})
	f.progress.Done(r.Err != nil)
	f.envs[i] = fleetEntry{name: r.Name, text: text, failed: r.Err != nil}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts.files += len(changes.Created)
	f.counts.updated += len(changes.Updated)
	f.counts.unchanged += len(changes.Unchanged)
	f.counts.removed += len(changes.Removed)
}

// write prints the report.
func (f *fleetReport) write(files bool) error {
	return f.writeThen(files, func() error { return nil })
}

// writeThen prints the report. If no environment has failed, it calls last at the end.
func (f *fleetReport) writeThen(files bool, last func() error) error {
	failed := 0
	for _, e := range f.envs {
		if e.failed {
			failed++
		}
	}
	f.msg.WriteText([]byte(f.details()))
	if failed > 0 || !f.msg.Quiet {
		f.msg.Info(f.summary(files))
	}
	if failed > 0 {
		return process.ErrFleet
	}
	return last()
}

// details returns the messages about each environment. Environments with the same messages are
// reported together: a mistake that they share is one mistake.
func (f *fleetReport) details() string {
	var all environmentReport
	for _, e := range f.envs {
		if e.text != "" {
			g := all.add(e.name, e.text)
			g.failed = g.failed || e.failed
		}
	}
	var b strings.Builder
	for _, g := range all.groups {
		text := g.text
		if f.msg.Form != process.AsJSON { // in which each line names its environment
			text = fmt.Sprintf("%s:\n%s\n", g.title(), text)
		}
		if w := f.msg.Watching; g.failed || w == nil || !w.WasReported(text) {
			b.WriteString(text)
		}
	}
	return b.String()
}

// accounted counts files by what was done with them. If all files are new, it returns "".
func accounted(created, updated, unchanged int) string {
	if updated+unchanged == 0 {
		return ""
	}
	var parts []string
	for _, n := range []struct {
		count int
		what  string
	}{{created, "created"}, {updated, "updated"}, {unchanged, "unchanged"}} {
		if n.count > 0 {
			parts = append(parts, strconv.Itoa(n.count)+" "+n.what)
		}
	}
	return ": " + strings.Join(parts, ", ")
}

// summary returns one line about all environments.
func (f *fleetReport) summary(written bool) string {
	var failed []string
	files, updated, unchanged, removed := f.counts.files, f.counts.updated, f.counts.unchanged, f.counts.removed
	for _, e := range f.envs {
		if e.failed {
			failed = append(failed, e.name)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d %s", f.verb, len(f.envs), diag.Plural(len(f.envs), "environment"))
	switch ok := len(f.envs) - len(failed); {
	case written:
		fmt.Fprintf(&b, ", %d written (%d %s%s)", ok, files, diag.Plural(files, "file"),
			accounted(files-updated-unchanged, updated, unchanged))
	default:
		fmt.Fprintf(&b, ", %d evaluated", ok)
	}
	if removed > 0 {
		fmt.Fprintf(&b, ", %d %s removed", removed, diag.Plural(removed, "file"))
	}
	if len(failed) > 0 {
		fmt.Fprintf(&b, ", %d failed: %s", len(failed), enumerate(failed))
	}
	b.WriteString("\n")
	return b.String()
}

// maxEnumerated is the maximum number of environments that a message lists.
const maxEnumerated = 10

// enumerate lists names, the first ten of many.
func enumerate(names []string) string {
	shown := make([]string, 0, maxEnumerated)
	for _, n := range names[:min(len(names), cap(shown))] {
		shown = append(shown, diag.Visible(n))
	}
	list := strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
