package blame

import (
	"slices"

	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Event is one time that a value was set.
type Event struct {
	By    tree.Setter
	At    source.Pos  // who wrote it
	Of    source.Span // the overlay or override around that, if it is one
	Value tree.Value
	New   bool // there was nothing before

	How     How
	Reads   []tree.Leaf // the data values that it was made of
	Calls   []source.Span
	When    []tree.Condition
	Matched []tree.Leaf // the data values that decided that it was set
}

// How says how a value came about.
type How uint8

// The ways.
const (
	Written  How = iota // it is written there
	Copied              // it is a data value
	Computed            // it was computed
)

func (h How) String() string { return [...]string{"written", "copied", "computed"}[h] }

// History returns what happened to a node, the oldest event first.
func (r *Report) History(n *Node) []Event {
	list := r.history(n.origin, n.from, n.Value, n.At, r.below(n))
	if keys := r.keysOf(n); keys != nil {
		list[0].When = append(slices.Clip(list[0].When), keys...)
	}
	return list
}

// below returns the way to a node from the one whose origin it has.
func (r *Report) below(n *Node) path.Path {
	if n.up == 0 {
		return nil
	}
	p := r.Path(n)
	return p[len(p)-int(n.up):]
}

// history returns what happened to a value at a place. Inside is the way to it from what was set;
// from is how it had been made, if that is known of it alone.
func (r *Report) history(
	id, from tree.Origin, v tree.Value, at source.Pos, inside path.Path,
) []Event {
	var list []Event
	for s := range r.in.Origins.History(id) {
		if from != 0 {
			s.From, from = from, 0
		}
		e := r.event(s, v, at, len(inside) > 0 || len(list) > 0)
		old, ok := r.find.dig(s.Old, inside)
		e.New = !s.Was.IsValid() || !ok
		list = append(list, e)
		if e.New {
			break
		}
		if v, at = old, s.Was.Pos; s.Before == 0 {
			list = append(list, Event{By: tree.ByTemplate, At: at, Value: v})
		}
	}
	if len(list) == 0 {
		list = append(list, Event{By: tree.ByTemplate, At: at, Value: v})
	}
	slices.Reverse(list)
	return list
}

// event returns one setting, of v, whose item is at a place. Part says that v may only have
// been set with what it is in.
func (r *Report) event(s tree.Setting, v tree.Value, at source.Pos, part bool) Event {
	e := Event{By: s.By, At: s.At.Pos, Of: s.Source, Value: v}
	if s.By == tree.ByTemplate || part && at.IsValid() || !e.At.IsValid() {
		e.At = at
	}
	if s.By != tree.ByTemplate {
		e.Matched = r.in.Origins.Leaves(s.Matched)
		from, ok := r.in.Origins.Of(s.From)
		if !ok {
			return e
		}
		s = from
	}
	e.Reads = r.in.Origins.Leaves(s.Reads)
	e.Calls = r.in.Origins.Calls(s.Calls)
	e.When = r.in.Origins.When(s.When)
	switch {
	case s.Copied != 0 && s.Copied == s.Reads:
		e.How = Copied
	case s.At.IsValid() || len(e.Reads) > 0:
		e.How = Computed
	}
	return e
}

// telling returns the events of a history that its line is about: what last set a node to what it
// already was, as the key by which an overlay matched it, is left out.
func telling(history []Event) []Event {
	for n := len(history); n > 1; n-- {
		last, before := history[n-1].Value, history[n-2].Value
		if last.Kind() != tree.ScalarKind || before.Kind() != tree.ScalarKind ||
			!tree.SameScalar(last, before) {
			return history[:n]
		}
	}
	return history[:1]
}
