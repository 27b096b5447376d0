package engine

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"weft/internal/engine/eval"
)

// Timings is where a run spends its time. Render fills the one that Options has; its methods may be
// called while the run goes on. The zero value is ready.
type Timings struct {
	mu     sync.Mutex
	stages []Stage
	files  map[string]*FileTime
	now    string // the stage that goes on
	done   int    // files evaluated
	ended  time.Time
}

// Stage is a stage of a run.
type Stage struct {
	Name string // load, compile, schema, values, templates or overlays
	Took time.Duration
}

// FileTime is what a file costs, in all libraries that it is part of.
type FileTime struct {
	Path     string
	Compile  time.Duration
	Evaluate time.Duration // with what it loads and the libraries that it evaluates
	// how often it was compiled: once for each set of options that libraries compile it with
	Compiled  int
	Evaluated int // how often it was evaluated: once for each evaluation of its library
}

// Stages returns the stages in the order in which they began. Private libraries have all stages of
// their own, which count as those of the templates that evaluate them.
func (t *Timings) Stages() []Stage {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.stages)
}

// Slowest returns the n files that cost most, the most expensive first.
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

// Now returns the stage that goes on, and how many files have been evaluated so far.
func (t *Timings) Now() (stage string, files int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now, t.done
}

// Ended is when Render came to its end; zero if it has not.
func (t *Timings) Ended() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended
}

// stage notes that a stage begins; the result is to be called when it ends. No one is at the other
// end of nil.
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

// End notes that the run is over.
func (t *Timings) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = time.Now()
}

// observe returns what files are to be noted with, or nil.
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
