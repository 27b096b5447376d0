package process

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

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
	began := time.Now()
	over := make(chan struct{})
	timer := time.AfterFunc(progressDelay, func() {
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		for {
			m.show(over, t, time.Since(began))
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
func (m *Messages) show(over <-chan struct{}, t *weft.Timings, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case <-over:
		return
	default:
	}
	if !t.Ended().IsZero() {
		m.clear()
		return
	}
	status := m.tally.String()
	if status == "" {
		status = stageText(t, took)
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
