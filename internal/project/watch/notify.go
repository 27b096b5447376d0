//go:build !js && !wasip1

package watch

import (
	"context"
	"errors"
	"time"

	"github.com/fsnotify/fsnotify"
)

// notifier receives notifications of the system about directories.
type notifier struct {
	from *fsnotify.Watcher

	// add requests notifications about changes in a directory, but not below it. It may be called
	// again for the same directory, and must be if the directory may have been replaced.
	add func(dir string) error
}

// sign means that something may have changed.
type sign struct {
	happened bool
	path     string // where, if known
	written  bool   // the content may have changed
}

func newNotifier() (*notifier, error) {
	from, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return &notifier{from, from.Add}, nil
}

func (n *notifier) close() { _ = n.from.Close() }

// wait waits for a sign. The error is that of the context, or means that no more signs will come.
func (n *notifier) wait(ctx context.Context, atMost time.Duration) (sign, error) {
	var late <-chan time.Time
	if atMost != never {
		timer := time.NewTimer(atMost)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-ctx.Done():
		return sign{}, ctx.Err()
	case <-late:
		return sign{}, nil
	case e, open := <-n.from.Events:
		if !open {
			return sign{}, errors.New("the system has ended notifications")
		}
		// A change of attributes is often only the time of access; scanning shows whether it is more.
		return sign{happened: true, path: e.Name, written: e.Op != fsnotify.Chmod}, nil
	case err, open := <-n.from.Errors:
		if open && errors.Is(err, fsnotify.ErrEventOverflow) {
			return sign{happened: true}, nil // there were too many notifications; scanning finds all changes
		}
		return sign{}, errors.Join(err, errors.New("the system cannot report changes"))
	}
}
