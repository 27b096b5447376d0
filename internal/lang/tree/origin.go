package tree

import (
	"iter"
	"sync"

	"weft/internal/lang/source"
)

// Origin names what set a value: a Setting in the table of Origins. 0 means that nothing set the
// value itself. Then it was written at the position of its item, or it is part of a collection that
// was set as a whole, and has the origin of that collection.
//
// It fills padding in Value, so it makes neither items nor documents larger.
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
	ByDefault  Setter = iota // a schema, if no data values override it
	ByDocument               // a document of data values
	ByProject                // data values in a project file
	ByFile                   // a file of --data-values-file
	ByVariable               // an environment variable
	ByFlag                   // a flag
	ByLibrary                // with_data_values of the library module
	ByOverlay                // an overlay
	ByShortcut               // a short cut of weft.yml
	ByOverride               // an override without annotations
	ByTemplate               // a template: see Setting.Reads
)

func (s Setter) String() string {
	return [...]string{
		"schema default", "data values document", "project", "values file", "environment variable", "flag",
		"with_data_values", "overlay", "short cut", "override", "template",
	}[s]
}

// Setting records that something set a value.
type Setting struct {
	By     Setter
	At     source.Span // the node that sets the value
	Source source.Span // the document that contains that node, if known

	Old    Value       // the value that was replaced
	Was    source.Span // where Old comes from; the zero Span if there was none
	Before Origin      // what set Old

	// Edited means that the value is the string Old with changes in it, as @overlay/inside makes them.
	Edited bool

	// From is the origin that the value had before this setting put it in its place, as for an
	// overlay with a computed value. 0 means that the value is written at At.
	From Origin

	// For ByTemplate, in a traced run. At is the expression. It is the zero Span for a constant,
	// whose position is that of its item; a constant has a setting only for Calls and When.
	Reads  Slice // the data values that the value was computed from
	Copied Slice // the data value in Reads that the value is a copy of; 0 if it was computed
	Calls  Calls // the calls that led to the code
	When   When  // the conditions that let the code run

	Key Slice // what decided its key, or that a comprehension contains it; its content depends on that too

	// For all others: the data values that decided that the value is set, such as those that matchers
	// and functions of an overlay read.
	Matched Slice

	// Spared are the overlays that would have set the value if they had matched other nodes.
	Spared Spared
}

// Origins is the table of settings. It is optional: a nil *Origins stores nothing and costs nothing.
// Goroutines may share it; then ids differ from run to run, but what they refer to does not.
type Origins struct {
	mu  sync.RWMutex
	all [][]Setting // in blocks, because moving many settings costs more than allocating blocks

	// in a traced run: see slice.go
	slices   []slice
	leaves   []leaf
	values   []DataValues
	calls    []call
	whens    []condition
	absences []Absence
	spared   []spare
	fromText map[Leaf]Value // leaves that are scalars of templates: see FollowTexts
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

// settingsBlock is the number of settings in one block.
const settingsBlock = 512

// Of returns the setting with an id. It returns false for 0, and if o is nil.
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
