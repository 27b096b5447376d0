package upgrade

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/project/archive"
	"weft/internal/project/staged"
)

// files are those of a repository on disk, with other ones in some folders. Nothing is written.
type files struct {
	disk  []mount
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

func newFiles(disk []mount) *files {
	f := &files{disk: disk, nodes: map[string]*node{}}
	for _, m := range disk {
		if m.at != "." {
			f.add(path.Dir(m.at), &node{dir: true}) // of which nothing else can be seen
		}
	}
	return f
}

// mount is what is on disk at a path. Links do not lead out of it.
type mount struct {
	at   string
	fsys fs.FS
	name string // in fsys
}

// mounted returns the root of a project and the paths outside of it that are allowed, as a file system of the
// folder that all of them are in, which it returns, too. The caller must call done after the last use.
func mounted(root string, allowed []string) (base string, disk []mount, done func(), err error) {
	paths := []string{root}
	base = root
	for _, o := range allowed {
		abs, err := filepath.Abs(o)
		if _, missing := os.Stat(abs); err != nil || missing != nil || within(root, abs) {
			continue // a URL, a host
		}
		for !within(base, abs) && base != filepath.Dir(base) {
			base = filepath.Dir(base)
		}
		if within(base, abs) {
			paths = append(paths, abs)
		}
	}
	var open []*os.Root
	done = func() {
		for _, r := range open {
			_ = r.Close()
		}
	}
	for _, name := range paths {
		dir, file := name, "."
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			dir, file = filepath.Split(name)
		}
		r, err := os.OpenRoot(dir)
		if err != nil {
			done()
			return "", nil, nil, diag.Failf(project.CodePath, "opening '%s': %s", name, err)
		}
		open = append(open, r)
		at, err := filepath.Rel(base, name)
		if err != nil {
			done()
			return "", nil, nil, diag.Failf(project.CodePath, "opening '%s': %s", name, err)
		}
		disk = append(disk, mount{filepath.ToSlash(at), r.FS(), file})
	}
	return base, disk, done, nil
}

// within reports whether a path is a folder itself, or below it.
func within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// on returns what is on disk at a path, and the path there.
func (f *files) on(op, name string) (fs.FS, string, error) {
	for _, m := range f.disk {
		if m.at == "." || name == m.at || strings.HasPrefix(name, m.at+"/") {
			return m.fsys, path.Join(m.name, strings.TrimPrefix(strings.TrimPrefix(name, m.at), "/")), nil
		}
	}
	return nil, "", &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// onDisk calls a function for what is on disk at a path.
func onDisk[T any](f *files, op, name string, do func(fs.FS, string) (T, error)) (T, error) {
	fsys, at, err := f.on(op, name)
	if err != nil {
		var none T
		return none, err
	}
	return do(fsys, at)
}

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
		if _, err := onDisk(f, op, name, fs.Stat); err != nil {
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
		return onDisk(f, "open", name, fs.FS.Open)
	}
	if n != nil && !n.dir {
		return staged.OpenFile(n.info(), n.data), nil
	}
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	entries, err := f.ReadDir(name)
	return staged.OpenDir(info, entries), err
}

// Stat implements fs.StatFS.
func (f *files) Stat(name string) (fs.FileInfo, error) {
	n, err := f.find("stat", name)
	if err != nil {
		return nil, err
	}
	if n != nil {
		return n.info(), nil
	}
	return onDisk(f, "stat", name, fs.Stat)
}

// Lstat implements fs.ReadLinkFS.
func (f *files) Lstat(name string) (fs.FileInfo, error) {
	n, err := f.find("lstat", name)
	if err != nil {
		return nil, err
	}
	if n != nil {
		return n.info(), nil
	}
	return onDisk(f, "lstat", name, fs.Lstat)
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
	return onDisk(f, "readlink", name, fs.ReadLink)
}

// ReadDir implements fs.ReadDirFS.
func (f *files) ReadDir(name string) (list []fs.DirEntry, err error) {
	n, err := f.find("readdir", name)
	if err != nil {
		return nil, err
	}
	if n == nil {
		if list, err = onDisk(f, "readdir", name, fs.ReadDir); err != nil {
			return nil, err
		}
	}
	if known := f.nodes[name]; known != nil {
		list = slices.DeleteFunc(list, func(d fs.DirEntry) bool { return f.isReplaced(path.Join(name, d.Name())) })
		for _, child := range known.names {
			at := path.Join(name, child)
			if !f.nodes[at].gone && !slices.ContainsFunc(list, func(d fs.DirEntry) bool { return d.Name() == child }) {
				list = append(list, fs.FileInfoToDirEntry(f.nodes[at].info()))
			}
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

func (n *node) info() fs.FileInfo {
	mode := n.mode
	if n.dir {
		mode |= fs.ModeDir
	}
	return staged.Info{Base: n.name, Length: int64(len(n.data)), Bits: mode}
}
