package overlay

import (
	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// reasons records, in a traced run, why nodes matched: the data values that matchers read, and
// those that the compared nodes were computed from. In other runs it is empty and costs nothing.
type reasons struct {
	now   tree.Slice   // for the current match and the matches around it
	outer tree.Slice   // for the matches around it
	found []tree.Slice // for each entry of editor.found
	all   tree.Slice   // for all candidates, matching or not
	near  []miss       // candidates that might match with other data values
	last  tree.Slice   // for the last search: what decided the number of matches

	path     []tree.Step  // the path from the document to the collection being edited
	inside   []draftEntry // the entries on that path
	document source.Pos
}

// draftEntry is an entry of a draft.
type draftEntry struct {
	d *draft
	i int32
}

// open opens a window for a function call.
func (r *reasons) open(e *editor) (outer tree.Slice) {
	if e.opt.Trace == nil {
		return 0
	}
	return e.opt.Trace.Open()
}

// close records what testing a candidate has read, and whether it matched.
func (r *reasons) close(e *editor, outer tree.Slice, p *Plan, i int32, left Cell, ok bool) {
	trace := e.opt.Trace
	if trace == nil {
		return
	}
	read := trace.Close(outer)
	s := trace.Union(read, p.By.compared(trace, left))
	r.all = trace.Union(r.all, s)
	if !ok {
		m := possibility{trace, read, p.reads}
		if s, ok := m.match(p.By, left); ok {
			r.near = append(r.near, miss{i, s})
		}
		return
	}
	for len(r.found) < len(e.found)-1 {
		r.found = append(r.found, 0)
	}
	r.found = append(r.found, s)
}

// endSearch ends the search of p in d, whose matches are e.found[base:]. It records what the search
// depends on, because other nodes may match with other data values.
func (r *reasons) endSearch(e *editor, d *draft, p *Plan, base int) {
	trace := e.opt.Trace
	if trace == nil {
		return
	}
	r.lookedUp(e, d, p, base)
	e.spareNear(d, p)
	r.last = 0
	if p.By != nil {
		r.last = trace.Union(r.all, p.reads)
	}
	r.all = 0
	if r.last == 0 {
		return
	}
	trace.Absent(tree.Absence{
		Kind: tree.Unmatched, By: e.opt.By, Condition: tree.Condition{At: p.At, Reads: r.last},
	})
	if n := len(r.inside); n > 0 && len(e.found) > base && p.addsMissing() {
		in := r.inside[n-1] // if nothing matched, p would be added to it
		e.mark(in.d, in.i, p, r.last, e.around, false)
	}
}

// forget discards the matches from base on.
func (r *reasons) forget(base int) { r.found = r.found[:min(base, len(r.found))] }

// begin starts acting on the matches of p. Call end when done.
func (r *reasons) begin(e *editor, p *Plan) (end func()) {
	if e.opt.Trace == nil {
		return nothing
	}
	outer, now := r.outer, r.now
	r.outer = e.opt.Trace.Union(r.now, p.reads)
	r.now = e.opt.Trace.Union(r.outer, r.last) // until a match is chosen
	return func() { r.outer, r.now = outer, now }
}

func nothing() {}

// choose makes m the current match.
func (r *reasons) choose(e *editor, m int) {
	if e.opt.Trace == nil {
		return
	}
	r.now = r.outer
	if m < len(r.found) {
		r.now = e.opt.Trace.Union(r.outer, r.found[m])
	}
}

// enter enters entry i of d, and leave leaves it.
func (r *reasons) enter(e *editor, d *draft, i int32) {
	if e.opt.Trace == nil {
		return
	}
	if d.docs {
		r.document = d.entries[i].Pos
	}
	r.path = append(r.path, stepTo(d, i))
	r.inside = append(r.inside, draftEntry{d, i})
}

func (r *reasons) leave() {
	if n := len(r.path); n > 0 {
		r.path, r.inside = r.path[:n-1], r.inside[:n-1]
	}
}

// stepTo returns the step from d to entry i.
func stepTo(d *draft, i int32) tree.Step {
	if d.array || d.docs {
		return tree.Step{Index: d.position(i)}
	}
	return tree.Step{Key: tree.KeyText(d.entries[i].Key), Index: -1}
}

// compared returns what the parts of left that t looks at were computed from.
func (t *Test) compared(trace *tree.Trace, left Cell) (s tree.Slice) {
	switch t.Kind {
	case MatchMapKey:
		if left.Kind() != tree.MapKind {
			return 0
		}
		if v, ok := left.Lookup(t.Key); ok {
			s = trace.Deep(v.v)
		}
		return trace.Union(s, trace.Deep(t.right.value))
	case MatchSubset:
		return t.Want.compared(trace, left)
	}
	for _, x := range t.Of {
		s = trace.Union(s, x.compared(trace, left))
	}
	return s
}

// compared returns what the parts of c that the pattern is compared with were computed from.
func (p *Pattern) compared(trace *tree.Trace, c Cell) (s tree.Slice) {
	if p.Kind == tree.MapKind && c.Kind() == tree.MapKind {
		for i := range p.Of {
			if x, ok := c.Lookup(p.Keys[i]); ok {
				s = trace.Union(s, p.Of[i].compared(trace, x))
			}
		}
		return s
	}
	if c.d != nil {
		return 0
	}
	return trace.Deep(c.v)
}

// readsOf returns what the overlay annotations in notes were computed from.
func (opt *Options) readsOf(notes *tree.Annotations) (s tree.Slice) {
	if opt.Trace == nil {
		return 0
	}
	for _, a := range notes.All() {
		s = opt.Trace.Union(s, a.Reads)
	}
	return s
}

// computed records that the via function of p computed v from left, returning it as x.
func (e *editor) computed(
	v tree.Value, x starlark.Value, p *Plan, left tree.Value, outer tree.Slice,
) tree.Value {
	trace := e.opt.Trace
	if trace == nil {
		return v
	}
	reads := trace.Union(trace.Close(outer), trace.Derived(p.reads))
	reads = trace.Union(reads, trace.Deep(p.Right))
	reads = trace.Union(reads, trace.Below(left))
	return trace.Set(v, tree.Setting{
		By: tree.ByTemplate, At: p.At, Reads: reads, Copied: trace.CopyOf(x, reads),
	})
}

// removes records that p is about to remove entry i of d.
func (e *editor) removes(d *draft, i int32, p *Plan) {
	trace := e.opt.Trace
	if trace == nil {
		return
	}
	r := &e.why
	old := d.entries[i].cell().Value()
	absence := tree.Absence{
		Kind: tree.Removed, By: e.opt.By,
		Condition: tree.Condition{At: p.At, Reads: r.now},
		Document:  r.document, Old: old, Was: e.view(d).Span(i), Before: e.inherited(old),
	}
	setting, ok := trace.Of(p.Right.Origin())
	if !ok && e.overlay != nil {
		setting, _ = trace.Of(e.overlay.Right.Origin())
	}
	absence.Calls, absence.When = setting.Calls, setting.When // the calls and conditions of what removes it
	if d.docs {
		absence.Document = d.entries[i].Pos
	} else {
		absence.Path = append(absence.Path, r.path[min(1, len(r.path)):]...)
		absence.Path = append(absence.Path, stepTo(d, i))
	}
	trace.Absent(absence)
}
