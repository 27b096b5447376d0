package overlay

import "weft/internal/lang/tree"

// sets returns v with p as its setter: replacing entry i of d, or as a new value if i is None.
func (e *editor) sets(d *draft, i int32, p *Plan, v tree.Value) tree.Value {
	if e.opt.Used != nil && i != None {
		e.opt.Used(d.entries[i].cell().Value(), Replaced)
	}
	if e.opt.Origins == nil {
		return v
	}
	s := tree.Setting{By: e.opt.By, At: p.At, From: v.Origin(), Matched: e.why.now, Edited: p.Inside != nil}
	if !s.At.IsValid() {
		s.At = e.here
	}
	if e.overlay != nil {
		s.Source = e.overlay.At
	}
	if i != None {
		old := d.entries[i].cell().Value()
		s.Old, s.Was, s.Before = old, e.view(d).Span(i), e.inherited(old)
	}
	return e.opt.Origins.Set(v, s)
}

// inherited returns the origin of v, or that of its parent if it has none.
func (e *editor) inherited(v tree.Value) tree.Origin {
	if o := v.Origin(); o != 0 {
		return o
	}
	return e.around
}

// enter enters entry i of d, and returns the previous state for leave.
func (e *editor) enter(d *draft, i int32) (outside tree.Origin) {
	outside = e.around
	e.why.enter(e, d, i)
	if e.opt.Origins != nil {
		e.around = e.opt.Origins.Unspared(e.inherited(d.entries[i].Value))
	}
	if e.record != nil {
		e.record.Enter(e.view(d), i)
	}
	return outside
}

func (e *editor) leave(outside tree.Origin) {
	if e.record != nil {
		e.record.Leave()
	}
	e.why.leave()
	e.around = outside
}
