package vendor

import (
	"cmp"
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"weft/internal/engine/gitdir"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project"
)

// Want is a source to update.
type Want struct {
	Name    string
	Version string // the wanted version or range; "" means that of weft.yml
}

// Candidate is a version of a source that may become the locked one.
type Candidate struct {
	Source   project.Vendored
	Old, New Entry // Old has no tree if the source was not locked
	Files    *Tree // the files of the new version
	Was      *Tree // the files of the old version; nil if nothing was locked or on disk, and if Lost is not nil
	Lost     error // why the files of the old version are not known, although it was locked
}

// Changes reports whether the lock or the files would change.
func (c *Candidate) Changes() bool { return !sameEntry(c.Old, c.New) }

// Moved reports whether a version that should stay what it is, such as a tag, names other files than when it
// was locked.
func (c *Candidate) Moved() bool {
	return c.Old.From == c.New.From && c.New.Version != "" && c.Old.Version == c.New.Version &&
		c.Old.id() != c.New.id() && !c.New.branch
}

func sameEntry(a, b Entry) bool {
	return a.From == b.From && a.Version == b.Version && a.Commit == b.Commit && a.Digest == b.Digest &&
		a.Tree == b.Tree && slices.Equal(a.Paths, b.Paths) && slices.Equal(a.Exclude, b.Exclude)
}

// Candidates fetches the newest versions of sources that weft.yml or a Want allows: of the wanted sources,
// or of all. It writes nothing. A folder with local changes is an error, unless force is set: an update
// would lose them. The error is about the sources that cannot be updated; the candidates are the others.
func (v *Vendor) Candidates(
	ctx context.Context, wants []Want, force bool, opts Options,
) ([]Candidate, error) {
	if len(wants) == 0 {
		for _, s := range v.Sources {
			wants = append(wants, Want{Name: s.Name})
		}
	}
	var list []Candidate
	var wrong diag.List
	for _, w := range wants {
		s, err := v.Source(w.Name)
		if err != nil {
			return nil, err
		}
		c := Candidate{Source: s}
		c.Old, _ = v.Lock.Entry(s.Name)
		if c.Was, err = folder(s); err != nil {
			wrong = append(wrong, diag.Of(sourceError(s, err))...)
			continue
		}
		if w.Version != "" {
			c.Source.Version.Text = w.Version
		}
		list = append(list, c)
	}
	list, failed, err := v.fetchAll(ctx, list, opts)
	if err != nil {
		return nil, err
	}
	wrong = append(wrong, failed...)
	return slices.DeleteFunc(list, func(c Candidate) bool {
		d := v.wouldLose(&c)
		if d == nil || force {
			return false
		}
		wrong = append(wrong, d)
		return true
	}), v.failure(wrong)
}

// wouldLose returns the error that an update would lose files that are neither those of the lock nor those of
// the update, or nil. They are those of the update if it was interrupted before it wrote the lock.
func (v *Vendor) wouldLose(c *Candidate) *diag.Diagnostic {
	switch {
	case c.Source.Kind == "dir" || c.Was == nil || c.Was.is(c.New) || c.Was.is(c.Old):
		return nil
	case c.Old.Tree != "":
		return v.changedFolder(c.Source)
	}
	return diag.Errorf(c.Source.At, CodeChanged, "'%s' has other files than source '%s'", c.Source.Dir,
		c.Source.Name).WithHint("move them elsewhere, or use another name for the source")
}

// Absent fetches the locked sources whose folders are not there, except for those that are wanted or that
// cannot be fetched. They are candidates that change nothing: rendering needs their files.
func (v *Vendor) Absent(ctx context.Context, wants []Want, opts Options) ([]Candidate, error) {
	var list []Candidate
	for _, s := range v.Sources {
		e, d := v.locked(s)
		if d != nil || s.Kind == "dir" || len(wants) == 0 ||
			slices.ContainsFunc(wants, func(w Want) bool { return w.Name == s.Name }) {
			continue
		}
		if there, err := folder(s); err == nil && there == nil {
			list = append(list, Candidate{Source: s, Old: e, New: e})
		}
	}
	list, _, err := v.fetchAll(ctx, list, opts)
	return list, err
}

