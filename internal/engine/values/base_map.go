package values

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/schema"
	"weft/internal/lang/tree"
)

// baseMap is a map that many documents are merged into, one after another. Maps never change, so
// merging each document into the whole map would copy the map each time. A baseMap takes out only the
// part that a document names, merges and checks that part, and puts it back. A rejected document
// changes nothing.
type baseMap struct {
	was     tree.Value // the original map, if nothing has changed
	same    bool
	entries []patch
	at      map[tree.ScalarKey]int
	head    int // the first remaining entry

	work *int // entries visited; the growth test reads it
}

// patch is an item of a baseMap.
type patch struct {
	tree.Item
	kid     *baseMap // its value, if parts of it were taken
	list    *list    // its value, if something was appended
	removed bool
}

// newBaseMap returns a baseMap for a value. It is nil if the value is not a map, or has only unusual
// keys.
func newBaseMap(v tree.Value, work *int) *baseMap {
	m, ok := v.Map()
	if !ok || len(m.Entries()) == 0 {
		return nil // an empty map has no keys to name
	}
	g := &baseMap{was: v, same: true, work: work}
	g.entries, g.at = make(
		[]patch,
		len(m.Entries()),
	), make(map[tree.ScalarKey]int, len(m.Entries()))
	for i, it := range m.Entries() {
		key, ok := it.Key.ScalarKey()
		if !ok {
			return nil
		}
		g.entries[i].Item, g.at[key] = it, i
	}
	*work += len(m.Entries())
	return g
}

// find returns the number of the entry with a key, or -1.
func (g *baseMap) find(key tree.Value) int {
	if k, ok := key.ScalarKey(); ok {
		if i, ok := g.at[k]; ok {
			return i
		}
	}
	return -1
}

// child returns the value of entry i as a baseMap, or nil.
func (g *baseMap) child(i int) *baseMap {
	x := &g.entries[i]
	if x.kid == nil {
		x.kid = newBaseMap(x.Value, g.work)
	}
	return x.kid
}

// value returns the baseMap as a map. It does not change.
func (g *baseMap) value() tree.Value {
	if g.same {
		return g.was
	}
	items := make([]tree.Item, 0, len(g.entries))
	for i := range g.entries {
		if x := &g.entries[i]; !x.removed {
			x.refresh()
			items = append(items, x.Item)
		}
	}
	*g.work += len(g.entries)
	v := tree.Of(tree.NewMap(items, g.was.Start()))
	g.was, g.same = v.WithOrigin(g.was.Origin()), true
	return g.was
}

// refresh sets the item to its new value.
func (x *patch) refresh() {
	switch {
	case x.kid != nil:
		x.Value = x.kid.value()
	case x.list != nil:
		x.Value = x.list.value()
	}
}

// part is the part of a baseMap that a document names.
type part struct {
	*tree.Map
	of    *baseMap
	named []int         // the entries that it has, in order
	kept  []int         // those that the document does not remove
	inner map[int]*part // parts of entries, by number
	lists map[int]*list // lists of entries that are only appended to, by number
	// the first entry is included only because messages show where a map begins
	first bool
}

// part returns the part of g that m names, or nil if m matches by something other than keys. It adds
// all parts to parts.
func (g *baseMap) part(m *tree.Map, parts *schema.Parts) *part {
	if !namesKeys(m) {
		return nil
	}
	p := &part{of: g}
	for _, it := range m.Entries() {
		i := g.find(it.Key)
		if i < 0 {
			continue
		}
		p.named = append(p.named, i)
		if inner := g.inner(i, it, parts); inner != nil {
			if p.inner == nil {
				p.inner = map[int]*part{}
			}
			p.inner[i] = inner
		} else if l := g.list(i, it); l != nil {
			if p.lists == nil {
				p.lists = map[int]*list{}
			}
			p.lists[i] = l
		}
	}
	slices.Sort(p.named)
	for g.head < len(g.entries) && g.entries[g.head].removed {
		g.head++
	}
	if g.head == len(g.entries) {
		return nil
	}
	items := make([]tree.Item, 0, len(p.named)+1)
	if p.first = len(p.named) == 0 || p.named[0] != g.head; p.first {
		it := g.entries[g.head].Item
		it.Value = tree.Null
		items = append(items, it)
	}
	for _, i := range p.named {
		x := &g.entries[i]
		it := x.Item
		if inner, l := p.inner[i], p.lists[i]; inner != nil {
			it.Value = tree.Of(inner.Map).WithOrigin(x.Value.Origin())
		} else if l != nil {
			end := l.end()
			parts.Ends[end] = len(l.items)
			it.Value = tree.Of(end).WithOrigin(l.was.Origin())
		} else {
			x.refresh()
			it = x.Item
		}
		items = append(items, it)
	}
	p.Map = tree.NewMap(items, g.was.Start())
	nodes, _ := tree.Of(p.Map).Weight()
	*g.work += len(m.Entries()) + nodes
	parts.Maps[p.Map] = true
	return p
}

