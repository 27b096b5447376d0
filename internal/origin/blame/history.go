package blame

import (
	"slices"

	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Event records that a value was set.
type Event struct {
	By    tree.Setter
	At    source.Pos  // where it is written
	Of    source.Span // the enclosing overlay or override, if any
	Value tree.Value
	New   bool // the value did not exist before

	How     How
	Reads   []tree.Leaf // the data values it was computed from
	Calls   []source.Span
	When    []tree.Condition
	Matched []tree.Leaf // the data values that decided whether it was set
}

// How says how a value was determined.
type How uint8

const (
	Written  How = iota // a literal
	Copied              // the data value itself
	Computed            // computed by an expression
)

func (h How) String() string { return [...]string{"written", "copied", "computed"}[h] }

// History returns the events of a node, oldest first.
func (r *Report) History(n *Node) []Event {
	list := r.history(n.origin, n.from, n.Value, n.At, r.below(n))
	if keys := r.keysOf(n); keys != nil {
		list[0].When = append(slices.Clip(list[0].When), keys...)
	}
	return list
}

// below returns the path to a node from the ancestor whose origin it shares.
func (r *Report) below(n *Node) path.Path {
	if n.up == 0 {
		return nil
	}
	p := r.Path(n)
	return p[len(p)-int(n.up):]
}

// history returns the events of a value at a position. Inside is the path to it from the value that was
// set; from is the origin of the value itself in its template, if known.
func (r *Report) history(
	id, from tree.Origin, v tree.Value, at source.Pos, inside path.Path,
) []Event {
	var list []Event
	for s := range r.in.Origins.History(id) {
		if from != 0 {
			s.From, from = from, 0
		}
		e := r.event(s, v, at, len(inside) > 0 || len(list) > 0)
		old, ok := r.find.valueAt(s.Old, inside)
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

// event returns the event for one setting of v, whose item is at a position. Part means that v may have
// been set only as part of a larger value.
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

// shownEvents returns the events worth showing on a node's line. It drops the last events that set the
// node to the value it already had, such as the key by which an overlay matched it.
func shownEvents(history []Event) []Event {
	for n := len(history); n > 1; n-- {
		last, before := history[n-1].Value, history[n-2].Value
		if last.Kind() != tree.ScalarKind || before.Kind() != tree.ScalarKind ||
			!tree.SameScalar(last, before) {
			return history[:n]
		}
	}
	return history[:1]
}
