package overlay

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// This file has what the code that applies overlays knows of the code that explains. That is package
// explain: it reads plans and views of drafts, and changes neither. Nothing that is done depends on
// what it says.

// Explainer says what is wrong, and why. Its errors are diagnostics. It is made for one goroutine.
type Explainer interface {
	// NeedsBy says that p, a document or an array item, has to say what it matches.
	NeedsBy(p *Plan) *diag.Diagnostic
	// Failed says that p could not be applied because of err: a diagnostic without a place, or the
	// error of a function.
	Failed(p *Plan, err error) error
	// ByFailed is Failed for the matcher of p, asked about entry i.
	ByFailed(d View, i int32, p *Plan, err error) error
	// ViaFailed is Failed for the function of an action, called for entry i, or for none.
	ViaFailed(d View, i int32, p *Plan, err error) error
	// WrongCount says that p has found more or fewer matches than it may.
	WrongCount(d View, p *Plan, found []int32) error
	// Clash says that the value of entry i is of another kind than what is merged into it.
	Clash(d View, i int32, p *Plan) error
	// Unequal says that entry i is not what an assert wants it to be.
	Unequal(d View, i int32, p *Plan) error
	// RepeatedKey says that two items have come to have the same key.
	RepeatedKey(d View, first, second int32) error
	// Within adds to an error that it happened inside p, below entry i.
	Within(err error, d View, i int32, p *Plan) error
	// AmongMany adds to an error about one match of p what holds for the others.
	AmongMany(err error, d View, p *Plan, found []int32) error
	// Around adds to an error the nodes around the one that it is about.
	Around(err error) error
}

// Remarks warns of what overlays do that was hardly meant. It is made for one goroutine.
type Remarks interface {
	// Plain looks at documents that are not overlays for signs that they were meant to be.
	Plain(left [][]tree.Doc)
	// Planned looks at the annotations of p.
	Planned(p *Plan)
	// Asks reports whether NoMatch has anything to ask about p.
	Asks(p *Plan) bool
	// NoMatch takes that p matches nothing in d, which is allowed, and whether p is added then.
	NoMatch(d View, p *Plan, adds bool)
	// Added takes that p is put into d whole.
	Added(d View, p *Plan, how Way)
	// Put takes that it is about to replace entry i, or to be inserted beside it.
	Put(d View, i int32, p *Plan, it tree.Item)
	// Idle takes that p does nothing in d, where it matches nothing.
	Idle(d View, p *Plan)
	// Tell gives the warnings, and those of others that worked in parallel, in the order in which
	// one alone would have had them.
	Tell(others []Remarks)
}

// Way is how something is put in whole.
type Way uint8

// The ways.
const (
	WasMissing Way = iota // it matched nothing, and is added
	WasNull               // it takes the place of null
	Appended              // it is an array item without a match
	PutIn                 // its action says so
)

// Recorder follows what one overlay does.
type Recorder interface {
	// Enter takes that what follows is done inside entry i, until Leave.
	Enter(d View, i int32)
	Leave()
	// Matched takes the matches of p, which is about to act on them.
	Matched(d View, p *Plan, found []int32)
	// Skipped takes that p does nothing.
	Skipped(d View, p *Plan, found []int32)
	// Set takes that entry i is about to get the value v.
	Set(d View, i int32, v tree.Value)
	// Added takes that entry i is new.
	Added(d View, i int32)
	// Removed takes that p is about to remove entry i.
	Removed(d View, i int32, p *Plan)
	// Replaced takes that it is about to take the place of entry i.
	Replaced(d View, i int32, it tree.Item)
	// Checked takes that an assertion holds for entry i.
	Checked(d View, i int32, p *Plan)
	// End takes that the overlay is done, or has failed.
	End()
}

// explaining returns who says what is wrong, and who warns, nil if no one listens. Both may ask
// functions again.
func (o *Options) explaining(ask *Caller) (Explainer, Remarks) {
	if o.Explain == nil {
		return silent{}, nil
	}
	x, r := o.Explain(o, ask)
	if o.Warn == nil {
		r = nil
	}
	return x, r
}

// tell gives the warnings of those that worked in parallel.
func tell(all ...Remarks) {
	if all[0] != nil {
		all[0].Tell(all[1:])
	}
}

// silent says no more than that something is wrong. Documents are first edited in parallel, without
// a word; if that fails they are edited again, in order, to say what is wrong.
type silent struct{}

func (silent) NeedsBy(*Plan) *diag.Diagnostic { return wrong("expected keyword argument by") }

func (silent) Failed(*Plan, error) error                             { return errStop }
func (silent) ByFailed(View, int32, *Plan, error) error              { return errStop }
func (silent) ViaFailed(View, int32, *Plan, error) error             { return errStop }
func (silent) WrongCount(View, *Plan, []int32) error                 { return errStop }
func (silent) Clash(View, int32, *Plan) error                        { return errStop }
func (silent) Unequal(View, int32, *Plan) error                      { return errStop }
func (silent) RepeatedKey(View, int32, int32) error                  { return errStop }
func (silent) Within(err error, _ View, _ int32, _ *Plan) error      { return err }
func (silent) AmongMany(err error, _ View, _ *Plan, _ []int32) error { return err }
func (silent) Around(err error) error                                { return err }
