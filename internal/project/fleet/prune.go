package fleet

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"weft/internal/engine/gitdir"
	"weft/internal/engine/outdir"
	"weft/internal/project"
)

// keeper knows the files that Prune must never delete, even if the list of written files contains
// them: project files, test files, and everything that this run, or any environment or test of its
// project, reads.
type keeper struct {
	// the paths that environments read, and those that tests name, by key. They are computed only in
	// runs that delete something.
	read, tested func() map[string]string
}

func (r *Result) keeper() keeper {
	return keeper{sync.OnceValue(r.readByKey), sync.OnceValue(r.testedByKey)}
}

func (r *Result) readByKey() map[string]string {
	paths := r.Read
	if r.paths != nil {
		paths = slices.Concat(paths, r.paths())
	}
	return byKey(paths)
}

// testedByKey returns the paths that tests name, or nil if mistakes in test files hide some of them.
func (r *Result) testedByKey() map[string]string {
	if r.tested == nil {
		return map[string]string{}
	}
	paths, all := r.tested()
	if !all {
		return nil
	}
	return byKey(paths)
}

// byKey returns paths by their keys.
func byKey(paths []string) map[string]string {
	keys := make(map[string]string, len(paths))
	for _, p := range paths {
		keys[keyOnDisk(p)] = p
	}
	return keys
}

// keeps returns why a file must not be deleted, or "".
func (k keeper) keeps(path string) (why string) {
	base := filepath.Base(path)
	switch {
	case outdir.Key(base) == project.FileName:
		return "it is a project file"
	case project.IsTest(strings.ToLower(base)):
		return "it is a test file"
	case k.read()[keyOnDisk(path)] != "":
		return "weft reads it"
	case k.tested() == nil:
		return "it may be a golden file: test files have mistakes, which weft test reports"
	case k.tested()[keyOnDisk(path)] != "":
		return "a test names it"
	}
	return ""
}

// firstIn returns the first of the paths in a directory that environments read, or "". Golden files
// do not count: they may be the output that is committed.
func (k keeper) firstIn(dir string) string {
	top := keyOnDisk(dir)
	first, shown := "", ""
	for key, p := range k.read() {
		if rel, err := filepath.Rel(top, key); err == nil && rel != "." && filepath.IsLocal(rel) &&
			(first == "" || key < first) {
			first, shown = key, p
		}
	}
	return shown
}

// keyOnDisk returns a key that is the same for all paths of one file.
func keyOnDisk(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return outdir.Key(gitdir.Resolved(path))
}
