package overlay

import (
	"slices"

	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file applies nodes that are matched by overlay.path, at any depth below the node that holds
// them. Their number is counted in everything that their overlay matches, because a count for each
// document would say nothing: most documents have no containers.

// Reach is what a node with overlay.path has matched while its overlay was applied.
type Reach struct {
	N    int         // the number of matches
	Hits []Hit       // the first of them
	In   []Collected // where nothing matched so far
}

// Hit is one match of overlay.path.
type Hit struct {
	Path path.Path // from the collection that the patterns begin at
	At   source.Span
}

// Collected is a collection in which overlay.path has looked for matches.
type Collected struct {
	Value tree.Value
	At    source.Span
}

// maxHits is the number of matches, and of collections without one, that messages may need.
const maxHits = 1000

// reaches reports whether p is matched by overlay.path.
func (p *Plan) reaches() bool { return p.By != nil && p.By.Kind == MatchPath }

// reaching is the state of an editor for nodes with overlay.path.
type reaching struct {
	finder path.Finder
	trail  []draftEntry // the ways to the matches, one after the other
	ends   []int        // where each of them ends
	total  map[*Plan]*Reach
}

// reach applies p to everything in d that its patterns match. It finds all of it before it changes
// any.
func (e *editor) reach(d *draft, p *Plan) error {
	base, trail := len(e.reaching.ends), len(e.reaching.trail)
	defer func() {
		e.reaching.ends, e.reaching.trail = e.reaching.ends[:base], e.reaching.trail[:trail]
	}()
	found := len(e.found)
	if err := e.search(d, p, base, trail); err != nil {
		return err
	}
	ends := e.reaching.ends[base:]
	if p.Expect.When {
		if next, err := e.decide(p, len(ends)); err != nil || next == pass {
			if err == nil {
				e.skips(d, p, nil)
			}
			return err
		}
	}
	for m := range ends {
		if err := e.actAlong(e.way(base+m, trail), p, found+m); err != nil {
			return err
		}
	}
	e.why.forget(found)
	return nil
}

// way returns the way to match m. The ways of one search begin at index trail.
func (e *editor) way(m, trail int) []draftEntry {
	if m > 0 {
		trail = max(trail, e.reaching.ends[m-1])
	}
	return e.reaching.trail[trail:e.reaching.ends[m]]
}

// search finds what the patterns of p match in d, and counts it.
func (e *editor) search(d *draft, p *Plan, base, trail int) error {
	r := &e.reaching
	v := d.freeze()
	total := e.reachOf(p)
	_, quiet := e.explain.(silent)
	var outer, inner []draftEntry
	e.why.search(e, &r.finder)
	r.finder.Find(p.By.Paths, v, func(way []path.Step) {
		e.resolve(d, way)
		last := len(r.ends) - 1
		if last > base && inner == nil {
			if before := e.way(last-1, trail); contains(before, e.way(last, trail)) {
				outer, inner = before, e.way(last, trail)
			}
		}
		total.N++
		if !quiet && len(total.Hits) < maxHits {
			at := draftEntry{r.trail[len(r.trail)-1].d, r.trail[len(r.trail)-1].i}
			total.Hits = append(total.Hits, Hit{path.Of(way), e.view(at.d).ValueSpan(at.i)})
		}
		e.why.reached(e, p, way, len(e.found)+last-base)
	})
	if total.N == 0 && !quiet && len(total.In) < maxHits {
		total.In = append(total.In, Collected{v, e.view(d).Start()})
	}
	e.why.endSearch(e, d, p, len(e.found))
	if inner != nil {
		return e.explain.Contained(p, e.spanAt(outer), e.spanAt(inner))
	}
	return nil
}

func (e *editor) spanAt(way []draftEntry) source.Span {
	last := way[len(way)-1]
	return e.view(last.d).ValueSpan(last.i)
}

// resolve adds the entries on the way to a match. Entries keep their numbers, so the way leads to
// the match even if other matches beside it are removed.
func (e *editor) resolve(d *draft, way []path.Step) {
	r := &e.reaching
	for n, s := range way {
		i := d.entryOf(&s)
		r.trail = append(r.trail, draftEntry{d, i})
		if n+1 < len(way) {
			d = e.drafts.child(d, i)
		}
	}
	r.ends = append(r.ends, len(r.trail))
}

// entryOf returns the entry that a step leads to.
func (d *draft) entryOf(s *path.Step) int32 {
	if s.List {
		return d.at(int64(s.Index))
	}
	// The key is nearly always where it is written, and need not be read again.
	i := d.at(int64(s.Index))
	if i != None && d.entries[i].Key == s.Item.Key {
		return i
	}
	return d.find(KeyOf(s.Item.Key))
}

// contains reports whether the way to b goes through a.
func contains(a, b []draftEntry) bool {
	return len(a) < len(b) && a[len(a)-1] == b[len(a)-1]
}

// actAlong applies p to the match at the end of a way, which has number m in e.why.found.
func (e *editor) actAlong(way []draftEntry, p *Plan, m int) error {
	d, i := way[0].d, way[0].i
	if len(way) == 1 {
		return e.actAt(d, i, p, m)
	}
	e.drafts.child(d, i) // it is about to change
	outside := e.enter(d, i)
	err := e.actAlong(way[1:], p, m)
	e.leave(outside)
	if err != nil {
		return e.explain.Below(err, e.view(d), i)
	}
	d.noteFields(i)
	return nil
}

// actAt applies p to entry i of d.
func (e *editor) actAt(d *draft, i int32, p *Plan, m int) error {
	if e.record != nil {
		e.record.Reached(e.view(d), i, p)
	}
	base := len(e.found)
	for len(e.found) < m {
		e.found = append(e.found, None) // what e.why has found has the number m
	}
	e.found = append(e.found, i)
	err := e.act(d, p, m)
	e.found = e.found[:base]
	return err
}

// reachesNothing reports whether p has only nodes with overlay.path and none of them can match in v, so that
// v need not be edited. Nothing is explained or recorded then.
func (e *editor) reachesNothing(v tree.Value, p *Plan) bool {
	if _, quiet := e.explain.(silent); !quiet || e.opt.Trace != nil || e.record != nil {
		return false
	}
	nodes := p.Children()
	for i := range nodes {
		c := &nodes[i]
		if c.Bad != nil || !c.reaches() || c.Expect.When || c.By.Paths.MayMatchIn(v) {
			return false
		}
	}
	for i := range nodes {
		e.reachOf(&nodes[i])
	}
	return true
}

func (e *editor) reachOf(p *Plan) *Reach {
	if e.reaching.total == nil {
		e.reaching.total = map[*Plan]*Reach{}
	}
	r := e.reaching.total[p]
	if r == nil {
		r = &Reach{}
		e.reaching.total[p] = r
	}
	return r
}

// whole applies an overlay, and checks how many nodes overlay.path has matched in it.
func (e *editor) whole(d *draft, p *Plan) error {
	if err := e.item(d, p); err != nil {
		return err
	}
	return e.checkReach(d, p)
}

// checkReach checks the number of matches of overlay.path in an overlay that was applied to d.
func (e *editor) checkReach(d *draft, overlay *Plan) error {
	for _, p := range overlay.paths {
		r := e.reaching.total[p]
		if r == nil {
			continue // nothing around it matched
		}
		delete(e.reaching.total, p)
		if p.Uncounted {
			return e.explain.WrongReach(p, r)
		}
		if p.Expect.When {
			continue
		}
		next, err := e.decide(p, r.N)
		if err != nil {
			return err
		}
		if next == fail {
			return e.explain.WrongReach(p, r)
		}
		if r.N == 0 && e.record != nil {
			e.record.Unreached(e.view(d), p, r)
		}
	}
	return nil
}

// checkReach is editor.checkReach for documents that several workers have edited.
func (b *batch) checkReach(overlay *Plan) error {
	for _, p := range overlay.paths {
		n, applied := 0, false
		for _, w := range b.workers {
			if r := w.reaching.total[p]; r != nil {
				n += r.N
				applied = true
			}
		}
		if !applied || p.Expect.When && !p.Uncounted {
			continue
		}
		if p.Uncounted {
			return errStop
		}
		if next, err := b.workers[0].decide(p, n); err != nil || next == fail {
			return errStop
		}
	}
	return nil
}

// search makes the finder of overlay.path report what it compares, in a traced run.
func (r *reasons) search(e *editor, f *path.Finder) {
	f.Compared = nil
	if trace := e.opt.Trace; trace != nil {
		f.Compared = func(v tree.Value) { r.all = trace.Union(r.all, trace.Deep(v)) }
	}
}

// reached records what decided that overlay.path matches at the end of a way: the keys that items on
// it were chosen by. m is the number of the match.
func (r *reasons) reached(e *editor, p *Plan, way []path.Step, m int) {
	trace := e.opt.Trace
	if trace == nil {
		return
	}
	var s tree.Slice
	for i := range way {
		for _, by := range p.By.Paths.Keys() {
			if v, ok := way[i].Item.Value.Lookup(by); ok && way[i].List {
				s = trace.Union(s, trace.Deep(v))
			}
		}
	}
	for len(r.found) < m {
		r.found = append(r.found, 0)
	}
	r.found = append(r.found, s)
}

// spareReached records what p, which has overlay.path, would do in d if what decided s were
// different.
func (e *editor) spareReached(d *draft, p *Plan, s tree.Slice, around tree.Origin) {
	e.reaching.finder.Compared = nil
	var ways [][]path.Step
	e.reaching.finder.Find(p.By.Paths, d.freeze(), func(way []path.Step) {
		ways = append(ways, slices.Clone(way))
	})
	for _, way := range ways {
		in := d
		for n := range way {
			i := in.entryOf(&way[n])
			if n+1 == len(way) {
				e.spare(in, i, p, s, around)
				break
			}
			if o := in.entries[i].Value.Origin(); o != 0 {
				around = e.opt.Origins.Unspared(o)
			}
			in = e.drafts.child(in, i)
		}
	}
}
