package suggest

import (
	"slices"
	"strings"

	"weft/internal/engine/schema"
	"weft/internal/lang/tree"
	"weft/internal/origin/diff"
)

// This file is about data values that are empty today, such as a list without items: nothing in the output
// shows what code makes of an item. So one with marks is set, the environment is rendered, and the marks show
// where the parts of the item are in what was edited. Lists that a text has get another item in the same way.

// maxFills is how many data values are tried.
const maxFills = 8

// fillOptions gives changes that nothing else explains the options to fill data values that are empty, or to
// add items to lists and to remove them. It reports whether there are any.
func (s *search) fillOptions(open []*choice) bool {
	for _, c := range open {
		c.options = nil
	}
	for _, info := range slices.Concat(s.emptyValues(open), s.longerLists(open)) {
		s.fill(info, open)
	}
	s.shorterOptions(open)
	return slices.ContainsFunc(open, func(c *choice) bool { return c.options != nil })
}

// openChoices returns the changes that documents still lack, if an item or a line that was added may give
// them.
func (s *search) openChoices(list []*choice, docs []tree.Doc) (open []*choice) {
	left := s.leftOf(docs)
	for _, c := range list {
		if left[c.key] && (c.change.Op == diff.Added || c.change.Op == diff.Changed && c.isText()) {
			open = append(open, c)
		}
	}
	return open
}

// emptyValues returns the data values that are empty, and that decide what is missing or are read where
// something was edited.
func (s *search) emptyValues(open []*choice) (list []tree.LeafInfo) {
	note := func(leaves []tree.Leaf) {
		for _, leaf := range leaves {
			info, ok := s.ownLeaf(s.res.Origins.Leaf(leaf))
			v, found := tree.At(s.values, info.Path)
			isBelowList := slices.ContainsFunc(info.Path, func(x tree.Step) bool { return x.Index >= 0 })
			if ok && found && !isBelowList && (v.IsNull() || isEmpty(v)) && len(list) < maxFills &&
				!hasPath(list, info.Path) {
				list = append(list, info)
			}
		}
	}
	for _, c := range open {
		x := &c.change
		way := x.Path
		if x.Op == diff.Added {
			way = way[:max(len(way)-1, 0)]
		}
		if x.Object.A < 0 {
			continue
		}
		if n := s.nodeAt(x.Object.A, way); n != nil {
			for _, e := range s.blame.History(n) {
				note(e.Reads)
			}
		}
	}
	if len(open) == 0 {
		return nil
	}
	for _, a := range s.res.Origins.Absences() {
		if a.Kind == tree.NotTaken {
			note(s.res.Origins.Leaves(a.Reads))
		}
	}
	return list
}

// longerLists returns the lists that may get items because a text has more lines: those of which it has
// items.
func (s *search) longerLists(open []*choice) (list []tree.LeafInfo) {
	for _, c := range open {
		x := &c.change
		if x.Op != diff.Changed || strings.Count(x.After.Text(), "\n") <= strings.Count(x.Before.Text(), "\n") {
			continue
		}
		list = append(list, s.listsIn(c)...)
	}
	return list[:min(len(list), maxFills)]
}

// listsIn returns the lists of data values of which a text has items, the innermost first.
func (s *search) listsIn(c *choice) (list []tree.LeafInfo) {
	for _, e := range s.blame.History(c.node) {
		for _, leaf := range e.Reads {
			info, ok := s.ownLeaf(s.res.Origins.Leaf(leaf))
			for n := len(info.Path) - 1; ok && n >= 0; n-- {
				way := info.Path[:n]
				if info.Path[n].Index >= 0 && !hasPath(list, way) {
					around := info
					around.Path = way
					list = append(list, around)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b tree.LeafInfo) int { return len(b.Path) - len(a.Path) })
	return list
}

// hasPath reports whether one of the data values has a path.
func hasPath(list []tree.LeafInfo, way []tree.Step) bool {
	return slices.ContainsFunc(list, func(x tree.LeafInfo) bool { return slices.Equal(x.Path, way) })
}

// shorterOptions gives changes of texts that have fewer lines the options to remove the item of a list that
// they have.
func (s *search) shorterOptions(list []*choice) {
	for _, c := range list {
		x := &c.change
		if x.Op != diff.Changed {
			continue
		}
		was, now := x.Before.Text(), x.After.Text()
		start, end := around(was, now)
		if start+end != len(now) || !strings.Contains(was[start:len(was)-end], "\n") {
			continue
		}
		for _, info := range s.listsIn(c) {
			v, _ := tree.At(s.values, info.Path)
			for i, item := range elements(v) {
				if isAllIn(item, was[start:len(was)-end]) {
					way := append(slices.Clip(info.Path), tree.Step{Index: i})
					c.options = append(c.options, s.valueOptions(info.Values, way, nil)...)
				}
			}
		}
	}
}

// isAllIn reports whether a text has all texts and numbers of a value, and there is one.
func isAllIn(v tree.Value, text string) bool {
	if v.Kind() == tree.ScalarKind {
		return v.Text() != "" && strings.Contains(text, v.Text())
	}
	return v.Len() > 0 && !slices.ContainsFunc(v.Entries(), func(it tree.Item) bool {
		return !isAllIn(it.Value, text) && !isBlank(it.Value)
	})
}

// isText reports whether a change is that of a text that is computed.
func (c *choice) isText() bool {
	return c.node != nil && c.change.Before.Kind() == tree.ScalarKind && c.change.After.Kind() == tree.ScalarKind
}

// fill renders with marks in a data value, and offers what they show.
func (s *search) fill(info tree.LeafInfo, open []*choice) {
	key := stepsText(info.Path)
	p, known := s.probes[key]
	if !known {
		p = s.newProbe(info)
		if p.docs = s.probed(info, p.value(1)); p.docs != nil && p.isList() {
			p.twice = s.probed(info, p.value(2))
		}
		s.probes[key] = p
	}
	if p.docs != nil {
		p.offer(open)
	}
}

// probed returns what the environment gives with a data value, or nil if it cannot be rendered.
func (s *search) probed(info tree.LeafInfo, v tree.Value) []tree.Doc {
	options := s.valueOptions(info.Values, info.Path, &v)
	if len(options) == 0 {
		return nil
	}
	d, failed := s.draftOf([]edited{{option: options[0]}})
	if failed != nil {
		return nil
	}
	docs, err := s.gives(d)
	if err != nil {
		return nil
	}
	return docs
}

// schemaOf returns the type of the data values of the environment, or nil.
func (s *search) schemaOf() *schema.Type {
	if s.typeKnown {
		return s.valuesType
	}
	s.typeKnown = true
	o, err := s.trial.options(draft{}, s.in.Env)
	if err != nil {
		return nil
	}
	session, err := s.session(draft{}, o.Config())
	if err != nil {
		return nil
	}
	if of, _ := session.DataValues(s.ctx); of != nil {
		s.valuesType = of.Type
	}
	return s.valuesType
}
