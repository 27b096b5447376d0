package gitdir

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Of returns the git directory that contains a path on disk, or is that path; "" if there is none.
// It follows links, and the path need not exist.
func Of(path string) string { return new(Finder).Of(path) }

// Finder is Of for many paths: it looks at each directory once. The zero value is ready to use. A
// Finder must not be used by several goroutines at once.
type Finder struct {
	here   string               // the current directory, without links
	dirs   map[string]string    // results of the method of, by path without links
	points map[string]*pointers // where the .git of a directory and those above point, by path without links
	none   map[string]bool      // whether a path is missing, by path without links
}

// Of is like the function Of.
func (f *Finder) Of(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	if dir := named(abs); dir != "" {
		return dir
	}
	return f.OfReal(Resolved(abs))
}

// OfReal is Of for an absolute path without links.
func (f *Finder) OfReal(real string) string {
	if f.dirs == nil {
		f.dirs, f.points, f.none = map[string]string{}, map[string]*pointers{}, map[string]bool{}
		if wd, err := os.Getwd(); err == nil {
			f.here = Resolved(wd)
		}
	}
	if dir := f.of(real); dir != "" || f.here == "" {
		return dir
	}
	return f.pointedAt(real, f.here)
}

// of is OfReal, except that it only looks at the path and the directories above it.
func (f *Finder) of(real string) string {
	if dir, ok := f.dirs[real]; ok {
		return dir
	}
	up := filepath.Dir(real)
	dir := ""
	switch {
	case IsName(filepath.Base(real)) || !f.isMissing(real) && (IsRepository(real) || isAlias(real, up)):
		dir = real
	case up != real:
		dir = f.of(up)
	}
	if dir == "" {
		dir = f.pointedAt(real, up)
	}
	f.dirs[real] = dir
	return dir
}

// isMissing reports whether nothing is at a path. Nothing is below a missing directory, so the
// system is asked only once for a path with thousands of them.
func (f *Finder) isMissing(real string) bool {
	none, ok := f.none[real]
	if !ok {
		up := filepath.Dir(real)
		if none = up != real && f.isMissing(up); !none {
			_, err := os.Lstat(real)
			none = errors.Is(err, fs.ErrNotExist)
		}
		f.none[real] = none
	}
	return none
}

// pointers are where the .git of a directory points. nil points nowhere.
type pointers struct {
	targets []string
	above   *pointers // of the next directory above whose .git points somewhere
}

// pointedAt returns where the .git of dir, or of a directory above it, points, if the path is
// there.
func (f *Finder) pointedAt(real, dir string) string {
	for p := f.pointersOf(dir); p != nil; p = p.above {
		for _, t := range p.targets {
			if rel, err := filepath.Rel(t, real); err == nil && filepath.IsLocal(rel) {
				return t
			}
		}
	}
	return ""
}

// pointersOf looks at each directory once: a path may have thousands.
func (f *Finder) pointersOf(dir string) *pointers {
	if p, ok := f.points[dir]; ok {
		return p
	}
	var p *pointers
	if up := filepath.Dir(dir); up != dir {
		p = f.pointersOf(up)
	}
	if !f.isMissing(dir) {
		if targets := targetsOf(filepath.Join(dir, ".git")); len(targets) > 0 {
			p = &pointers{targets, p}
		}
	}
	f.points[dir] = p
	return p
}

// IsRepository reports whether git treats a directory on disk as a repository.
func IsRepository(dir string) bool {
	return Is(func(name string) (fs.FileInfo, error) { return os.Lstat(filepath.Join(dir, name)) })
}

// Is reports whether git treats a directory as a repository, such as a bare one or that of a work
// tree. lstat describes the files in it without following links: HEAD may be a link to a branch
// that has no file.
func Is(lstat func(name string) (fs.FileInfo, error)) bool {
	if _, err := lstat("HEAD"); err != nil {
		return false // the common case
	}
	if info, err := lstat("commondir"); err == nil && !info.IsDir() {
		return true
	}
	return isDir(lstat("objects")) && isDir(lstat("refs"))
}

// isDir reports whether info describes a directory, or a link that may point to one.
func isDir(info fs.FileInfo, err error) bool {
	return err == nil && (info.IsDir() || info.Mode()&fs.ModeSymlink != 0)
}

// isAlias reports whether path is another name that the file system has for the .git of dir.
func isAlias(path, dir string) bool {
	git, err := os.Lstat(filepath.Join(dir, ".git"))
	if err != nil {
		return false
	}
	info, err := os.Lstat(path)
	return err == nil && os.SameFile(git, info)
}

// targetsOf returns where a .git that is not itself a directory points, without links: the
// directory named in the file, and the repository that a work tree shares.
func targetsOf(git string) []string {
	info, err := os.Lstat(git)
	if err != nil || info.IsDir() {
		return nil // its name is enough
	}
	dir := Resolved(git)
	targets := []string{dir}
	if to, ok := strings.CutPrefix(pathIn(dir), "gitdir:"); ok && to != "" {
		dir = from(filepath.Dir(git), to)
		targets = append(targets, dir)
	}
	if to := pathIn(filepath.Join(dir, "commondir")); to != "" {
		targets = append(targets, from(dir, to))
	}
	return targets
}

// from returns a path named in a git file, relative to a directory.
func from(dir, to string) string {
	to = filepath.FromSlash(strings.TrimSpace(to))
	if !filepath.IsAbs(to) {
		to = filepath.Join(dir, to)
	}
	return Resolved(to)
}

// pathIn returns the path that a file contains, or "".
func pathIn(name string) string {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	const longest = 64 << 10 // more than any path
	data, _ := io.ReadAll(io.LimitReader(f, longest))
	return strings.TrimSpace(string(data))
}

// Resolved returns an absolute path without links, as far as it exists. It also follows a link
// whose target does not exist, since a file created there is created at the target.
func Resolved(path string) string {
	return resolve(path, 40) // as many links as Linux follows
}

func resolve(path string, links int) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	if to, err := os.Readlink(path); err == nil && links > 0 {
		if !filepath.IsAbs(to) {
			to = filepath.Join(resolve(dir, links-1), to)
		}
		return resolve(to, links-1)
	}
	return filepath.Join(resolve(dir, links), filepath.Base(path))
}
