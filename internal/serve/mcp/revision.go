package mcp

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/project/git"
	"weft/internal/serve/upgrade"
)

// diffRevision compares an environment as it was at a git revision with the working tree. Nothing is checked
// out.
func (a *arguments) diffRevision(
	ctx context.Context, p *weft.Project, opts weft.DiffOptions,
) (*report, error) {
	env, err := a.environment(p)
	if err != nil {
		return nil, err
	}
	now, err := a.sceneOf(p, env, "")
	if err != nil {
		return nil, err
	}
	files, err := git.Open(ctx, p.Root(), a.Revision)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	old, note, err := openAt(ctx, p, files)
	if err != nil {
		return nil, err
	}
	before := weft.Side{Options: weft.Options{Env: os.Environ()}, Name: a.Revision, Plain: true}
	if env == "" || slices.Contains(old.Names(), env) {
		was, err := a.sceneOf(old, env, files.ID())
		if err != nil {
			return nil, err
		}
		before.Options, before.Plain = was.Options, false
	} else {
		now.note += "; the revision does not have this environment"
	}
	now.note += note
	return compared(ctx, before, weft.Side{Options: now.Options, Name: "the working tree"}, opts, now.note)
}

// openAt opens a project as it was at a revision, by today's weft.yml if there was none, and with the vendored
// sources of today that git ignores. The note says which of these were needed.
func openAt(
	ctx context.Context, p *weft.Project, files *git.Revision,
) (old *weft.Project, note string, err error) {
	abs, err := filepath.Abs(p.Path())
	if err != nil {
		return nil, "", err
	}
	rel, err := filepath.Rel(p.Root(), abs)
	if err != nil || !filepath.IsLocal(rel) {
		return nil, "", diag.Failf(CodeArgument, "the project is not in a git repository")
	}
	opts := weft.ProjectOptions{Path: filepath.ToSlash(rel), FS: files}
	if opened, err := project.Open(project.Options{Path: p.Path()}); err == nil {
		var borrowed []string
		if opts.FS, borrowed, err = upgrade.Borrow(files, opened); err != nil {
			return nil, "", err
		}
		if borrowed != nil {
			note += "; vendored sources that the revision does not have are those of today"
		}
	}
	if _, err := fs.Stat(opts.FS, opts.Path); errors.Is(err, fs.ErrNotExist) {
		if opts.Text, err = os.ReadFile(p.Path()); err != nil {
			return nil, "", err
		}
		note += "; the revision has no " + opts.Path + ", so that of today is used"
	}
	old, err = weft.OpenProject(ctx, opts)
	return old, note, err
}
