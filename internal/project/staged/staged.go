// Package staged has the files of a folder as they would be after a change: those on disk, with other texts of
// some of them, and new ones. A project can be opened and rendered with them before anything is written.
package staged

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
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
		return &openFile{n, bytes.NewReader(n.data)}, nil
	}
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	entries, err := f.ReadDir(name)
	return &openDir{info: info, entries: entries}, err
}

// Stat implements fs.StatFS.
func (f *Files) Stat(name string) (fs.FileInfo, error) {
	if n := f.staged(name); n != nil {
		return info{n}, nil
	}
	return fs.Stat(f.disk, name)
}

// Lstat implements fs.ReadLinkFS.
func (f *Files) Lstat(name string) (fs.FileInfo, error) {
	if n := f.staged(name); n != nil {
		return info{n}, nil
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
		entry := fs.FileInfoToDirEntry(info{f.news[path.Join(name, child)]})
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

// info describes a node.
type info struct{ n *node }

func (i info) Name() string       { return i.n.name }
func (i info) Size() int64        { return int64(len(i.n.data)) }
func (i info) Mode() fs.FileMode  { return i.n.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.n.mode.IsDir() }
func (i info) Sys() any           { return nil }

// openFile is a file that is open for reading.
type openFile struct {
	n *node
	*bytes.Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return info{f.n}, nil }
func (f *openFile) Close() error               { return nil }

// openDir is a folder that is open for reading.
type openDir struct {
	info    fs.FileInfo
	entries []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(d.entries) {
		if n > 0 && len(d.entries) == 0 {
			return nil, io.EOF
		}
		n = len(d.entries)
	}
	some := d.entries[:n]
	d.entries = d.entries[n:]
	return some, nil
}
