// Package outdir writes files to a directory so that its content is always consistent, and shows what it
// would change as a diff.
//
// A run that fails, is killed or runs out of space leaves the files that were there. The package does
// not look into the content of files (emit.File).
package outdir

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
)

// The codes of what can go wrong with files.
const (
	CodePath      diag.Code = "emit/path"      // a path that cannot be written
	CodeDuplicate diag.Code = "emit/duplicate" // two files with one path
	CodeLink      diag.Code = "emit/symlink"   // a symbolic link on the way
	CodeRefused   diag.Code = "emit/refused"   // a directory that must not be emptied
	CodeWrite     diag.Code = "emit/write"     // what the operating system refuses
)

// Target is a directory to write files to. What is in it is at any moment wholly old or wholly new:
// file by file, or the whole directory at once if it is Emptied.
type Target struct {
	Dir     string
	Emptied bool // the directory is to hold the files and nothing else
	Prune   bool // files go away that earlier runs wrote and this one does not
	Sync    bool // wait until all is safe on disk
	// the files that the run has read; a directory that holds one of them is not emptied
	Inputs []string
	// says why Prune must not delete a file, given by its absolute path, or ""; it is asked only if
	// there is one to delete. It may be nil.
	Keep func(path string) (why string)
	// what an earlier Write to the directory left, if it is not nil; it is brought up to date, unless
	// the directory is Emptied
	Written *Written
}

// Changes is what Write did.
type Changes struct {
	// the files that are there now, in the order given; those that did not change too
	Created   []string
	Updated   []string // those of them that were there already, with other contents
	Unchanged []string // those of them that were there already as they are
	Removed   []string // the files that Prune took away
	Kept      []Kept   // and those that it did not
}

// Write writes files. If it fails before all of them lie ready on disk, the directory is as it was.
func (t Target) Write(ctx context.Context, files []emit.File) (Changes, error) {
	files, err := cleanAll(files, onWindows)
	if err != nil {
		return Changes{}, err
	}
	if t.Emptied {
		return t.swap(ctx, files)
	}
	return t.update(ctx, files)
}

const (
	onWindows = runtime.GOOS == "windows"
	// What new files and directories may be used for, less what the user's umask takes away, as
	// programs do everywhere. What is replaced keeps what it had.
	fileMode fs.FileMode = 0o644
	dirMode  fs.FileMode = 0o755
	// And those for what no one else may see, as long as it is not in its place.
	privateDir  fs.FileMode = 0o700
	privateFile fs.FileMode = 0o600
)

// created returns the paths of files as the user would write them.
func (t Target) created(files []emit.File) []string {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = t.shown(f.Path)
	}
	return paths
}

func (t Target) shown(p string) string { return filepath.Join(t.Dir, filepath.FromSlash(p)) }

// update brings files into the directory and leaves others alone.
//
// All that is new is first written to the staging directory, which is inside the output directory
// and so nearly always on the same file system. Only once that has worked, files are renamed into
// place. A run that was killed leaves the staging directory behind, under a name that the next run
// knows and removes. Temporary files beside each target would do as well, but to find them again
// one would have to search the whole directory.
func (t Target) update(ctx context.Context, files []emit.File) (Changes, error) {
	if _, err := os.Lstat(t.Dir); errors.Is(err, fs.ErrNotExist) && len(files) == 0 {
		return Changes{}, nil
	}
	return within(ctx, t.Dir, func(d *directory) (Changes, error) {
		return t.updateIn(ctx, d, files)
	})
}

// within makes a directory, unless it is there, and changes files while it is open, and locked. If
// that fails, the directories that were made for it go away again.
func within(
	ctx context.Context, path string, change func(d *directory) (Changes, error),
) (_ Changes, err error) {
	undo, err := makeDir(path)
	if err != nil {
		return Changes{}, err
	}
	defer func() {
		if err != nil {
			undo()
		}
	}()
	d, err := openDir(ctx, path)
	if err != nil {
		return Changes{}, err
	}
	defer d.close()
	return change(d)
}

