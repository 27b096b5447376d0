package vendor

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/project"
)

// Restored is what Restore did with a source.
type Restored struct {
	Name    string
	Version string
	Dir     string
	Written bool // its files were fetched and written; otherwise they were there
}

// Restore makes the folder of sources what the lock says: all sources, or the named ones. It fetches only
// what is missing, in parallel. Files that are not those of the lock are kept, which is an error, unless
// force is set. The sources that succeed are written even if others fail.
func (v *Vendor) Restore(ctx context.Context, names []string, force bool, opts Options) ([]Restored, error) {
	hold, err := v.hold(ctx)
	if err != nil {
		return nil, err
	}
	defer hold.Release()
	sources, err := v.named(names)
	if err != nil {
		return nil, err
	}
	var list diag.List
	var missing []restoring
	results := make([]Restored, 0, len(sources))
	for _, s := range sources {
		e, d := v.locked(s)
		if d != nil {
			list = append(list, d)
			continue
		}
		results = append(results, Restored{Name: s.Name, Version: e.Version, Dir: s.Dir})
		there, err := folder(s)
		switch {
		case err != nil:
			list = append(list, diag.Of(err)...)
		case there != nil && there.is(e):
		case s.Kind == "dir":
			list = append(list, changedDir(s, there != nil))
		case there != nil && !force:
			list = append(list, v.changedFolder(s))
		default:
			missing = append(missing, restoring{s, e, len(results) - 1})
		}
	}
	if len(list) > 0 {
		return nil, v.failure(list)
	}
	f := v.fetcher(ctx, opts)
	defer f.close()
	f.announce(missing)
	failed, err := v.restoreAll(f, missing, results)
	return slices.DeleteFunc(results, func(r Restored) bool { return failed[r.Name] }), err
}

// restoring is a source whose files are fetched.
type restoring struct {
	source project.Vendored
	entry  Entry
	index  int // in the results
}

// restoreAll fetches sources side by side, and writes each as soon as it is complete. It returns the names
// of those that failed.
func (v *Vendor) restoreAll(f *fetcher, missing []restoring, results []Restored) (map[string]bool, error) {
	errs := make([]error, len(missing))
	var wg sync.WaitGroup
	f.expect(len(missing))
	for i, m := range missing { // they wait for the network, not for processors
		wg.Go(func() {
			defer f.arrived()
			if errs[i] = v.restoreOne(f, m); errs[i] == nil {
				results[m.index].Written = true
			}
		})
	}
	wg.Wait()
	failed := map[string]bool{}
	var list diag.List
	for i, err := range errs {
		failed[missing[i].source.Name] = err != nil
		list = append(list, diag.Of(err)...)
	}
	if f.ctx.Err() != nil {
		return failed, context.Cause(f.ctx)
	}
	return failed, v.failure(list)
}

func (v *Vendor) restoreOne(f *fetcher, m restoring) error {
	got, t, err := f.get(m.source, m.entry)
	if err != nil {
		return sourceError(m.source, cmp.Or(f.moved(m.source, m.entry, err), err))
	}
	if got.Tree != m.entry.Tree {
		return otherFiles(m.source, v.Lock.path, m.entry)
	}
	return write(f.ctx, m.source.Dir, t)
}

// otherFiles returns the error that a locked version of a source has other files today.
func otherFiles(s project.Vendored, lock string, e Entry) *diag.Diagnostic {
	return diag.Errorf(s.At, CodeChanged, "source '%s' has other files today than %s says, under the same %s",
		s.Name, lock, identity(e)).
		WithHint("find out why; if you trust the new files, lock them: weft vendor update %s", diag.InShell(s.Name))
}

// identity names what should have identified the files of an entry.
func identity(e Entry) string {
	switch {
	case e.Commit != "":
		return "commit"
	case e.Digest != "":
		return "digest"
	}
	return "version"
}

// write replaces the folder of a source.
func write(ctx context.Context, dir string, t *Tree) error {
	files, executable := t.output()
	_, err := outdir.Target{Dir: dir, Emptied: true, Executable: executable}.Write(ctx, files)
	return err
}

// sourceError adds the place of a source to errors that have none.
func sourceError(s project.Vendored, err error) error {
	list := diag.Of(err)
	for _, d := range list {
		if !d.At.IsValid() {
			d.At = s.At
		}
	}
	if len(list) == 0 {
		return err
	}
	return list
}

// named returns the sources with some names, or all.
func (v *Vendor) named(names []string) ([]project.Vendored, error) {
	if len(names) == 0 {
		return v.Sources, nil
	}
	var list []project.Vendored
	for _, name := range names {
		s, err := v.Source(name)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// changedFolder returns the error that the files of a source are not those of the lock.
func (v *Vendor) changedFolder(s project.Vendored) *diag.Diagnostic {
	return diag.Errorf(s.At, CodeChanged, "the files in '%s' are not those of %s", s.Dir, v.Lock.path).
		WithHint("`weft vendor --check` shows what is different; `weft vendor --force %s` replaces them",
			diag.InShell(s.Name))
}

// changedDir returns the error that a directory of the repository is not as it was when it was locked.
func changedDir(s project.Vendored, exists bool) *diag.Diagnostic {
	if !exists {
		return diag.Errorf(s.URL.At, project.CodePath, "'%s' does not exist", s.URL.Text)
	}
	return diag.Errorf(s.URL.At, CodeChanged, "the files in '%s' have changed since they were locked",
		s.URL.Text).
		WithHint("see what that changes, and lock them: weft vendor update %s", diag.InShell(s.Name))
}
