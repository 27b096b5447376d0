package upgrade

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"weft/internal/engine"
	"weft/internal/lang/diag"
	"weft/internal/origin/compare"
	"weft/internal/origin/diff"
	"weft/internal/project"
	"weft/internal/project/archive"
	"weft/internal/project/fleet"
	"weft/internal/project/vendor"
)

// Options says how the project is rendered.
type Options struct {
	Env          []string // environment variables for data values
	AllowEnv     []string // prefixes of those that the project may read
	AllowOutside []string // paths outside of the project, and URLs, that it may read
}

// Try finds out what candidates would do to the project that they belong to. Nothing is written.
func Try(ctx context.Context, v *vendor.Vendor, list []vendor.Candidate, opts Options) (*Report, error) {
	t := &trial{ctx: ctx, opts: opts}
	base, disk, done, err := mounted(v.Project.Root(), opts.AllowOutside)
	if err != nil {
		return nil, err
	}
	defer done()
	t.base, t.root = base, disk[0].at
	before, after := newFiles(disk), newFiles(disk)
	for i := range list {
		if err := t.put(&list[i], before, after); err != nil {
			return nil, err
		}
	}
	path, err := below(base, v.Project.Path())
	if err != nil {
		return nil, err
	}
	own, err := t.open(path, before, after)
	if err != nil {
		return nil, err
	}
	subjects := append([]*subject{own}, t.extending(own, before, after)...)
	for _, s := range subjects {
		if err := s.try(len(subjects) > 1); err != nil {
			return nil, err
		}
	}
	t.report.Overlays = judge(t.found)
	if err := t.runTests(subjects); err != nil {
		return nil, err
	}
	t.report.relocate(t.shown)
	return &t.report, nil
}

// trial is a run of Try.
type trial struct {
	ctx    context.Context
	opts   Options
	report Report
	base   string    // the folder that the paths of all files begin at
	root   string    // the root of the project there
	isNew  bool      // whether there are no old files of a source
	found  []finding // what becomes of overlays, environment by environment
}

// put puts the files of a candidate where they would be, on both sides.
func (t *trial) put(c *vendor.Candidate, before, after *files) error {
	dir, err := below(t.base, c.Source.Dir)
	if err != nil {
		return err
	}
	var was []archive.File
	if c.Was != nil {
		was = c.Was.Files()
	}
	switch {
	case c.Source.Kind != "dir":
		before.replace(dir, was)
		after.replace(dir, c.Files.Files())
	case c.Was != nil: // the new files are on disk
		before.change(dir, c.Files.Files(), was)
	}
	if c.Lost != nil {
		t.report.Unknown = append(t.report.Unknown, Problem{
			Message: "the old files of " + c.Source.Name + " are not known", Errors: diagnostics(c.Lost),
		})
	}
	t.isNew = t.isNew || c.Was == nil
	if !c.Changes() {
		return nil
	}
	s, err := sourceOf(c)
	t.report.Sources = append(t.report.Sources, s)
	return err
}

// below returns a path relative to a folder that it is in, as io/fs has it.
func below(dir, name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err == nil {
		var rel string
		if rel, err = filepath.Rel(dir, abs); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), nil
		}
	}
	return "", diag.Failf(project.CodeOutside, "'%s' is outside of the project", name)
}

// options returns the options of all runs.
func (t *trial) options() fleet.Options {
	return fleet.Options{Env: t.opts.Env, AllowEnv: t.opts.AllowEnv, Warnings: engine.WarningsOff}
}

// shown returns a path or a place relative to the root of the project.
func (t *trial) shown(name string) string {
	if t.root == "." || name == "" {
		return name
	}
	if rest, ok := strings.CutPrefix(name, t.root+"/"); ok {
		return rest
	}
	return strings.Repeat("../", strings.Count(t.root, "/")+1) + name
}

// runTests runs the tests of projects. Test files are on disk, and their paths begin where those of all files
// do.
func (t *trial) runTests(subjects []*subject) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if here != t.base {
		if err := os.Chdir(t.base); err != nil {
			return diag.Failf(project.CodePath, "'%s': %s", t.base, err)
		}
		defer func() { _ = os.Chdir(here) }()
	}
	for _, s := range subjects {
		if err := s.runTests(); err != nil {
			return err
		}
	}
	return nil
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
