package watch

import (
	"errors"
	"hash/maphash"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// snapshot is the state of files at the time of a scan, by path, with the directories that contain
// them: the time of a directory shows that a file was created and deleted in between.
type snapshot map[string]stamp

// stamp identifies a version of a file without reading it.
type stamp struct {
	size     int64
	modified int64 // in nanoseconds
	mode     fs.FileMode
	inode    uint64 // editors write another file and rename it

	// sum is the hash of the content of a file that was written just before the scan: otherwise
	// another write in the same tick of the file system's clock would not be noticed. It is not used
	// if there are notifications.
	sum uint64
}

// tick is the coarsest clock of a file system that is still in use, which is FAT.
const tick = 2 * time.Second

var seed = maphash.MakeSeed()

// manyPaths is the number of paths from which scanning everything is less work.
const manyPaths = 100

// scan scans the files, and records which have changed since the last scan. It reports whether any
// have.
func (w *Watcher) scan() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := false
	if w.changesAreNamed() {
		for path, written := range w.touched {
			found = w.scanPath(path, written) || found
		}
	} else {
		found = w.scanAll()
		w.unsure = true
	}
	w.restless = w.restless || found
	w.elsewhere = false
	clear(w.touched)
	return found
}

// changesAreNamed reports whether only the paths that the system named can have changed. Paths that
// are not watched may be other names of watched paths.
func (w *Watcher) changesAreNamed() bool {
	if w.notify == nil || w.ambiguous || w.elsewhere || len(w.touched) >= manyPaths {
		return false
	}
	for path := range w.touched {
		if !w.covers(path) {
			return false
		}
	}
	return true
}

// scanPath scans one path and everything below it.
func (w *Watcher) scanPath(path string, written bool) bool {
	now := snapshot{}
	w.rescan(path, now)
	found := written // it may have been created and deleted in between, perhaps within one tick of the clock
	if written {
		w.passed[path] = true
	}
	for p, is := range now {
		if was, ok := w.files[p]; !ok || was != is || written && p == path {
			found = true
			w.note(p, is)
		}
	}
	noteRemoved := func(p string, was stamp) {
		if _, ok := now[p]; !ok {
			found = true
			w.note(p, was)
			delete(w.files, p)
		}
	}
	if was, ok := w.files[path]; ok && was.mode.IsDir() {
		for p, was := range w.files {
			if isBelow(p, path) {
				noteRemoved(p, was)
			}
		}
	} else if ok {
		noteRemoved(path, was)
	}
	maps.Copy(w.files, now)
	w.refresh(filepath.Dir(path))
	return found
}

// rescan adds the file at a watched path to the snapshot, or all files below it.
func (w *Watcher) rescan(path string, into snapshot) {
	if w.isRoot[path] {
		w.look(path, into)
		return
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
	case info.IsDir():
		w.lookBelow(path, into, nil)
	case info.Mode()&fs.ModeSymlink != 0:
		w.lookAtLink(path, into, nil)
	default:
		into[path] = w.stampOf(path, info)
	}
}

// refresh records the time of a directory in which something has changed.
func (w *Watcher) refresh(dir string) {
	if _, ok := w.files[dir]; !ok {
		return
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		w.files[dir] = dirStamp(info)
	}
}

// scanAll scans all files.
func (w *Watcher) scanAll() bool {
	now := make(snapshot, len(w.files))
	for _, root := range w.roots {
		w.look(root, now)
	}
	found := false
	for path, is := range now {
		if was, ok := w.files[path]; !ok || was != is || w.touched[path] {
			found = true
			w.note(path, is)
		}
	}
	for path, was := range w.files {
		if _, ok := now[path]; !ok {
			found = true
			w.note(path, was)
		}
	}
	for path, written := range w.touched {
		found = found || written && w.covers(path) // it was created and deleted in between
	}
	w.files = now
	return found
}

// note records a path that has changed, if it is a file.
func (w *Watcher) note(path string, is stamp) {
	if !is.mode.IsDir() {
		w.changed[path] = true
	}
}

