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

// keeper returns a function that reports files that Prune must never delete, whatever the list of
// written files says: project files, test files, and what this run or any environment of its
// project reads.
func (r *Result) keeper() func(path string) (why string) {
	read := sync.OnceValue(func() map[string]bool {
		keys := map[string]bool{}
		paths := r.Read
		if r.paths != nil {
			paths = slices.Concat(paths, r.paths())
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
		case project.IsTest(strings.ToLower(base)):
			return "it is a test file"
		case read()[keyOnDisk(path)]:
			return "weft reads it"
		}
		return ""
	}
}

// keyOnDisk returns a key that is the same for all paths of one file.
func keyOnDisk(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return outdir.Key(gitdir.Resolved(path))
}
