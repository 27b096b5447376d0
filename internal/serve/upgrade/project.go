package upgrade

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/gitdir"
	"weft/internal/lang/secret"
	"weft/internal/project"
	"weft/internal/project/fleet"
	"weft/internal/project/test"
	"weft/internal/project/vendor"
)

// subject is a project that is tried: that of the sources, or one that extends it.
type subject struct {
	*trial
	name          string // its folder, unless it is the project of the sources
	before, after *project.Description
	// takes reports which files in a folder of the repository belong to a source, by folder.
	takes map[string]func(name string) bool

	without  map[string][]string // the overlays that fail with the new files, by environment
	rendered []string            // the environments that render with the new files
}

// open opens a project with the old and with the new files.
func (t *trial) open(file string, before, after *files) (*subject, error) {
	s := &subject{trial: t, without: map[string][]string{}}
	opts := project.Options{Path: file, FS: before, AllowOutside: t.opts.AllowOutside}
	var err error
	if s.before, err = project.Open(opts); err != nil {
		return nil, err
	}
	opts.FS = after
	if s.after, err = project.Open(opts); err != nil {
		return nil, err
	}
	s.takes = map[string]func(string) bool{}
	for _, v := range s.after.Vendored() {
		if v.Kind == "dir" {
			s.takes[v.Dir] = vendor.Takes(v)
		}
	}
	return s, nil
}

// extending returns the projects in the repository that extend another one: they use its sources, too.
// Those that cannot be read are broken today, and nothing is known about them.
func (t *trial) extending(own *subject, before, after *files) (list []*subject) {
	_ = fs.WalkDir(after, t.root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil: // a folder that cannot be read
			return fs.SkipDir
		case d.IsDir() && name != t.root && (gitdir.IsName(d.Name()) || own.isUpstream(name+"/x") ||
			isRepository(after, name)):
			return fs.SkipDir
		case d.IsDir() || d.Name() != project.FileName || name == own.after.Path() || own.isUpstream(name):
			return nil
		}
		s, err := t.open(name, before, after)
		if err == nil && slices.ContainsFunc(s.after.Sources(), func(f *project.File) bool {
			return f.Path == own.after.Path()
		}) {
			s.name = t.shown(path.Dir(name))
			maps.Copy(s.takes, own.takes)
			list = append(list, s)
		}
		return t.ctx.Err()
	})
	return list
}

// isRepository reports whether a folder is a repository, whose projects cannot extend one outside.
func isRepository(fsys fs.FS, dir string) bool {
	_, err := fs.Lstat(fsys, path.Join(dir, ".git"))
	return err == nil
}

// label returns the name of an environment in the report.
func (s *subject) label(env string) string { return label(s.name, env) }

func label(project, env string) string { return strings.TrimSpace(project + " " + env) }

// try renders all environments. A project that others extend need not render by itself.
func (s *subject) try(extended bool) error {
	unknown, environments := len(s.report.Unknown), len(s.report.Environments)
	names := s.after.Names()
	if len(names) == 0 {
		names = []string{""}
	}
	for _, env := range names {
		e := &stage{subject: s, env: env, uses: map[string]*overlayUse{}}
		if err := e.run(); err != nil {
			return err
		}
	}
	if extended && s.name == "" && len(s.report.Environments) == environments {
		s.report.Unknown = s.report.Unknown[:unknown]
	}
	return nil
}

// evaluate renders an environment without some overlays. The result has the steps of overlays even if it
// fails.
func (s *subject) evaluate(p *project.Description, env string, without []string) (*engine.Result, error) {
	o, err := fleet.Environment(p, env, s.options(), nil)
	if err != nil {
		return nil, err
	}
	o.Without = without
	session, err := o.Open(s.ctx)
	if err != nil {
		return nil, err
	}
	res, err := session.Evaluate(s.ctx, engine.Request{Explain: true})
	if s.ctx.Err() != nil {
		return nil, context.Cause(s.ctx)
	}
	if res != nil {
		secret.HideData(s.ctx, res.Docs)
	}
	return res, err
}

// isUpstream reports whether a place is in a file of a vendored source.
func (s *subject) isUpstream(at string) bool {
	file, _ := splitPlace(at)
	for _, l := range s.after.Libraries() {
		if name, below := strings.CutPrefix(file, l.Dir+"/"); below {
			takes := s.takes[l.Dir]
			return takes == nil || takes(name)
		}
	}
	return false
}

// runTests runs the tests of the project with the old and the new files, each without the overlays that fail
// in its environment.
func (s *subject) runTests() error {
	if s.rendered == nil {
		return nil
	}
	now, err := s.outcomes(s.after, s.without)
	if err != nil || now == nil {
		return err
	}
	before, err := s.outcomes(s.before, nil)
	if err != nil {
		return err
	}
	type key struct{ file, title string }
	failed := map[key]bool{}
	if before != nil {
		for _, o := range before.Outcomes {
			failed[key{o.File, o.Title()}] = o.Failed()
		}
	}
	for _, o := range now.Outcomes {
		tests, title := &s.report.Tests, o.Title()
		if s.name != "" {
			title = s.name + ": " + title
		}
		switch {
		case !o.Failed():
			tests.Passed++
		case failed[key{o.File, o.Title()}]:
			tests.FailedBefore = append(tests.FailedBefore, title)
		default:
			tests.Failed = append(tests.Failed, title)
		}
	}
	return nil
}

// outcomes runs the tests of one side. It returns nil if there are none, or if they cannot be run, which is
// noted.
func (s *subject) outcomes(p *project.Description, without map[string][]string) (*test.Report, error) {
	opts := test.Options{Options: s.options(), Project: p, LeftOut: without, AllowOutside: s.opts.AllowOutside}
	if len(p.Names()) > 0 {
		opts.Environments = s.rendered
	}
	out, err := test.Run(s.ctx, opts)
	if s.ctx.Err() != nil {
		return nil, context.Cause(s.ctx)
	}
	list := diagnosticsOf(err)
	if out != nil || len(list) > 0 && list[0].Code == test.CodeNone {
		return out, nil
	}
	same := func(p Problem) bool { return p.Project == s.name && p.Message == notRun }
	if err != nil && !slices.ContainsFunc(s.report.Unknown, same) {
		s.report.Unknown = append(s.report.Unknown,
			Problem{Project: s.name, Message: notRun, Errors: diagnostics(err)})
	}
	return nil, nil
}
