package process

import (
	"context"
	"io"
	"os"
	"sync"
	"time"
)

// Stdout is standard output. It makes sure that a run writes its result completely or not at all:
// code that wants to end the run asks it first. It also records write errors, for code that ignores
// them, such as help.
type Stdout struct {
	w io.Writer

	mu      sync.Mutex
	busy    int   // how many results are being written, here or to files
	printed bool  // something has been printed, so the rest must follow
	stopped bool  // no more results may be written
	err     error // the first error of a write
}

// Underlying returns the writer that o prints to.
func (o *Stdout) Underlying() io.Writer { return o.w }

// Write prints a part of the result. From the first part on, the run is not abandoned.
func (o *Stdout) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if !o.Begin() {
		return 0, context.Canceled
	}
	defer o.End()
	n, err := o.w.Write(p)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.printed = true
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// Begin announces that a result is about to be written. Unless it is too late for that, the program
// does not end until the caller calls End.
func (o *Stdout) Begin() bool {
	if o == nil {
		return true
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stopped {
		return false
	}
	o.busy++
	return true
}

func (o *Stdout) End() {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.busy--
}

// stop prevents further results. It returns false if one is being written.
func (o *Stdout) stop() bool {
	if o == nil {
		return true
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.busy > 0 || o.printed {
		return false
	}
	o.stopped = true
	return true
}

// complete records that a result has been printed completely: the run may be ended before the next
// one.
func (o *Stdout) complete() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.printed = false
}

// failed returns the first write error, or nil.
func (o *Stdout) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// awaited waits for a run that was interrupted to end: for the grace period or, if it is writing
// its result, until a second signal comes. A signal within the grace period does not count as a
// second one, since timeout(1) sends each signal to the program and to its group. It reports whether
// the run has ended by itself.
func awaited[T any](
	o *Stdout, done <-chan T, signals <-chan os.Signal, grace time.Duration,
) (result T, ok bool) {
	pause, began := grace, time.Now()
	for {
		select {
		case result = <-done:
			return result, true
		case <-signals:
			if time.Since(began) >= grace {
				return result, false
			}
		case <-time.After(pause):
			if o.stop() {
				return result, false
			}
			pause = grace / 10
		}
	}
}