// updateIn is update in a directory that is open, and locked.
func (t Target) updateIn(ctx context.Context, d *directory, files []emit.File) (Changes, error) {
	defer t.Written.use()()
	if err := d.clearStaging(); err != nil {
		return Changes{}, err
	}
	defer d.clearStaging()

	work, err := t.compare(ctx, d, files)
	if err != nil {
		return Changes{}, err
	}
	if !work.isEmpty() {
		if err := work.stage(ctx, d, t.Sync); err != nil {
			return Changes{}, hint(err, "nothing in '%s' was changed", t.Dir)
		}
		if err := work.commit(d, t.Sync); err != nil {
			return Changes{}, hint(err, "every file is complete, but some are still the old "+
				"version: run weft again")
		}
	}
	t.Written.remember(d, files, work.same)
	done := Changes{Created: t.created(files), Unchanged: work.unchanged, Kept: work.kept}
	for _, f := range work.files {
		if f.keep != nil {
			done.Updated = append(done.Updated, t.shown(f.Path))
		}
	}
	for _, p := range work.stale {
		done.Removed = append(done.Removed, t.shown(p))
	}
	return done, nil
}

// hint adds to an error what state things are in, unless it says more already.
func hint(err error, format string, args ...any) error {
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok && d.Hint == "" {
		d.WithHint(format, args...)
	}
	return err
}

// changes is what has to be done to a directory.
type changes struct {
	files     []change
	unchanged []string               // what is there already, as the user would write it
	same      map[string]fs.FileInfo // the same files by their paths, for Written
	stale     []string               // files to remove
	kept      []Kept                 // those of earlier runs that are not
	// what the directory says of earlier runs, and is to say while the work goes on
	before listed
	during manifest
	after  manifest // and what it is to say then; nil is not a manifest
}

// change is a file that is new or has new contents.
type change struct {
	emit.File
	keep *fs.FileMode // the permissions of the file that it replaces; nil if there is none
}

func (w *changes) isEmpty() bool {
	return len(w.files) == 0 && len(w.stale) == 0 && w.before.isWhole() && w.before.equal(w.after)
}

// compare finds out what differs from what is on disk, and whether all of it can be written. It
// changes nothing.
func (t Target) compare(ctx context.Context, d *directory, files []emit.File) (*changes, error) {
	w := &changes{}
	if t.Written != nil {
		w.same = make(map[string]fs.FileInfo, len(files))
	}
	for _, f := range files {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		info, err := d.lookup(f.Path)
		if err != nil {
			return nil, err
		}
		if info == nil {
			w.files = append(w.files, change{File: f})
			continue
		}
		same := t.Written.holds(f, info)
		if !same {
			if same, err = d.holds(f, info); err != nil {
				return nil, err
			}
		}
		if same {
			w.unchanged = append(w.unchanged, t.shown(f.Path))
			if w.same != nil {
				w.same[f.Path] = info
			}
			continue
		}
		perm := info.Mode().Perm()
		w.files = append(w.files, change{File: f, keep: &perm})
	}
	var err error
	if w.before, err = d.readManifest(); err != nil {
		return nil, err
	}
	if !t.Prune && (w.before.manifest == nil || !w.before.isWhole()) {
		w.before = listed{} // which is left to a run that prunes, and says so
		return w, nil
	}
	now := newManifest(files)
	w.during, w.after = w.before.union(now), now
	if !t.Prune {
		w.after = w.before.without(now).union(now)
		return w, nil
	}
	pruned, err := t.prune(d, w.before, now)
	if err != nil {
		return nil, err
	}
	w.stale, w.kept = pruned.stale, pruned.kept
	return w, nil
}

// stage writes all that is new to the staging directory, and finds out whether it can be put in
// place.
func (w *changes) stage(ctx context.Context, d *directory, sync bool) error {
	if err := d.root.Mkdir(stagingName, privateDir); err != nil {
		return d.failed("writing to", "", err)
	}
	for i, f := range w.files {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := d.write(staged(i), f.Data, f.keep, sync); err != nil {
			return d.failed("writing", f.Path, err)
		}
		if err := d.writable(path.Dir(f.Path)); err != nil {
			return d.failed("writing", f.Path, err)
		}
	}
	for _, p := range w.stale {
		if err := d.writable(path.Dir(p)); err != nil {
			return d.failed("removing", p, err)
		}
	}
	return nil
}

