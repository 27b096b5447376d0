package overlay

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file has the interfaces through which overlays are explained. Package explain implements
// them. It reads plans and views of drafts and changes neither, and no result depends on it.

// Explainer explains errors as diagnostics. It is not safe for concurrent use.
type Explainer interface {
	// NeedsBy reports that p, a document or an array item, needs a `by`.
	NeedsBy(p *Plan) *diag.Diagnostic
	// Failed reports that p could not be applied because of err: a diagnostic without a position,
	// or the error of a function.
	Failed(p *Plan, err error) error
	// ByFailed is Failed for the matcher of p, called for entry i.
	ByFailed(d View, i int32, p *Plan, err error) error
	// ViaFailed is Failed for the function of an action, called for entry i, or for None.
	ViaFailed(d View, i int32, p *Plan, err error) error
	// WrongCount reports that p has more or fewer matches than it may.
	WrongCount(d View, p *Plan, found []int32) error
	// WrongReach reports that p, which has overlay.path, has more or fewer matches than it may, or
	// needs a count.
	WrongReach(p *Plan, r *Reach) error
	// Contained reports that overlay.path matches inner, which is inside outer, another match.
	Contained(p *Plan, outer, inner source.Span) error
	// Below adds to an error that it occurred below entry i, on the way to a match of overlay.path.
	Below(err error, d View, i int32) error
	// Clash reports that entry i and the value merged into it are of different kinds.
	Clash(d View, i int32, p *Plan) error
	// Unequal reports that entry i does not have the value that an assert requires.
	Unequal(d View, i int32, p *Plan) error
	// RepeatedKey reports that two items now have the same key.
	RepeatedKey(d View, first, second int32) error
	// Within adds to an error that it occurred inside p, below entry i.
	Within(err error, d View, i int32, p *Plan) error
	// AmongMany adds to an error about one match of p what is known about the other matches.
	AmongMany(err error, d View, p *Plan, found []int32) error
	// Around adds to an error the nodes that enclose its node.
	Around(err error) error
}

// Remarks warns of likely mistakes. It is not safe for concurrent use.
type Remarks interface {
	// Plain checks documents that are not overlays for signs that they were meant to be.
	Plain(left [][]tree.Doc)
	// Planned checks the annotations of p.
	Planned(p *Plan)
	// Asks reports whether NoMatch has anything to check about p.
	Asks(p *Plan) bool
	// NoMatch is called if p matches nothing in d, which is allowed. adds reports whether p is
	// added.
	NoMatch(d View, p *Plan, adds bool)
	// Emptied is called before document i becomes the empty value of p.
	Emptied(d View, i int32, p *Plan)
	// Anchored is called before p changes entry i, whose value has an anchor in its file.
	Anchored(d View, i int32, p *Plan)
	// Doubled is called before p is appended to list d, where entry i has the same name.
	Doubled(d View, i int32, p *Plan)
	// Added is called if p is added to d whole.
	Added(d View, p *Plan, how AddReason)
	// Put is called before it replaces entry i or is inserted beside it.
	Put(d View, i int32, p *Plan, it tree.Item)
	// Idle is called if p matches nothing in d and does nothing.
	Idle(d View, p *Plan)
	// Report reports the warnings, merged with those of parallel workers, in the order in which a
	// single worker would have reported them.
	Report(others []Remarks)
}

// AddReason is the reason why something is added whole.
type AddReason uint8

const (
	WasMissing AddReason = iota // it matched nothing
	WasNull                     // it replaces null
	Appended                    // it is an array item without a match
	PutIn                       // its action adds it
)

// Recorder records what one overlay does.
type Recorder interface {
	// Enter is called before changes inside entry i, which end with Leave.
	Enter(d View, i int32)
	Leave()
	// Inside is called after Enter if the changes are inside the string there.
	Inside()
	// Matched is called with the matches of p, before p acts on them.
	Matched(d View, p *Plan, found []int32)
	// Reached is called with each match of p, which has overlay.path, before p acts on it.
	Reached(d View, i int32, p *Plan)
	// Unreached is called if p, which has overlay.path, matches nothing in d, which is allowed.
	Unreached(d View, p *Plan, r *Reach)
	// Skipped is called if p does nothing.
	Skipped(d View, p *Plan, found []int32)
	// Set is called before entry i gets the value v.
	Set(d View, i int32, v tree.Value)
	// Added is called after entry i was added.
	Added(d View, i int32)
	// Removed is called before p removes entry i.
	Removed(d View, i int32, p *Plan)
	// Replaced is called before it replaces entry i.
	Replaced(d View, i int32, it tree.Item)
	// Placed is called after p has given document i these annotations about files of the output.
	Placed(d View, i int32, p *Plan, notes *tree.Annotations)
	// Checked is called if an assertion about entry i holds.
	Checked(d View, i int32, p *Plan)
	// End is called when the overlay is done or has failed.
	End()
}

// explaining returns what explains errors, and what warns, or nil if warnings are not wanted. Both
// may call functions again.
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

// reportAll reports the warnings of parallel workers.
func reportAll(all ...Remarks) {
	if all[0] != nil {
		all[0].Report(all[1:])
	}
}

// silent is an Explainer whose errors have no details: see errStop.
type silent struct{}

func (silent) NeedsBy(*Plan) *diag.Diagnostic { return wrong("expected keyword argument by") }

func (silent) Failed(*Plan, error) error                             { return errStop }
func (silent) ByFailed(View, int32, *Plan, error) error              { return errStop }
func (silent) ViaFailed(View, int32, *Plan, error) error             { return errStop }
func (silent) WrongCount(View, *Plan, []int32) error                 { return errStop }
func (silent) WrongReach(*Plan, *Reach) error                        { return errStop }
func (silent) Contained(*Plan, source.Span, source.Span) error       { return errStop }
func (silent) Below(err error, _ View, _ int32) error                { return err }
func (silent) Clash(View, int32, *Plan) error                        { return errStop }
func (silent) Unequal(View, int32, *Plan) error                      { return errStop }
func (silent) RepeatedKey(View, int32, int32) error                  { return errStop }
func (silent) Within(err error, _ View, _ int32, _ *Plan) error      { return err }
func (silent) AmongMany(err error, _ View, _ *Plan, _ []int32) error { return err }
func (silent) Around(err error) error                                { return err }
