package yaml

import (
	"iter"

	"weft/internal/lang/diag"
)

// Duplicates reports each key that already occurs in its mapping. Overriding a merged key is
// allowed.
func (t *Tree) Duplicates() diag.List {
	var list diag.List
	for first, again := range t.Repeated() {
		d := diag.Errorf(t.Span(again), CodeDuplicate, "the key %s is defined twice",
			shown([]byte(oneLine(t.Raw(again)))))
		list = append(list, d.WithRelated(t.Span(first), "it is defined here first").
			WithHint("remove one of the two; --implicit-map-key-overrides allows both, and the "+
				"last one wins"))
	}
	return list
}

// Repeated yields pairs of equal keys of a mapping: the first one, and the later one.
func (t *Tree) Repeated() iter.Seq2[NodeID, NodeID] {
	return func(yield func(first, again NodeID) bool) {
		c := &Composer{Tree: t}
		for n := range NodeID(len(t.nodes)) {
			if t.nodes[n].kind != Mapping || !c.hasDuplicate(n) {
				continue
			}
			for first, again := range c.repeated(n) {
				if !yield(first, again) {
					return
				}
			}
		}
	}
}

// hasDuplicate reports whether mapping m itself, without its merge keys, has a duplicate key.
func (c *Composer) hasDuplicate(m NodeID) bool {
	base := len(c.entries)
	c.pushEntries(m)
	n := len(c.entries)
	c.unique(base)
	repeats := len(c.entries) < n
	c.entries = c.entries[:base]
	return repeats
}

// repeated yields pairs of equal keys of mapping m: the first one, and the later one.
func (c *Composer) repeated(m NodeID) iter.Seq2[NodeID, NodeID] {
	return func(yield func(first, again NodeID) bool) {
		c.pushEntries(m)
		entries := c.entries
		c.entries = nil
		before := map[uint64][]NodeID{}
	next:
		for _, e := range entries {
			for _, first := range before[e.hash] {
				if c.same(first, e.key) {
					if !yield(first, e.key) {
						return
					}
					continue next
				}
			}
			before[e.hash] = append(before[e.hash], e.key)
		}
	}
}

// pushEntries pushes the entries of mapping m, without its merge keys.
func (c *Composer) pushEntries(m NodeID) {
	t := c.Tree
	nd := &t.nodes[m]
	for key := m + 1; key < nd.next; {
		value := t.nodes[key].next
		if nd.flags&merges == 0 || !t.IsMerge(key) {
			c.push(key, value)
		}
		key = t.nodes[value].next
	}
}

// mayRepeat reports whether mapping m may have two equal keys. It looks at the length and two bytes
// of each key, so that most mappings need no second look.
func (t *Tree) mayRepeat(m NodeID) bool {
	nodes, text := t.nodes, t.text
	end := nodes[m].next
	var marks [4]uint64
	for key := m + 1; key < end; {
		nd := &nodes[key]
		if nd.kind == Scalar && nd.off < nd.end && nd.flags&cooked == 0 {
			first, last := nd.off, nd.end-1
			if nd.style != Plain && last-first > 1 {
				first, last = first+1, last-1 // without its quotes
			}
			mark := uint32(text[first]) + 31*uint32(text[last]) + 7*(last-first)
			word, bit := &marks[mark>>6&3], uint64(1)<<(mark&63)
			if *word&bit != 0 {
				return true
			}
			*word |= bit
		}
		if nd.next >= end {
			break // an error took the value of the last key
		}
		key = nodes[nd.next].next
	}
	return false
}

// Overridden warns about each key that has no effect because it is defined again below. Call Check
// first, on a tree that was parsed with Options.NoteKeys.
func (t *Tree) Overridden() diag.List {
	var list diag.List
	c := &Composer{Tree: t}
	for _, m := range t.repeats {
		if !c.hasDuplicate(m) {
			continue
		}
		for first, again := range c.repeated(m) {
			list = append(list, t.OverriddenBy(first, again))
		}
	}
	return list
}

// OverriddenBy returns the warning that a later key has the same name as the first.
func (t *Tree) OverriddenBy(first, again NodeID) *diag.Diagnostic {
	return diag.Warningf(t.Span(again), CodeDuplicate, "the key %s is defined twice; the last one wins",
		shown([]byte(oneLine(t.Raw(again))))).
		WithRelated(t.Span(first), "this one has no effect").
		WithHint("remove one of the two; --implicit-map-key-overrides allows both")
}
