package playground

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// memory returns a file system of the files of a request. testing/fstest has one, but it imports
// package testing, which is too large for a browser.
func memory(files []File) fs.FS {
	m := memoryFS{".": {name: ".", dir: true}}
	for _, f := range files {
		m.add(&node{name: path.Base(f.Path), data: f.Data}, f.Path)
	}
	for _, n := range m {
		slices.SortFunc(n.entries, func(a, b *node) int { return strings.Compare(a.name, b.name) })
	}
	return m
}

// memoryFS is the nodes of a file system, by path. It never changes.
type memoryFS map[string]*node

// node is a file or a directory. It is its own description and directory entry.
type node struct {
	name    string
	data    string
	dir     bool
	entries []*node // sorted by name
}

// add adds a node, and the directories that it is in.
func (m memoryFS) add(n *node, at string) {
	m[at] = n
	dir := path.Dir(at)
	parent := m[dir]
	if parent == nil {
		parent = &node{name: path.Base(dir), dir: true}
		m.add(parent, dir)
	}
	parent.entries = append(parent.entries, n)
}

// Open opens a file or a directory.
func (m memoryFS) Open(name string) (fs.File, error) {
	n := m[name]
	if n == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &opened{node: n, text: strings.NewReader(n.data)}, nil
}

func (n *node) Name() string               { return n.name }
func (n *node) Size() int64                { return int64(len(n.data)) }
func (n *node) ModTime() time.Time         { return time.Time{} }
func (n *node) IsDir() bool                { return n.dir }
func (n *node) Sys() any                   { return nil }
func (n *node) Info() (fs.FileInfo, error) { return n, nil }
func (n *node) Type() fs.FileMode          { return n.Mode().Type() }

func (n *node) Mode() fs.FileMode {
	if n.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// opened is an open file or directory.
type opened struct {
	*node
	text *strings.Reader
	read int // how many entries were read
}

func (o *opened) Stat() (fs.FileInfo, error) { return o.node, nil }
func (o *opened) Close() error               { return nil }

func (o *opened) Read(p []byte) (int, error) {
	if o.dir {
		return 0, &fs.PathError{Op: "read", Path: o.name, Err: fs.ErrInvalid}
	}
	return o.text.Read(p)
}

// ReadDir returns the next n entries, or all of them if n <= 0.
func (o *opened) ReadDir(n int) ([]fs.DirEntry, error) {
	if !o.dir {
		return nil, &fs.PathError{Op: "readdir", Path: o.name, Err: fs.ErrInvalid}
	}
	rest := o.entries[o.read:]
	if n > 0 && len(rest) == 0 {
		return nil, io.EOF
	}
	if n > 0 && n < len(rest) {
		rest = rest[:n]
	}
	o.read += len(rest)
	list := make([]fs.DirEntry, len(rest))
	for i, e := range rest {
		list[i] = e
	}
	return list, nil
}
