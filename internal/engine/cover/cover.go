// Package cover says what tests cover: which points of the files the runs of tests have reached.
//
// A point is something that a test can reach: a node that is made, a branch that is taken, a rule
// that a value breaks. Package compile lists the points of a unit (Program). Runs tell a Recorder
// what they reach, any number of them at a time. In the end, a Report has the points of all files,
// and is written for people and programs. A point is reached or not: nothing is counted, so that
// the order of runs, and what one leaves to the next, makes no difference.
package cover

import (
	"sync"
	"sync/atomic"

	"weft/internal/lang/source"
)

// Kind is a kind of point.
type Kind uint8

// The kinds, in the order of reports.
const (
	Nodes     Kind = iota // a node or text of a template is made
	Branches              // a condition holds or not, a loop has items or none
	Functions             // a function is called
	Overlays              // a match finds something; one that may miss finds nothing
	Rules                 // a validation passes and fails; each value of one_of is used
	Values                // a test sets a data value
	kinds
)

// String returns the name of the kind in reports.
func (k Kind) String() string {
	return [...]string{
		Nodes: "nodes", Branches: "branches", Functions: "functions", Overlays: "overlays",
		Rules: "rules", Values: "values",
	}[k]
}

// Key names a point of a file.
type Key struct {
	Kind  Kind
	Start int32 // its offset in the file
	Case  int32 // which of the points there: see Taken and its like
}

// The cases of points that are more than one at their places.
const (
	Taken    = 0 // of Branches: the condition holds, the loop has items
	NotTaken = 1

	Matched = 0 // of Overlays
	Missing = 1 // nothing is found, which is allowed

	Passed = 0 // of Rules
	Failed = 1
	One    = 2 // and what follows: the values of one_of, in order
)

// Point is something that a test can reach.
type Point struct {
	Key
	End  int32  // of text: where it ends; else 0
	Site int32  // of Branches: the condition or loop that it belongs to, counted from 1
	Elif int32  // of Branches: the condition before it that must not hold for it to be asked, or 0
	Name string // of Functions
	Miss string // what to say if it is not reached
}

// Program is the points of a unit, and the counters that its program has: each covers some of the
// points that follow each other.
type Program struct {
	File     *source.File
	Points   []Point
	Counters []Range
	Secrets  []Part // of the text, which reports must not show
}

// Part is a part of a file, by its offsets.
type Part struct{ Start, End int32 }

// Range is points of a Program.
type Range struct{ First, N int32 }

// Counts says which counters of a program have been reached.
type Counts []atomic.Bool

// Hit notes that a counter is reached.
func (c Counts) Hit(i int) {
	if !c[i].Load() { // which costs less than to write what is there
		c[i].Store(true)
	}
}

// Recorder takes what runs reach. The zero value is empty. It may be used from several goroutines.
type Recorder struct {
	programs sync.Map // *Program → Counts
	events   sync.Map // event → nothing
	declared sync.Map // event → Point, for points that only runs know of
	secrets  sync.Map // text → nothing
}

// event is a point of a file.
type event struct {
	file *source.File
	key  Key
}

// Add adds the points of a program, and gives its counters.
func (r *Recorder) Add(p *Program) Counts {
	if c, ok := r.programs.Load(p); ok {
		return c.(Counts)
	}
	c, _ := r.programs.LoadOrStore(p, make(Counts, len(p.Counters)))
	return c.(Counts)
}

// Declare adds a point that no program has.
func (r *Recorder) Declare(f *source.File, p Point) { r.declared.LoadOrStore(event{f, p.Key}, p) }

// Conceal notes texts that reports must not show, since sources have them.
func (r *Recorder) Conceal(texts []string) {
	for _, s := range texts {
		r.secrets.Store(s, nil)
	}
}

// Secrets returns the texts that reports must not show, in no order.
func (r *Recorder) Secrets() (texts []string) {
	for s := range r.secrets.Range {
		texts = append(texts, s.(string))
	}
	return texts
}

// Reach notes that a point is reached.
func (r *Recorder) Reach(f *source.File, k Key) {
	e := event{f, k}
	if _, ok := r.events.Load(e); !ok {
		r.events.Store(e, nil)
	}
}
