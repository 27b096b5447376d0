package upgrade

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/origin/compare"
	"weft/internal/origin/diff"
	"weft/internal/project"
	"weft/internal/project/archive"
	"weft/internal/project/fleet"
	"weft/internal/project/test"
	"weft/internal/project/vendor"
)

// Options says how the project is rendered.
type Options struct {
	Env      []string // environment variables for data values
	AllowEnv []string // prefixes of those that the project may read
}

// Try finds out what candidates would do to the project that they belong to. Nothing is written.
func Try(ctx context.Context, v *vendor.Vendor, list []vendor.Candidate, opts Options) (*Report, error) {
	t := &trial{ctx: ctx, opts: opts, overlays: map[string]*overlayUse{}}
	root, err := os.OpenRoot(v.Project.Root())
	if err != nil {
		return nil, diag.Failf(project.CodePath, "opening '%s': %s", v.Project.Root(), err)
	}
	defer root.Close()
	before, after := newFiles(root.FS()), newFiles(root.FS())
	for i := range list {
		dir, err := belowRoot(v.Project, list[i].Source.Dir)
		if err != nil {
			return nil, err
		}
		var was []archive.File
		if list[i].Was != nil {
			was = list[i].Was.Files()
		}
		before.replace(dir, was)
		after.replace(dir, list[i].Files.Files())
		s, err := sourceOf(&list[i])
		if err != nil {
			return nil, err
		}
		t.report.Sources = append(t.report.Sources, s)
	}
	if err := t.open(v.Project, before, after); err != nil {
		return nil, err
	}
	for _, env := range t.names() {
		if err := t.environment(env); err != nil {
			return nil, err
		}
	}
	t.judge()
	if err := t.runTests(v.Project.Root()); err != nil {
		return nil, err
	}
	return &t.report, nil
}

// trial is a run of Try.
type trial struct {
	ctx           context.Context
	opts          Options
	before, after *project.Description
	report        Report

	overlays map[string]*overlayUse // by place
	without  []string               // overlays that are broken, or depend on broken ones
}

// overlayUse is what an overlay document did in all environments, before and after.
type overlayUse struct {
	place   string
	effects [2]map[string]int // the changes that it made, by the lines of the overlay
	matched [2]bool
	broken  *Overlay // nil unless it is broken
	needs   string   // the broken overlay that it needs, or ""
}

// belowRoot returns a path relative to the root of a project, as io/fs has it.
func belowRoot(p *project.Description, name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err == nil {
		var rel string
		if rel, err = filepath.Rel(p.Root(), abs); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), nil
		}
	}
	return "", diag.Failf(project.CodeOutside, "'%s' is outside of the project", name)
}

func newFiles(disk fs.FS) *files { return &files{disk: disk, nodes: map[string]*node{}} }

// open opens the project with the old and with the new files.
func (t *trial) open(p *project.Description, before, after *files) error {
	path, err := belowRoot(p, p.Path())
	if err != nil {
		return err
	}
	if t.before, err = project.Open(project.Options{Path: path, FS: before}); err != nil {
		return err
	}
	t.after, err = project.Open(project.Options{Path: path, FS: after})
	return err
}

// names returns the environments; a project without any has one without a name.
func (t *trial) names() []string {
	if names := t.after.Names(); len(names) > 0 {
		return names
	}
	return []string{""}
}

