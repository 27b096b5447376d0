package outdir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"weft/internal/engine/gitdir"
	"weft/internal/lang/diag"
)

// directory is an open output directory. All access goes through an os.Root: even if a directory is
// replaced by a link while weft runs, nothing outside is read or written.
type directory struct {
	name string // as the user wrote it
	root *os.Root
	path string // its absolute path, without links
	git  gitdir.Finder
	// the directory itself, which holds the lock; nil if it cannot be opened
	self  *os.File
	known map[string]dirInfo // results of parent
	asked map[string]error   // results of mayWrite
}

// dirInfo describes a directory on the path to a file.
type dirInfo struct {
	exists bool
	err    error
}

// lockTime is how long a run waits for other runs that write to the same directory. They take
// seconds at most.
const lockTime = time.Minute

// openDir opens a directory and waits until no other run of weft writes to it.
func openDir(ctx context.Context, name string) (*directory, error) {
	return openDirWithin(ctx, name, lockTime)
}

func openDirWithin(ctx context.Context, name string, wait time.Duration) (*directory, error) {
	root, real, err := openRoot(name)
	if err != nil {
		return nil, err
	}
	d := newDirectory(name, real, root)
	if d.self, err = root.Open("."); err != nil {
		// A directory may be writable but not readable. Then there is no lock, which is still
		// better than no output.
		d.self = nil
		return d, nil
	}
	deadline := time.Now().Add(wait)
	for pause := time.Millisecond; !tryLock(d.self); pause = min(2*pause, 100*time.Millisecond) {
		if time.Now().After(deadline) {
			d.close()
			return nil, diag.Failf(
				CodeWrite,
				"another program has held a lock on the directory '%s' for %s",
				name,
				wait,
			)
		}
		select {
		case <-ctx.Done():
			d.close()
			return nil, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
	return d, nil
}

// readDir opens a directory to see what writing to it would change. It returns nil if there is
// none.
func readDir(name string) (*directory, error) {
	if err := MayWrite(name); err != nil {
		return nil, err
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	root, real, err := openRoot(name)
	if err != nil {
		return nil, err
	}
	return newDirectory(name, real, root), nil
}

func newDirectory(name, real string, root *os.Root) *directory {
	return &directory{
		name:  name,
		root:  root,
		path:  real,
		known: map[string]dirInfo{},
		asked: map[string]error{},
	}
}

func dirError(name string, err error) error {
	if info, e := os.Stat(name); e == nil && !info.IsDir() {
		return diag.Failf(CodeWrite, "expected '%s' to be a directory, but it is a file", name)
	}
	return diag.Failf(CodeWrite, "opening the directory '%s': %s", name, reason(err))
}

// close closes the directory and releases the lock.
func (d *directory) close() {
	if d.self != nil {
		d.self.Close()
	}
	d.root.Close()
}

func (d *directory) failed(doing, p string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return diag.Failf(CodeWrite, "%s '%s': %s", doing, d.shown(p), reason(err))
}

func (d *directory) shown(p string) string { return filepath.Join(d.name, filepath.FromSlash(p)) }

// real returns the absolute path of p, which contains no links.
func (d *directory) real(p string) string { return filepath.Join(d.path, filepath.FromSlash(p)) }

// lookup returns the file at p, or nil if there is none. It is an error if something else is there,
// or if the path contains a link. Links inside the directory are never followed, so that a tree
// prepared by an attacker cannot make weft write elsewhere. They are never replaced with a file
// either, which their owner would not expect.
func (d *directory) lookup(p string) (fs.FileInfo, error) {
	exists, err := d.parent(path.Dir(p))
	if !exists || err != nil {
		return nil, err
	}
	info, err := d.root.Lstat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, d.failed("checking", p, err)
	case info.IsDir():
		return nil, diag.Failf(CodePath, "cannot write the file '%s': a directory has that "+
			"name", d.shown(p))
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, d.isLink(p)
	case !info.Mode().IsRegular():
		return nil, diag.Failf(CodePath, "cannot write the file '%s': the path exists and is "+
			"not a regular file", d.shown(p))
	}
	if err := d.notGit(p, info); err != nil {
		return nil, err
	}
	return info, nil
}

// parent reports whether the directory p exists. It is an error if it cannot be one.
func (d *directory) parent(p string) (exists bool, err error) {
	if p == "." {
		return true, nil
	}
	if k, ok := d.known[p]; ok {
		return k.exists, k.err
	}
	defer func() { d.known[p] = dirInfo{exists, err} }()
	if exists, err := d.parent(path.Dir(p)); !exists || err != nil {
		return false, err
	}
	info, err := d.root.Lstat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, d.failed("checking", p, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return false, d.isLink(p)
	case !info.IsDir():
		return false, diag.Failf(
			CodePath,
			"cannot write below '%s': it is not a directory",
			d.shown(p),
		)
	}
	return true, d.notGit(p, info)
}

func (d *directory) isLink(p string) error {
	target, err := d.root.Readlink(p)
	if err != nil {
		target = "?"
	}
	return linkError(d.shown(p), target)
}

func linkError(shown, target string) error {
	return diag.Failf(CodeLink, "cannot write to '%s': it is a symbolic link to '%s', and weft "+
		"never writes through links", shown, target).
		WithHint("remove the link, or write to the directory that it leads to")
}

// write creates a file with exactly the permissions keep, if not nil. It has them from the
// beginning, so that users who must not read the file cannot do so while it is written.
func (d *directory) write(p string, data []byte, keep *fs.FileMode, sync bool) error {
	perm := fileMode
	if keep != nil {
		perm = privateFile
	}
	f, err := d.root.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && keep != nil && !onWindows {
		err = f.Chmod(*keep)
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e // some file systems report a full disk only here
	}
	return err
}

// writable reports why files cannot be created in or removed from the directory p, or from the
// nearest existing directory above it.
func (d *directory) writable(p string) error {
	for {
		if exists, err := d.parent(p); exists || err != nil {
			break
		}
		p = path.Dir(p)
	}
	err, ok := d.asked[p]
	if !ok {
		err = mayWrite(filepath.Join(d.root.Name(), filepath.FromSlash(p)))
		d.asked[p] = err
	}
	return err
}

// syncDir waits until the names in the directory p are safe on disk. Windows has no such operation.
func (d *directory) syncDir(p string) error {
	if onWindows {
		return nil
	}
	f, err := d.root.Open(p)
	if err == nil {
		err = f.Sync()
		f.Close()
	}
	if err != nil {
		return d.failed("syncing", p, err)
	}
	return nil
}

// makeDir creates a directory and its parents, and returns a function that removes those that are
// still empty.
func makeDir(name string) (undo func(), err error) {
	if err := MayWrite(name); err != nil {
		return nil, err
	}
	var created []string
	for p := filepath.Clean(name); ; p = filepath.Dir(p) {
		if _, err := os.Lstat(p); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		created = append(created, p)
		if p == filepath.Dir(p) || strings.HasSuffix(p, "..") {
			break
		}
	}
	if err := os.MkdirAll(name, dirMode); err != nil {
		for _, p := range created {
			_ = os.Remove(p)
		}
		if info, e := os.Stat(name); e == nil && !info.IsDir() {
			return nil, dirError(name, err)
		}
		return nil, diag.Failf(CodeWrite, "creating the directory '%s': %s", name, reason(err))
	}
	return func() {
		for _, p := range created {
			_ = os.Remove(p)
		}
	}, nil
}
