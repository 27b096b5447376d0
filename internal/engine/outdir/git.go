package outdir

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"weft/internal/engine/gitdir"
	"weft/internal/lang/diag"
)

// CodeGit is for paths that belong to git: weft never writes or deletes anything there. A file
// there can make the next git command run a program.
const CodeGit diag.Code = "emit/git"

// gitError returns the error for a path in a git directory.
func gitError(shown, git string) *diag.Diagnostic {
	d := diag.Failf(CodeGit, "refusing to write to '%s': it belongs to git", shown)
	if at := relative(git); at != filepath.Clean(shown) {
		d = diag.Failf(CodeGit, "refusing to write to '%s': '%s' belongs to git", shown, at)
	}
	return d.WithHint("weft never writes or deletes what is in a repository of git: choose another path")
}

// relative returns a path for messages: relative to the current directory, if it is below it.
func relative(p string) string {
	wd, err := os.Getwd()
	if err != nil {
		return p
	}
	if rel, err := filepath.Rel(wd, p); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return p
}

// MayWrite returns an error if a path belongs to git: by its name, through links, or because of the
// directories above it. The path need not exist.
func MayWrite(name string) error {
	if git := gitdir.Of(name); git != "" {
		return gitError(name, git)
	}
	return nil
}

// openRoot opens a directory for writing. It makes sure that it opens the directory that it
// checked: it notices if the directory becomes a link in between.
func openRoot(name string) (*os.Root, string, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, "", dirError(name, err)
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		root.Close()
		return nil, "", dirError(name, err)
	}
	real := gitdir.Resolved(abs)
	err = MayWrite(name)
	if err == nil {
		opened, e := root.Stat(".")
		named, f := os.Lstat(real)
		if e == nil && f == nil && !os.SameFile(opened, named) {
			err = diag.Failf(CodeWrite, "the directory '%s' was replaced by another program", name)
		}
	}
	if err != nil {
		root.Close()
		return nil, "", err
	}
	return root, real, nil
}

// notGit returns an error if a file, or a directory on the path to it, belongs to git. Their names
// are already checked, but a file system may have several names for one file, and a repository need
// not be called .git.
func (d *directory) notGit(p string, info fs.FileInfo) error {
	if !info.IsDir() {
		if git, err := d.root.Lstat(path.Join(path.Dir(p), ".git")); err == nil && os.SameFile(git, info) {
			return gitError(d.shown(p), d.real(p))
		}
		return nil
	}
	if git := d.git.OfReal(d.real(p)); git != "" {
		return gitError(d.shown(p), git)
	}
	return nil
}

// inOtherTree reports whether a file is in a work tree that begins inside the directory.
func (d *directory) inOtherTree(p string) bool {
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if _, err := d.root.Lstat(path.Join(dir, ".git")); err == nil {
			return true
		}
	}
	return false
}

// holdsGit returns an error if a directory that is to be removed contains something that belongs to
// git.
func (d *directory) holdsGit(p string, entry fs.DirEntry) error {
	name := entry.Name()
	if gitdir.IsName(name) || entry.IsDir() && (d.isRepository(p) || d.git.OfReal(d.real(p)) != "") {
		return diag.Failf(CodeGit, "refusing to delete '%s': it belongs to git", d.shown(p)).
			WithHint("weft never writes or deletes what is in a repository of git: move it elsewhere, " +
				"or write to another directory")
	}
	return nil
}

func (d *directory) isRepository(p string) bool {
	return gitdir.Is(func(name string) (fs.FileInfo, error) { return d.root.Lstat(path.Join(p, name)) })
}

// removeAll removes a directory that an earlier run left behind, with its content.
func (d *directory) removeAll(p string) error {
	if _, err := d.root.Lstat(p); err != nil {
		return nil // the common case
	}
	err := fs.WalkDir(d.root.FS(), p, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // RemoveAll reports the error too
		}
		return d.holdsGit(at, entry)
	})
	if err != nil {
		return err
	}
	if err := d.root.RemoveAll(p); err != nil {
		return d.failed("removing", p, err)
	}
	return nil
}
