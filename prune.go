package weft

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"weft/internal/engine/gitdir"
	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/project"
)

// keeper says which files Prune never deletes, whatever the list of files says that earlier runs
// wrote: project files, test files, and what this run or any environment of its project reads.
func (r *Result) keeper() func(path string) (why string) {
	read := sync.OnceValue(func() map[string]bool {
		keys := map[string]bool{}
		paths := r.made.Read
		if r.reads != nil {
			paths = slices.Concat(paths, r.reads())
		}
		for _, p := range paths {
			keys[keyOnDisk(p)] = true
		}
		return keys
	})
	return func(path string) string {
		base := filepath.Base(path)
		switch {
		case outdir.Key(base) == project.FileName:
			return "it is a project file"
		case isTest(strings.ToLower(base)):
			return "it is a test file"
		case read()[keyOnDisk(path)]:
			return "weft reads it"
		}
		return ""
	}
}

// keyOnDisk is the same for the paths of one file.
func keyOnDisk(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return outdir.Key(gitdir.Resolved(path))
}

// reads returns the paths on disk that rendering any environment of the project reads. Of an
// environment that is wrong, these are the paths that it names.
func (p *Project) reads() []string {
	names := p.loaded().Names()
	if len(names) == 0 {
		names = []string{""}
	}
	var paths []string
	seen := map[string]bool{} // many environments have the same inputs
	for _, name := range names {
		s, err := p.loaded().Environment(name)
		if err != nil {
			continue // nothing can be rendered
		}
		o := p.options(s, Options{})
		for _, x := range o.Overrides {
			paths = append(paths, x.Text)
		}
		for _, l := range s.Layers {
			paths = append(paths, l.File)
		}
		for _, kv := range o.DataValues.KVFile {
			_, file, _ := strings.Cut(kv, "=")
			paths = append(paths, file)
		}
		key := strings.Join(slices.Concat(o.Inputs, []string{""}, o.Exclude, []string{""}, o.Marks), "\x00")
		if !seen[key] {
			seen[key] = true
			paths = append(paths, inputsOf(o)...)
		}
	}
	return paths
}

// inputsOf are the paths on disk of the inputs that options name.
func inputsOf(o Options) (paths []string) {
	opt := load.Options{Exclude: o.Exclude, Marks: o.Marks, Symlinks: load.Symlinks(o.Symlinks)}
	for _, arg := range o.Inputs {
		if p := load.OnDisk(arg); p != "" {
			opt.Paths = append(opt.Paths, arg)
			paths = append(paths, p)
		}
	}
	inputs, err := opt.List()
	if err != nil {
		return paths
	}
	for _, in := range inputs {
		paths = append(paths, in.Disk())
	}
	return paths
}
