package outdir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
)

// swap makes the directory contain the files and nothing else.
//
// The new directory is built beside the old one, which stays as it is until the two swap names. On
// Linux that is one step; elsewhere it takes two, and if the run is killed between them, the next
// run finds the old directory under its other name and puts it back (see repair). Unchanged files
// become links to the existing ones, and if nothing changes at all, nothing is touched.
func (t Target) swap(ctx context.Context, files []emit.File) (Changes, error) {
	p, err := t.place()
	if err != nil {
		return Changes{}, err
	}
	return within(ctx, p.parent, func(d *directory) (Changes, error) {
		return t.swapIn(ctx, d, p, files)
	})
}

// swapIn is swap in the open and locked parent of the directory.
func (t Target) swapIn(
	ctx context.Context, d *directory, p spot, files []emit.File,
) (Changes, error) {
	if err := p.repair(d); err != nil {
		return Changes{}, err
	}
	same, err := p.holds(d, files, t.Executable)
	if err != nil {
		return Changes{}, err
	}
	done := Changes{Created: t.created(files)}
	if same {
		done.Unchanged = done.Created
	} else {
		if err := p.removable(d); err != nil {
			return Changes{}, hint(err, "nothing in '%s' was changed", t.Dir)
		}
		if err := p.build(ctx, d, files, t, &done); err != nil {
			_ = d.root.RemoveAll(p.newName())
			return Changes{}, hint(err, "nothing in '%s' was changed", t.Dir)
		}
		if err := p.exchange(d); err != nil {
			_ = d.root.RemoveAll(p.newName())
			return Changes{}, err
		}
		if t.Sync {
			if err := d.syncDir("."); err != nil {
				return Changes{}, err
			}
		}
		if err := d.root.RemoveAll(p.newName()); err != nil {
			return Changes{}, hint(d.failed("removing the old files at", p.newName(), err),
				"the new files are all in place")
		}
	}
	return done, nil
}

// Repair puts back a directory if a run was killed while replacing it. Write does so too, but a run
// may fail before it gets there.
func (t Target) Repair(ctx context.Context) error {
	if !t.Emptied {
		return nil
	}
	p, err := t.place()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(p.parent, p.old())); err != nil {
		// nearly always there is nothing to do, and then there is no need to wait for a lock
		return nil
	}
	d, err := openDir(ctx, p.parent)
	if err != nil {
		return err
	}
	defer d.close()
	return p.repair(d)
}

// spot is the location of a directory that is to be replaced.
type spot struct {
	parent string
	name   string // the directory's name in its parent
}

func (p spot) path() string { return filepath.Join(p.parent, p.name) }

// newName returns the name of the new directory while it is built, and of the old one while it is
// removed.
func (p spot) newName() string { return "." + p.name + ".weft-new" }

// old returns the name of the old directory between the two renames.
func (p spot) old() string { return "." + p.name + ".weft-old" }

// place returns where the directory is, if it may be emptied. If it is a link, the target is
// emptied and the link stays.
func (t Target) place() (spot, error) {
	switch t.Dir {
	case "", ".", "./", "/":
		return spot{}, t.refuse("expected the name of a directory that weft may delete")
	}
	if err := MayWrite(t.Dir); err != nil {
		return spot{}, err
	}
	abs, err := filepath.Abs(t.Dir)
	if err != nil {
		return spot{}, diag.Failf(CodeWrite, "finding the directory '%s': %s", t.Dir, reason(err))
	}
	info, err := os.Lstat(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return spot{parent: filepath.Dir(abs), name: filepath.Base(abs)}, nil
	}
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err == nil {
		info, err = os.Stat(abs)
	}
	if err != nil {
		return spot{}, diag.Failf(CodeWrite, "checking the directory '%s': %s", t.Dir, reason(err))
	}
	if !info.IsDir() {
		return spot{}, diag.Failf(
			CodeWrite,
			"expected '%s' to be a directory, but it is a file",
			t.Dir,
		)
	}
	if err := t.guard(abs, info); err != nil {
		return spot{}, err
	}
	return spot{parent: filepath.Dir(abs), name: filepath.Base(abs)}, nil
}

