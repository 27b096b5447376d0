package engine

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"weft/internal/engine/eval"
)

// Timings records where a run spends its time. Render fills the one in Options. Its methods may be
// called during the run. The zero value is ready to use.
type Timings struct {
	mu     sync.Mutex
	stages []Stage
	files  map[string]*FileTime
	now    string // the current stage
	done   int    // files evaluated
	ended  time.Time
}

// Stage is a stage of a run.
type Stage struct {
	Name string // load, compile, schema, values, templates or overlays
	Took time.Duration
}

// FileTime is the time that a file takes, in all libraries that contain it.
type FileTime struct {
	Path     string
	Compile  time.Duration
	Evaluate time.Duration // including what it loads, and the libraries that it evaluates
	// once for each set of options that libraries compile it with
	Compiled  int
	Evaluated int // once for each evaluation of its library
}

// Stages returns the stages in the order in which they began. The stages of private libraries count
// as part of the templates that evaluate them.
func (t *Timings) Stages() []Stage {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.stages)
}

// Slowest returns the n files that took longest, the slowest first.
func (t *Timings) Slowest(n int) []FileTime {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]FileTime, 0, len(t.files))
	for _, f := range t.files {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b FileTime) int {
		return cmp.Or(
			cmp.Compare(b.Compile+b.Evaluate, a.Compile+a.Evaluate),
			cmp.Compare(a.Path, b.Path),
		)
	})
	return list[:min(n, len(list))]
}

// Now returns the current stage, and how many files have been evaluated so far.
func (t *Timings) Now() (stage string, files int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now, t.done
}

// Ended returns when Render finished, or the zero Time if it has not.
func (t *Timings) Ended() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended
}

// stage begins a stage; call the result when it ends. A nil receiver records nothing.
func (t *Timings) stage(name string) (end func()) {
	if t == nil {
		return func() {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.stages, func(s Stage) bool { return s.Name == name })
	if i < 0 {
		i = len(t.stages)
		t.stages = append(t.stages, Stage{Name: name})
	}
	t.now = name
	began := time.Now()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.stages[i].Took += time.Since(began)
		t.now = ""
	}
}

// End records that the run is over.
func (t *Timings) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = time.Now()
}

// observe returns the observer that records the times of files, or nil.
func (t *Timings) observe() eval.Observer {
	if t == nil {
		return nil
	}
	return func(path string, w eval.Work, took time.Duration) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.files == nil {
			t.files = map[string]*FileTime{}
		}
		f := t.files[path]
		if f == nil {
			f = &FileTime{Path: path}
			t.files[path] = f
		}
		if w == eval.Compiling {
			f.Compile += took
			f.Compiled++
		} else {
			f.Evaluate += took
			f.Evaluated++
			t.done++
		}
	}
}
