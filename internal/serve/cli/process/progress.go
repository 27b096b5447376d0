package process

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
)

const (
	progressDelay    = time.Second            // how long a run takes before it shows its progress
	progressInterval = 250 * time.Millisecond // how often the progress is updated
)

// progress shows the progress of a run on the last line of the terminal, from progressDelay until stop
// is called.
func (m *Messages) progress(t *weft.Timings) (stop func()) {
	return m.showing(func(took time.Duration) string {
		if !t.Ended().IsZero() {
			return ""
		}
		if status := m.tally.String(); status != "" {
			return status
		}
		return stageText(t, took)
	})
}

// showing shows a text on the last line of the terminal, from progressDelay until stop is called. status
// returns it for the time that has passed; it is called with the lock held.
func (m *Messages) showing(status func(took time.Duration) string) (stop func()) {
	began := time.Now()
	over := make(chan struct{})
	timer := time.AfterFunc(progressDelay, func() {
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		for {
			m.show(over, status, time.Since(began))
			select {
			case <-tick.C:
			case <-over:
				return
			}
		}
	})
	return func() {
		timer.Stop()
		m.mu.Lock()
		defer m.mu.Unlock()
		close(over)
		m.clear()
	}
}

// show prints the status on the last line, unless the run is over or its result is being printed.
func (m *Messages) show(over <-chan struct{}, text func(took time.Duration) string, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case <-over:
		return
	default:
	}
	status := text(took)
	if status == "" {
		m.clear()
		return
	}
	if status == m.status {
		return
	}
	m.status = status
	// Overwrite the old text in one write: clearing the line first would flicker.
	_, _ = io.WriteString(m.Out, "\r"+status+"\x1b[K")
}

// stageText describes what a run is doing, and for how long.
func stageText(t *weft.Timings, took time.Duration) string {
	stage, files := t.Now()
	status := "weft: "
	if stage != "" {
		status += stage + ", "
	}
	if files > 0 {
		status += fmt.Sprintf("%d %s, ", files, diag.Plural(files, "file"))
	}
	return status + took.Truncate(time.Second).String()
}

// Tally counts how many of several things are done, and how many of these have failed. It is safe for
// concurrent use.
type Tally struct {
	total        int
	what         string // the noun for one of them
	done, failed atomic.Int64
}

// Tally shows the progress of the run as a number of things that are done.
func (m *Messages) Tally(total int, what string) *Tally {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tally = &Tally{total: total, what: what}
	return m.tally
}

// Done counts a thing that is done.
func (t *Tally) Done(failed bool) {
	if failed {
		t.failed.Add(1)
	}
	t.done.Add(1)
}

// String returns the progress: "213 of 400 environments, 2 failed". It is "" for a nil Tally.
func (t *Tally) String() string {
	if t == nil || t.total < 2 {
		return ""
	}
	text := fmt.Sprintf("%d of %s", t.done.Load(), diag.Count(t.total, t.what))
	if n := t.failed.Load(); n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	return text
}

// Fetching counts the sources and the bytes that have arrived. It is safe for concurrent use.
type Fetching struct {
	mu          sync.Mutex
	done, total int
	bytes       map[string]int64 // by address
}

// ShowFetching shows how much has arrived on the last line of the terminal, until stop is called. If
// standard error is no terminal, or is quiet, the result is nil.
func ShowFetching(cmd *cobra.Command) (f *Fetching, stop func()) {
	m := MessagesOf(cmd)
	if !m.onScreen() {
		return nil, func() {}
	}
	f = &Fetching{}
	return f, m.showing(f.text)
}

// Sources sets how many sources have arrived, and how many there are.
func (f *Fetching) Sources(done, total int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done, f.total = done, total
}

// Bytes sets how many bytes of an address have arrived.
func (f *Fetching) Bytes(address string, n int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.bytes == nil {
		f.bytes = map[string]int64{}
	}
	f.bytes[address] = n
}

// text returns the progress: "weft: fetching, 3 of 20 sources, 1.5 MiB, 4s".
func (f *Fetching) text(took time.Duration) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := "weft: fetching, "
	if f.total > 0 {
		text += fmt.Sprintf("%d of %s, ", f.done, diag.Count(f.total, "source"))
	}
	var size int64
	for _, n := range f.bytes {
		size += n
	}
	if size > 0 {
		text += fmt.Sprintf("%.1f MiB, ", float64(size)/(1<<20))
	}
	return text + took.Truncate(time.Second).String()
}

// onScreen reports whether messages are shown to a person, on a terminal.
func (m *Messages) onScreen() bool { return !m.Quiet && m.Form == asText && isTerminal(m.Out) }

// clear removes the status. The caller holds the lock.
func (m *Messages) clear() {
	if m.status != "" {
		m.status = ""
		_, _ = io.WriteString(m.Out, "\r\x1b[K")
	}
}

// behindStatus is standard output, which is often the same terminal: the status is removed before
// anything is printed.
type behindStatus struct {
	m *Messages
	w io.Writer
}

func (b behindStatus) Write(p []byte) (int, error) {
	b.m.mu.Lock()
	b.m.clear()
	b.m.mu.Unlock()
	return b.w.Write(p)
}
