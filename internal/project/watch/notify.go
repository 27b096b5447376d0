//go:build !js && !wasip1

package watch

import (
	"context"
	"errors"
	"time"

	"github.com/fsnotify/fsnotify"
)

// notifier is what the system says of directories.
type notifier struct {
	from *fsnotify.Watcher

	// add asks for signs of what happens in a directory, but not below it. It may be asked for again,
	// and must be if the directory may have been replaced.
	add func(dir string) error
}

// sign is a sign that something has changed.
type sign struct {
	happened bool
	path     string // where, if that is known
	written  bool   // the content may be another
}

func newNotifier() (*notifier, error) {
	from, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return &notifier{from, from.Add}, nil
}

func (n *notifier) close() { _ = n.from.Close() }

// wait waits for a sign. The error is that of the context, or says that there will be no more signs.
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
		// A change of attributes is often the time of access; a look shows if it is more.
		return sign{happened: true, path: e.Name, written: e.Op != fsnotify.Chmod}, nil
	case err, open := <-n.from.Errors:
		if open && errors.Is(err, fsnotify.ErrEventOverflow) {
			return sign{happened: true}, nil // there were too many; a look shows them all
		}
		return sign{}, errors.Join(err, errors.New("the system cannot report changes"))
	}
}
