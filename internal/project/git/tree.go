package git

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"weft/internal/lang/diag"
)

// tree is the files of a revision as a file system. It never changes.
type tree struct {
	nodes map[string]*node // by their paths
	read  func(id string) ([]byte, error)
}

// node is a file, a directory, a symbolic link or a submodule.
type node struct {
	name    string
	mode    fs.FileMode
	id      string
	size    int64
	entries []fs.DirEntry // entries of a directory, sorted
}

// parseTree reads what `git ls-tree -r -z --long` prints, and keeps what is below prefix.
func parseTree(list []byte, prefix string, read func(string) ([]byte, error)) (*tree, error) {
	t := &tree{nodes: map[string]*node{}, read: read}
	t.nodes["."] = &node{name: ".", mode: fs.ModeDir | 0o755}
	for len(list) > 0 {
		line, rest, _ := bytes.Cut(list, []byte{0})
		list = rest
		head, name, ok := strings.Cut(string(line), "\t")
		words := strings.Fields(head)
		if !ok || len(words) != 4 {
			return nil, diag.Failf(CodeRevision, "cannot understand the file list of git: %q", line)
		}
		name, ok = strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		n := &node{name: path.Base(name), id: words[2]}
		n.size, _ = strconv.ParseInt(words[3], 10, 64) // a submodule has no size
		switch {
		case words[1] == "commit":
			n.mode = fs.ModeDir | 0o755
		case words[0] == "120000":
			n.mode = fs.ModeSymlink | 0o777
		case words[0] == "100755":
			n.mode = 0o755
		default:
			n.mode = 0o644
		}
		if len(t.nodes) > maxNodes {
			return nil, diag.Failf(CodeRevision, "the repository has more than %d files and folders", maxNodes).
				WithHint("fetch an archive of the files that you need, with `http` instead of `git`")
		}
		if !isHonest(name) || !t.add(name, n) {
			return nil, diag.Failf(CodeRevision, "the repository is made to attack: its tree has the entry '%s'",
				name).WithHint("do not use it: git itself never writes such an entry")
		}
	}
	for _, n := range t.nodes {
		slices.SortFunc(n.entries, func(a, b fs.DirEntry) int {
			return strings.Compare(a.Name(), b.Name())
		})
	}
	return t, nil
}

const (
	maxNodes = 1_000_000 // the largest public repositories have half of that
	maxName  = 4096      // the length of paths on most systems
)

// isHonest reports whether a path of a tree can be one that git wrote.
func isHonest(name string) bool {
	if len(name) > maxName {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// add adds a node and the directories around it. It reports false if there is one with this path, or if it
// would be below a file.
func (t *tree) add(name string, n *node) bool {
	if t.nodes[name] != nil {
		return false
	}
	t.nodes[name] = n
	dir := path.Dir(name)
	above := t.nodes[dir]
	if above == nil {
		above = &node{name: path.Base(dir), mode: fs.ModeDir | 0o755}
		if !t.add(dir, above) {
			return false
		}
	}
	above.entries = append(above.entries, entry{n})
	return above.mode.IsDir() && above.id == ""
}

// isSubmodule reports whether a node is another repository. This one has only its revision, not its
// files.
func (n *node) isSubmodule() bool { return n.mode.IsDir() && n.id != "" }

var errSubmodule = errors.New("is a submodule, which weft does not read at a revision")

// maxLinks is the maximum number of symbolic links on the way to a file.
const maxLinks = 40

// find returns the node at a path. It follows links on the way, and the last one if follow is set.
func (t *tree) find(op, name string, follow bool) (*node, string, error) {
	fail := func(err error) (*node, string, error) {
		return nil, "", &fs.PathError{Op: op, Path: name, Err: err}
	}
	if !fs.ValidPath(name) {
		return fail(fs.ErrInvalid)
	}
	at, rest, links := ".", name, 0
	for rest != "" {
		part, more, _ := strings.Cut(rest, "/")
		rest = more
		at = path.Join(at, part)
		n := t.nodes[at]
		switch {
		case n == nil:
			return fail(fs.ErrNotExist)
		case n.isSubmodule() && rest != "":
			return fail(errSubmodule)
		case n.mode&fs.ModeSymlink != 0 && (follow || rest != ""):
			if links++; links > maxLinks {
				return fail(errors.New("too many symbolic links"))
			}
			if n.size > maxName {
				return fail(errors.New("the target of the symbolic link is too long"))
			}
			target, err := t.read(n.id)
			if err != nil {
				return fail(err)
			}
			to := path.Join(path.Dir(at), string(target))
			if path.IsAbs(string(target)) || !fs.ValidPath(to) {
				return fail(fmt.Errorf("the symbolic link leads to %q, outside the revision", target))
			}
			at, rest = ".", path.Join(to, rest)
			if rest == "." {
				rest = ""
			}
		}
	}
	return t.nodes[at], at, nil
}

// Open implements fs.FS.
func (t *tree) Open(name string) (fs.File, error) {
	n, _, err := t.find("open", name, true)
	if err != nil {
		return nil, err
	}
	if n.isSubmodule() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errSubmodule}
	}
	if n.mode.IsDir() {
		return &openDir{node: n}, nil
	}
	data, err := t.read(n.id)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{node: n, Reader: bytes.NewReader(data)}, nil
}

// Stat implements fs.StatFS.
func (t *tree) Stat(name string) (fs.FileInfo, error) {
	n, _, err := t.find("stat", name, true)
	if err != nil {
		return nil, err
	}
	return info{n}, nil
}

// Lstat implements fs.ReadLinkFS.
func (t *tree) Lstat(name string) (fs.FileInfo, error) {
	n, _, err := t.find("lstat", name, false)
	if err != nil {
		return nil, err
	}
	return info{n}, nil
}

// ReadLink implements fs.ReadLinkFS.
func (t *tree) ReadLink(name string) (string, error) {
	n, _, err := t.find("readlink", name, false)
	if err == nil && n.mode&fs.ModeSymlink == 0 {
		err = &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return "", err
	}
	target, err := t.read(n.id)
	return string(target), err
}

// entry is a node in a directory.
type entry struct{ *node }

func (e entry) Name() string               { return e.name }
func (e entry) IsDir() bool                { return e.mode.IsDir() }
func (e entry) Type() fs.FileMode          { return e.mode.Type() }
func (e entry) Info() (fs.FileInfo, error) { return info{e.node}, nil }

// info describes a node.
type info struct{ node *node }

func (i info) Name() string       { return i.node.name }
func (i info) Size() int64        { return i.node.size }
func (i info) Mode() fs.FileMode  { return i.node.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.node.mode.IsDir() }
func (i info) Sys() any           { return nil }

// openFile is a file that is open for reading.
type openFile struct {
	node *node
	*bytes.Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return info{f.node}, nil }
func (f *openFile) Close() error               { return nil }

// openDir is a directory that is open for reading.
type openDir struct {
	node *node
	at   int
}

func (d *openDir) Stat() (fs.FileInfo, error) { return info{d.node}, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.node.name, Err: errors.New("is a directory")}
}

// ReadDir implements fs.ReadDirFile.
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := d.node.entries[d.at:]
	if n <= 0 {
		d.at = len(d.node.entries)
		return slices.Clone(rest), nil
	}
	if len(rest) == 0 {
		return nil, io.EOF
	}
	rest = rest[:min(n, len(rest))]
	d.at += len(rest)
	return slices.Clone(rest), nil
}
