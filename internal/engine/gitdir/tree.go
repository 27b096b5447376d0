package gitdir

import (
	"io/fs"
	"path"
	"strings"
)

// InTree returns the first folder of a tree that git would treat as a repository, and ".git" in the paths of
// its files is not the only way to have one: whoever runs git below such a folder runs what its config says.
// The tree is given by the paths of its files, with slashes; "." is its top. Case does not count, since the
// tree may be written to a file system that ignores it.
func InTree(files []string) (folder string, ok bool) {
	folders := map[string]names{}
	for _, file := range files {
		isDir := false
		for name := file; name != "."; name = path.Dir(name) {
			in := folders[path.Dir(name)]
			if in == nil {
				in = names{}
				folders[path.Dir(name)] = in
			}
			base := folded(path.Base(name))
			if in[base].dir && isDir {
				break // and so are the folders above it
			}
			in[base] = nameInfo{dir: in[base].dir || isDir}
			isDir = true
		}
	}
	for dir, in := range folders {
		if Is(in.lstat) && (!ok || dir < folder) {
			folder, ok = dir, true
		}
	}
	return folder, ok
}

// folded returns the same text for names that some file system treats as equal. Upper case comes first: some
// letters have more than one lower case, such as s and ſ.
func folded(name string) string { return strings.ToLower(strings.ToUpper(plain(name))) }

// names are the names in a folder, folded.
type names map[string]nameInfo

func (n names) lstat(name string) (fs.FileInfo, error) {
	info, ok := n[folded(name)]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return info, nil
}

// nameInfo describes a file or a folder of a tree, of which only the names are known.
type nameInfo struct {
	fs.FileInfo // nil: nothing else is asked for
	dir         bool
}

func (i nameInfo) IsDir() bool { return i.dir }

func (i nameInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir
	}
	return 0
}