// guard rejects directories that should never be emptied. It compares directories as the system
// does: two paths may be the same directory because of links, mounts or case.
func (t Target) guard(abs string, dir fs.FileInfo) error {
	if filepath.Dir(abs) == abs {
		return t.refuse("it is the root of a file system")
	}
	h := holder{dir: dir, seen: map[string]bool{}}
	if wd, err := os.Getwd(); err == nil && h.holds(wd) {
		return t.refuse("it is the working directory, or contains it")
	}
	if home, err := os.UserHomeDir(); err == nil && h.holds(home) {
		return t.refuse("it is the home directory, or contains it")
	}
	if _, err := os.Lstat(filepath.Join(abs, ".git")); err == nil {
		return t.refuse("it is the root of a git repository")
	}
	for _, in := range t.Inputs {
		if h.holds(in) {
			err := diag.Failf(CodeRefused, "refusing to empty '%s': it contains the input "+
				"'%s'", t.Dir, in)
			if info, e := os.Stat(in); e == nil && info.IsDir() {
				return err.WithHint("write to another directory")
			}
			return err.WithHint("write to another directory, or exclude those files: " +
				"--file-mark 'PATH:exclude=true'")
		}
	}
	return nil
}

func (t Target) refuse(why string) error {
	return diag.Failf(CodeRefused, "refusing to empty '%s': %s", t.Dir, why).
		WithHint("use --output-files to keep other files; add --prune to delete files from " +
			"earlier runs")
}

// holder finds out whether a directory contains paths.
type holder struct {
	dir  fs.FileInfo
	seen map[string]bool // whether a directory, by path, is dir or below it
}

// holds reports whether a file or directory is the directory, or is anywhere below it.
func (h holder) holds(p string) bool {
	info, err := os.Lstat(p)
	if err != nil {
		return false
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		// Losing the link is as bad as losing its target.
		if target, err := filepath.EvalSymlinks(p); err == nil && h.holds(target) {
			return true
		}
	}
	if os.SameFile(info, h.dir) {
		return true
	}
	dir := filepath.Dir(p)
	if in, ok := h.seen[dir]; ok {
		return in
	}
	real, err := filepath.Abs(dir)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	in := err == nil && h.above(real)
	h.seen[dir] = in
	return in
}

// above reports whether a directory, whose path contains no links, is the directory or is below it.
func (h holder) above(p string) bool {
	for {
		if info, err := os.Lstat(p); err == nil && os.SameFile(info, h.dir) {
			return true
		}
		up := filepath.Dir(p)
		if up == p {
			return false
		}
		p = up
	}
}

// repair cleans up after a killed run. If the run was killed between the two steps of a swap, the
// old directory is put back: it is certainly complete.
func (p spot) repair(d *directory) error {
	if _, err := d.root.Lstat(p.old()); err == nil {
		_, err := d.root.Lstat(p.name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = d.root.Rename(p.old(), p.name)
		case err == nil:
			err = d.removeAll(p.old())
		}
		if err != nil {
			return d.failed("repairing", p.name, err)
		}
	}
	return d.removeAll(p.newName())
}

// holds reports whether the directory contains exactly these files and nothing else.
func (p spot) holds(d *directory, files []emit.File, executable func(string) bool) (bool, error) {
	want := make(map[string][]byte, len(files))
	dirs := map[string]bool{p.name: true}
	for _, f := range files {
		at := path.Join(p.name, f.Path)
		want[at] = f.Data
		for dir := path.Dir(at); !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	found := 0
	differs := errors.New("differs")
	err := fs.WalkDir(d.root.FS(), p.name, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if !dirs[at] {
				return differs
			}
			return nil
		}
		data, ok := want[at]
		if !ok || !entry.Type().IsRegular() {
			return differs
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if same, err := d.holds(emit.File{Path: at, Data: data}, info); err != nil || !same {
			return differs // a file that cannot be read is replaced
		}
		if executable != nil && executable(strings.TrimPrefix(at, p.name+"/")) != IsExecutable(info) {
			return differs
		}
		found++
		return nil
	})
	switch {
	case err == nil:
		return found == len(want), nil
	case err == differs || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
		return false, nil
	}
	return false, d.failed("reading", p.name, err)
}

// removable returns an error if the old directory could not be removed after the swap: permission
// to rename it does not imply permission to remove its content.
func (p spot) removable(d *directory) error {
	err := fs.WalkDir(d.root.FS(), p.name, func(at string, entry fs.DirEntry, err error) error {
		if err == nil {
			if err := d.holdsGit(at, entry); err != nil {
				return err
			}
		}
		if err == nil && at != p.name {
			err = d.writable(path.Dir(at))
		}
		if err != nil {
			return d.failed("removing", at, err)
		}
		return nil
	})
	if _, e := d.root.Lstat(p.name); errors.Is(e, fs.ErrNotExist) {
		return nil // there is no old directory
	}
	return err
}

