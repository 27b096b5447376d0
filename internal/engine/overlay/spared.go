package overlay

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// This file records, in a traced run, what an overlay would change with other data values:
// candidates that do not match now.

// miss is a candidate that does not match, and the data values that decided that.
type miss struct {
	entry int32
	reads tree.Slice
}

// fromStarlark is tree.FromStarlark. In a traced run each scalar gets its origin.
func (o *Options) fromStarlark(x starlark.Value) (tree.Value, error) {
	if o.Trace == nil {
		return tree.FromStarlark(x)
	}
	v, err := o.traced(x)
	return v.Spread(), err
}

// manyCandidates is the maximum number of candidates that are tested one by one if there is an
// index.
const manyCandidates = 256

// lookedUp records why candidates of an index lookup matched or did not.
func (r *reasons) lookedUp(e *editor, d *draft, p *Plan, base int) {
	t := p.By
	if t == nil || t.Kind != MatchMapKey && t.Kind != MatchIndex || len(r.found) > base || len(r.near) > 0 {
		return
	}
	trace := e.opt.Trace
	m := possibility{trace, 0, p.reads}
	r.all = trace.Union(r.all, trace.Deep(t.right.value))
	for _, i := range e.found[base:] {
		s := t.compared(trace, d.entries[i].cell())
		for len(r.found) < base {
			r.found = append(r.found, 0)
		}
		r.found = append(r.found, s)
		r.all = trace.Union(r.all, s)
	}
	if d.n > manyCandidates {
		return
	}
	for i := d.head; i != None; i = d.entries[i].next {
		if slices.Contains(e.found[base:], i) {
			continue
		}
		if s, ok := m.match(t, d.entries[i].cell()); ok {
			r.near = append(r.near, miss{i, s})
			r.all = trace.Union(r.all, s)
		}
	}
}

// possibility finds the data values that could make a candidate match that does not match now.
type possibility struct {
	trace *tree.Trace
	read  tree.Slice // what functions read
	by    tree.Slice // what the matcher was computed from
}

// match returns the data values that could make left match t.
func (m possibility) match(t *Test, left Cell) (s tree.Slice, ok bool) {
	switch t.Kind {
	case MatchIndex:
		return m.by, m.by != 0
	case MatchMapKey:
		s = t.compared(m.trace, left)
		return s, s != 0
	case MatchSubset:
		if t.Want.Kind == tree.ScalarKind {
			return m.by, m.by != 0 // only the annotation has the origin of a scalar
		}
		return m.pattern(&t.Want, left)
	case MatchAnd:
		for _, x := range t.Of {
			if x.Kind != MatchFunc && m.matches(x, left) {
				continue
			}
			one, ok := m.match(x, left)
			if !ok {
				return 0, false
			}
			s = m.intersect(s, one)
			if s == 0 {
				return 0, false
			}
		}
		return s, s != 0
	case MatchOr:
		for _, x := range t.Of {
			if one, ok := m.match(x, left); ok {
				s = m.trace.Union(s, one)
			}
		}
		return s, s != 0
	case MatchNot:
		s = m.trace.Union(m.read, m.trace.Union(t.compared(m.trace, left), t.Of[0].origin(m.trace)))
		return s, s != 0
	}
	return m.read, m.read != 0
}

// intersect returns the data values that could each change both s and one. If s is 0, it returns one.
func (m possibility) intersect(s, one tree.Slice) tree.Slice {
	if s == 0 {
		return one
	}
	return m.trace.Both(s, one)
}

// matches reports whether a test without functions matches. Errors are reported elsewhere.
func (m possibility) matches(t *Test, left Cell) bool {
	switch t.Kind {
	case MatchAll:
		return true
	case MatchSubset:
		return t.Want.In(left)
	case MatchMapKey:
		ok, err := t.runMapKey(left)
		return ok && err == nil
	}
	return false
}

// pattern is match for a pattern: every difference must depend on data values.
func (m possibility) pattern(p *Pattern, c Cell) (s tree.Slice, ok bool) {
	if p.Kind == tree.MapKind && c.Kind() == tree.MapKind {
		for i := range p.Of {
			x, ok := c.Lookup(p.Keys[i])
			if !ok {
				return 0, false
			}
			one, ok := m.pattern(&p.Of[i], x)
			if !ok {
				return 0, false
			}
			if one == 0 {
				continue // it matches
			}
			if s = m.intersect(s, one); s == 0 {
				return 0, false
			}
		}
		return s, s != 0 || p.In(c)
	}
	if p.In(c) {
		return 0, true
	}
	if c.d == nil {
		s = m.trace.Deep(c.v)
	}
	s = m.trace.Union(s, p.origin(m.trace))
	return s, s != 0
}

