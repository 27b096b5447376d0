package process

import (
	"fmt"
	"io"
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

// show puts the status on the last line, unless the run is over or its result is being printed.
func (m *Messages) show(over <-chan struct{}, t *weft.Timings, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case <-over:
		return
	default:
	}
	m.clear()
	if !t.Ended().IsZero() {
		return
	}
	stage, files := t.Now()
	m.status = "weft: "
	if stage != "" {
		m.status += stage + ", "
	}
	if files > 0 {
		m.status += fmt.Sprintf("%d %s, ", files, diag.Plural(files, "file"))
	}
	m.status += took.Truncate(time.Second).String()
	_, _ = io.WriteString(m.Out, m.status)
}

// clear takes the status away. The caller holds the lock.
func (m *Messages) clear() {
	if m.status != "" {
		m.status = ""
		_, _ = io.WriteString(m.Out, "\r\x1b[K")
	}
}

// behindStatus is standard output, which is often the same screen: the status is taken away before
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
