// Package watch says which files have changed.
//
// It takes paths of files and directories, waits, and gives the paths of files that came, went or
// have other content, once nothing has happened for a moment. It knows nothing of what the files
// are for.
//
// Whether something changed is decided by looking (see scan.go). The system only says when and where
// to look: with notifications (notify.go), or, where there are none, at intervals and everywhere. So
// a notification that is doubled or late does no harm. After one that may have been lost, or whose
// path says too little, everything is looked at.
package watch

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

const (
	// quiet is how long nothing must happen before changes are reported: editors and git write
	// several files, one after another.
	quiet = 50 * time.Millisecond

	// maxWait is how long changes that do not end are waited for.
	maxWait = 10 * quiet

	// pollInterval is the time between two looks where the system does not say when to look.
	pollInterval = 500 * time.Millisecond

	never = 1<<63 - 1
)

// Watcher watches files. Its methods may be called from several goroutines, but Next from one.
type Watcher struct {
	mu      sync.Mutex
	roots   []string // clean, in the order in which they were added
	ignored []string // absolute
	isRoot  map[string]bool
	files   snapshot
	changed map[string]bool // files that have changed and that no one knows of yet

	// What the system has said since the last look: the paths that it named, with whether their
	// content may be another, and whether something may have happened elsewhere.
	touched   map[string]bool
	elsewhere bool

	// The directories that the system reports on, as they were named and by their real paths. Of one
	// that has several names, or that is reached by a link, it tells one name: its paths cannot be
	// relied on then.
	named, reported map[string]bool
	ambiguous       bool

	passed   map[string]bool // files that came and went
	restless bool            // something has changed, if only that a file came and went
	unsure   bool            // files may have come and gone that are in neither of these

	interval time.Duration // between two looks, if notify is nil
	notify   *notifier     // nil if the files are looked at again and again
	reason   string        // why notify is nil
}

// New makes a watcher. With poll, it looks at the files at intervals and does not ask the system for
// notifications.
func New(poll bool) *Watcher {
	w := &Watcher{
		isRoot: map[string]bool{}, files: snapshot{}, changed: map[string]bool{},
		passed: map[string]bool{}, touched: map[string]bool{}, named: map[string]bool{},
		reported: map[string]bool{},
		interval: pollInterval,
	}
	if poll {
		w.reason = "as asked"
		return w
	}
	var err error
	if w.notify, err = newNotifier(); err != nil {
		w.poll(err.Error())
	}
	return w
}

// Add watches a file, or a directory with all that is in it, from now on. The path need not exist.
// Changed files below a directory are named by paths that start with its path. A change after Add
// is never missed, so call it before you read.
func (w *Watcher) Add(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	path = filepath.Clean(path)
	if w.isRoot[path] {
		return
	}
	if w.notify != nil && isNetwork(existing(path)) {
		w.poll("'" + path + "' is on a network file system")
	}
	w.roots = append(w.roots, path)
	w.isRoot[path] = true
	w.look(path, w.files)
}

// Ignore leaves out a file or directory below one that is watched, such as the one that results are
// written to.
func (w *Watcher) Ignore(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	abs, err := filepath.Abs(path)
	if err != nil || slices.Contains(w.ignored, abs) {
		return
	}
	w.ignored = append(w.ignored, abs)
	maps.DeleteFunc(w.files, func(path string, _ stamp) bool { return !w.covers(path) })
}

// Polling returns why files are looked at in intervals, or "" if the system reports changes.
func (w *Watcher) Polling() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reason
}

// Idle reports whether nothing is watched, so that Next would wait forever.
func (w *Watcher) Idle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.roots) == 0
}

// Files returns how many files are watched.
func (w *Watcher) Files() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, s := range w.files {
		if !s.mode.IsDir() {
			n++
		}
	}
	return n
}

// Changes is what has happened to files. The paths are sorted.
type Changes struct {
	// Files have come, gone, or have other content.
	Files []string

	// Passed are other files and directories that have come or gone in between: someone may have read
	// them, or what was in them.
	Passed []string

	// Unsure says that more files may have come and gone in between.
	Unsure bool
}

// Next waits until something has happened since the last call, or since paths were added, and until
// it is quiet. The error is that of the context.
func (w *Watcher) Next(ctx context.Context) (Changes, error) {
	for {
		happened, err := w.wait(ctx, never)
		if err != nil {
			return Changes{}, err
		}
		end := time.Now().Add(maxWait)
		for happened && time.Now().Before(end) {
			if happened, err = w.wait(ctx, quiet); err != nil {
				return Changes{}, err
			}
		}
		if changed, ok := w.take(!happened); ok {
			return changed, nil
		}
	}
}

// wait waits for a sign that something has changed, and reports whether there was one in time.
func (w *Watcher) wait(ctx context.Context, atMost time.Duration) (happened bool, err error) {
	w.mu.Lock()
	n := w.notify
	w.mu.Unlock()
	if n == nil {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(min(atMost, w.interval)):
			return w.scan(), nil
		}
	}
	sign, err := n.wait(ctx, atMost)
	if err != nil && ctx.Err() == nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.poll(err.Error())
		w.elsewhere = true
		return true, nil // something may have been lost
	}
	if sign.happened {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.touch(sign)
	}
	return sign.happened, err
}

// touch takes what the system has said. The caller holds the lock.
func (w *Watcher) touch(s sign) {
	if s.path == "" {
		w.elsewhere = true
		return
	}
	path := filepath.Clean(s.path)
	w.touched[path] = w.touched[path] || s.written
}

// poll makes the watcher look at the files at intervals from now on. The caller holds the lock.
func (w *Watcher) poll(reason string) {
	w.reason = reason
	if w.notify != nil {
		w.notify.close()
		w.notify = nil
	}
}

// take looks at the files once more, and gives all that has changed since it was called last. If it
// is not quiet, the next look is at everything: directories may be moving.
func (w *Watcher) take(isQuiet bool) (c Changes, ok bool) {
	w.scan()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.elsewhere = w.elsewhere || !isQuiet
	for path := range w.changed {
		delete(w.passed, path)
	}
	c.Files, c.Passed = slices.Sorted(maps.Keys(w.changed)), slices.Sorted(maps.Keys(w.passed))
	c.Unsure, ok = w.unsure, w.restless
	clear(w.changed)
	clear(w.passed)
	w.restless, w.unsure = false, false
	return c, ok
}

// Close ends the notifications.
func (w *Watcher) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.notify != nil {
		w.notify.close()
	}
}
