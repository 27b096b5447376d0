package mcp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/project/git"
	"weft/internal/serve/upgrade"
)

// diffRevision compares an environment as it was at a git revision with the working tree: all environments if
// the call names none. Nothing is checked out.
func (a *arguments) diffRevision(
	ctx context.Context, p *weft.Project, opts weft.DiffOptions,
) (*report, error) {
	files, err := git.Open(ctx, p.Root(), a.Revision)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	old, note, err := openAt(ctx, p, files)
	if err != nil {
		return nil, err
	}
	if a.Environment == "" && len(p.Names()) > 0 {
		return a.diffAll(ctx, p, old, files.ID(), opts, note)
	}
	env := a.Environment
	now, err := a.sceneOf(p, env, "")
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

// diffAll compares all environments with those of a revision.
func (a *arguments) diffAll(
	ctx context.Context, p, old *weft.Project, revision string, opts weft.DiffOptions, note string,
) (*report, error) {
	runs := func(p *weft.Project, revision, side string) weft.ProjectRuns {
		names := p.Names()
		list, errs := make([]weft.Options, len(names)), make([]error, len(names))
		for i, name := range names { // now, because the runs ask for them at the same time
			s, err := a.sceneOf(p, name, revision)
			if errs[i] = err; err == nil {
				list[i] = s.Options
			}
		}
		return weft.ProjectRuns{Names: names, Side: side, Options: func(i int) (weft.Options, error) {
			return list[i], errs[i]
		}}
	}
	before, after := runs(old, revision, a.Revision), runs(p, "", "the working tree")
	r := &report{}
	var changed []string
	failing := 0
	byCause, err := weft.DiffAll(ctx, before, after, &opts,
		func(name, change string, _ *weft.DiffReport, failed [2]error) error {
			switch {
			case failed[1] != nil:
				failing++
				r.failed = true
				r.data += name + " fails:\n" + failure(ctx, failed[1]).data
			case failed[0] != nil:
				r.data += name + " failed at the revision\n"
			case change != "same":
				changed = append(changed, name+" ("+change+")")
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	r.summary = fmt.Sprintf("%d of %s: what changes in the output; + added, - removed, ~ changed", len(changed),
		diag.Count(len(after.Names), "environment"))
	if len(changed) == 0 {
		r.summary = "nothing changes in " + diag.Count(len(after.Names)-failing, "environment")
	} else {
		slices.Sort(changed)
		r.data += "environments: " + strings.Join(changed, ", ") + "\n"
	}
	if failing > 0 {
		r.summary += "; " + diag.Count(failing, "environment") + " failed"
	}
	r.summary += note
	if byCause != nil && !byCause.Same() {
		text, err := written(byCause, weft.ReportOptions{})
		if err != nil {
			return nil, err
		}
		r.data += text
	}
	return r, nil
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
