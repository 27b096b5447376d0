package gitdir

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// InFS reports whether a path in a file system belongs to git, even through links.
func InFS(fsys fs.FS, name string) bool {
	if IsBelow(name) {
		return true
	}
	real, ok := RealIn(fsys, name)
	if IsBelow(real) || !ok {
		return IsBelow(real)
	}
	for dir := real; dir != "."; dir = path.Dir(dir) {
		if Is(func(x string) (fs.FileInfo, error) { return fs.Lstat(fsys, path.Join(dir, x)) }) {
			return true
		}
	}
	return false
}

// RealIn returns a valid path in a file system without links, as far as it exists. If a link leads out of the
// file system, ok is false, and the result is where it leads. A file system that cannot tell links has none.
func RealIn(fsys fs.FS, name string) (real string, ok bool) {
	real = "."
	rest := strings.Split(name, "/")
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		if part == ".." && real == "." {
			return path.Join(append([]string{".."}, rest...)...), false
		}
		at := path.Join(real, part) // real has no links, so `..` is the folder above
		info, err := fs.Lstat(fsys, at)
		if errors.Is(err, errOutside) {
			return path.Join(append([]string{at}, rest...)...), false
		}
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			real = at
			continue
		}
		to, err := fs.ReadLink(fsys, at)
		links++
		if err != nil || links > 40 { // as many links as Linux follows
			return at, false
		}
		slashed := filepath.ToSlash(to)
		if filepath.IsAbs(to) || path.IsAbs(slashed) {
			return path.Join(append([]string{slashed}, rest...)...), false
		}
		rest = append(strings.Split(slashed, "/"), rest...)
	}
	return real, true
}
