package overlay

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// This file is about what an overlay does not change, in a traced run, though it would with other
// data values: candidates that do not match now.

// miss is a candidate that does not match, and what decided that.
type miss struct {
	entry int32
	reads tree.Slice
}

// fromStarlark is tree.FromStarlark. In a traced run each scalar knows what it was made of.
func (o *Options) fromStarlark(x starlark.Value) (tree.Value, error) {
	if o.Trace == nil {
		return tree.FromStarlark(x)
	}
	v, err := o.traced(x)
	return v.Spread(), err
}

// manyCandidates is how many candidates of a matcher that has an index are looked at one by one.
const manyCandidates = 256

// lookedUp notes why the candidates matched, or did not, that an index has found.
func (r *reasons) lookedUp(e *editor, d *draft, p *plan, base int) {
	t := p.by
	if t == nil || t.kind != matchMapKey && t.kind != matchIndex || len(r.found) > base || len(r.near) > 0 {
		return
	}
	trace := e.opt.Trace
	m := might{trace, 0, p.reads}
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
	for i := d.head; i != none; i = d.entries[i].next {
		if slices.Contains(e.found[base:], i) {
			continue
		}
		if s, ok := m.match(t, d.entries[i].cell()); ok {
			r.near = append(r.near, miss{i, s})
			r.all = trace.Union(r.all, s)
		}
	}
}

// might tells whether something that does not match might with other data values, and which.
type might struct {
	trace *tree.Trace
	read  tree.Slice // what functions have read
	by    tree.Slice // what the matcher was made of
}

// match tells it of t, which left does not match.
func (m might) match(t *test, left cell) (s tree.Slice, ok bool) {
	switch t.kind {
	case matchIndex:
		return m.by, m.by != 0
	case matchMapKey:
		s = t.compared(m.trace, left)
		return s, s != 0
	case matchSubset:
		if t.want.kind == tree.ScalarKind {
			return m.by, m.by != 0 // what a scalar was made of, only the annotation knows
		}
		return m.pattern(&t.want, left)
	case matchAnd:
		for _, x := range t.of {
			if x.kind != matchFunc && m.matches(x, left) {
				continue
			}
			one, ok := m.match(x, left)
			if !ok {
				return 0, false
			}
			s = m.also(s, one)
			if s == 0 {
				return 0, false
			}
		}
		return s, s != 0
	case matchOr:
		for _, x := range t.of {
			if one, ok := m.match(x, left); ok {
				s = m.trace.Union(s, one)
			}
		}
		return s, s != 0
	case matchNot:
		s = m.trace.Union(m.read, m.trace.Union(t.compared(m.trace, left), t.of[0].origin(m.trace)))
		return s, s != 0
	}
	return m.read, m.read != 0
}

// also is what one data value alone can change so that two things match, which do not: s, and one
// more. The first s is 0.
func (m might) also(s, one tree.Slice) tree.Slice {
	if s == 0 {
		return one
	}
	return m.trace.Both(s, one)
}

// matches reports whether a test that calls no function matches. Errors are told elsewhere.
func (m might) matches(t *test, left cell) bool {
	switch t.kind {
	case matchAll:
		return true
	case matchSubset:
		return t.want.in(left)
	case matchMapKey:
		ok, err := t.runMapKey(left)
		return ok && err == nil
	}
	return false
}

// pattern tells it of a pattern: whatever differs has to depend on data values.
func (m might) pattern(p *pattern, c cell) (s tree.Slice, ok bool) {
	if p.kind == tree.MapKind && c.kind() == tree.MapKind {
		for i := range p.of {
			x, ok := c.lookup(p.keys[i])
			if !ok {
				return 0, false
			}
			one, ok := m.pattern(&p.of[i], x)
			if !ok {
				return 0, false
			}
			if one == 0 {
				continue // it matches
			}
			if s = m.also(s, one); s == 0 {
				return 0, false
			}
		}
		return s, s != 0 || p.in(c)
	}
	if p.in(c) {
		return 0, true
	}
	if c.d == nil {
		s = m.trace.Deep(c.v)
	}
	s = m.trace.Union(s, p.origin(m.trace))
	return s, s != 0
}

// origin returns what a pattern was made of.
func (p *pattern) origin(trace *tree.Trace) (s tree.Slice) {
	if p.kind == tree.ScalarKind {
		return trace.Deep(p.scalar)
	}
	for i := range p.of {
		s = trace.Union(s, p.of[i].origin(trace))
	}
	return s
}

// origin returns what a test compares with was made of.
func (t *test) origin(trace *tree.Trace) (s tree.Slice) {
	if t.kind == matchSubset {
		return t.want.origin(trace)
	}
	for _, x := range t.of {
		s = trace.Union(s, x.origin(trace))
	}
	return s
}

// spareNear notes what p would do to the candidates that might match.
func (e *editor) spareNear(d *draft, p *plan) {
	near := e.why.near
	e.why.near = nil
	for _, m := range near {
		e.spare(d, m.entry, p, m.reads, e.around)
	}
}

// spare notes what p would do to entry i of d, if it matched. Around is the origin of d.
func (e *editor) spare(d *draft, i int32, p *plan, s tree.Slice, around tree.Origin) {
	left := d.entries[i].cell()
	switch {
	case p.op == opAssert || p.bad != nil:
		return
	case p.op == opInsert:
		e.mark(d, i, p, s, around, false)
		return
	case p.op != opMerge || p.inner == tree.ScalarKind || left.kind() != p.inner:
		e.mark(d, i, p, s, around, true)
		return
	}
	if o := left.v.Origin(); o != 0 {
		around = o
	}
	nodes := p.children()
	for n := range nodes {
		e.spareItem(d, i, &nodes[n], s, around)
	}
}

// spareItem notes what an item of an overlay would do in entry i of d.
func (e *editor) spareItem(d *draft, i int32, p *plan, s tree.Slice, around tree.Origin) {
	in := e.drafts.child(d, i)
	if p.by == nil {
		j := none
		if p.kind == tree.MapItem {
			j = in.find(p.key)
		}
		if j != none {
			e.spare(in, j, p, s, around)
		} else if p.op == opAppend || p.op == opMerge || p.orAdd {
			e.mark(d, i, p, s, around, false) // it would come into it
		}
		return
	}
	if p.addsMissing() {
		e.mark(d, i, p, s, around, false) // if nothing in it matches
	}
	m := might{e.opt.Trace, s, p.reads}
	for j := in.head; j != none; j = in.entries[j].next {
		left := in.entries[j].cell()
		if p.by.kind == matchFunc || m.matches(p.by, left) ||
			p.by.kind == matchIndex && in.position(j) == int(p.by.n) {
			e.spare(in, j, p, s, around)
		} else if one, ok := m.match(p.by, left); ok {
			if both := m.also(s, one); both != 0 {
				e.spare(in, j, p, both, around)
			}
		}
	}
}

// mark notes on entry i of d that p would change it, and all that is in it if it is whole.
func (e *editor) mark(d *draft, i int32, p *plan, s tree.Slice, around tree.Origin, whole bool) {
	x := &d.entries[i]
	by := x.Value.Origin()
	if by == 0 {
		by = around
	}
	x.Value = e.opt.Trace.Spare(x.Value, by, tree.Spare{At: p.at, Reads: s, Whole: whole})
	d.current = false
}
