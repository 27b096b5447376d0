// Package outdir writes files to a directory so that its content is always consistent, and shows
// what it would change as a diff.
//
// A run that fails, is killed or runs out of space leaves the existing files in place. The package
// does not look into the content of files (emit.File).
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

// The codes of this package's diagnostics.
const (
	CodePath      diag.Code = "emit/path"      // a path that cannot be written
	CodeDuplicate diag.Code = "emit/duplicate" // two files with one path
	CodeLink      diag.Code = "emit/symlink"   // a symbolic link in a path
	CodeRefused   diag.Code = "emit/refused"   // a directory that must not be emptied
	CodeWrite     diag.Code = "emit/write"     // an error of the operating system
)

// Target is a directory to write files to. At any moment each file is either old or new and, if the
// directory is Emptied, so is the whole directory.
type Target struct {
	Dir     string
	Emptied bool // remove everything else from the directory
	Prune   bool // remove files that earlier runs wrote and this one does not
	Sync    bool // wait until everything is safe on disk
	// the files that the run has read; a directory that contains one of them is not emptied
	Inputs []string
	// returns why Prune must not delete the file with this absolute path, or ""; called only if
	// there is a file to delete. It may be nil.
	Keep func(path string) (why string)
	// returns a file of the directory that no run writes, such as an input, or "": Prune deletes
	// nothing beside it. It may be nil, and is called as Keep is.
	Foreign func() string
	// leave the list of written files alone: this file is not one that Prune may delete
	Unlisted bool
	// what an earlier Write left in the directory; Write updates it, unless the directory is
	// Emptied. It may be nil.
	Written *Written
	// reports whether the file with a path in the directory is a program, which may be executed. If it
	// is nil, files keep their permissions. It is used only if the directory is Emptied.
	Executable func(path string) bool
}

// Changes is what Write did.
type Changes struct {
	// the files that exist now, in the order given, including those that did not change
	Created   []string
	Updated   []string // the ones that existed with other content
	Unchanged []string // the ones that existed with the same content
	Removed   []string // the files that Prune deleted
	Kept      []Kept   // the files that Prune did not delete
}

// Write writes files. If it fails before all of them are ready on disk, the directory stays as it
// was.
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
	// The permissions of new files and directories, less the user's umask, as usual. Replaced files
	// keep their permissions.
	fileMode fs.FileMode = 0o644
	dirMode  fs.FileMode = 0o755
	// The permissions of files that are not in place yet, which other users must not read.
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

// update writes files to the directory and leaves others alone.
//
// New content is first written to the staging directory, which is inside the output directory and
// so nearly always on the same file system. Only when that has succeeded are the files renamed into
// place. A run that is killed leaves the staging directory behind, under a name that the next run
// knows and removes. Temporary files beside each target would work too, but finding them again
// would take a search of the whole directory.
func (t Target) update(ctx context.Context, files []emit.File) (Changes, error) {
	if _, err := os.Lstat(t.Dir); errors.Is(err, fs.ErrNotExist) && len(files) == 0 {
		return Changes{}, nil
	}
	return within(ctx, t.Dir, func(d *directory) (Changes, error) {
		return t.updateIn(ctx, d, files)
	})
}

// within creates a directory unless it exists, and calls a function while the directory is open and
// locked. If that fails, the directories that it created are removed.
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

// updateIn is update in an open and locked directory.
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

// hint adds the state of the directory to an error, unless the error already has a hint.
func hint(err error, format string, args ...any) error {
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok && d.Hint == "" {
		d.WithHint(format, args...)
	}
	return err
}

// changes is what has to be done to a directory.
type changes struct {
	files     []change
	unchanged []string               // files that are up to date, as the user would write their paths
	same      map[string]fs.FileInfo // the same files by path, for Written
	stale     []string               // files to remove
	kept      []Kept                 // files of earlier runs that are not removed
	// the manifest before the run, and while files are being put in place
	before listed
	during manifest
	after  manifest // the manifest after the run; nil for none
}

// change is a file that is new or has new content.
type change struct {
	emit.File
	keep *fs.FileMode // the permissions of the file that it replaces, or nil
}

func (w *changes) isEmpty() bool {
	return len(w.files) == 0 && len(w.stale) == 0 && w.before.isWhole() && w.before.equal(w.after)
}

// compare finds the differences from the files on disk, and checks that all of them can be written.
// It changes nothing.
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
	if t.Unlisted || !t.Prune && (w.before.manifest == nil || !w.before.isWhole()) {
		w.before = listed{} // a run that prunes reports it
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

// stage writes new content to the staging directory, and checks that it can be put in place.
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

// clearStaging removes what a killed run left behind. The staging directory contains only files: if
// it contains anything else, it is not weft's.
func (d *directory) clearStaging() error {
	info, err := d.root.Lstat(stagingName)
	switch {
	case err != nil:
		return nil // the common case
	case !info.IsDir():
		return d.reservedName(stagingName)
	}
	entries, err := fs.ReadDir(d.root.FS(), stagingName)
	if err != nil {
		return d.failed("removing", stagingName, err)
	}
	for _, e := range entries {
		p := stagingName + "/" + e.Name()
		if _, err := strconv.Atoi(e.Name()); err != nil && e.Name() != "manifest" || !e.Type().IsRegular() {
			return d.reservedName(p)
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

// reservedName returns the error for something that has a name reserved for weft.
func (d *directory) reservedName(p string) error {
	return diag.Failf(CodePath, "'%s' is in the way: weft keeps its own files in '%s' and did not make it",
		d.shown(p), d.shown(stagingName)).WithHint("move it elsewhere")
}

func staged(i int) string { return stagingName + "/" + strconv.Itoa(i) }

// commit puts the staged files in place and removes the stale ones. It ignores the context: from
// here on every step is short, and finishing soon is best.
//
// Meanwhile the manifest lists the files of both runs, so that a run that is killed here leaves no
// files that are in no manifest.
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
		for dir != "." && d.root.Remove(dir) == nil { // as long as the directories are empty
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
	_ = d.root.Remove(beside) // left behind by a run that was killed
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

// crossDevice is the error of a rename to another file system. Windows has a different number for
// it.
var crossDevice = func() error {
	if onWindows {
		return syscall.Errno(17)
	}
	return syscall.EXDEV
}()

// reason returns the last part of an error of the operating system. The message already says what
// it is about.
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

// holds reports whether the existing file, described by info, is the same as f.
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
