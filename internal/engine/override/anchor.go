package override

import (
	"bytes"
	"maps"
	"slices"

	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// This file makes aliases follow their anchors. An override that changes a node with an anchor
// changes all places that are the same in the file: where the alias is written, and mappings that
// merge it with `<<`.
//
// First the override is tried, to see what the nodes with anchors become. Then the aliases get these
// values, and the override is applied to the result. Anchors may be inside others, so this is
// repeated until nothing changes. Documents without aliases, which are nearly all, need no trial.

// anchored is a node with an anchor.
type anchored struct {
	tree *yaml.Tree
	node yaml.NodeID
}

// following is what is known about the anchors of a document.
type following struct {
	tree    *yaml.Tree              // the tree of the file
	aliases []yaml.NodeID           // in order
	news    map[anchored]tree.Value // the new values of nodes that the current override changes
	current map[anchored]tree.Value // the values of aliases, where they differ from the file
	values  map[tree.Value]anchored // all anchors, by the values of their aliases
	inner   map[anchored]tree.Value // the new values of nodes that contain aliases of others
	before  map[anchored]tree.Value // inner before the last trial
	draft   tree.Value              // the document with its aliases as they were
	differs bool                    // the draft is not the document
}

// follow begins a document. It returns nil for a document without aliases.
func follow(v tree.Value) *following {
	t, root, ok := v.Syntax()
	if !ok {
		return nil
	}
	span := t.Span(root)
	if bytes.IndexByte(t.File().Data()[span.Offset():span.End()], '*') < 0 {
		return nil
	}
	f := &following{tree: t, draft: v, current: map[anchored]tree.Value{}}
	for n := root; n < t.Next(root); n++ {
		if t.Kind(n) == yaml.Alias {
			f.aliases = append(f.aliases, n)
		}
	}
	if f.aliases == nil {
		return nil
	}
	return f
}

// hasAliases reports whether there is an alias in a node.
func (f *following) hasAliases(t *yaml.Tree, n yaml.NodeID) bool {
	i, _ := slices.BinarySearch(f.aliases, n)
	return t == f.tree && i < len(f.aliases) && f.aliases[i] < t.Next(n)
}

// applied returns a document after override k. Its aliases follow their anchors.
func (m *merger) applied(k int, base tree.Value, o *patch) tree.Value {
	f := m.follows
	if f == nil {
		return m.override(k, m.rule, base, o)
	}
	next := base
	var news map[anchored]tree.Value
	for range maxAnchors {
		q := m.trial()
		q.override(k, m.rule, next, o.again())
		f.news = q.follows.news
		same := len(f.news) == len(news)
		for at, v := range f.news { // equal values stay identical, because aliases are found by identity
			if old, ok := news[at]; ok && edit.Identical(old, v) {
				f.news[at] = old
			} else {
				same = false
			}
		}
		if same {
			break
		}
		news, f.before, f.inner = f.news, f.inner, map[anchored]tree.Value{}
		f.values = make(map[tree.Value]anchored, len(f.aliases))
		for _, n := range f.aliases {
			at := anchored{f.tree, f.tree.Target(n)}
			f.values[f.now(at)] = at
		}
		next = f.in(base, anchored{})
		f.differs = true
	}
	if next != base {
		m.over, m.path = k, append(m.path[:0], m.stage...)
		m.logFollowed(base, next, o)
	}
	maps.Copy(f.current, f.inner)
	maps.Copy(f.current, news)
	f.before, f.inner = nil, nil
	f.draft = m.trial().override(k, m.rule, f.draft, o.again())
	return m.override(k, m.rule, next, o)
}

// draft returns a document, whose value is v, with its aliases as they were: so it is edited in its file.
func (m *merger) draft(v tree.Value) tree.Value {
	if m.follows == nil || !m.follows.differs {
		return v
	}
	return m.follows.asDrafted(m.follows.draft, v)
}

// asDrafted returns v, but where the draft still has what is written in the file, that: there, aliases
// follow without a change of the text.
func (f *following) asDrafted(draft, v tree.Value) tree.Value {
	if t, _, ok := draft.Syntax(); ok && t == f.tree {
		return draft
	}
	isMap := draft.Kind() == tree.MapKind
	if draft.Kind() != v.Kind() || draft.Kind() == tree.ScalarKind || !isMap && draft.Len() != v.Len() {
		return v
	}
	var r tree.Reader
	items, right := r.Items(nil, draft), finderOf(v)
	for i, it := range items {
		next, ok := tree.Value{}, !isMap
		if isMap {
			next, ok = right.find(it.Key, i)
		} else {
			next = right.items[i].Value
		}
		t, _, written := it.Value.Syntax()
		switch {
		case !ok || written && t == f.tree:
		case through(draft.Start(), it):
			items[i].Value = next
		default:
			items[i].Value = f.asDrafted(it.Value, next)
		}
	}
	if isMap {
		return tree.Of(tree.NewMap(items, draft.Start()))
	}
	return listFrom(draft, items)
}

// maxAnchors is the maximum depth of anchors inside others that all change.
const maxAnchors = 32

// trial returns a merger that does not share anything that is reported.
func (m *merger) trial() *merger {
	q := newMerger(m.opt, nil)
	q.where, q.trying, q.follows = m.where, true, &following{news: map[anchored]tree.Value{}}
	return q
}

// again returns the override to be read again: what it adds is reported only when it is applied.
func (p *patch) again() *patch {
	q := patchOf(p.value, p.pos, p.view)
	q.sel = p.sel
	return q
}

// becomes records what a node with an anchor becomes: the value of an item of a collection that begins at
// start.
func (m *merger) becomes(start source.Pos, left tree.Item, v tree.Value) {
	if !m.trying || m.aside > 0 {
		return
	}
	if at, ok := definedIn(start, left); ok {
		m.follows.news[at] = v
	}
}

// definedIn returns the anchor that is written in an item of a collection that begins at start. An item from
// elsewhere, which `<<` merges, has none.
func definedIn(start source.Pos, it tree.Item) (at anchored, ok bool) {
	t, key, ok := it.Key.Syntax()
	switch {
	case !ok && it.Value.HasAnchor() && !isAlias(it): // of a list
		at.tree, at.node, _ = it.Value.Syntax()
		return at, true
	case !ok || t.Start(key).Offset() < start.Offset():
		return at, false
	}
	value := t.Next(key)
	return anchored{t, value}, t.Kind(value) != yaml.Alias && len(t.Anchor(value)) > 0
}

// isAlias reports whether an item has its value by an alias: then it is after the value.
func isAlias(it tree.Item) bool { return it.Pos.Offset() > it.Value.Start().Offset() }

// isMerged reports whether an item of a mapping that begins at start is written elsewhere: `<<` merges it.
func isMerged(start source.Pos, it tree.Item) bool {
	t, key, ok := it.Key.Syntax()
	return ok && t.Start(key).Offset() < start.Offset()
}

// through reports whether the content of an item is written elsewhere: it is an alias, or merged with
// `<<`.
func through(start source.Pos, it tree.Item) bool {
	t, key, ok := it.Key.Syntax()
	if !ok {
		return isAlias(it)
	}
	return isMerged(start, it) || t.Kind(t.Next(key)) == yaml.Alias
}

// standsFor returns the anchor that an item is an alias of, if it still has that value.
func (f *following) standsFor(it tree.Item) (at anchored, ok bool) {
	if t, key, written := it.Key.Syntax(); written {
		value := t.Next(key)
		if at = (anchored{t, t.Target(value)}); t.Kind(value) != yaml.Alias {
			return at, false
		}
		return at, f.now(at) == it.Value
	}
	at, ok = f.values[it.Value] // of a list
	return at, ok && isAlias(it)
}

// now returns the value of the aliases of an anchor before the current override.
func (f *following) now(at anchored) tree.Value {
	if v, ok := f.current[at]; ok {
		return v
	}
	return tree.FromSyntax(at.tree, at.node)
}

// then returns the value of the aliases of an anchor after the current override.
func (f *following) then(at anchored) tree.Value {
	if v, ok := f.news[at]; ok {
		return v
	}
	v, ok := f.inner[at]
	if !ok {
		v = f.in(f.now(at), at)
		if old, ok := f.before[at]; ok && edit.Identical(old, v) {
			v = old
		}
		f.inner[at] = v
	}
	return v
}

// in returns v with the current values of its aliases. self is the anchor of v, or zero.
func (f *following) in(v tree.Value, self anchored) tree.Value {
	t, n, written := v.Syntax()
	if v.Kind() == tree.ScalarKind || written && !f.hasAliases(t, n) {
		return v
	}
	var r tree.Reader
	items := r.Items(nil, v)
	changed := false
	for i, it := range items {
		var next tree.Value
		if at, ok := f.standsFor(it); ok {
			next = f.then(at)
		} else {
			def, _ := definedIn(v.Start(), it)
			next = f.in(it.Value, def)
		}
		changed = changed || next != it.Value
		items[i].Value = next
	}
	if v.Kind() == tree.ArrayKind {
		if !changed {
			return v
		}
		return listFrom(v, items)
	}
	if slices.ContainsFunc(items, func(it tree.Item) bool { return isMerged(v.Start(), it) }) {
		for from, next := range f.news {
			if from != self && next.Kind() == tree.MapKind {
				var ch bool
				items, ch = f.merged(from, next, items)
				changed = changed || ch
			}
		}
	}
	if !changed {
		return v
	}
	return tree.Of(tree.NewMap(items, v.Start())).WithOrigin(v.Origin())
}

// merged updates the items that a mapping merges from another with `<<` to their current values
// there. Their keys are written there.
func (f *following) merged(from anchored, next tree.Value, items []tree.Item) ([]tree.Item, bool) {
	if !slices.ContainsFunc(items, from.has) {
		return items, false
	}
	last, changed := -1, false
	now, then := finderOf(f.now(from)), finderOf(next)
	for i, it := range items {
		if t, _, ok := it.Key.Syntax(); ok && t == f.tree && !from.has(it) {
			continue // it is written here
		}
		last = i
		if old, ok := now.find(it.Key, i); !ok || old != it.Value {
			continue // it was overridden here
		}
		value, ok := then.find(it.Key, i)
		if !ok {
			value = NoValue
		}
		changed = changed || value != it.Value
		items[i].Value = value
	}
	here := itemFinder{items: slices.Clone(items)}
	for i, it := range next.Entries() { // new items there are new here too
		if _, ok := here.find(it.Key, i); !ok {
			last++
			items, changed = slices.Insert(items, last, it), true
		}
	}
	return slices.DeleteFunc(items, func(it tree.Item) bool { return it.Value == NoValue }), changed
}

// has reports whether an item is written in the node.
func (a anchored) has(it tree.Item) bool {
	t, key, ok := it.Key.Syntax()
	return ok && t == a.tree && key > a.node && key < t.Next(a.node)
}

// itemFinder finds the items of a mapping by their keys.
type itemFinder struct {
	items []tree.Item
	index map[tree.ScalarKey]int // built on first use
}

func finderOf(v tree.Value) *itemFinder { return &itemFinder{items: v.Entries()} }

// find returns the value of a key, which is probably at the given index.
func (x *itemFinder) find(key tree.Value, near int) (tree.Value, bool) {
	if near < len(x.items) && x.items[near].Key == key {
		return x.items[near].Value, true
	}
	k, ok := key.ScalarKey()
	if !ok { // rare
		for _, it := range x.items {
			if edit.Identical(it.Key, key) {
				return it.Value, true
			}
		}
		return tree.Value{}, false
	}
	if x.index == nil {
		x.index = tree.IndexKeys(x.items)
	}
	if i, ok := x.index[k]; ok {
		return x.items[i].Value, true
	}
	return tree.Value{}, false
}

// logFollowed records what the aliases in base become.
func (m *merger) logFollowed(base, next tree.Value, o *patch) {
	if m.log == nil || base == next {
		return
	}
	if base.Kind() != next.Kind() || base.Kind() == tree.ScalarKind {
		m.changed(base, next, o.pos)
		return
	}
	left := finderOf(base)
	for i, it := range next.Entries() {
		s, old := Index(i), NoValue
		if base.Kind() == tree.MapKind {
			s = Key(KeyText(it.Key))
			if found, ok := left.find(it.Key, i); ok {
				old = found
			}
		} else if i < len(left.items) {
			old = left.items[i].Value
		}
		m.path = append(m.path, s)
		if old == NoValue {
			m.changed(old, it.Value, o.pos)
		} else {
			m.logFollowed(old, it.Value, o)
		}
		m.leave()
	}
	if base.Kind() != tree.MapKind {
		return
	}
	right := finderOf(next)
	for i, it := range left.items {
		if _, ok := right.find(it.Key, i); !ok {
			m.enter(KeyText(it.Key))
			m.changed(it.Value, NoValue, o.pos)
			m.leave()
		}
	}
}
