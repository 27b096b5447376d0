package gitdir

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// errOutside is the error for a path that a Fence does not show.
var errOutside = errors.New("it is outside of what may be read")

// Fence shows some files and folders of a directory of the disk, and nothing else of it, also not through links.
// Links are followed as on the disk: those with absolute paths, too.
type Fence struct {
	fsys  fs.FS
	base  string
	shown []string
}

// NewFence returns the fence of a directory with the real path base, whose file system is fsys. What is shown has
// real paths below it.
func NewFence(fsys fs.FS, base string, shown []string) *Fence { return &Fence{fsys, base, shown} }

// Open implements fs.FS.
func (f *Fence) Open(name string) (fs.File, error) {
	return through(f, "open", name, func(real string) (fs.File, error) {
		if !f.shows(real) {
			return nil, &fs.PathError{Op: "open", Path: name, Err: errOutside}
		}
		return f.fsys.Open(real)
	})
}

// Stat implements fs.StatFS.
func (f *Fence) Stat(name string) (fs.FileInfo, error) {
	return through(f, "stat", name, func(real string) (fs.FileInfo, error) { return fs.Stat(f.fsys, real) })
}

// ReadDir implements fs.ReadDirFS.
func (f *Fence) ReadDir(name string) ([]fs.DirEntry, error) {
	return through(f, "readdir", name, func(real string) ([]fs.DirEntry, error) {
		list, err := fs.ReadDir(f.fsys, real)
		return slices.DeleteFunc(list, func(d fs.DirEntry) bool {
			at := path.Join(real, d.Name())
			return !f.shows(at) && !f.leads(at)
		}), err
	})
}

// Lstat implements fs.ReadLinkFS.
func (f *Fence) Lstat(name string) (fs.FileInfo, error) {
	return through(f, "lstat", path.Dir(name), func(dir string) (fs.FileInfo, error) {
		return links{f}.Lstat(path.Join(dir, path.Base(name)))
	})
}

// ReadLink implements fs.ReadLinkFS.
func (f *Fence) ReadLink(name string) (string, error) {
	return through(f, "readlink", path.Dir(name), func(dir string) (string, error) {
		return links{f}.ReadLink(path.Join(dir, path.Base(name)))
	})
}

// through calls do with the path without links of what is shown.
func through[T any](f *Fence, op, name string, do func(real string) (T, error)) (T, error) {
	if slices.Contains(f.shown, ".") { // links that lead out of the directory fail without the fence
		if x, err := do(name); err == nil || errors.Is(err, fs.ErrNotExist) {
			return x, err
		}
	}
	real, ok := RealIn(links{f}, name)
	if !ok || !f.shows(real) && !f.leads(real) {
		var zero T
		return zero, &fs.PathError{Op: op, Path: name, Err: errOutside}
	}
	return do(real)
}

// shows reports whether a path without links is shown.
func (f *Fence) shows(real string) bool {
	return slices.ContainsFunc(f.shown, func(x string) bool { return below(real, x) })
}

// leads reports whether a folder is above what is shown.
func (f *Fence) leads(real string) bool {
	return slices.ContainsFunc(f.shown, func(x string) bool { return below(x, real) })
}

// below reports whether a path is that of a folder, or below it.
func below(name, dir string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// links are those of a fence, for RealIn: its paths have no links but at their ends.
type links struct{ *Fence }

func (l links) Lstat(name string) (fs.FileInfo, error) {
	if !l.shows(name) && !l.leads(name) {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: errOutside}
	}
	return fs.Lstat(l.fsys, name)
}

func (l links) ReadLink(name string) (string, error) {
	to, err := fs.ReadLink(l.fsys, name)
	if err != nil || !filepath.IsAbs(to) {
		return to, err
	}
	rel, err := filepath.Rel(filepath.Join(l.base, filepath.FromSlash(path.Dir(name))), Resolved(to))
	if err != nil { // it is on another volume
		return to, nil
	}
	return filepath.ToSlash(rel), nil
}
