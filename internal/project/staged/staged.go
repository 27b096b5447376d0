// Package staged has the files of a folder as they would be after a change: those on disk, with other texts
// of some of them, and new ones. A project can be opened and rendered with them before anything is written.
//
//	staged.go  Files: those on disk with changes
//	open.go    open files and folders of memory
package staged

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Files are those on disk with changes. Nothing is written.
type Files struct {
	disk fs.FS
	news map[string]*node // changed and new files, and the folders that they are in
}

// node is a file that is changed or new, or a folder with such files.
type node struct {
	name  string
	mode  fs.FileMode
	data  []byte
	names []string // of a folder: what is changed or new in it
}

// New returns the files on disk.
func New(disk fs.FS) *Files { return &Files{disk: disk, news: map[string]*node{}} }

// Write sets the text of a file, which need not exist.
func (f *Files) Write(name string, data []byte) {
	f.news[name] = &node{name: path.Base(name), mode: 0o644, data: data}
	for name != "." {
		above, base := path.Dir(name), path.Base(name)
		dir := f.news[above]
		if dir == nil {
			dir = &node{name: path.Base(above), mode: fs.ModeDir | 0o755}
			f.news[above] = dir
		}
		if !slices.Contains(dir.names, base) {
			dir.names = append(dir.names, base)
		}
		name = above
	}
}

// staged returns a file that is changed or new, or a folder that is not on disk; otherwise nil.
func (f *Files) staged(name string) *node {
	n := f.news[name]
	if n != nil && n.mode.IsDir() {
		if _, err := fs.Stat(f.disk, name); err == nil {
			return nil
		}
	}
	return n
}

// Open implements fs.FS.
func (f *Files) Open(name string) (fs.File, error) {
	switch n := f.news[name]; {
	case n == nil:
		return f.disk.Open(name)
	case !n.mode.IsDir():
		return OpenFile(n.info(), n.data), nil
	}
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	entries, err := f.ReadDir(name)
	return OpenDir(info, entries), err
}

// Stat implements fs.StatFS.
func (f *Files) Stat(name string) (fs.FileInfo, error) {
	if n := f.staged(name); n != nil {
		return n.info(), nil
	}
	return fs.Stat(f.disk, name)
}

// Lstat implements fs.ReadLinkFS.
func (f *Files) Lstat(name string) (fs.FileInfo, error) {
	if n := f.staged(name); n != nil {
		return n.info(), nil
	}
	return fs.Lstat(f.disk, name)
}

// ReadLink implements fs.ReadLinkFS.
func (f *Files) ReadLink(name string) (string, error) {
	if f.staged(name) != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	return fs.ReadLink(f.disk, name)
}

// ReadDir implements fs.ReadDirFS.
func (f *Files) ReadDir(name string) (list []fs.DirEntry, err error) {
	n := f.news[name]
	if n == nil || f.staged(name) == nil {
		if list, err = fs.ReadDir(f.disk, name); err != nil || n == nil {
			return list, err
		}
	}
	for _, child := range n.names {
		i := slices.IndexFunc(list, func(d fs.DirEntry) bool { return d.Name() == child })
		entry := fs.FileInfoToDirEntry(f.news[path.Join(name, child)].info())
		switch {
		case i < 0:
			list = append(list, entry)
		case !entry.IsDir():
			list[i] = entry
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

func (n *node) info() fs.FileInfo { return Info{n.name, int64(len(n.data)), n.mode} }