// inner returns the part of entry i that an item names, or nil if the whole entry is needed.
func (g *baseMap) inner(i int, it tree.Item, parts *schema.Parts) *part {
	m, ok := it.Value.Map()
	if !ok || !merges(it.Annotations) {
		return nil
	}
	kid := g.child(i)
	if kid == nil {
		return nil
	}
	return kid.part(m, parts)
}

// list returns entry i as a list, if an item only appends to it, or nil.
func (g *baseMap) list(i int, it tree.Item) *list {
	a, ok := it.Value.Array()
	if !ok || !merges(it.Annotations) || !appends(a) {
		return nil
	}
	x := &g.entries[i]
	if x.list == nil {
		x.list = newList(x.Value, g.work)
	}
	return x.list
}

// keep records which entries of the part a document has kept: a removed key may come back, at the end
// and with its default.
func (p *part) keep(merged *tree.Map) {
	items := p.items(merged)
	p.kept = p.kept[:0]
	*p.of.work += len(items)
	for _, it := range items {
		i := p.of.find(it.Key)
		if i < 0 {
			continue
		}
		p.kept = append(p.kept, i)
		if inner, m := p.inner[i], mapOf(it.Value); inner != nil && m != nil {
			inner.keep(m)
		}
	}
}

// items returns the items of the merged part.
func (p *part) items(m *tree.Map) []tree.Item {
	if p.first {
		return m.Entries()[1:]
	}
	return m.Entries()
}

// put puts the part back, with all changes.
func (p *part) put(result *tree.Map) {
	g := p.of
	g.same = false
	left := p.kept
	for _, i := range p.named {
		if len(left) > 0 && left[0] == i {
			left = left[1:]
		} else {
			g.remove(i)
		}
	}
	*g.work += len(p.named)
	for _, it := range p.items(result) {
		i := g.find(it.Key)
		if i < 0 {
			g.add(it)
			continue
		}
		x := &g.entries[i]
		if inner, m := p.inner[i], mapOf(it.Value); inner != nil && m != nil {
			inner.put(m)
			it.Value = x.Value // until kid has the new value
			x.Item = it
			continue
		}
		if l, a := p.lists[i], arrayOf(it.Value); l != nil && a != nil {
			l.put(it.Value, a)
			it.Value = x.Value // until list has the new value
			x.Item = it
			continue
		}
		*x = patch{Item: it}
	}
}

func mapOf(v tree.Value) *tree.Map {
	m, _ := v.Map()
	return m
}

func arrayOf(v tree.Value) *tree.Array {
	a, _ := v.Array()
	return a
}

func (g *baseMap) add(it tree.Item) {
	key, _ := it.Key.ScalarKey()
	g.at[key] = len(g.entries)
	g.entries = append(g.entries, patch{Item: it})
}

func (g *baseMap) remove(i int) {
	x := &g.entries[i]
	if key, _ := x.Key.ScalarKey(); g.at[key] == i {
		delete(g.at, key)
	}
	*x = patch{removed: true}
}

// namesKeys reports whether all items of a map apply to the items with the same keys.
func namesKeys(m *tree.Map) bool {
	return !slices.ContainsFunc(m.Entries(), func(it tree.Item) bool {
		_, ok := it.Key.ScalarKey()
		return !ok || !namesKey(it.Annotations)
	})
}

// namesKey reports whether an item with these annotations applies to the item with the same key, or a
// document to the only document.
func namesKey(notes *tree.Annotations) bool {
	match := notes.Get("overlay/match")
	return match == nil ||
		!slices.ContainsFunc(
			match.Kwargs,
			func(kv starlark.Tuple) bool { return kv[0] == starlark.String("by") },
		)
}

// merges reports whether an item with these annotations is merged with the existing value.
func merges(notes *tree.Annotations) bool {
	for _, a := range notes.All() {
		switch a.Name {
		case "overlay/match", "overlay/match-child-defaults", "overlay/merge":
		default:
			if strings.HasPrefix(a.Name, "overlay/") {
				return false
			}
		}
	}
	return true
}
