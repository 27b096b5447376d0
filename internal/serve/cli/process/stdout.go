package process

import (
	"context"
	"io"
	"os"
	"sync"
	"time"
)

// Stdout is standard output. It holds that a run gives its result wholly or not at all: who wants
// to end the run asks it first. And it remembers what went wrong, for those who do not look at
// errors, such as help.
type Stdout struct {
	w io.Writer

	mu      sync.Mutex
	busy    int   // how many are about to give away a result, here or to files
	printed bool  // something has been printed, and the rest must follow
	stopped bool  // nothing may be given away any more
	err     error // the first that a write gave
}

// Underlying returns the writer that o prints to.
func (o *Stdout) Underlying() io.Writer { return o.w }

// Write prints part of the result. From the first part on, the run is waited for.
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

// Begin says that a result is about to be given away. Unless it is too late for that, no one ends
// the program until the caller calls end.
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

// stop sees to it that no result is given away any more. It fails if that has begun.
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

// complete says that all of a result has been printed: the run may be ended before the next one.
func (o *Stdout) complete() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.printed = false
}

// failed is what went wrong with standard output, if anything did.
func (o *Stdout) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// awaited waits for a run that has got a signal to end: for the time of grace, and longer if it is
// writing its result, until a second signal comes. A signal within the time of grace is not a second
// one, since timeout(1) sends each to the program and to its group. It reports whether the run has
// ended by itself.
func awaited[T any](o *Stdout, done <-chan T, signals <-chan os.Signal) (result T, ok bool) {
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