// clearStaging removes what a run has left that was killed. Only files lie in the staging directory:
// another directory of that name is not weft's.
func (d *directory) clearStaging() error {
	info, err := d.root.Lstat(stagingName)
	switch {
	case err != nil:
		return nil // as it is in nearly all cases
	case !info.IsDir():
		return d.strange(stagingName)
	}
	entries, err := fs.ReadDir(d.root.FS(), stagingName)
	if err != nil {
		return d.failed("removing", stagingName, err)
	}
	for _, e := range entries {
		p := stagingName + "/" + e.Name()
		if _, err := strconv.Atoi(e.Name()); err != nil && e.Name() != "manifest" || !e.Type().IsRegular() {
			return d.strange(p)
		}
		if err := d.root.Remove(p); err != nil {
			return d.failed("removing", p, err)
		}
	}
	if err := d.root.Remove(stagingName); err != nil {
		return d.failed("removing", stagingName, err)
	}
	return nil
}

// strange says that something has a name that weft keeps to itself.
func (d *directory) strange(p string) error {
	return diag.Failf(CodePath, "'%s' is in the way: weft keeps its own files in '%s' and did not make it",
		d.shown(p), d.shown(stagingName)).WithHint("move it elsewhere")
}

func staged(i int) string { return stagingName + "/" + strconv.Itoa(i) }

// commit puts the staged files in place and removes the stale ones. It does not look at the
// context: from here on every step is short, and the sooner all of them are done the better.
//
// While it works, the manifest names the files of both runs, so that one that is killed here leaves
// none after that no manifest knows.
func (w *changes) commit(d *directory, sync bool) error {
	if err := d.writeManifest(w.before, w.during, sync); err != nil {
		return err
	}
	touched := map[string]bool{}
	for i, f := range w.files {
		dir := path.Dir(f.Path)
		if !touched[dir] {
			if err := d.root.MkdirAll(dir, dirMode); err != nil {
				return d.failed("creating directory", dir, err)
			}
			for p := dir; !touched[p]; p = path.Dir(p) {
				touched[p] = true
			}
		}
		if err := d.place(staged(i), f, sync); err != nil {
			return d.failed("writing", f.Path, err)
		}
	}
	for _, p := range w.stale {
		if err := d.root.Remove(p); err != nil {
			return d.failed("removing", p, err)
		}
		dir := path.Dir(p)
		touched[dir] = true
		for dir != "." && d.root.Remove(dir) == nil { // as long as they are empty
			delete(touched, dir)
			dir = path.Dir(dir)
			touched[dir] = true
		}
	}
	if err := d.writeManifest(listed{manifest: w.during}, w.after, sync); err != nil {
		return err
	}
	if sync {
		for dir := range touched {
			if err := d.syncDir(dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// place renames a staged file into place. Where another file system is mounted inside the output
// directory, the file is written once more, beside its target.
func (d *directory) place(staged string, f change, sync bool) error {
	err := d.root.Rename(staged, f.Path)
	if !errors.Is(err, crossDevice) {
		return err
	}
	beside := path.Join(path.Dir(f.Path), stagingName+"-"+path.Base(f.Path))
	_ = d.root.Remove(beside) // of a run that was killed
	if err := d.write(beside, f.Data, f.keep, sync); err != nil {
		_ = d.root.Remove(beside)
		return err
	}
	if err := d.root.Rename(beside, f.Path); err != nil {
		_ = d.root.Remove(beside)
		return err
	}
	return nil
}

// crossDevice is what a rename to another file system fails with. Windows has a number of its own
// for it.
var crossDevice = func() error {
	if onWindows {
		return syscall.Errno(17)
	}
	return syscall.EXDEV
}()

// reason returns the last part of an error of the operating system; what it was about is said
// elsewhere.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err.Error()
	}
	if e, ok := errors.AsType[*os.SyscallError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// holds reports whether the file that is there, of which info was told, is the same as f.
func (d *directory) holds(f emit.File, info fs.FileInfo) (bool, error) {
	if info.Size() != int64(len(f.Data)) {
		return false, nil
	}
	data, err := d.root.ReadFile(f.Path)
	if err != nil {
		return false, d.failed("reading", f.Path, err)
	}
	return bytes.Equal(data, f.Data), nil
}
