package outdir

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"weft/internal/engine/gitdir"
	"weft/internal/lang/diag"
)

// CodeGit is for what is git's own: nothing is written or deleted there, whoever asks. A file in it
// can make the next git command run a program.
const CodeGit diag.Code = "emit/git"

// gitError says that a path is in a directory of git.
func gitError(shown, git string) *diag.Diagnostic {
	d := diag.Failf(CodeGit, "refusing to write to '%s': it belongs to git", shown)
	if at := relative(git); at != filepath.Clean(shown) {
		d = diag.Failf(CodeGit, "refusing to write to '%s': '%s' belongs to git", shown, at)
	}
	return d.WithHint("weft never writes or deletes what is in a repository of git: choose another path")
}

// relative returns a path as messages show it: from the current directory, if it is there.
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

// MayWrite complains about a path that is git's own, by its name, by way of links, or because of
// what is in the directories above it. The path need not exist.
func MayWrite(name string) error {
	if git := gitdir.Of(name); git != "" {
		return gitError(name, git)
	}
	return nil
}

// openRoot opens a directory to write to. What is opened is what was looked at: a directory that
// becomes a link in between is noticed.
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

// notGit complains if a directory on the way to a file, or the file itself, is git's own. Their
// names are known to be others, but a file system may have several for one file, and a repository
// need not be called .git.
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

// holdsGit complains about what is git's own in a directory that is to be removed.
func (d *directory) holdsGit(p string, entry fs.DirEntry) error {
	name := entry.Name()
	if gitdir.IsName(name) || entry.IsDir() && d.isRepository(p) {
		return diag.Failf(CodeGit, "refusing to delete '%s': it belongs to git", d.shown(p)).
			WithHint("weft never writes or deletes what is in a repository of git: move it elsewhere, " +
				"or write to another directory")
	}
	return nil
}

func (d *directory) isRepository(p string) bool {
	return gitdir.Is(func(name string) (fs.FileInfo, error) { return d.root.Lstat(path.Join(p, name)) })
}

// removeAll removes a directory that a run has left, with all that is in it.
func (d *directory) removeAll(p string) error {
	if _, err := d.root.Lstat(p); err != nil {
		return nil // as it is in nearly all cases
	}
	err := fs.WalkDir(d.root.FS(), p, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // which removing it finds out, too
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
