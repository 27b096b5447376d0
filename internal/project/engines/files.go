package engines

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"weft/internal/engine/gitdir"
	"weft/internal/project/engines/wire"
)

// The limits of what is sent: maxFile for one file, and maxFiles for all files of a project.
const (
	maxFile  = 64 << 20
	maxFiles = 512 << 20
)

// Files is the files of a repository that weft-engines may read. Each is read once, so one Files is a
// snapshot.
type Files struct {
	Repository

	mu      sync.Mutex
	known   map[string]content
	size    int
	outside outside

	mix *mix // if some files are those of another snapshot
}

type content struct {
	reply wire.Reply
	sum   digest
}

// Repository is where files are read.
type Repository struct {
	Root  string                  // its path as messages show it; not used with FS
	FS    fs.FS                   // nil means the disk
	Allow func(path string) error // returns why a path must not be read, or nil
}

// NewFiles returns the files of a repository.
func NewFiles(r Repository) *Files { return &Files{Repository: r, known: map[string]content{}} }

// Name returns the name that weft-engines has for a path of the project: relative to the repository, with
// slashes. A path outside of it must be allowed.
func (f *Files) Name(path string) (string, error) {
	if f.FS != nil {
		return path, nil
	}
	root, err := filepath.Abs(f.Root)
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		if err := f.Allow(path); err != nil {
			return "", err
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.outside.add(abs, path), nil
	}
	if rel == "." {
		rel = ""
	}
	return filepath.ToSlash(rel), nil
}

// Path returns the path of the project for a name.
func (f *Files) Path(name string) string {
	if f.FS != nil {
		return orHere(name)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.path(name)
}

func (f *Files) path(name string) string {
	if path, ok := f.outside.path(name); ok {
		return path
	}
	return filepath.Join(f.Root, filepath.FromSlash(name))
}

// Text returns the text of a file that was read, or nil.
func (f *Files) Text(name string) []byte {
	if f.mix != nil {
		return f.mix.of(name).Text(name)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if c, ok := f.known[name]; ok && c.reply.File != nil {
		return *c.reply.File
	}
	return nil
}

// at returns what is at a name, and its digest.
func (f *Files) at(name string) (wire.Reply, digest) {
	if f.mix != nil {
		return f.mix.at(name)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.known[name]
	if !ok {
		c.reply = f.read(name)
		c.sum = sumOf(c.reply)
		f.known[name] = c
	}
	return c.reply, c.sum
}

// read reads what is at a name, if the project may read it.
func (f *Files) read(name string) wire.Reply {
	path := orHere(name)
	if f.FS == nil {
		path = f.path(name)
	}
	err := f.Allow(path)
	if r, ok := f.outside.look(name); ok && (err != nil || name == outsideName) {
		return r
	}
	if err != nil {
		return denied(err)
	}
	info, err := f.stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wire.Reply{}
	case err != nil:
		return denied(err)
	case info.IsDir():
		return f.list(path)
	case !info.Mode().IsRegular():
		return wire.Reply{Denied: "it is not a regular file"}
	case info.Size() > maxFile:
		return wire.Reply{Denied: fmt.Sprintf("it is larger than %d MB", maxFile>>20)}
	case f.size+int(info.Size()) > maxFiles:
		return wire.Reply{Denied: fmt.Sprintf("the files are larger than %d MB together", maxFiles>>20)}
	}
	data, err := f.bytes(path)
	if err != nil {
		return denied(err)
	}
	f.size += len(data)
	return wire.Reply{File: &data}
}

// list returns the names in a directory. Those of git are left out.
func (f *Files) list(dir string) wire.Reply {
	var entries []fs.DirEntry
	var err error
	if f.FS != nil {
		entries, err = fs.ReadDir(f.FS, dir)
	} else {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return denied(err)
	}
	r := wire.Reply{Dir: true}
	for _, e := range entries {
		if !gitdir.IsName(e.Name()) {
			r.Entries = append(r.Entries, e.Name())
		}
	}
	slices.Sort(r.Entries)
	return r
}

func (f *Files) stat(path string) (fs.FileInfo, error) {
	if f.FS != nil {
		return fs.Stat(f.FS, path)
	}
	return os.Stat(path)
}

func (f *Files) bytes(path string) ([]byte, error) {
	if f.FS != nil {
		return fs.ReadFile(f.FS, path)
	}
	return os.ReadFile(path)
}

// denied returns why something cannot be read, without the path, which the question has.
func denied(err error) wire.Reply {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return wire.Reply{Denied: err.Error()}
}

// sumOf returns the digest of a reply.
func sumOf(r wire.Reply) (sum digest) {
	h := sha256.New()
	fmt.Fprintf(h, "%t %t %d %q %q\n", r.File != nil, r.Dir, len(r.Entries), r.Entries, r.Denied)
	if r.File != nil {
		h.Write(*r.File)
	}
	h.Sum(sum[:0])
	return sum
}

func orHere(name string) string {
	if name == "" {
		return "."
	}
	return name
}