// build creates the new directory, and records in done which files are not new. Existing files and
// directories keep their permissions.
func (p spot) build(
	ctx context.Context, d *directory, files []emit.File, t Target, done *Changes,
) error {
	perm := dirMode
	if _, err := d.root.Lstat(p.name); err == nil {
		perm = privateDir // until it gets the permissions of the old one
	}
	if err := d.root.Mkdir(p.newName(), perm); err != nil {
		return d.failed("creating the directory", p.newName(), err)
	}
	dirs := map[string]bool{}
	for _, f := range files {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if dir := path.Dir(f.Path); !dirs[dir] {
			if err := d.root.MkdirAll(path.Join(p.newName(), dir), dirMode); err != nil {
				return d.failed("creating the directory for", path.Join(p.name, f.Path), err)
			}
			for ; !dirs[dir] && dir != "."; dir = path.Dir(dir) {
				dirs[dir] = true
			}
		}
		if err := p.buildFile(d, f, t, done); err != nil {
			return d.failed("writing", path.Join(p.name, f.Path), err)
		}
	}
	dirs["."] = true
	for dir := range dirs {
		if err := p.copyPermissions(d, dir); err != nil {
			return d.failed("creating the directory", path.Join(p.name, dir), err)
		}
		if t.Sync {
			if err := d.syncDir(path.Join(p.newName(), dir)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p spot) buildFile(d *directory, f emit.File, t Target, done *Changes) error {
	old, at := emit.File{
		Path: path.Join(p.name, f.Path),
		Data: f.Data,
	}, path.Join(
		p.newName(),
		f.Path,
	)
	info, err := d.lookup(old.Path)
	if err != nil || info == nil { // anything else at the path is replaced
		return p.writeNew(d, f, t)
	}
	if t.Executable != nil && t.Executable(f.Path) != IsExecutable(info) {
		done.Updated = append(done.Updated, t.shown(f.Path))
		return p.writeNew(d, f, t)
	}
	perm := info.Mode().Perm()
	if same, err := d.holds(old, info); err == nil && same {
		done.Unchanged = append(done.Unchanged, t.shown(f.Path))
		if d.root.Link(old.Path, at) == nil {
			return nil
		}
	} else {
		done.Updated = append(done.Updated, t.shown(f.Path))
	}
	return d.write(at, f.Data, &perm, t.Sync)
}

// writeNew writes a file with the permissions of new files. A program may be executed by everyone who may
// read it.
func (p spot) writeNew(d *directory, f emit.File, t Target) error {
	at := path.Join(p.newName(), f.Path)
	if err := d.write(at, f.Data, nil, t.Sync); err != nil || t.Executable == nil || !t.Executable(f.Path) {
		return err
	}
	info, err := d.root.Lstat(at)
	if err != nil || onWindows {
		return err
	}
	return d.root.Chmod(at, info.Mode().Perm()|info.Mode().Perm()>>2&0o111)
}

// IsExecutable reports whether a file is a program that its owner may execute. Windows has no such
// permission.
func IsExecutable(info fs.FileInfo) bool { return !onWindows && info.Mode().Perm()&0o100 != 0 }

// copyPermissions gives a complete new directory the permissions of the one that it replaces, if any.
func (p spot) copyPermissions(d *directory, dir string) error {
	info, err := d.root.Lstat(path.Join(p.name, dir))
	if onWindows || err != nil || !info.IsDir() {
		return nil
	}
	return d.root.Chmod(path.Join(p.newName(), dir), info.Mode().Perm())
}

// exchange replaces the old directory with the new one. The old one is then called fresh.
func (p spot) exchange(d *directory) error {
	_, err := d.root.Lstat(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		err = d.root.Rename(p.newName(), p.name)
	} else if err == nil {
		if err = d.exchange(p.newName(), p.name); errors.Is(err, errors.ErrUnsupported) {
			err = p.exchangeInSteps(d)
		}
	}
	if err != nil {
		return hint(d.failed("replacing the directory", p.name, err),
			"nothing in it was changed; if the directory cannot be renamed, use --output-files "+
				"with --prune")
	}
	return nil
}

// exchangeInSteps is for systems that cannot swap two names atomically.
func (p spot) exchangeInSteps(d *directory) error {
	if err := d.root.Rename(p.name, p.old()); err != nil {
		return err
	}
	if err := d.root.Rename(p.newName(), p.name); err != nil {
		if e := d.root.Rename(p.old(), p.name); e != nil {
			return diag.Failf(
				CodeWrite,
				"%s; the old files are at '%s'",
				reason(err),
				d.shown(p.old()),
			)
		}
		return err
	}
	return d.root.Rename(p.old(), p.newName())
}
