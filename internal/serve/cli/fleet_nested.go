package cli

import (
	"path/filepath"

	"weft"
	"weft/internal/engine/gitdir"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/project"
)

// nestedOutputs holds back environments that are written to directories inside one another until all
// of them are rendered. Only then is it known whether two of them would write the same file.
type nestedOutputs struct {
	dirs  []weft.Dir
	waits []bool                    // whether each environment is held back
	held  []*weft.EnvironmentResult // the environments that are held back and rendered
}

// newNestedOutputs finds the environments whose outputs may overlap. In most projects, none can.
func newNestedOutputs(dirs []weft.Dir) *nestedOutputs {
	n := &nestedOutputs{dirs, make([]bool, len(dirs)), make([]*weft.EnvironmentResult, len(dirs))}
	owners := map[string][]int{} // the environments that are written to each directory
	for i, d := range dirs {
		if d.Path != "" {
			key := outputKey(d.Path)
			owners[key] = append(owners[key], i)
		}
	}
	for key, envs := range owners {
		n.meet(envs, envs)
		for up := filepath.Dir(key); up != key; key, up = up, filepath.Dir(up) {
			n.meet(owners[up], envs)
		}
	}
	return n
}

// meet marks the environments that are written to a directory, if others are written there or below.
// An environment that is written to one file does not affect other files of the directory.
func (n *nestedOutputs) meet(above, below []int) {
	for _, i := range above {
		if n.dirs[i].Single != "" {
			continue
		}
		for _, j := range below {
			if i != j {
				n.waits[i], n.waits[j] = true, true
			}
		}
	}
}

// outputKey returns a key that is the same for all paths of one directory or file.
func outputKey(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return outdir.Key(gitdir.Resolved(path))
}

// hold reports whether it holds back a rendered environment. It may be called from several
// goroutines.
func (n *nestedOutputs) hold(i int, r weft.EnvironmentResult) bool {
	if n.dirs == nil || !n.waits[i] || r.Err != nil {
		return false
	}
	n.held[i] = &r
	return true
}

// release calls finish for the environments that were held back. Those that would write the same file
// fail.
func (n *nestedOutputs) release(finish func(i int, r weft.EnvironmentResult)) {
	first := map[string]*weft.EnvironmentResult{} // by the key of the file
	for i, r := range n.held {
		if r == nil {
			continue
		}
		for _, name := range filesIn(r.Result, n.dirs[i]) {
			key := outputKey(name)
			if other := first[key]; other != nil && other != r {
				err := bothWrite(other.Name, r.Name, name)
				r.Err, other.Err = err, err
				break
			}
			first[key] = r
		}
	}
	for i, r := range n.held {
		if r != nil {
			finish(i, *r)
		}
	}
}

// filesIn returns the paths of the files that a result writes to a directory. It returns none if the
// result cannot be written; that is reported later.
func filesIn(r *weft.Result, d weft.Dir) (names []string) {
	if d.Single != "" {
		return []string{filepath.Join(d.Path, d.Single)}
	}
	files := r.Files
	if d.Split != "" {
		files = func() []weft.File {
			list, _ := r.Split(d.Split)
			return list
		}
	}
	for _, f := range files() {
		names = append(names, filepath.Join(d.Path, filepath.FromSlash(f.Path)))
	}
	return names
}

func bothWrite(a, b, name string) error {
	return diag.Failf(project.CodeOutput, "environments '%s' and '%s' would both write '%s'", a, b, name).
		WithHint("give each environment a directory that is only its own, such as 'out/{env}'")
}
