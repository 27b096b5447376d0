package diff

import (
	"cmp"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/unified"
)

// lists compares two lists. It pairs items by their key or, for Kubernetes objects, by name, if that
// identifies the items on both sides, and otherwise by content. A key or name that two items of a list
// share is never used.
func (c *comparer) lists(x, y tree.Value) {
	a, mark := c.items.open(x)
	b, _ := c.items.open(y)
	defer c.items.close(mark)
	l := listing{comparer: c, a: a, b: b}
	l.key = c.keyHere()
	if l.key != "" && l.index(func(v tree.Value) (tree.Value, bool) { return v.Lookup(l.key) }) {
		l.byKey()
		return
	}
	if l.key = ""; l.index(objectName) || l.index(groupedName) {
		l.byKey()
		return
	}
	l.bySequence()
}

// objectName returns what identifies a Kubernetes object in a list, such as the items of kind: List. An
// object remains the same if its API moves to another group.
func objectName(v tree.Value) (tree.Value, bool) {
	n := objectNamed(v)
	return tree.Of(starlark.String(n.String())), n.isObject()
}

// groupedName is like objectName, for lists with objects of the same kind in several groups.
func groupedName(v tree.Value) (tree.Value, bool) {
	n := objectNamed(v)
	return tree.Of(starlark.String(n.Group + " " + n.String())), n.isObject()
}

// keyHere returns the key that identifies the items of the list at the current path.
func (c *comparer) keyHere() string {
	if c.opt.KeyOf == nil {
		return "name"
	}
	return c.opt.KeyOf(c.path)
}

// listing is the comparison of two lists.
type listing struct {
	*comparer
	a, b []tree.Item
	key  string          // the key that identifies items and is part of paths; "" if there is none
	ids  [2][]tree.Value // the identities of the items; nil if they are compared as a sequence
	inB  map[tree.ScalarKey]int
}

// index indexes the items by identity, and reports whether all identities are unique.
func (l *listing) index(identify func(tree.Value) (tree.Value, bool)) bool {
	l.ids = [2][]tree.Value{}
	for side, items := range [][]tree.Item{l.a, l.b} {
		index := make(map[tree.ScalarKey]int, len(items))
		for i := range items {
			id, ok := identify(items[i].Value)
			if !ok || id.IsNull() {
				return false
			}
			k, ok := id.ScalarKey()
			if !ok {
				return false
			}
			if _, twice := index[k]; twice {
				return false
			}
			index[k] = i
			l.ids[side] = append(l.ids[side], id)
		}
		l.inB = index // the index of b is computed last
	}
	return true
}

// byKey compares items with the same key.
func (l *listing) byKey() {
	from := make([]int, len(l.b))
	for j := range from {
		from[j] = -1
	}
	for i := range l.a {
		k, _ := l.ids[0][i].ScalarKey()
		j, ok := l.inB[k]
		if !ok {
			j = -1
		} else {
			from[j] = i
		}
		l.item(i, j)
	}
	for j, i := range from {
		if i < 0 {
			l.item(-1, j)
		}
	}
	if l.opt.Order {
		l.moves(from)
	}
}

// moves reports items whose position relative to the others has changed.
func (l *listing) moves(from []int) {
	var was, is []int
	for j, i := range from {
		if i >= 0 {
			was, is = append(was, i), append(is, j)
		}
	}
	stay := unified.Increasing(was)
	for k := range was {
		if len(stay) > 0 && stay[0] == k {
			stay = stay[1:]
			continue
		}
		l.moved(was[k], is[k])
	}
}

func (l *listing) moved(i, j int) {
	l.below(l.segment(i, j), l.a[i].Pos, l.b[j].Pos, func() {
		if !l.ignored() {
			l.report(Change{Op: Moved, Before: number(i), After: number(j), Was: l.was, At: l.at})
		}
	})
}

// segment returns the path segment of item i of a, which is item j of b; either may be -1.
func (l *listing) segment(i, j int) path.Segment {
	s := path.ToItem(i, j)
	switch {
	case l.key == "":
		if s.Item = tree.Null; j >= 0 {
			s.Item = l.b[j].Value
		} else if i >= 0 {
			s.Item = l.a[i].Value
		}
	case j >= 0 && len(l.ids[1]) == len(l.b):
		s.By, s.ID = l.key, l.ids[1][j]
	case j < 0 && len(l.ids[0]) == len(l.a):
		s.By, s.ID = l.key, l.ids[0][i]
	}
	return s
}

// item compares item i of a with item j of b; either may be -1.
func (l *listing) item(i, j int) {
	s := l.segment(i, j)
	switch {
	case j < 0:
		l.below(s, l.a[i].Pos, source.Pos{}, func() {
			l.report(Change{Op: Removed, Before: l.a[i].Value, Was: l.was})
		})
	case i < 0:
		l.below(s, source.Pos{}, l.b[j].Pos, func() {
			l.report(Change{Op: Added, After: l.b[j].Value, At: l.at})
		})
	default:
		l.below(s, l.a[i].Pos, l.b[j].Pos, func() { l.values(l.a[i].Value, l.b[j].Value) })
	}
}

