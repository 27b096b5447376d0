package suggest

import (
	"weft/internal/lang/tree"
	"weft/internal/origin/diff"
)

// This file is about documents and items behind a condition, such as an Ingress that a switch turns on and
// whose host name is another data value. Blame shows where the host name goes only while the switch is on. So
// the switch is turned first, and the rest is searched for in what that renders.

// maxSwitches is how many data values are switched.
const maxSwitches = 2

// switchAndGoOn adds changes in place to a plan that explain more of the edit than those done, if a data
// value is switched. It returns what they give, and whether there are any; otherwise what it got.
func (s *search) switchAndGoOn(
	p *Plan, list []*choice, done []edited, from draft, docs []tree.Doc,
) (draft, []tree.Doc, bool) {
	left := s.leftOf(docs)
	tries := 0
	for _, c := range list {
		if !left[c.key] || c.change.Op != diff.Added {
			continue
		}
		for _, a := range s.absent(&c.change) {
			options := s.switched(a.Reads)
			if len(options) == 0 || tries == maxSwitches {
				continue
			}
			tries++
			all := append(done[:len(done):len(done)], edited{option: options[0], choices: []*choice{c}})
			if d, docs, ok := s.goOn(p, all, left); ok {
				return d, docs, true
			}
		}
	}
	return from, docs, false
}

// goOn makes changes in place, searches for others in what they give, and adds all of them to a plan. It
// reports whether fewer changes are left, and no other ones.
func (s *search) goOn(p *Plan, done []edited, left map[string]bool) (draft, []tree.Doc, bool) {
	d, failed := s.draftOf(done)
	if failed != nil {
		return d, nil, false
	}
	next, err := s.after(d)
	if err != nil {
		return d, nil, false
	}
	from, also, docs, err := next.fromSources(next.choices(next.difference(next.docs)))
	if err != nil {
		return d, nil, false
	}
	now := s.leftOf(docs)
	for key := range now {
		if !left[key] {
			return d, nil, false
		}
	}
	if len(now) >= len(left) {
		return d, nil, false
	}
	p.add(s, done)
	first := len(p.Steps)
	p.add(next, also)
	for i := range p.Steps[first:] { // their offsets are those in the files of the draft
		p.Steps[first+i].at = spot{}
	}
	return from.over(d), docs, true
}

// after returns the search for the rest of the edit in what a draft gives, which is rendered once.
func (s *search) after(d draft) (*search, error) {
	key := d.key()
	next := s.later[key]
	if next == nil {
		t, err := s.onTop(d)
		if err != nil {
			return nil, err
		}
		next = newSearch(t)
		if err := next.renderToday(); err != nil {
			return nil, err
		}
		next.edited, next.files = s.edited, s.files
		next.rules, next.guarded, next.fresh = s.rules, s.guarded, s.fresh
		s.later[key] = next
	}
	next.attempt, next.begin, next.alone = s.attempt, beginning{docs: next.docs}, map[string]bool{}
	return next, nil
}

// leftOf returns which changes documents lack.
func (s *search) leftOf(docs []tree.Doc) map[string]bool {
	left := map[string]bool{}
	changes := s.difference(docs).Changes
	for i := range changes {
		left[keyOf(&changes[i])] = true
	}
	return left
}
