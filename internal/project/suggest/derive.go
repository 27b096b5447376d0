package suggest

import (
	"slices"
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// derived is an item of a list or a map of data values, as what a loop would print for it shows: a similar item
// is printed in the same way, and each difference says what is different in the new item.
type derived struct {
	*search
	of    iteration  // the similar item
	model tree.Value // its data value
	key   string     // the new key, if the loop goes through a map
	set   []finding  // what the new item has
	texts []computed // computed texts that are not explained yet
}

// finding is the value of the new item at a path below it.
type finding struct {
	way   []tree.Step
	value tree.Value
}

// computed is a text that is computed from parts of the item.
type computed struct {
	reads    []tree.LeafInfo
	isKey    bool // it is a key, of which nothing says what it was computed from
	was, now string
	value    tree.Value // now
}

// derive returns the item for which a loop gives now, where it gives was for another one. It is nil if
// there are differences that no part of the item explains. Whether the loop gives it is seen by rendering.
func (s *search) derive(doc int, way path.Path, of iteration, was, now tree.Value) *derived {
	return s.deriveItem(doc, way, of, tree.Item{Value: was}, tree.Item{Value: now})
}

// deriveItem is derive for an item of a list or, with its key, of a map.
func (s *search) deriveItem(doc int, way path.Path, of iteration, was, now tree.Item) *derived {
	model, ok := tree.At(s.values, of.way())
	d := &derived{search: s, of: of, model: model}
	if !ok || !d.visit(doc, way, was.Value, now.Value) {
		return nil
	}
	if !was.Key.Empty() {
		d.texts = append(d.texts, computed{isKey: true, was: tree.KeyText(was.Key), now: tree.KeyText(now.Key)})
	}
	for _, c := range d.texts {
		if !d.explain(c) {
			return nil
		}
	}
	if len(d.set) == 0 && d.key == "" {
		return nil
	}
	return d
}

// visit compares what the loop gives at a path for both items.
func (d *derived) visit(doc int, way path.Path, was, now tree.Value) bool {
	n := d.nodeAt(doc, way)
	if n == nil {
		return false
	}
	history := d.history(n)
	if info, ok := d.handedOn(history[len(history)-1]); ok {
		if below, ok := d.below(info); ok {
			return d.assign(below, now)
		}
	}
	if was.Kind() != now.Kind() {
		return false
	}
	switch was.Kind() {
	case tree.MapKind:
		find := finder(was)
		for _, it := range now.Entries() {
			old, ok := find(it.Key)
			if !ok || !d.visit(doc, append(slices.Clip(way), path.ToKey(it.Key)), old, it.Value) {
				return false
			}
		}
		return true
	case tree.ArrayKind:
		if was.Len() != now.Len() {
			return d.visitSegment(doc, way, was, now)
		}
		before := elements(was)
		for i, it := range now.Entries() {
			if !d.visit(doc, append(slices.Clip(way), path.ToItem(i, i)), before[i], it.Value) {
				return false
			}
		}
		return true
	}
	c := computed{was: was.Text(), now: now.Text(), value: now}
	for _, e := range history {
		for _, leaf := range e.Reads {
			if info, ok := d.ownLeaf(d.res.Origins.Leaf(leaf)); ok {
				c.reads = append(c.reads, info)
			}
		}
	}
	if len(c.reads) == 0 {
		return edit.Equal(was, now)
	}
	d.texts = append(d.texts, c)
	return true
}

// visitSegment compares lists of which a part is a list of the item.
func (d *derived) visitSegment(doc int, way path.Path, was, now tree.Value) bool {
	g, ok := d.segmentOf(doc, way, was)
	if !ok {
		return false
	}
	below, ok := d.below(g.info)
	if !ok {
		return false
	}
	before, after := elements(was), elements(now)
	v, ok := g.now(was, now, func(i, j int) bool {
		return d.visit(doc, append(slices.Clip(way), path.ToItem(i, i)), before[i], after[j])
	})
	return ok && d.assign(below, v)
}

// below returns the path of a data value below the similar item.
func (d *derived) below(info tree.LeafInfo) ([]tree.Step, bool) {
	way := d.of.way()
	if info.Values != d.of.values || info.Kind == tree.Missing || len(info.Path) < len(way) ||
		!slices.Equal(info.Path[:len(way)], way) {
		return nil, false
	}
	return info.Path[len(way):], true
}

// assign sets a value of the new item. It returns false if it has another one already.
func (d *derived) assign(way []tree.Step, v tree.Value) bool {
	for _, a := range d.set {
		if slices.Equal(a.way, way) {
			return edit.Equal(a.value, v)
		}
	}
	d.set = append(d.set, finding{way, v})
	return true
}

// has returns the value of the new item at a path, if it is known.
func (d *derived) has(way []tree.Step) (tree.Value, bool) {
	for _, a := range d.set {
		if len(a.way) <= len(way) && slices.Equal(way[:len(a.way)], a.way) {
			return tree.At(a.value, way[len(a.way):])
		}
	}
	return tree.Value{}, false
}

// explain finds out which part of the item makes two computed texts differ: of those that are not known, one
// may.
func (d *derived) explain(c computed) bool {
	text := c.was
	var open [][]tree.Step
	read := func(way []tree.Step) {
		old, found := tree.At(d.model, way)
		switch now, known := d.has(way); {
		case !found || old.Kind() != tree.ScalarKind || old.Text() == "":
		case known:
			text = strings.ReplaceAll(text, old.Text(), now.Text())
		default:
			open = append(open, way)
		}
	}
	for _, info := range c.reads {
		if way, ok := d.below(info); ok && d.isText(way, c.was) {
			return d.assign(way, c.value) // it is handed on, by way of its key
		}
	}
	for _, info := range c.reads {
		if way, ok := d.below(info); ok {
			read(way)
		} else if d.readsKey(info) {
			text = d.renamed(text, c.now)
		}
	}
	if c.isKey {
		if d.of.item.Index < 0 {
			text = d.renamed(text, c.now)
		} else {
			for _, way := range d.within(c.was) {
				read(way)
			}
		}
	}
	for _, way := range open {
		v, _ := tree.At(d.model, way)
		if list := parts(text, c.now, v); text != c.now && len(list) > 0 {
			v, text = list[0], c.now
		}
		if !d.assign(way, v) {
			return false
		}
	}
	return text == c.now
}

// isText reports whether the text is all that a scalar of the similar item of a map is.
func (d *derived) isText(way []tree.Step, text string) bool {
	v, ok := tree.At(d.model, way)
	return ok && d.of.item.Index < 0 && v.Kind() == tree.ScalarKind && v.Text() == text
}

// renamed returns a text that has the key of the similar item with the new key.
func (d *derived) renamed(text, now string) string {
	if d.key != "" {
		return strings.ReplaceAll(text, d.of.item.Key, d.key)
	}
	if list := parts(text, now, tree.String(d.of.item.Key)); len(list) > 0 {
		d.key = list[0].Text()
		return now
	}
	return text
}

// within returns the paths of the scalars of the similar item that a text has: the item itself, or its fields.
func (d *derived) within(text string) (ways [][]tree.Step) {
	isPart := func(v tree.Value) bool {
		return v.Kind() == tree.ScalarKind && v.Text() != "" && strings.Contains(text, v.Text())
	}
	if isPart(d.model) {
		return [][]tree.Step{nil}
	}
	for _, it := range entriesOf(d.model) {
		if isPart(it.Value) {
			ways = append(ways, keys(tree.KeyText(it.Key)))
		}
	}
	return ways
}

// readsKey reports whether a data value is the map that the loop goes through: code has read its keys.
func (d *derived) readsKey(info tree.LeafInfo) bool {
	return d.of.item.Index < 0 && info.Values == d.of.values && slices.Equal(info.Path, d.of.list)
}

// merge adds what another part of the output shows about the same item. It returns false if that is another
// item: nothing is the same, or something is not.
func (d *derived) merge(other *derived) bool {
	same := false
	for _, a := range other.set {
		if v, ok := d.has(a.way); ok {
			if !edit.Equal(v, a.value) {
				return false
			}
			same = true
		}
	}
	if same {
		for _, a := range other.set {
			if _, ok := d.has(a.way); !ok {
				d.set = append(d.set, a)
			}
		}
	}
	return same
}

// item returns the new item: with what is known about it, or with everything else that the similar one has,
// too.
func (d *derived) item(whole bool) tree.Value {
	v := d.model
	for _, a := range d.set {
		v = with(v, a.way, &a.value)
	}
	if whole {
		return v
	}
	return d.known(v, nil)
}

// known returns the part of a value at a path that was found.
func (d *derived) known(v tree.Value, way []tree.Step) tree.Value {
	if _, ok := d.has(way); ok || v.Kind() == tree.ScalarKind {
		return v
	}
	var items []tree.Item
	for i, it := range v.Entries() {
		next := append(slices.Clip(way), stepTo(v, i))
		if slices.ContainsFunc(d.set, func(a finding) bool {
			return len(a.way) >= len(next) && slices.Equal(a.way[:len(next)], next)
		}) {
			it.Value = d.known(it.Value, next)
			items = append(items, it)
		}
	}
	if v.Kind() == tree.MapKind {
		return tree.Of(tree.NewMap(items, v.Start()))
	}
	return tree.Of(tree.NewArray(items, v.Start()))
}
