// Package watch reports which files have changed.
//
// It takes paths of files and directories, waits, and returns the paths of files that were created,
// deleted or changed, once nothing has happened for a moment. It does not know what the files are
// for.
//
// A scan (scan.go) decides what has changed. The system only says when and where to scan: through
// notifications (notify.go) or, where there are none, at intervals and everywhere. So a duplicate or
// late notification does no harm. If a notification may have been lost, or its path is not precise
// enough, everything is scanned.
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
	// several files one after another.
	quiet = 50 * time.Millisecond

	// maxWait is how long Next waits for quiet if changes do not end.
	maxWait = 10 * quiet

	// pollInterval is the time between two scans where the system sends no notifications.
	pollInterval = 500 * time.Millisecond

	never = 1<<63 - 1
)

// Watcher watches files. Its methods may be called from several goroutines, but Next from one.
type Watcher struct {
	mu      sync.Mutex
	roots   []string // clean paths, in the order in which they were added
	ignored []string // absolute paths
	isRoot  map[string]bool
	files   snapshot
	changed map[string]bool // changed files that Next has not returned yet

	// What the system has reported since the last scan: the paths that it named, each with whether
	// its content may have changed, and whether something may have happened elsewhere.
	touched   map[string]bool
	elsewhere bool

	// The directories that the system reports on, by the paths that were watched and by their real
	// paths. If a directory has several names, or is reached through a link, the system reports only
	// one name. Then its paths cannot be relied on.
	named, reported map[string]bool
	ambiguous       bool

	passed   map[string]bool // files that were created and deleted in between
	restless bool            // something has changed, even if a file was only created and deleted again
	unsure   bool            // other files may have been created and deleted in between

	interval time.Duration // the time between two scans, if notify is nil
	notify   *notifier     // nil if the files are scanned at intervals
	reason   string        // why notify is nil
}

// New returns a watcher. With poll, it scans files at intervals and requests no notifications.
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

// Add watches a file, or a directory with everything in it, from now on. The path need not exist.
// Changed files in a directory are returned with paths that begin with that of the directory. No
// change after Add is missed, so call it before you read the files.
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

// Ignore excludes a file or directory inside a watched one, such as the directory that results are
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

// Polling returns why files are scanned at intervals, or "" if the system sends notifications.
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

// Changes describes what has happened to files. The paths are sorted.
type Changes struct {
	// Files were created, deleted or changed.
	Files []string

	// Passed are other files and directories that were created or deleted in between: a run may have
	// read them, or files in them.
	Passed []string

	// Unsure means that more files may have been created and deleted in between.
	Unsure bool
}

// Next waits until something has changed since the last call, or since paths were added, and until it
// is quiet. The error is that of the context.
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

// wait waits for a sign that something has changed, and reports whether one came in time.
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
		return true, nil // a notification may have been lost
	}
	if sign.happened {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.touch(sign)
	}
	return sign.happened, err
}

// touch records a notification of the system. The caller holds the lock.
func (w *Watcher) touch(s sign) {
	if s.path == "" {
		w.elsewhere = true
		return
	}
	path := filepath.Clean(s.path)
	w.touched[path] = w.touched[path] || s.written
}

// poll makes the watcher scan files at intervals from now on. The caller holds the lock.
func (w *Watcher) poll(reason string) {
	w.reason = reason
	if w.notify != nil {
		w.notify.close()
		w.notify = nil
	}
}

// take scans once more, and returns everything that has changed since its last call. If it is not
// quiet, the next scan is complete, because directories may be moving.
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
