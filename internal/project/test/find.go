package test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project"
)

// Files returns the test files of a project, sorted: those that Run runs by default. The error means
// that there are none, or that they cannot be found.
func Files(p *project.Description) ([]string, error) {
	bounds := func(string) *project.Bounds { return p.Bounds() }
	return finder{fs: p.FS(), bounds: bounds}.matching(patterns(p))
}

// Paths returns the paths that the tests of a project name: golden files, data values files and
// scripts. It returns false if mistakes in test files hide some of them.
func Paths(p *project.Description) (paths []string, all bool) {
	t := &runner{opts: Options{Project: p}, files: &source.Set{}}
	err := t.gather()
	for i := range t.cases {
		paths = append(paths, t.cases[i].paths()...)
	}
	list := diag.Of(err)
	return paths, len(list) == 0 || list[0].Code == CodeNone && len(t.cases) == 0
}

// patterns returns the patterns of test files of a project, or the defaults without one.
func patterns(p *project.Description) (list []string) {
	if p == nil {
		return []string{filepath.FromSlash("tests/**/*.test.yml")}
	}
	for _, x := range p.Testing().Files {
		list = append(list, x.Text)
	}
	return list
}

// finder finds test files: on disk, or in a file system.
type finder struct {
	fs fs.FS
	// called with the files and directories that the result depends on; or nil
	reads  func(path string)
	bounds func(file string) *project.Bounds // the bounds of a found file; or nil
}

// matching returns the test files that match any of the patterns.
func (t finder) matching(patterns []string) ([]string, error) {
	var files []string
	for _, p := range patterns {
		more, err := t.match(p)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	if err := t.check(files); err != nil {
		return nil, err
	}
	slices.Sort(files)
	if files = slices.Compact(files); len(files) == 0 {
		return nil, diag.Failf(CodeNone, "found no test files: nothing matches '%s'",
			filepath.ToSlash(strings.Join(patterns, "', '"))).
			WithHint("write one whose name ends in .test.yml, or name it: weft test FILE")
	}
	return files, nil
}

// named returns the files that the caller names, and those in directories that it names.
func (t finder) named(names []string) (files []string, err error) {
	for _, name := range names {
		info, err := t.stat(name)
		switch {
		case err != nil:
			return nil, diag.Failf(CodePath, "cannot read '%s': %s", name, reason(err))
		case !info.IsDir():
			files = append(files, filepath.Clean(name))
			continue
		}
		found := len(files)
		t.note(name) // new files in it are tests too
		err = t.walk(name, func(p string) {
			if project.IsTest(p) {
				files = append(files, p)
			}
		})
		if err != nil {
			return nil, err
		}
		if err := t.check(files[found:]); err != nil {
			return nil, err
		}
		if len(files) == found {
			return nil, diag.Failf(CodeNone, "found no test files in '%s'", name).
				WithHint("their names end in .test.yml")
		}
	}
	return files, nil
}

// match returns the test files that match a pattern. A pattern without a star is a file name.
func (t finder) match(pattern string) (files []string, err error) {
	slashed := filepath.ToSlash(pattern)
	before, _, starred := strings.Cut(slashed, "*")
	if !starred {
		return t.named([]string{pattern})
	}
	dir := "."
	if i := strings.LastIndexByte(before, '/'); i >= 0 {
		dir = before[:i+1]
	}
	dir = filepath.FromSlash(dir)
	if err := t.check([]string{filepath.Clean(dir)}); err != nil {
		return nil, err
	}
	t.note(dir)
	if _, err := t.stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	err = t.walk(dir, func(p string) {
		if project.IsTest(p) && load.MatchPath(slashed, filepath.ToSlash(p)) {
			files = append(files, p)
		}
	})
	return files, err
}

// check reports files outside of the bounds of test files.
func (t finder) check(files []string) error {
	if t.bounds == nil || len(files) == 0 {
		return nil
	}
	var list diag.List
	for _, name := range files {
		if d := t.bounds(name).CheckInside(name, source.Span{}); d != nil {
			list = append(list, d)
		}
	}
	if list != nil {
		return list
	}
	return nil
}

func (t finder) note(path string) {
	if t.reads != nil {
		t.reads(path)
	}
}

func (t finder) stat(name string) (fs.FileInfo, error) {
	if t.fs != nil {
		return fs.Stat(t.fs, inFS(name))
	}
	return os.Stat(name)
}

// inFS returns a path in the form that io/fs requires.
func inFS(name string) string { return filepath.ToSlash(filepath.Clean(name)) }

// walk calls each for the files in a directory, sorted. Names that begin with a dot are left out.
func (t finder) walk(dir string, each func(path string)) error {
	visit := func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case inFS(p) != inFS(dir) && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir():
			each(p)
		}
		return nil
	}
	var err error
	if t.fs != nil {
		err = fs.WalkDir(t.fs, inFS(dir), visit)
	} else {
		err = filepath.WalkDir(dir, visit)
	}
	if err != nil {
		return diag.Failf(CodePath, "cannot read '%s': %s", dir, reason(err))
	}
	return nil
}