// origin returns what a pattern was computed from.
func (p *Pattern) origin(trace *tree.Trace) (s tree.Slice) {
	if p.Kind == tree.ScalarKind {
		return trace.Deep(p.Scalar)
	}
	for i := range p.Of {
		s = trace.Union(s, p.Of[i].origin(trace))
	}
	return s
}

// origin returns what the values that a test compares with were computed from.
func (t *Test) origin(trace *tree.Trace) (s tree.Slice) {
	if t.Kind == MatchSubset {
		return t.Want.origin(trace)
	}
	for _, x := range t.Of {
		s = trace.Union(s, x.origin(trace))
	}
	return s
}

// spareNear records what p would do to the candidates that might match.
func (e *editor) spareNear(d *draft, p *Plan) {
	near := e.why.near
	e.why.near = nil
	for _, m := range near {
		if in := e.why.inside; p.Op == OpInsert && len(in) > 0 {
			last := in[len(in)-1]
			e.mark(last.d, last.i, p, m.reads, e.around, false) // p would be inserted beside the candidate
			continue
		}
		e.spare(d, m.entry, p, m.reads, e.around)
	}
}

// spare records what p would do to entry i of d if it matched. around is the origin of d.
func (e *editor) spare(d *draft, i int32, p *Plan, s tree.Slice, around tree.Origin) {
	left := d.entries[i].cell()
	switch {
	case p.Op == OpAssert || p.Bad != nil:
		return
	case p.Op == OpInsert:
		e.mark(d, i, p, s, around, false)
		return
	case p.Op != OpMerge || p.Inner == tree.ScalarKind || left.Kind() != p.Inner:
		e.mark(d, i, p, s, around, true)
		return
	}
	if o := left.v.Origin(); o != 0 {
		around = e.opt.Origins.Unspared(o)
	}
	nodes := p.Children()
	for n := range nodes {
		if !p.By.holds(&nodes[n]) {
			e.spareItem(d, i, &nodes[n], s, around)
		}
	}
}

// holds reports whether every match already has the value of p under its key, as with the name of
// an item that is matched by name.
func (t *Test) holds(p *Plan) bool {
	switch {
	case t == nil || p.Op != OpMerge || p.Kind != tree.MapItem || p.By != nil:
		return false
	case t.Kind == MatchMapKey:
		return t.Key.Text == p.Key.Text
	case t.Kind == MatchAnd:
		return slices.ContainsFunc(t.Of, func(x *Test) bool { return x.holds(p) })
	}
	return false
}

// spareItem records what an item of an overlay would do in entry i of d.
func (e *editor) spareItem(d *draft, i int32, p *Plan, s tree.Slice, around tree.Origin) {
	in := e.drafts.child(d, i)
	if p.By == nil {
		j := None
		if p.Kind == tree.MapItem {
			j = in.find(p.Key)
		}
		if j != None {
			e.spare(in, j, p, s, around)
		} else if p.Op == OpAppend || p.Op == OpMerge || p.OrAdd {
			e.mark(d, i, p, s, around, false) // p would be added to the entry
		}
		return
	}
	if p.reaches() {
		e.spareReached(in, p, s, around)
		return
	}
	if p.addsMissing() || p.Op == OpInsert {
		e.mark(d, i, p, s, around, false) // if nothing in it matches, or beside a match
	}
	if p.Op == OpInsert {
		return
	}
	m := possibility{e.opt.Trace, s, p.reads}
	for j := in.head; j != None; j = in.entries[j].next {
		left := in.entries[j].cell()
		if p.By.Kind == MatchFunc || m.matches(p.By, left) ||
			p.By.Kind == MatchIndex && in.position(j) == int(p.By.N) {
			e.spare(in, j, p, s, around)
		} else if one, ok := m.match(p.By, left); ok {
			if both := m.intersect(s, one); both != 0 {
				e.spare(in, j, p, both, around)
			}
		}
	}
}

// mark records on entry i of d that p would change it, with everything in it if whole is set.
func (e *editor) mark(d *draft, i int32, p *Plan, s tree.Slice, around tree.Origin, whole bool) {
	x := &d.entries[i]
	by := x.Value.Origin()
	if by == 0 {
		by = around
	}
	x.Value = e.opt.Trace.Spare(x.Value, by, tree.Spare{At: p.At, Reads: s, Whole: whole})
	d.current = false
}
