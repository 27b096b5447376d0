package tree

import (
	"iter"
	"sync"

	"weft/internal/lang/source"
)

// Origin names what set a value: a Setting in the table of Origins. 0 means that nothing did. The
// value was then written where the position of its item says; or it is part of a collection that
// something set as a whole, and has the origin of that.
//
// It is where a Value has padding, so that neither items nor documents are larger for it.
type Origin uint32

// Origin returns what set v.
func (v Value) Origin() Origin { return v.origin }

// WithOrigin returns v as set by o.
func (v Value) WithOrigin(o Origin) Value {
	v.origin = o
	return v
}

// Setter is the kind of thing that sets values.
type Setter uint8

// The kinds of setter, in the order of a run.
const (
	ByDefault  Setter = iota // a schema, where no data values say otherwise
	ByDocument               // a document of data values
	ByProject                // data values in a project file
	ByFile                   // a file of --data-values-file
	ByVariable               // an environment variable
	ByFlag                   // a flag
	ByLibrary                // with_data_values of the library module
	ByOverlay                // an overlay
	ByOverride               // an override without annotations
	ByTemplate               // a template: see Setting.Reads
)

func (s Setter) String() string {
	return [...]string{
		"schema default", "data values document", "project", "values file", "environment variable", "flag",
		"with_data_values", "overlay", "override", "template",
	}[s]
}

// Setting is one time that something set a value.
type Setting struct {
	By     Setter
	At     source.Span // the node that says so
	Source source.Span // the document around that node, where that is known

	Old    Value       // what the value took the place of
	Was    source.Span // where Old comes from; nowhere if there was nothing
	Before Origin      // what had set Old

	// From is what had made the value before this put it where it is: of an overlay whose value is
	// computed, how. 0 if it is written at At.
	From Origin

	// By a template, in a traced run. At is the expression; nowhere if the node is a constant, which
	// is where the position of its item says, and is only reported for Calls and When.
	Reads  Slice // the data values that it was computed from
	Copied Slice // the data value in Reads that it is, as it is; 0 if it is computed
	Calls  Calls // the calls that led to the code
	When   When  // the conditions that let the code run

	Key Slice // what decided its key, or that a comprehension has it: all that is in it depends on that

	// By anything else: the data values that decided that it was set, as those which matchers and
	// functions of an overlay read.
	Matched Slice

	// Spared are the overlays that would have set it if other nodes matched.
	Spared Spared
}

// Origins is the table of settings. It is kept on request: a nil *Origins keeps nothing, and costs
// nothing. Goroutines may share it; then ids differ from run to run, but not what they lead to.
type Origins struct {
	mu  sync.RWMutex
	all [][]Setting // in blocks: there may be many, and to move them costs more than to keep them

	// of a traced run: see slice.go
	slices   []slice
	leaves   []leaf
	values   []DataValues
	calls    []call
	whens    []condition
	absences []Absence
	spared   []spare
	fromText map[Leaf]Value // of leaves that are scalars of templates: see FollowTexts
}

// Set records a setting, and returns v with it as its origin.
func (o *Origins) Set(v Value, s Setting) Value {
	if o == nil {
		return v
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	last := len(o.all) - 1
	if last < 0 || len(o.all[last]) == settingsBlock {
		o.all = append(o.all, make([]Setting, 0, settingsBlock))
		last++
	}
	o.all[last] = append(o.all[last], s)
	return v.WithOrigin(Origin(last*settingsBlock + len(o.all[last])))
}

// settingsBlock is how many settings are kept in one piece.
const settingsBlock = 512

// Of returns the setting with an id. It reports false for 0, and if nothing was kept.
func (o *Origins) Of(id Origin) (Setting, bool) {
	if o == nil || id == 0 {
		return Setting{}, false
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.all[(id-1)/settingsBlock][(id-1)%settingsBlock], true
}

// History returns the settings that led to the one with an id, which comes first.
func (o *Origins) History(id Origin) iter.Seq[Setting] {
	return func(yield func(Setting) bool) {
		for {
			s, ok := o.Of(id)
			if !ok || !yield(s) {
				return
			}
			id = s.Before
		}
	}
}