// covers reports whether a path is watched, itself or as part of a directory.
func (w *Watcher) covers(path string) bool {
	return slices.ContainsFunc(w.roots, func(root string) bool {
		if !isBelow(path, root) {
			return false
		}
		for at := path; at != root && at != filepath.Dir(at); at = filepath.Dir(at) {
			if w.isIgnored(at) {
				return false
			}
		}
		return true
	})
}

// isIgnored reports whether a path below a root is ignored. So is the data of git: it changes with
// each git command, and is never an input.
func (w *Watcher) isIgnored(path string) bool {
	if len(w.ignored) == 0 {
		return filepath.Base(path) == ".git"
	}
	abs, err := filepath.Abs(path)
	return err != nil || slices.Contains(w.ignored, abs) || filepath.Base(path) == ".git"
}

// isBelow reports whether a path is that of a directory or below it.
func isBelow(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// look adds the file at path to the snapshot, or all files below it. It requests notifications first,
// so that no later change is missed.
func (w *Watcher) look(path string, into snapshot) {
	w.subscribe(existing(filepath.Dir(path))) // its directory reports when it is replaced or created
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	if info.IsDir() {
		w.lookBelow(path, into, nil)
		return
	}
	w.followLink(path)
	into[path] = w.stampOf(path, info)
}

// lookBelow adds all files of a directory to the snapshot. above are the directories around it, which
// links may lead back to.
func (w *Watcher) lookBelow(dir string, into snapshot, above []fs.FileInfo) {
	self, err := os.Stat(dir)
	if err != nil || slices.ContainsFunc(above, same(self)) {
		return
	}
	w.subscribe(dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // it is gone or cannot be read; code that reads it reports that better
	}
	into[dir] = dirStamp(self)
	above = append(above[:len(above):len(above)], self)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case w.isIgnored(path):
		case e.IsDir():
			w.lookBelow(path, into, above)
		case e.Type()&fs.ModeSymlink != 0:
			w.lookAtLink(path, into, above)
		default:
			if info, err := e.Info(); err == nil {
				into[path] = w.stampOf(path, info)
			}
		}
	}
}

func dirStamp(info fs.FileInfo) stamp {
	return stamp{modified: info.ModTime().UnixNano(), mode: fs.ModeDir, inode: inodeOf(info)}
}

func same(as fs.FileInfo) func(fs.FileInfo) bool {
	return func(a fs.FileInfo) bool { return os.SameFile(a, as) }
}

func (w *Watcher) lookAtLink(path string, into snapshot, above []fs.FileInfo) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		into[path] = stamp{} // the target of the link does not exist yet
	case info.IsDir():
		w.followLink(path)
		w.lookBelow(path, into, above)
	default:
		w.followLink(path)
		into[path] = w.stampOf(path, info)
	}
}

// followLink also watches the directory of a link's target.
func (w *Watcher) followLink(path string) {
	if w.notify == nil {
		return
	}
	if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
		w.ambiguous = true
		w.subscribe(filepath.Dir(real))
	}
}

func (w *Watcher) stampOf(path string, info fs.FileInfo) stamp {
	s := stamp{
		size: info.Size(), modified: info.ModTime().UnixNano(), mode: info.Mode(), inode: inodeOf(info),
	}
	if w.notify == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) < tick {
		if data, err := os.ReadFile(path); err == nil {
			s.sum = maphash.Bytes(seed, data)
		}
	}
	return s
}

// subscribe requests notifications about a directory. If the system has no more, files are scanned at
// intervals. The caller holds the lock.
func (w *Watcher) subscribe(dir string) {
	if w.notify == nil {
		return
	}
	if err := w.notify.add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) &&
		!errors.Is(err, fs.ErrPermission) {
		w.poll(err.Error())
		return
	}
	if !w.named[dir] {
		w.named[dir] = true
		real := realPath(dir)
		w.ambiguous = w.ambiguous || w.reported[real]
		w.reported[real] = true
	}
}

// realPath returns the path of a directory without links, as far as it can be resolved.
func realPath(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// existing returns the path, or the nearest directory above it that exists.
func existing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}
