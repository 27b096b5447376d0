// Package files is a file system whose files weft sends when they are asked for. Paths are relative to the
// project, with slashes; kustomize sees the project as the root directory. Nothing can be written.
package files

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"weft/internal/project/engines/wire"
)

// System is the file system for one request. Each path is asked for once.
type System struct {
	conn   *wire.Conn
	known  map[string]wire.Reply
	denied error // the first path that must not be read
}

// New returns a file system that asks over a connection.
func New(c *wire.Conn) *System { return &System{conn: c, known: map[string]wire.Reply{}} }

// Denied returns why a path that was asked for must not be read, or nil. Engines hide this behind messages
// of their own.
func (s *System) Denied() error { return s.denied }

// rooted returns a path as kustomize has it.
func rooted(name string) string { return path.Join("/", filepath.ToSlash(name)) }

// at returns what is at a path.
func (s *System) at(name string) wire.Reply {
	name = rooted(name)
	if r, ok := s.known[name]; ok {
		return r
	}
	if name != "/" && !s.at(path.Dir(name)).Dir {
		return wire.Reply{}
	}
	short := strings.TrimPrefix(name, "/")
	r, err := s.conn.Ask(short)
	if err == nil && r.Denied != "" {
		err = fmt.Errorf("%s: %s", short, r.Denied)
	}
	if err != nil && s.denied == nil {
		s.denied = err
	}
	if err != nil {
		r = wire.Reply{}
	}
	slices.Sort(r.Entries)
	s.known[name] = r
	return r
}

// Entries returns the names in a directory, sorted.
func (s *System) Entries(dir string) ([]string, error) {
	r := s.at(dir)
	if !r.Dir {
		return nil, missing("readdir", dir)
	}
	return r.Entries, nil
}

func missing(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }

// IsDir reports whether a directory is at a path.
func (s *System) IsDir(name string) bool { return s.at(name).Dir }

// Exists reports whether anything is at a path.
func (s *System) Exists(name string) bool {
	r := s.at(name)
	return r.Dir || r.File != nil
}

// ReadFile returns the bytes of a file.
func (s *System) ReadFile(name string) ([]byte, error) {
	r := s.at(name)
	if r.File == nil {
		return nil, missing("open", name)
	}
	return *r.File, nil
}

// Open opens a file.
func (s *System) Open(name string) (filesys.File, error) {
	data, err := s.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &file{Reader: bytes.NewReader(data), info: info{path.Base(rooted(name)), int64(len(data)), false}}, nil
}

// CleanedAbs returns the directory of a path, and the name of the file in it if it is one.
func (s *System) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	name = rooted(name)
	switch {
	case s.IsDir(name):
		return filesys.ConfirmedDir(name), "", nil
	case s.Exists(name):
		return filesys.ConfirmedDir(path.Dir(name)), path.Base(name), nil
	}
	return "", "", fmt.Errorf("'%s' does not exist", strings.TrimPrefix(name, "/"))
}

// ReadDir returns the names in a directory.
func (s *System) ReadDir(dir string) ([]string, error) { return s.Entries(dir) }

// Walk walks a directory in the order of names.
func (s *System) Walk(name string, f filepath.WalkFunc) error {
	err := s.walk(rooted(name), f)
	if err == filepath.SkipDir || err == filepath.SkipAll {
		return nil
	}
	return err
}

func (s *System) walk(name string, f filepath.WalkFunc) error {
	r := s.at(name)
	if r.File == nil && !r.Dir {
		return f(name, nil, missing("lstat", name))
	}
	size := int64(0)
	if r.File != nil {
		size = int64(len(*r.File))
	}
	if err := f(name, info{path.Base(name), size, r.Dir}, nil); err != nil || !r.Dir {
		return err
	}
	for _, n := range r.Entries {
		below := path.Join(name, n)
		if err := s.walk(below, f); err != nil && (err != filepath.SkipDir || !s.IsDir(below)) {
			return err
		}
	}
	return nil
}

// Glob returns the paths that match a pattern, sorted.
func (s *System) Glob(pattern string) ([]string, error) {
	found := []string{"/"}
	for part := range strings.SplitSeq(strings.TrimPrefix(rooted(pattern), "/"), "/") {
		var next []string
		for _, dir := range found {
			for _, n := range s.at(dir).Entries {
				ok, err := path.Match(part, n)
				if err != nil {
					return nil, err
				}
				if ok {
					next = append(next, path.Join(dir, n))
				}
			}
		}
		found = next
	}
	return found, nil
}

// Nothing is written: kustomize writes only for commands that weft does not run.
var errReadOnly = fmt.Errorf("weft's engines write no files: %w", fs.ErrPermission)

func (s *System) Create(string) (filesys.File, error) { return nil, errReadOnly }
func (s *System) Mkdir(string) error                  { return errReadOnly }
func (s *System) MkdirAll(string) error               { return errReadOnly }
func (s *System) RemoveAll(string) error              { return errReadOnly }
func (s *System) WriteFile(string, []byte) error      { return errReadOnly }

// file is an open file.
type file struct {
	*bytes.Reader
	info info
}

func (f *file) Close() error               { return nil }
func (f *file) Write([]byte) (int, error)  { return 0, errReadOnly }
func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }

var _ io.ReadCloser = (*file)(nil)

// info describes a file or a directory.
type info struct {
	name string
	size int64
	dir  bool
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.dir }
func (i info) Sys() any           { return nil }

// Mode returns the mode of what weft sends: a file to read, or a directory.
func (i info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// Info returns what the rules of .helmignore ask about a name.
func Info(name string, dir bool) fs.FileInfo { return info{name, 0, dir} }
