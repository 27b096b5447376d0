package workspace

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"sync"
	"time"
)

// Files are the files of a workspace folder in a snapshot: those on disk, with the open buffers over
// them. The pipeline reads only through this fs.FS, and no path and no link leads out of the folder.
type Files struct {
	disk *disk
	open map[string][]byte // texts of buffers, by their paths
}

// with returns the files with other open buffers.
func (f *Files) with(open map[string][]byte) *Files { return &Files{disk: f.disk, open: open} }

// also returns the files with these texts in addition to the open buffers, or instead of them.
func (f *Files) also(texts map[string][]byte) *Files {
	open := make(map[string][]byte, len(f.open)+len(texts))
	maps.Copy(open, f.open)
	maps.Copy(open, texts)
	return f.with(open)
}

// Open opens a file.
func (f *Files) Open(name string) (fs.File, error) {
	if data, ok := f.open[name]; ok {
		return &buffered{info: f.info(name), Reader: bytes.NewReader(data)}, nil
	}
	if f.disk == nil || !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.disk.fsys.Open(name)
}

// ReadFile reads a file.
func (f *Files) ReadFile(name string) ([]byte, error) {
	if data, ok := f.open[name]; ok {
		return data, nil
	}
	if f.disk == nil || !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return fs.ReadFile(f.disk.fsys, name)
}

// Stat describes a file. It follows links inside the folder.
func (f *Files) Stat(name string) (fs.FileInfo, error) { return f.stat(name, fs.Stat) }

// Lstat describes a file. It does not follow links.
func (f *Files) Lstat(name string) (fs.FileInfo, error) { return f.stat(name, fs.Lstat) }

func (f *Files) stat(
	name string, stat func(fsys fs.FS, name string) (fs.FileInfo, error),
) (fs.FileInfo, error) {
	if _, ok := f.open[name]; ok {
		return f.info(name), nil
	}
	if f.disk != nil && fs.ValidPath(name) {
		info, err := stat(f.disk.fsys, name)
		if err == nil || !f.holds(name) {
			return info, err
		}
	}
	if name == "." || f.holds(name) {
		return bufferInfo{name: path.Base(name), dir: true}, nil
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

// holds reports whether a directory contains an open buffer. It need not exist on disk.
func (f *Files) holds(dir string) bool {
	for name := range f.open {
		if len(name) > len(dir) && name[:len(dir)] == dir && name[len(dir)] == '/' {
			return true
		}
	}
	return false
}

// ReadLink returns the target of a link.
func (f *Files) ReadLink(name string) (string, error) {
	if f.disk == nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrNotExist}
	}
	return fs.ReadLink(f.disk.fsys, name)
}

// ReadDir lists a directory, without foreign directories.
func (f *Files) ReadDir(name string) ([]fs.DirEntry, error) {
	var entries []fs.DirEntry
	if f.disk != nil {
		var err error
		if entries, err = f.disk.list(name); err != nil && !f.holds(name) {
			return nil, err
		}
	}
	return f.addOpen(name, entries), nil
}

// addOpen adds the open buffers in a directory to what is on disk.
func (f *Files) addOpen(dir string, entries []fs.DirEntry) []fs.DirEntry {
	more := map[string]fs.DirEntry{}
	for name := range f.open {
		rest := name
		if dir != "." {
			if len(name) <= len(dir) || name[:len(dir)] != dir || name[len(dir)] != '/' {
				continue
			}
			rest = name[len(dir)+1:]
		}
		info := f.info(name)
		if i := bytes.IndexByte([]byte(rest), '/'); i >= 0 {
			rest = rest[:i]
			info = bufferInfo{name: rest, dir: true}
		}
		more[rest] = fs.FileInfoToDirEntry(info)
	}
	if len(more) == 0 {
		return entries
	}
	all := make([]fs.DirEntry, 0, len(entries)+len(more))
	for _, e := range entries {
		if o := more[e.Name()]; o == nil || o.IsDir() {
			delete(more, e.Name())
			all = append(all, e)
		}
	}
	all = slices.AppendSeq(all, maps.Values(more))
	slices.SortFunc(all, func(a, b fs.DirEntry) int {
		return bytes.Compare([]byte(a.Name()), []byte(b.Name()))
	})
	return all
}

func (f *Files) info(name string) bufferInfo {
	return bufferInfo{name: path.Base(name), size: int64(len(f.open[name]))}
}

// buffered is an open buffer as an fs.File.
type buffered struct {
	*bytes.Reader
	info bufferInfo
}

func (b *buffered) Stat() (fs.FileInfo, error) { return b.info, nil }
func (b *buffered) Close() error               { return nil }

// bufferInfo describes an open buffer, or a directory that contains one.
type bufferInfo struct {
	name string
	size int64
	dir  bool
}

func (i bufferInfo) Name() string       { return i.name }
func (i bufferInfo) Size() int64        { return i.size }
func (i bufferInfo) ModTime() time.Time { return time.Time{} }
func (i bufferInfo) IsDir() bool        { return i.dir }
func (i bufferInfo) Sys() any           { return nil }

func (i bufferInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

// disk is a workspace folder on disk. Directory listings are cached until forget is called.
type disk struct {
	root io.Closer
	fsys fs.FS

	mu      sync.Mutex
	dirs    map[string][]fs.DirEntry
	forgets int // how often forget was called
}

func openDisk(dir string) (*disk, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &disk{root: root, fsys: root.FS(), dirs: map[string][]fs.DirEntry{}}, nil
}

func (d *disk) close() { _ = d.root.Close() } // nothing was written

// forget drops all listings, because files may have been created or deleted.
func (d *disk) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.dirs)
	d.forgets++
}

// list lists a directory. Do not change the result.
func (d *disk) list(name string) ([]fs.DirEntry, error) {
	d.mu.Lock()
	entries, ok := d.dirs[name]
	forgets := d.forgets
	d.mu.Unlock()
	if ok {
		return entries, nil
	}
	all, err := fs.ReadDir(d.fsys, name)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if e.IsDir() && d.isForeign(name, e.Name()) {
			continue
		}
		entries = append(entries, &knownEntry{DirEntry: e})
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.forgets == forgets { // otherwise it may have changed since
		d.dirs[name] = entries
	}
	return entries, nil
}

// foreignNames are directories of other programs.
var foreignNames = []string{".git", ".hg", ".svn", ".jj", "node_modules", ".weft-tmp"}

// manifest is the name of a file in directories with weft's output.
const manifest = ".weft-manifest"

// isForeign reports whether a directory is never an input: it belongs to another program, or contains
// output.
func (d *disk) isForeign(dir, name string) bool {
	if slices.Contains(foreignNames, name) {
		return true
	}
	_, err := fs.Stat(d.fsys, path.Join(dir, name, manifest))
	return err == nil
}

// knownEntry is a directory entry that calls Info once.
type knownEntry struct {
	fs.DirEntry
	once sync.Once
	info fs.FileInfo
	err  error
}

// Info describes the entry.
func (e *knownEntry) Info() (fs.FileInfo, error) {
	e.once.Do(func() { e.info, e.err = e.DirEntry.Info() })
	return e.info, e.err
}

var (
	_ fs.ReadDirFS  = (*Files)(nil)
	_ fs.ReadFileFS = (*Files)(nil)
	_ fs.StatFS     = (*Files)(nil)
	_ fs.ReadLinkFS = (*Files)(nil)
	_ io.ReaderAt   = (*buffered)(nil)
)
