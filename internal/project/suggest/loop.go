package suggest

import (
	"cmp"
	"maps"
	"slices"

	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/origin/diff"
)

// This file turns items, keys and documents that a loop over data values would add, remove or move into other
// data values.

// iteration is the run of a loop's body that gave something of the output.
type iteration struct {
	values int
	list   []tree.Step // the list or the map of data values that the loop goes through
	item   tree.Step   // the item that the body saw
	loop   source.Span // the expression of the loop
}

// way returns the path of the data value that the body saw.
func (it *iteration) way() []tree.Step { return append(slices.Clip(it.list), it.item) }

// iterationOf returns the innermost loop that gave an item of a list, a key or a document, but not what is
// around it.
func (s *search) iterationOf(doc int, way path.Path) (it iteration, ok bool) {
	when := s.when(doc, way)
	if len(way) > 0 {
		outer := s.when(doc, way[:len(way)-1])
		when = when[:max(len(when)-len(outer), 0)]
	}
	i := slices.IndexFunc(when, func(c tree.Condition) bool { return c.Kind == tree.For })
	if i < 0 {
		return it, false
	}
	c := when[i]
	leaves := s.res.Origins.Leaves(c.Reads)
	if len(leaves) != 1 {
		return it, false
	}
	seen := s.res.Origins.Leaf(leaves[0]) // maybe of a library
	info, ok := s.ownLeaf(seen)
	v, found := tree.At(s.res.Origins.DataValues()[seen.Values].Value, seen.Path)
	if !ok || !found || v.Kind() == tree.ScalarKind || c.Index < 0 || c.Index >= v.Len() {
		return it, false
	}
	it = iteration{values: info.Values, list: info.Path, loop: c.At, item: stepTo(v, c.Index)}
	_, ok = tree.At(s.values, it.way())
	return it, ok
}

// when returns the conditions and loops that gave a node, the innermost first.
func (s *search) when(doc int, way path.Path) []tree.Condition {
	n := s.blame.NodeAt(doc, way)
	if n == nil {
		return nil
	}
	return s.blame.History(n)[0].When
}

// loopChange is how a list of data values has to change, as the output of the loops over it shows.
type loopChange struct {
	iteration
	removed map[int]bool
	order   []int // items in their new order, if some have moved
	added   []*addedItem
	choices []*choice
}

// addedItem is an item that the list does not have yet, and the item after which it belongs, or -1.
type addedItem struct {
	*derived
	after int
}

