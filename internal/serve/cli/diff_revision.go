package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/project/git"
	"weft/internal/serve/cli/process"
	"weft/internal/serve/upgrade"
)

// atRevision sets the revision of the first side, or of both.
func (f *diffFlags) atRevision(cmd *cobra.Command, a, b *weft.Side) (func(), error) {
	var open []func()
	closing := func() {
		for _, c := range open {
			c()
		}
	}
	at := func(s *weft.Side, name string, others otherSide) error {
		r, c, err := openGit(cmd, ".", name)
		if err != nil {
			return err
		}
		open = append(open, c)
		s.FS, s.Revision, s.Name = r, r.ID(), name
		return below(s, localTo("", "--rev"), func(flag, arg, path string) error {
			return others.missing(r, name, flag, arg, path)
		})
	}
	first, second, err := f.revisionNames()
	if err != nil {
		return closing, err
	}
	if err := at(a, first, otherSide{"--b", f.a}); err != nil {
		return closing, err
	}
	if second != "" {
		return closing, at(b, second, otherSide{"--a", f.b})
	}
	b.Name = "the working tree"
	return closing, nil
}

// openGit opens a revision, and returns the function that closes it. A command that watches leaves it
// open for its next run, which reuses it if the name still means the same revision.
func openGit(cmd *cobra.Command, dir, name string) (r *git.Revision, closing func(), err error) {
	w := process.WatchingOf(cmd)
	if w == nil {
		if r, err = git.Open(cmd.Context(), dir, name); err != nil {
			return nil, nil, err
		}
		return r, r.Close, nil
	}
	key := [2]string{dir, name}
	if r = w.Revisions[key]; r == nil || !r.Is(name) {
		if r != nil {
			r.Close()
			delete(w.Revisions, key)
		}
		if r, err = git.Open(cmd.Context(), dir, name); err != nil {
			return nil, nil, err
		}
		if w.Revisions == nil {
			w.Revisions = map[[2]string]*git.Revision{}
		}
		w.Revisions[key] = r
	}
	return r, func() {}, nil
}

// revisionNames returns the revisions that --rev names. The second is "" if it is the working tree.
func (f *diffFlags) revisionNames() (first, second string, err error) {
	first, second, two := strings.Cut(f.rev, "..")
	if two && (first == "" || second == "" || strings.HasPrefix(second, ".")) {
		return "", "", process.Usagef("--rev takes REV or REV..REV, but found '%s'", f.rev)
	}
	return first, second, nil
}

// otherSide returns the flag of the side that is not at a revision, and describes the flags of the
// side that is.
type otherSide struct{ flag, own string }

// missing returns the error that a file does not exist at a revision, if it exists in the working
// tree. Otherwise its name is misspelled, which other messages explain better.
func (o otherSide) missing(r *git.Revision, rev, flag, arg, path string) error {
	if _, err := fs.Stat(r, path); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Stat(filepath.FromSlash(path)); err != nil {
		return nil
	}
	d := diag.Failf(git.CodeRevision, "'%s' does not exist at revision '%s'", path, rev)
	switch {
	case flag == "":
		d.WithHint("name a directory that is there at the revision")
	case !strings.Contains(o.own, arg):
		d.WithHint("if it is new, give it to one side only: %s %s", o.flag,
			diag.InShell(flag+" "+diag.InShell(arg)))
	}
	return d
}

// revision is a project at a git revision; nil means the working tree.
type revision struct {
	rev     string
	files   *git.Revision
	fs      fs.FS // the same, with vendored sources that git ignores
	closing func()
	path    string // the path of the project file, below the root
	here    string // the current directory, below the root
}

func (r *revision) close() {
	if r != nil && r.files != nil {
		r.closing()
	}
}

func (r *revision) name() string {
	if r == nil {
		return "the working tree"
	}
	return r.rev
}

// revisions returns the revisions of the two sides.
func (f *diffFlags) revisions(
	cmd *cobra.Command, p *weft.Project,
) (first, second *revision, err error) {
	name, other, err := f.revisionNames()
	if err != nil {
		return nil, nil, err
	}
	if first, err = openRevision(cmd, p, name); err == nil && other != "" {
		second, err = openRevision(cmd, p, other)
	}
	return first, second, err
}

func openRevision(cmd *cobra.Command, p *weft.Project, name string) (*revision, error) {
	r := &revision{rev: name}
	var err error
	if r.path, err = belowRoot(p, p.Path()); err != nil {
		return nil, err
	}
	if r.here, err = belowRoot(p, "."); err != nil {
		return nil, err
	}
	if r.files, r.closing, err = openGit(cmd, p.Root(), name); err != nil {
		return r, err
	}
	return r, r.borrow(cmd, p)
}

// borrow adds the vendored sources that the revision does not have, because git ignores them, as they are
// today, and says so.
func (r *revision) borrow(cmd *cobra.Command, p *weft.Project) error {
	r.fs = r.files
	opened, err := project.Open(project.Options{Path: p.Path()})
	if err != nil {
		return nil // it uses something that was allowed, and is reported where it is used
	}
	var borrowed []string
	if r.fs, borrowed, err = upgrade.Borrow(r.files, opened); err != nil || borrowed == nil {
		return err
	}
	process.MessagesOf(cmd).Info("note: " + diag.Visible(strings.Join(borrowed, ", ")) + " is not in " +
		diag.Visible(r.rev) + ": both sides use the sources of today\n")
	return nil
}

// belowRoot returns a path on disk relative to the root of a project.
func belowRoot(p *weft.Project, path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(p.Root(), abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", process.Usagef("'%s' is not in the repository of the project", path).
			WithHint("change to a directory in '%s'", p.Root())
	}
	return filepath.ToSlash(rel), nil
}