// fetchAll fetches candidates side by side: the new version, and the old one if it is not on disk. It returns
// those that it got, and what is wrong with the others.
func (v *Vendor) fetchAll(
	ctx context.Context, list []Candidate, opts Options,
) (got []Candidate, wrong diag.List, err error) {
	if len(list) == 0 {
		return nil, nil, nil
	}
	f := v.fetcher(ctx, opts)
	defer f.close()
	var asked []restoring
	for _, c := range list {
		asked = append(asked, restoring{source: c.Source})
	}
	f.announce(asked)
	errs := make([]error, len(list))
	var wg sync.WaitGroup
	f.expect(len(list))
	for i := range list {
		wg.Go(func() {
			defer f.arrived()
			if err := f.candidate(&list[i]); err != nil {
				errs[i] = sourceError(list[i].Source, err)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	for i, err := range errs {
		if err == nil {
			got = append(got, list[i])
		}
		wrong = append(wrong, diag.Of(err)...)
	}
	return got, wrong, nil
}

// candidate fetches the files of a candidate. One that has a new entry already keeps it.
func (f *fetcher) candidate(c *Candidate) (err error) {
	if c.New.Tree == "" {
		if c.New, err = f.resolve(c.Source, c.Source.Version.Text); err != nil {
			return err
		}
	}
	tree := c.New.Tree
	if c.New, c.Files, err = f.get(c.Source, c.New); err != nil {
		return err
	}
	if tree != "" && tree != c.New.Tree {
		return otherFiles(c.Source, f.vendor.Lock.path, c.Old)
	}
	if c.Moved() {
		f.note(c.Source.Name + ": version " + c.New.Version + " has moved: it was " + c.Old.id() + ", and is " +
			c.New.id() + " today; find out why")
	}
	if c.Old.Tree == "" || c.Was != nil && c.Source.Kind != "dir" && !c.Was.is(c.New) {
		return nil
	}
	if c.Was, err = f.old(c); err != nil {
		c.Was, c.Lost = nil, f.vendor.failure(diag.Of(sourceError(c.Source, err)))
	}
	return nil
}

// old returns the files of the locked version of a candidate that are not on disk: nothing is, or the new
// files, because an update was interrupted.
func (f *fetcher) old(c *Candidate) (*Tree, error) {
	s := c.Source
	switch {
	case c.Old.Tree == c.New.Tree:
		return c.Files, nil
	case s.Kind == "dir":
		if t := f.vendor.committed(f.ctx, s, c.Old); t != nil {
			return t, nil
		}
		return nil, diag.Errorf(s.URL.At, CodeChanged, "git does not have the files of '%s' that were locked",
			s.URL.Text)
	case c.Old.From != f.vendor.from(s):
		return nil, diag.Errorf(s.At, CodeLock, "source '%s' was locked from '%s'", s.Name, c.Old.From)
	}
	e, t, err := f.get(s, c.Old)
	if err == nil && e.Tree != c.Old.Tree {
		err = otherFiles(s, f.vendor.Lock.path, c.Old)
	}
	return t, err
}

// Write makes candidates the locked versions: it writes their folders, and then the lock. Entries of the
// lock that weft.yml does not have are dropped, and their folders removed if nobody changed them.
func (v *Vendor) Write(ctx context.Context, list []Candidate) error {
	hold, err := v.hold(ctx)
	if err != nil {
		return err
	}
	defer hold.Release()
	return v.write(ctx, hold, list)
}

func (v *Vendor) write(ctx context.Context, hold *outdir.Hold, list []Candidate) error {
	now, err := readLock(v.Project)
	if err != nil {
		return err
	}
	if string(now.text) != string(v.Lock.text) {
		return diag.Failf(CodeLock, "another program changed %s meanwhile", v.Lock.path).
			WithHint("run the command again")
	}
	entries := maps.Clone(v.Lock.entries)
	for _, c := range list {
		entries[c.Source.Name] = c.New
		if c.Source.Kind == "dir" {
			continue
		}
		if err := write(ctx, c.Source.Dir, c.Files); err != nil {
			return err
		}
	}
	for name, e := range entries {
		if _, err := v.Source(name); err != nil {
			delete(entries, name)
			v.removeFolder(name, e)
		}
	}
	if text := format(entries); string(text) != string(v.Lock.text) {
		if err := hold.WriteFile(ctx, v.Lock.path, text); err != nil {
			return err
		}
	}
	if v.before == nil {
		return nil
	}
	return v.replaceProject(ctx, hold)
}

// For returns the sources of the project after weft.yml got the versions that are wanted, where it does not
// allow them. Nothing is written before Write.
func (v *Vendor) For(ctx context.Context, wants []Want) (*Vendor, error) {
	for _, w := range wants {
		s, err := v.Source(w.Name)
		if err != nil {
			return nil, err
		}
		spec := s.Version.Text
		if w.Version == "" || spec != "" && allows(spec, w.Version) {
			continue
		}
		version := w.Version
		_, wasRange := parseRange(spec)
		if _, isRange := parseRange(version); wasRange && !isRange {
			version = compatible(version)
		}
		if v, err = v.with(ctx, w.Name, []field{{"version", version}}); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// removeFolder removes the folder of a source that is gone from weft.yml, if its files are those that were
// locked, which can be fetched again, and nothing in it belongs to git. Someone else may have written the
// lock, so the folder must be in the project, and no link may lead to it.
func (v *Vendor) removeFolder(name string, e Entry) {
	dir := filepath.Join(v.Project.VendorDir(), name)
	if strings.HasPrefix(e.From, "dir+") || !project.IsName(name) ||
		v.Project.Bounds().Writes(dir, source.Span{}) != nil {
		return
	}
	if there, err := onDisk(dir); err == nil && there != nil && there.is(e) && !hasGit(dir) {
		_ = os.RemoveAll(dir)
	}
}

// hasGit reports whether anything in a folder belongs to git, or cannot be looked at.
func hasGit(dir string) bool {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && (gitdir.IsName(d.Name()) || d.IsDir() && gitdir.IsRepository(name)) {
			err = fs.ErrExist
		}
		return err
	}) != nil
}

// Status is how a locked source compares with what is released.
type Status struct {
	Source  project.Vendored
	Current string // the locked version
	Commit  string // the locked commit, for branches
	Wanted  string // the newest version that weft.yml allows
	Latest  string // the newest version
	Moved   bool   // the version is a branch or a tag that names other files today
	Err     error
}

// IsOutdated reports whether an update would change something, or a newer version exists.
func (s *Status) IsOutdated() bool {
	return s.Moved || s.Wanted != s.Current || s.Latest != "" && s.Latest != s.Current
}

// Outdated compares the locked versions of sources with those that are released.
func (v *Vendor) Outdated(ctx context.Context, names []string, opts Options) ([]Status, error) {
	sources, err := v.named(names)
	if err != nil {
		return nil, err
	}
	f := v.fetcher(ctx, opts)
	defer f.close()
	var asked []restoring
	for _, s := range sources {
		if s.Kind != "http" { // its file would have to be fetched
			asked = append(asked, restoring{source: s})
		}
	}
	f.announce(asked)
	f.expect(len(sources))
	list := make([]Status, len(sources))
	var wg sync.WaitGroup
	for i, s := range sources {
		wg.Go(func() {
			defer f.arrived()
			list[i] = f.status(s)
		})
	}
	wg.Wait()
	return list, context.Cause(ctx)
}

func (f *fetcher) status(s project.Vendored) Status {
	e, _ := f.vendor.Lock.Entry(s.Name)
	out := Status{Source: s, Current: e.Version, Commit: e.Commit, Wanted: e.Version}
	switch s.Kind {
	case "http":
		return out
	case "dir":
		there, err := folder(s)
		out.Err, out.Moved = err, err == nil && (there == nil || !there.is(e))
		return out
	}
	wanted, err := f.resolve(s, s.Version.Text)
	if err != nil {
		out.Err = err
		return out
	}
	out.Wanted = wanted.Version
	if today := wanted.id(); wanted.Version == e.Version {
		if today == "" {
			today, out.Err = f.today(s, wanted.Version)
		}
		out.Moved = today != "" && today != e.id()
	}
	versions, err := f.versions(s)
	out.Err = cmp.Or(out.Err, err)
	if canonical(wanted.Version) != "" { // a branch is never behind a version
		out.Latest = newest(versions)
		if out.Latest != "" && newer(wanted.Version, out.Latest) {
			out.Latest = wanted.Version // one before a release
		}
	}
	return out
}
