package weft

import (
	"time"

	"weft/internal/pipeline"
)

// Timings is where a run spends its time. Render fills the one that Options has; its methods may
// be called while the run goes on. The zero value is ready.
type Timings struct{ timings pipeline.Timings }

// Stage is a stage of a run.
type Stage struct {
	Name string // load, compile, schema, values, templates, overlays or override
	Took time.Duration
}

// FileTime is what a file costs, in all libraries that it is part of.
type FileTime struct {
	Path      string
	Compile   time.Duration
	Evaluate  time.Duration // with what it loads and the libraries that it evaluates
	Compiled  int           // how often it was compiled: once for each set of options
	Evaluated int           // how often it was evaluated: once for each evaluation of its library
}

// Stages are the stages in the order in which they began. Private libraries have all stages of
// their own, which count as those of the templates that evaluate them.
func (t *Timings) Stages() []Stage {
	var stages []Stage
	for _, s := range t.timings.Stages() {
		stages = append(stages, Stage(s))
	}
	return stages
}

// Slowest are the n files that cost most, the most expensive first.
func (t *Timings) Slowest(n int) []FileTime {
	var files []FileTime
	for _, f := range t.timings.Slowest(n) {
		files = append(files, FileTime(f))
	}
	return files
}

// Now is the stage that goes on, and how many files have been evaluated so far.
func (t *Timings) Now() (stage string, files int) { return t.timings.Now() }

// Ended is when Render came to its end; zero if it has not.
func (t *Timings) Ended() time.Time { return t.timings.Ended() }

// end notes that the run is over, if anybody asks.
func (t *Timings) end() {
	if t != nil {
		t.timings.End()
	}
}