// evaluate renders an environment without some overlays. The result has the steps of overlays even if it
// fails.
func (t *trial) evaluate(p *project.Description, env string, without []string) (*engine.Result, error) {
	o, err := fleet.Environment(p, env, t.options(without), nil)
	if err != nil {
		return nil, err
	}
	o.Warnings = engine.WarningsOff
	s, err := o.Open(t.ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.Evaluate(t.ctx, engine.Request{Explain: true})
	if t.ctx.Err() != nil {
		return nil, context.Cause(t.ctx)
	}
	if res != nil {
		secret.HideData(t.ctx, res.Docs)
	}
	return res, err
}

func (t *trial) options(without []string) fleet.Options {
	return fleet.Options{
		Env: t.opts.Env, AllowEnv: t.opts.AllowEnv, Warnings: engine.WarningsOff,
		Hidden: fleet.Hidden{Without: without},
	}
}

// environment renders an environment with the old and the new files, and notes what its overlays do.
func (t *trial) environment(env string) error {
	old, err := t.evaluate(t.before, env, nil)
	if t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	if err != nil {
		t.report.Unknown = append(t.report.Unknown,
			Problem{Environment: env, Message: "does not render today", Errors: diagnostics(err)})
		return nil
	}
	t.note(0, old)
	now, without, err := t.settle(env)
	if t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	e := Environment{Name: env}
	if err != nil {
		e.Errors = diagnostics(err)
		t.report.Environments = append(t.report.Environments, e)
		return nil
	}
	t.note(1, now)
	before := old
	if len(without) > 0 { // compare what can be compared
		if some, err := t.evaluate(t.before, env, without); err == nil {
			before = some
		}
	}
	d := compare.Results(before, now, [2]string{"before", "after"}, diff.Options{})
	e.Difference, e.Summary = d.Difference, Counts(d.Summary())
	t.report.Environments = append(t.report.Environments, e)
	return nil
}

// maxBroken is how many broken overlays an environment may have: each needs another evaluation.
const maxBroken = 500

// settle renders an environment with the new files, without the overlays that fail. It returns the error if
// something else fails.
func (t *trial) settle(env string) (*engine.Result, []string, error) {
	var without []string
	for {
		res, err := t.evaluate(t.after, env, without)
		if err == nil || t.ctx.Err() != nil || len(without) > maxBroken {
			return res, without, err
		}
		at, failed := failedOverlay(res, err)
		if at == "" || slices.Contains(without, at) {
			return nil, without, err
		}
		use := t.use(at)
		switch {
		case use.broken != nil || use.needs != "": // in another environment
		case len(without) > 0 && t.fails(env, without, at):
			use.needs = without[len(without)-1]
		default:
			use.broken = failed
		}
		if use.broken != nil && !slices.Contains(use.broken.Environments, env) && env != "" {
			use.broken.Environments = append(use.broken.Environments, env)
		}
		without = append(without, at)
		if !slices.Contains(t.without, at) {
			t.without = append(t.without, at)
		}
	}
}

// fails reports whether an overlay also fails with the old files if others are left out: then it needs
// them, and the new files are not to blame.
func (t *trial) fails(env string, without []string, at string) bool {
	res, err := t.evaluate(t.before, env, without)
	if err == nil {
		return false
	}
	failed, _ := failedOverlay(res, err)
	return failed == at
}

// failedOverlay returns the place of the overlay document that made a run fail, and what is wrong; "" if
// something else did.
func failedOverlay(res *engine.Result, err error) (string, *Overlay) {
	f := diag.FailureOf(err)
	if res == nil || f == nil || len(f.List) == 0 || !res.Explained || len(res.Steps) == 0 {
		return "", nil
	}
	last := res.Steps[len(res.Steps)-1]
	at := place(f.Files, last.Overlay)
	first := f.List[0]
	for _, d := range f.List {
		if d.Severity == diag.Error {
			first = d
			break
		}
	}
	file := f.Files.File(first.At.Pos)
	isOverlay := file != nil && file == f.Files.File(last.Overlay.Pos)
	if last.Applied || at == "" || !isOverlay && !strings.HasPrefix(string(first.Code), "overlay/") {
		return "", nil
	}
	o := &Overlay{Place: cmp.Or(place(f.Files, first.At), at), Message: first.Message, Hint: first.Hint}
	for _, r := range first.Related {
		if r.Message == "" || strings.HasPrefix(r.Message, "in this overlay") {
			continue
		}
		n := Near{Place: place(f.Files, r.At), Message: r.Message}
		n.Message = strings.TrimSuffix(n.Message, " at "+n.Place)
		o.Near = append(o.Near, n)
	}
	return at, o
}

// place returns a place as a line of a file, or "".
func place(files *source.Set, at source.Span) string {
	if files == nil {
		return ""
	}
	if f := files.File(at.Pos); f != nil {
		return f.WhereLine(at.Offset())
	}
	return ""
}

func (t *trial) use(at string) *overlayUse {
	u := t.overlays[at]
	if u == nil {
		u = &overlayUse{place: at, effects: [2]map[string]int{{}, {}}}
		t.overlays[at] = u
	}
	return u
}

// note records what overlays did on one side.
func (t *trial) note(side int, res *engine.Result) {
	for i := range res.Steps {
		s := &res.Steps[i]
		at := place(res.Files, s.Overlay)
		if s.Applied || at == "" {
			continue
		}
		u := t.use(at)
		u.matched[side] = u.matched[side] || len(s.Matched) > 0
		for _, x := range s.Effects {
			switch x.Kind.String() {
			case "changed", "added", "removed":
				u.effects[side][place(res.Files, x.At)]++
			}
		}
	}
}

// judge sorts the overlays by what became of them.
func (t *trial) judge() {
	for _, at := range slices.SortedFunc(maps.Keys(t.overlays), byPlace) {
		u := t.overlays[at]
		o := &t.report.Overlays
		switch {
		case u.broken != nil:
			o.Broken = append(o.Broken, *u.broken)
		case u.needs != "":
			o.Dependent = append(o.Dependent, Overlay{Place: at, Message: "needs " + u.needs + ", which is broken"})
		case len(u.effects[0]) > 0 && len(u.effects[1]) == 0:
			message := "changes nothing any more: upstream has these values itself"
			if !u.matched[1] {
				message = "matches nothing any more"
			}
			o.Unneeded = append(o.Unneeded, Overlay{Place: firstPlace(u.effects[0]), Message: message})
		default:
			o.Fit++
			for _, line := range slices.SortedFunc(maps.Keys(u.effects[0]), byPlace) {
				if u.effects[1][line] == 0 {
					o.Partly = append(o.Partly, Overlay{Place: line, Message: "changes nothing any more"})
				}
			}
		}
	}
}

func firstPlace(effects map[string]int) string {
	return slices.SortedFunc(maps.Keys(effects), byPlace)[0]
}

// byPlace orders places by file, and then by line.
func byPlace(a, b string) int {
	fileA, lineA := splitPlace(a)
	fileB, lineB := splitPlace(b)
	return cmp.Or(strings.Compare(fileA, fileB), cmp.Compare(len(lineA), len(lineB)),
		strings.Compare(lineA, lineB))
}

func splitPlace(at string) (file, line string) {
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		return at, ""
	}
	return at[:i], at[i+1:]
}

