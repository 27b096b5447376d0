package upgrade

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"weft/internal/project/archive"
)

// files are those of a repository on disk, with other ones in some folders. Nothing is written.
type files struct {
	disk  fs.FS
	nodes map[string]*node // what is not on disk, by path: folders that are replaced, and what is in them
}

// node is a file or a folder that is not on disk.
type node struct {
	name     string
	dir      bool
	data     []byte
	mode     fs.FileMode
	replaced bool // it is replaced, or in a folder that is; other folders are only on the way
	gone     bool // it is on disk, but not here
	names    []string
}

func newFiles(disk fs.FS) *files { return &files{disk: disk, nodes: map[string]*node{}} }

// replace puts files into a folder, in place of those on disk.
func (f *files) replace(dir string, list []archive.File) {
	f.add(dir, &node{dir: true, replaced: true})
	for _, x := range list {
		f.add(path.Join(dir, x.Name), &node{data: x.Data, mode: x.Mode(), replaced: true})
	}
}

// change makes the files in a folder that are now those of one list those of another. Other files in the
// folder stay.
func (f *files) change(dir string, now, list []archive.File) {
	for _, x := range now {
		f.add(path.Join(dir, x.Name), &node{replaced: true, gone: true})
	}
	for _, x := range list {
		f.add(path.Join(dir, x.Name), &node{data: x.Data, mode: x.Mode(), replaced: true})
	}
}

// add adds a node, and the folders around it.
func (f *files) add(name string, n *node) {
	if old := f.nodes[name]; old != nil && n.dir {
		old.replaced = old.replaced || n.replaced
		return
	}
	n.name = path.Base(name)
	if n.dir {
		n.mode = fs.ModeDir | 0o755
	}
	f.nodes[name] = n
	if name == "." {
		return
	}
	above := path.Dir(name)
	f.add(above, &node{dir: true, replaced: n.replaced && f.isReplaced(above)})
	f.nodes[above].names = append(f.nodes[above].names, n.name)
}

// isReplaced reports whether a path is in a folder that is replaced, so that the disk does not matter.
func (f *files) isReplaced(name string) bool {
	for ; ; name = path.Dir(name) {
		if n := f.nodes[name]; n != nil && n.replaced {
			return true
		}
		if name == "." || name == "/" {
			return false
		}
	}
}

// find returns the node at a path, or nil if it is on disk.
func (f *files) find(op, name string) (*node, error) {
	n := f.nodes[name]
	switch {
	case !fs.ValidPath(name):
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	case n != nil && n.replaced && !n.gone:
		return n, nil
	case f.isReplaced(name):
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	case n != nil:
		if _, err := fs.Stat(f.disk, name); err != nil {
			return n, nil // a folder that exists only because a source in it is new
		}
	}
	return nil, nil
}

// Open implements fs.FS.
func (f *files) Open(name string) (fs.File, error) {
	n, err := f.find("open", name)
	if err != nil {
		return nil, err
	}
	if n == nil && f.nodes[name] == nil {
		return f.disk.Open(name)
	}
	if n != nil && !n.dir {
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
func (f *files) Stat(name string) (fs.FileInfo, error) {
	if n, err := f.find("stat", name); n != nil || err != nil {
		return info{n}, err
	}
	return fs.Stat(f.disk, name)
}

// Lstat implements fs.ReadLinkFS.
func (f *files) Lstat(name string) (fs.FileInfo, error) {
	if n, err := f.find("lstat", name); n != nil || err != nil {
		return info{n}, err
	}
	return fs.Lstat(f.disk, name)
}

// ReadLink implements fs.ReadLinkFS.
func (f *files) ReadLink(name string) (string, error) {
	n, err := f.find("readlink", name)
	if n != nil {
		err = &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return "", err
	}
	return fs.ReadLink(f.disk, name)
}

// ReadDir implements fs.ReadDirFS.
func (f *files) ReadDir(name string) (list []fs.DirEntry, err error) {
	n, err := f.find("readdir", name)
	if err != nil {
		return nil, err
	}
	if n == nil {
		if list, err = fs.ReadDir(f.disk, name); err != nil {
			return nil, err
		}
	}
	if known := f.nodes[name]; known != nil {
		list = slices.DeleteFunc(list, func(d fs.DirEntry) bool { return f.isReplaced(path.Join(name, d.Name())) })
		for _, child := range known.names {
			at := path.Join(name, child)
			if !f.nodes[at].gone && !slices.ContainsFunc(list, func(d fs.DirEntry) bool { return d.Name() == child }) {
				list = append(list, fs.FileInfoToDirEntry(info{f.nodes[at]}))
			}
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
func (i info) IsDir() bool        { return i.n.dir }
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
