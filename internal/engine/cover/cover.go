// Package cover measures what tests cover: which points of the files the runs of tests have reached.
//
// A point is something that a test can reach: a node that is produced, a branch that is taken, a rule
// that a value breaks. Package compile lists the points of a unit (Program). Runs record in a
// Recorder what they reach, many at a time. A Report has the points of all files, for people and
// programs. A point is reached or not; nothing is counted. So neither the order of runs nor results
// kept from earlier runs make a difference.
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
	Nodes     Kind = iota // a node or text of a template is created
	Branches              // a condition is true or false, a loop has items or none
	Functions             // a function is called
	Overlays              // an overlay matches something; one that may match nothing does so
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

// Key identifies a point of a file.
type Key struct {
	Kind  Kind
	Start int32 // its offset in the file
	Case  int32 // distinguishes the points at this offset: see Taken
}

// The cases of kinds with more than one point per place.
const (
	Taken    = 0 // for Branches: the condition is true, the loop has items
	NotTaken = 1

	Matched = 0 // for Overlays
	Missing = 1 // nothing matches, which is allowed

	Passed = 0 // for Rules
	Failed = 1
	One    = 2 // One, One+1 and so on are the values of one_of, in order
)

// Point is something that a test can reach.
type Point struct {
	Key
	End  int32  // for text, where it ends; otherwise 0
	Site int32  // for Branches: the number of the condition or loop that it belongs to, from 1
	Elif int32  // for Branches: the number of the condition before it, which must be false first, or 0
	Name string // for Functions
	Miss string // the message if it is not reached
}

// Program is the points of a unit, and the counters of its program: each covers a range of
// consecutive points.
type Program struct {
	File     *source.File
	Points   []Point
	Counters []Range
	Secrets  []Part // parts of the text that reports must not show
}

// Part is a part of a file, by its offsets.
type Part struct{ Start, End int32 }

// Range is a range of points of a Program.
type Range struct{ First, N int32 }

// Counts records which counters of a program have been reached.
type Counts []atomic.Bool

// Hit records that a counter is reached.
func (c Counts) Hit(i int) {
	if !c[i].Load() { // cheaper than writing the same value
		c[i].Store(true)
	}
}

// Recorder records what runs reach. The zero value is empty. It is safe for concurrent use.
type Recorder struct {
	programs sync.Map // *Program → Counts
	events   sync.Map // event → nothing
	declared sync.Map // event → Point, for points known only to runs
	secrets  sync.Map // text → nothing
}

// event is a point of a file.
type event struct {
	file *source.File
	key  Key
}

// Add adds the points of a program, and returns its counters.
func (r *Recorder) Add(p *Program) Counts {
	if c, ok := r.programs.Load(p); ok {
		return c.(Counts)
	}
	c, _ := r.programs.LoadOrStore(p, make(Counts, len(p.Counters)))
	return c.(Counts)
}

// Declare adds a point that is not part of a program.
func (r *Recorder) Declare(f *source.File, p Point) { r.declared.LoadOrStore(event{f, p.Key}, p) }

// Conceal adds texts that reports must not show, since sources contain them.
func (r *Recorder) Conceal(texts []string) {
	for _, s := range texts {
		r.secrets.Store(s, nil)
	}
}

// Secrets returns the texts that reports must not show, unsorted.
func (r *Recorder) Secrets() (texts []string) {
	for s := range r.secrets.Range {
		texts = append(texts, s.(string))
	}
	return texts
}

// Reach records that a point is reached.
func (r *Recorder) Reach(f *source.File, k Key) {
	e := event{f, k}
	if _, ok := r.events.Load(e); !ok {
		r.events.Store(e, nil)
	}
}