// runTests runs the tests of the project with the old and the new files, without the overlays that are
// broken. Test files are on disk, and their paths begin at the root.
func (t *trial) runTests(root string) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if here != root {
		if err := os.Chdir(root); err != nil {
			return diag.Failf(project.CodePath, "'%s': %s", root, err)
		}
		defer func() { _ = os.Chdir(here) }()
	}
	now, err := t.outcomes(t.after, t.without)
	if err != nil || now == nil {
		return err
	}
	before, err := t.outcomes(t.before, nil)
	if err != nil {
		return err
	}
	failed := map[string]bool{}
	if before != nil {
		for _, o := range before.Outcomes {
			failed[o.Title()] = o.Failed()
		}
	}
	for _, o := range now.Outcomes {
		tests := &t.report.Tests
		switch {
		case !o.Failed():
			tests.Passed++
		case failed[o.Title()]:
			tests.FailedBefore = append(tests.FailedBefore, o.Title())
		default:
			tests.Failed = append(tests.Failed, o.Title())
		}
	}
	return nil
}

// outcomes runs the tests of one side. It returns nil if there are none, or if they cannot be run, which is
// noted.
func (t *trial) outcomes(p *project.Description, without []string) (*test.Report, error) {
	out, err := test.Run(t.ctx, test.Options{Options: t.options(without), Project: p})
	if t.ctx.Err() != nil {
		return nil, context.Cause(t.ctx)
	}
	list := diagnosticsOf(err)
	if out != nil || len(list) > 0 && list[0].Code == test.CodeNone {
		return out, nil
	}
	known := slices.ContainsFunc(t.report.Unknown, func(p Problem) bool { return p.Message == notRun })
	if err != nil && !known {
		t.report.Unknown = append(t.report.Unknown, Problem{Message: notRun, Errors: diagnostics(err)})
	}
	return nil, nil
}

const notRun = "the tests cannot be run"

func diagnosticsOf(err error) diag.List {
	if f, ok := errors.AsType[*diag.Failure](err); ok {
		return f.List
	}
	return diag.Of(err)
}

// diagnostics returns the messages of an error, each with its place.
func diagnostics(err error) (all []string) {
	f := diag.FailureOf(err)
	if f == nil {
		return []string{err.Error()}
	}
	for _, d := range f.List {
		text := d.Message
		if at := place(f.Files, d.At); at != "" {
			text = at + ": " + text
		}
		all = append(all, text)
	}
	return all
}

// sourceOf compares the files of the old and the new version.
func sourceOf(c *vendor.Candidate) (Source, error) {
	s := Source{
		Name: c.Source.Name, Kind: c.Source.Kind, Old: c.Old.Version, New: c.New.Version,
		OldID: identity(c.Old), NewID: identity(c.New),
	}
	var texts []compare.Text
	index := map[string]int{}
	if c.Was != nil {
		for _, f := range c.Was.Files() {
			index[f.Name] = len(texts)
			texts = append(texts, compare.Text{Path: f.Name, Old: present(f.Data)})
		}
	}
	for _, f := range c.Files.Files() {
		i, ok := index[f.Name]
		if !ok {
			i = len(texts)
			texts = append(texts, compare.Text{Path: f.Name})
		}
		texts[i].New = present(f.Data)
	}
	d, err := compare.Texts(texts, [2]string{"before", "after"}, diff.Options{})
	if err != nil {
		return s, err
	}
	s.Summary, s.Difference = Counts(d.Summary()), d.Difference
	return s, nil
}

// present returns data that is not nil: nil means that there is no file.
func present(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

// identity returns what identifies the content of an entry.
func identity(e vendor.Entry) string {
	return cmp.Or(e.Commit, strings.TrimPrefix(e.Digest, "sha256:"), strings.TrimPrefix(e.Tree, "sha256:"))
}