// bySequence compares lists whose items have no key. Equal items in the same order are unchanged. Of the
// rest, equal items have moved; similar items between the same neighbors have changed, and so have items
// that correspond one by one.
func (l *listing) bySequence() {
	x, y, count := l.classes()
	edits := unified.Compare(x, y, count)
	to := map[int]int{} // changed items
	from := map[int]int{}
	join := func(i, j int) { to[i], from[j] = j, i }

	moves := l.equalElsewhere(edits, x, y)
	for _, m := range moves {
		join(m.a, m.b)
	}
	for _, m := range l.similarInGaps(edits, to, from) {
		join(m.a, m.b)
	}
	for _, e := range edits {
		l.oneByOne(e, to, from, join)
	}
	for _, e := range edits {
		for i := e.A0; i < e.A1; i++ {
			if j, ok := to[i]; !ok {
				l.item(i, -1)
			} else if x[i] != y[j] {
				l.item(i, j)
			}
		}
		for j := e.B0; j < e.B1; j++ {
			if _, ok := from[j]; !ok {
				l.item(-1, j)
			}
		}
	}
	for _, m := range moves {
		l.moved(m.a, m.b)
	}
}

// classes numbers the items so that equal items have equal numbers.
func (l *listing) classes() (x, y []int, count int) {
	byHash := map[uint64][]int{}
	var first []tree.Value
	classify := func(items []tree.Item) []int {
		list := make([]int, len(items))
		for i := range items {
			h := l.hash.value(items[i].Value)
			k := slices.IndexFunc(byHash[h], func(n int) bool {
				return l.equal(first[n], items[i].Value)
			})
			if k < 0 {
				byHash[h] = append(byHash[h], len(first))
				list[i] = len(first)
				first = append(first, items[i].Value)
			} else {
				list[i] = byHash[h][k]
			}
		}
		return list
	}
	x = classify(l.a)
	y = classify(l.b)
	return x, y, len(first)
}

// equalElsewhere pairs items that were removed in one place and added in another.
func (l *listing) equalElsewhere(edits []unified.Edit, x, y []int) (moves []match) {
	removed := map[int][]int{}
	for _, e := range edits {
		for i := e.A0; i < e.A1; i++ {
			removed[x[i]] = append(removed[x[i]], i)
		}
	}
	for _, e := range edits {
		for j := e.B0; j < e.B1; j++ {
			if list := removed[y[j]]; len(list) > 0 {
				moves = append(moves, match{a: list[0], b: j})
				removed[y[j]] = list[1:]
			}
		}
	}
	return moves
}

// similarInGaps pairs similar items between the same neighbors, in order.
func (l *listing) similarInGaps(edits []unified.Edit, to, from map[int]int) []match {
	var a, b []int
	var fa, fb [][]uint64
	gather := func(gap int, v tree.Value) []uint64 {
		f := l.hash.features(v, Name{})
		for i := range f {
			f[i] = mix(f[i], uint64(gap)) // items in different gaps are never similar
		}
		return f
	}
	for gap, e := range edits {
		if e.A0 == e.A1 || e.B0 == e.B1 {
			continue
		}
		for i := e.A0; i < e.A1; i++ {
			if _, ok := to[i]; !ok {
				a, fa = append(a, i), append(fa, gather(gap, l.a[i].Value))
			}
		}
		for j := e.B0; j < e.B1; j++ {
			if _, ok := from[j]; !ok {
				b, fb = append(b, j), append(fb, gather(gap, l.b[j].Value))
			}
		}
	}
	var found []match
	var inB []int
	for _, m := range similar(fa, fb) {
		i, j := a[m.a], b[m.b]
		if l.a[i].Value.Kind() == l.b[j].Value.Kind() {
			found, inB = append(found, match{a: i, b: j}), append(inB, j)
		}
	}
	kept := found[:0]
	for _, k := range unified.Increasing(inB) {
		kept = append(kept, found[k])
	}
	return kept
}

// oneByOne pairs the remaining items between two paired items, if both sides have the same number of them
// and they are of the same kind: an edit that changes much is still an edit.
func (l *listing) oneByOne(e unified.Edit, to, from map[int]int, join func(i, j int)) {
	var pairs []match
	for i := e.A0; i < e.A1; i++ {
		if j, ok := to[i]; ok && j >= e.B0 && j < e.B1 {
			pairs = append(pairs, match{a: i, b: j})
		}
	}
	slices.SortFunc(pairs, func(p, q match) int { return cmp.Compare(p.a, q.a) })
	pairs = append(pairs, match{a: e.A1, b: e.B1})
	i, j := e.A0, e.B0
	for _, p := range pairs {
		if p.b < j { // moved across others
			continue
		}
		var left, right []int
		for ; i < p.a; i++ {
			if _, ok := to[i]; !ok {
				left = append(left, i)
			}
		}
		for ; j < p.b; j++ {
			if _, ok := from[j]; !ok {
				right = append(right, j)
			}
		}
		if len(left) == len(right) {
			for k := range left {
				if l.a[left[k]].Value.Kind() == l.b[right[k]].Value.Kind() {
					join(left[k], right[k])
				}
			}
		}
		i, j = p.a+1, p.b+1
	}
}
