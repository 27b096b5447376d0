package weft

import (
	"time"

	"weft/internal/engine"
)

// Timings records where a run spends its time. Set Observe.Timings to fill it. Its methods may be
// called while the run is active. The zero value is ready to use.
type Timings struct{ timings engine.Timings }

// Stage is the time that one stage of a run took.
type Stage struct {
	Name string // load, compile, schema, values, templates, overlays or override
	Took time.Duration
}

// FileTime is the time that a file took, in all libraries that contain it.
type FileTime struct {
	Path      string
	Compile   time.Duration
	Evaluate  time.Duration // including files it loads and libraries it evaluates
	Compiled  int           // number of times compiled: once per set of options
	Evaluated int           // number of times evaluated: once per evaluation of its library
}

// Stages returns the stages in the order in which they started. The stages of private libraries
// count as part of the templates that evaluate them.
func (t *Timings) Stages() []Stage {
	var stages []Stage
	for _, s := range t.timings.Stages() {
		stages = append(stages, Stage(s))
	}
	return stages
}

// Slowest returns the n slowest files, the slowest first.
func (t *Timings) Slowest(n int) []FileTime {
	var files []FileTime
	for _, f := range t.timings.Slowest(n) {
		files = append(files, FileTime(f))
	}
	return files
}

// Now returns the current stage and the number of files evaluated so far.
func (t *Timings) Now() (stage string, files int) { return t.timings.Now() }

// Ended returns when the run ended, or the zero time if it has not.
func (t *Timings) Ended() time.Time { return t.timings.Ended() }

// end records that the run is over.
func (t *Timings) end() {
	if t != nil {
		t.timings.End()
	}
}