// loopOptions gives changes of items and documents that come from loops their options.
func (s *search) loopOptions(list []*choice) {
	all := map[string]*loopChange{}
	groups := groupItems(list)
	for _, c := range list {
		x := &c.change
		n := len(x.Path)
		switch {
		case len(c.options) > 0 || x.Op == diff.Changed || x.Op == diff.Renamed:
		case n == 0:
			s.loopDocument(all, c)
		case x.Object.A >= 0 && x.Object.B >= 0 && x.Path[n-1].Kind != path.Inside:
			s.loopItems(all, groups, c)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s.offer(all[name])
		s.waitFor(all[name], list)
	}
	for _, c := range list {
		if flags, first := s.flagOptions(c); first {
			c.options = slices.Concat(flags, c.options)
		} else {
			c.options = append(c.options, flags...)
		}
	}
}

// parentOf names the list or the map of an edited document that an item is in.
type parentOf struct {
	object *diff.Object
	path   string
}

// parentOfItem returns the list or the map that a change of an item is in.
func parentOfItem(x *diff.Change) parentOf {
	return parentOf{x.Object, x.Path[:len(x.Path)-1].String()}
}

// groupItems returns the changes of items by what the items are in.
func groupItems(list []*choice) map[parentOf][]*choice {
	groups := map[parentOf][]*choice{}
	for _, c := range list {
		if x := &c.change; len(x.Path) > 0 && x.Op != diff.Changed {
			groups[parentOfItem(x)] = append(groups[parentOfItem(x)], c)
		}
	}
	return groups
}

// changeOf returns the change of the list that a loop goes through.
func changeOf(all map[string]*loopChange, it iteration) *loopChange {
	name := stepsText(it.list)
	if all[name] == nil {
		all[name] = &loopChange{iteration: it, removed: map[int]bool{}}
	}
	return all[name]
}

// loopDocument notes a document that a loop would add or remove.
func (s *search) loopDocument(all map[string]*loopChange, c *choice) {
	x := &c.change
	if x.Object.B < 0 {
		it := s.loopDocuments().from[x.Object.A]
		switch {
		case it != nil && it.item.Index < 0:
			c.options = append(c.options, s.valueOptions(it.values, it.way(), nil)...)
		case it != nil:
			l := changeOf(all, *it)
			l.removed[it.item.Index] = true
			l.choices = append(l.choices, c)
		}
		return
	}
	if x.Object.A >= 0 {
		return
	}
	now := s.edited[x.Object.B].Value
	for _, i := range s.loopDocuments().byKind[selector.ObjectOf(now).Kind] {
		was, it := s.docs[i].Value, *s.looped.from[i]
		if !hasSameKeys(was, now) {
			continue
		}
		if d := s.derive(i, nil, it, was, now); d != nil {
			s.addDerived(all, d, c, s.documentBefore(x.Object.B, it))
			return
		}
	}
}

// loopedDocuments are the documents that loops gave. They are looked for once: there may be many, and many that
// were added.
type loopedDocuments struct {
	from   []*iteration // for each document, the loop that gave it, or nil
	byKind map[string][]int
	byName map[selector.Object]int
	after  map[addedAt]int // what documentBefore has found
}

// addedAt is the number of an edited document, and the list whose loop would give it.
type addedAt struct {
	document int
	list     string
}

// maxModels is how many documents of a kind, or items of a loop, are compared with one that was added. After
// maxMisses new items of a list that are like none of them, no loop is taken to give the others.
const (
	maxModels = 8
	maxMisses = 100
)

// loopDocuments returns the documents that loops gave.
func (s *search) loopDocuments() *loopedDocuments {
	if s.looped != nil {
		return s.looped
	}
	l := &loopedDocuments{
		from: make([]*iteration, len(s.docs)), byKind: map[string][]int{}, byName: map[selector.Object]int{},
		after: map[addedAt]int{},
	}
	for i, d := range s.docs {
		it, ok := s.iterationOf(i, nil)
		if !ok {
			continue
		}
		object := selector.ObjectOf(d.Value)
		l.from[i], l.byName[object] = &it, i
		if list := l.byKind[object.Kind]; len(list) < maxModels {
			l.byKind[object.Kind] = append(list, i)
		}
	}
	s.looped = l
	return l
}

// documentBefore returns the number of the item that gave the last document of a loop before an edited one,
// or -1.
func (s *search) documentBefore(edited int, it iteration) int {
	list := stepsText(it.list)
	found := -1
	for j := edited - 1; j >= max(edited-maxBefore, 0); j-- {
		if at, ok := s.looped.after[addedAt{j, list}]; ok { // it was added, too
			found = at
			break
		}
		i, ok := s.looped.byName[selector.ObjectOf(s.edited[j].Value)]
		if !ok {
			continue
		}
		if other := s.looped.from[i]; slices.Equal(other.list, it.list) {
			found = other.item.Index
			break
		}
	}
	s.looped.after[addedAt{edited, list}] = found
	return found
}

// maxBefore is how many documents before one that was added are looked at.
const maxBefore = 100

// addDerived notes an item that was derived for a change.
func (s *search) addDerived(all map[string]*loopChange, d *derived, c *choice, after int) {
	if d.of.item.Index < 0 {
		if d.key != "" && d.key != d.of.item.Key {
			v := d.item(false)
			way := append(slices.Clip(d.of.list), tree.Step{Key: d.key, Index: -1})
			c.options = append(c.options, s.valueOptions(d.of.values, way, &v)...)
		}
		return
	}
	l := changeOf(all, d.of)
	l.choices = append(l.choices, c)
	for _, a := range l.added {
		if a.merge(d) {
			return
		}
	}
	l.added = append(l.added, &addedItem{d, after})
}

// loopItems notes what has become of the items of a list, or of the keys of a map, that loops gave. All changes
// of the list are looked at together, and it is taken from the groups.
func (s *search) loopItems(all map[string]*loopChange, groups map[parentOf][]*choice, c *choice) {
	x := &c.change
	parent, ok := before(x.Path[:len(x.Path)-1])
	group := groups[parentOfItem(x)]
	delete(groups, parentOfItem(x))
	if !ok || len(group) == 0 {
		return
	}
	was, _ := tree.At(s.docs[x.Object.A].Value, parent.Steps())
	now, _ := tree.At(s.edited[x.Object.B].Value, x.Path[:len(x.Path)-1].Steps())
	if was.Kind() != now.Kind() || was.Kind() == tree.ScalarKind {
		return
	}
	v := &loopView{
		search: s, doc: x.Object.A, parent: parent, isMap: was.Kind() == tree.MapKind,
		was: was.Entries(), now: now.Entries(), // once: a value may put them together each time
	}
	v.read(was, now)
	for _, other := range group {
		if other.options == nil {
			v.note(all, other)
		}
	}
}

// loopView is a list or a map of the output with items that loops gave.
type loopView struct {
	*search
	doc      int
	parent   path.Path
	isMap    bool
	was, now []tree.Item
	from     []int        // for each item now, the one before, or -1
	loops    []*iteration // for each item before, the loop that gave it, or nil
	models   []int        // the first items before that each loop gave, with which new ones are compared
	misses   int          // how many new ones are like none of them

	wasAt, nowAt map[tree.ScalarKey]int // the numbers of the keys of a map
}

func (v *loopView) read(was, now tree.Value) {
	if v.isMap {
		v.wasAt, v.nowAt = tree.IndexKeys(v.was), tree.IndexKeys(v.now)
		for _, it := range v.now {
			v.from = append(v.from, numberOf(v.wasAt, it.Key))
		}
	} else {
		v.from = partners(elements(was), elements(now))
	}
	v.loops = make([]*iteration, len(v.was))
	count, known := map[source.Span]int{}, map[string]bool{}
	for i := range v.loops {
		it, ok := v.iterationOf(v.doc, v.item(i))
		if !ok {
			it, ok = v.comprehended(v.doc, v.item(i))
			name := stepsText(it.way())
			ok, known[name] = ok && !known[name], true
		}
		if !ok {
			continue
		}
		v.loops[i] = &it
		if count[it.loop]++; count[it.loop] <= maxModels {
			v.models = append(v.models, i)
		}
	}
}

// numberOf returns the number of a key of a map, or -1.
func numberOf(numbers map[tree.ScalarKey]int, key tree.Value) int {
	if k, ok := key.ScalarKey(); ok {
		if i, ok := numbers[k]; ok {
			return i
		}
	}
	return -1
}

func (v *loopView) item(i int) path.Path {
	if v.isMap {
		return append(slices.Clip(v.parent), path.ToKey(v.was[i].Key))
	}
	return append(slices.Clip(v.parent), path.ToItem(i, i))
}

// numbers returns the numbers that the item of a step has before and now, or -1.
func (v *loopView) numbers(at path.Segment) (was, now int) {
	if at.Kind == path.Item {
		return at.Was, at.Index
	}
	return numberOf(v.wasAt, at.Key), numberOf(v.nowAt, at.Key)
}

// note notes one change of an item.
func (v *loopView) note(all map[string]*loopChange, c *choice) {
	was, is := v.numbers(c.change.Path[len(c.change.Path)-1])
	switch c.change.Op {
	case diff.Removed, diff.Moved:
		if was < 0 || was >= len(v.loops) || v.loops[was] == nil {
			return
		}
		it := *v.loops[was]
		switch isMap := it.item.Index < 0; {
		case isMap && c.change.Op == diff.Moved:
		case isMap:
			c.options = append(c.options, v.valueOptions(it.values, it.way(), nil)...)
		default:
			l := changeOf(all, it)
			l.choices = append(l.choices, c)
			if c.change.Op == diff.Removed {
				l.removed[it.item.Index] = true
			} else if l.order == nil {
				l.order = v.order(it)
			}
		}
	case diff.Added:
		if is < 0 || is >= len(v.now) || v.misses >= maxMisses {
			return
		}
		for _, i := range v.models {
			it := v.loops[i]
			if d := v.deriveItem(v.doc, v.item(i), *it, v.was[i], v.now[is]); d != nil {
				v.addDerived(all, d, c, v.itemBefore(is, *it))
				return
			}
		}
		v.misses++
	}
}

// order returns the items of a loop that are still there, in their new order.
func (v *loopView) order(of iteration) (list []int) {
	for _, i := range v.from {
		if i < 0 || v.loops[i] == nil || v.loops[i].loop != of.loop {
			continue
		}
		if k := v.loops[i].item.Index; !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	return list
}

// itemBefore returns the item of a loop that gave the last item of the list before a position, or -1.
func (v *loopView) itemBefore(at int, of iteration) int {
	for _, i := range slices.Backward(v.from[:at]) {
		if i >= 0 && v.loops[i] != nil && v.loops[i].loop == of.loop {
			return v.loops[i].item.Index
		}
	}
	return -1
}

// partners returns for each item of a list the one of another list that it was, or -1. Unlike pairs, it also
// finds items that have moved.
func partners(before, after []tree.Value) []int {
	l := listing{before: before, after: after}
	if !l.identify() {
		from, _ := pairs(before, after)
		for j, v := range after { // what has moved is the same as before
			if from[j] < 0 {
				i := slices.IndexFunc(before, func(x tree.Value) bool { return edit.Equal(x, v) })
				if i >= 0 && !slices.Contains(from, i) {
					from[j] = i
				}
			}
		}
		return from
	}
	l.align(false)
	places := map[tree.ScalarKey]int{}
	for i, v := range before {
		k, _ := l.id(v).ScalarKey()
		places[k] = i
	}
	for j, v := range after {
		k, _ := l.id(v).ScalarKey()
		if i, ok := places[k]; ok {
			l.from[j] = i
		}
	}
	return l.from
}

// offer gives all changes that one list of data values explains the same options: with items that have only
// what the output shows, or everything that a similar item has.
func (s *search) offer(l *loopChange) {
	old, ok := tree.At(s.values, l.list)
	if !ok || old.Kind() != tree.ArrayKind {
		return
	}
	from, added := l.items(old.Len())
	var ways [][]option
	before := elements(old)
	for _, whole := range []bool{false, true} {
		items := make([]tree.Item, len(from))
		for j, i := range from {
			if i >= 0 {
				items[j].Value = before[i]
			} else {
				items[j].Value = added[0].item(whole)
				added = append(added[1:], added[0])
			}
		}
		v := tree.Of(tree.NewArray(items, old.Start()))
		list := s.valueOptions(l.values, l.list, &v)
		for i := range list {
			list[i].items = from
		}
		if ways = append(ways, list); len(added) == 0 {
			break
		}
	}
	for _, c := range l.choices {
		for i := range ways[0] {
			for _, list := range ways {
				c.options = append(c.options, list[i])
			}
		}
	}
}

// waitFor lets changes of what is computed from a list of data values wait for the other items that the list gets:
// a text that has the items looks as if one of them had changed.
func (s *search) waitFor(l *loopChange, list []*choice) {
	for _, c := range list {
		x := &c.change
		if x.Op == diff.Changed && len(c.options) > 0 && !c.options[0].waits && x.Object.A >= 0 &&
			c.options[0].kind == Value && s.affects(x.Object.A, x.Path, l.list) {
			c.options = slices.Insert(c.options, 0, option{waits: true})
		}
	}
}

// items returns which old item each item of the new list is, or -1, and the new ones in their order.
func (l *loopChange) items(n int) (from []int, added []*addedItem) {
	old := make([]int, n)
	for i := range old {
		old[i] = i
	}
	for k, i := range slices.Sorted(slices.Values(l.order)) {
		old[i] = l.order[k]
	}
	insert := func(after int) {
		for _, a := range l.added {
			if a.after == after {
				from, added = append(from, -1), append(added, a)
			}
		}
	}
	insert(-1)
	for _, i := range old {
		if !l.removed[i] {
			from = append(from, i)
		}
		insert(i)
	}
	return from, added
}

// remade returns a list of data values with other items: old ones as they are in the list now, and new ones.
func (o *option) remade(now tree.Value) tree.Value {
	if now.Kind() != tree.ArrayKind {
		return *o.value
	}
	items, current := slices.Clone(o.value.Entries()), now.Entries()
	for j, i := range o.items {
		if i >= 0 && i < len(current) {
			items[j] = current[i]
		}
	}
	return tree.Of(tree.NewArray(items, now.Start()))
}

// compareLeaves orders changes of data values so that each sees the items that it names: what is below comes
// first, and of several items of a list the last.
func compareLeaves(a, b option) int {
	return cmp.Or(cmp.Compare(len(b.leaf), len(a.leaf)), cmp.Compare(lastIndex(b.leaf), lastIndex(a.leaf)))
}
