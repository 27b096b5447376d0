package load

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"weft/internal/engine/gitdir"
	"weft/internal/lang/diag"
)

// listFS finds the files at name in opt.FS, as Symlinks.list does on disk.
func (opt *Options) listFS(rename, name string) ([]*file, error) {
	name = fsPath(name)
	if !fs.ValidPath(name) {
		return nil, diag.Failf(CodeUnreadable,
			"checking file '%s': not a path inside the file system", name).
			WithHint("paths are relative, have forward slashes and do not begin with ..")
	}
	info, err := fs.Lstat(opt.FS, name)
	if err != nil {
		return nil, statError(name, err, opt.names)
	}
	if info, err = opt.followFS(name, info); err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if !readable(info) {
			return nil, irregular(name)
		}
		return []*file{{rel: orElse(rename, path.Base(name)), path: name, fsys: opt.FS}}, nil
	}
	var files []*file
	err = fs.WalkDir(opt.FS, name, func(p string, entry fs.DirEntry, err error) error {
		if err != nil {
			return diag.Failf(CodeUnreadable, "listing files '%s': %s: %s", name, p, reason(err))
		}
		if p != name && gitdir.IsName(entry.Name()) {
			return skip(entry)
		}
		if entry.IsDir() {
			if p != name && (entry.Name() == staging || opt.isGit(p)) {
				return fs.SkipDir
			}
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return statError(p, err, nil)
		}
		link := info.Mode()&fs.ModeSymlink != 0
		if info, err = opt.followFS(p, info); err != nil {
			return within(name, err)
		}
		if link && gitdir.InFS(opt.FS, p) {
			return nil // skip a link to something that is skipped
		}
		rel := p
		if name != "." {
			rel = strings.TrimPrefix(p, name+"/")
		}
		files = append(
			files,
			&file{
				rel:       rel,
				path:      p,
				fsys:      opt.FS,
				listed:    true,
				irregular: !info.IsDir() && !info.Mode().IsRegular(),
			},
		)
		return nil
	})
	return files, err
}

// isGit reports whether a directory in opt.FS belongs to git.
func (opt *Options) isGit(dir string) bool {
	return gitdir.Is(func(name string) (fs.FileInfo, error) { return fs.Lstat(opt.FS, path.Join(dir, name)) })
}

func (opt *Options) followFS(name string, info fs.FileInfo) (fs.FileInfo, error) {
	if info.Mode()&fs.ModeSymlink == 0 {
		return info, nil
	}
	if target, ok := gitdir.RealIn(opt.FS, name); !opt.Symlinks.All && !(ok && opt.Symlinks.allowsIn(opt.FS, target)) {
		return nil, notAllowed(name, target)
	}
	info, err := fs.Stat(opt.FS, name)
	if err != nil {
		return nil, linkError(name, "", err)
	}
	return info, nil
}

// allowsIn reports whether links to a path in a file system may be followed.
func (s Symlinks) allowsIn(fsys fs.FS, target string) bool {
	return slices.ContainsFunc(s.Allowed, func(allowed string) bool {
		dir, ok := gitdir.RealIn(fsys, path.Clean(allowed))
		return ok && (dir == "." || hasPathPrefix(target, dir, '/'))
	})
}

// fsPath converts a path for io/fs: "./config/" becomes "config". Paths out of the file system stay
// as they are.
func fsPath(name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return path.Clean(name)
}

// names returns the names in a directory of opt.FS.
func (opt *Options) names(dir string) []string {
	entries, err := fs.ReadDir(opt.FS, path.Clean(dir))
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
