package override

import (
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// lists merges two lists as the rule or the user's exceptions require.
func (m *merger) lists(r *Rule, base tree.Value, over *patch) (tree.Value, bool) {
	if over.isAddressed() {
		return m.addressed(r, base, over)
	}
	mode, key := m.listRule(r)
	switch mode {
	case ByKey, AlwaysKeyed:
		if len(over.list()) > 0 {
			left, names := m.items(base), len(m.names)
			m.nameAll(left, key, r.NameOf)
			lacks, keyed := tree.Item{}, true
			if mode == ByKey {
				lacks, keyed = m.keyed(left, m.names[names:], over, key)
			}
			if keyed {
				v, changed := m.byKey(
					r.forEntry(),
					base,
					left,
					over,
					matching{
						key:    key,
						nameOf: r.NameOf,
						names:  m.names[names:len(m.names):len(m.names)],
					},
				)
				m.names = m.names[:names]
				return v, changed
			}
			m.names = m.names[:names]
			return m.unkeyed(r, base, left, over, lacks, key)
		}
	case AppendList:
		added := m.items(m.newValue(r, over))
		if len(added) == 0 {
			return base, false
		}
		m.added(added, over.pos)
		v := listFrom(base, append(m.items(base), added...))
		m.changed(base, v, over.pos)
		return v, true
	case UnionList:
		return m.union(base, m.items(base), m.items(m.newValue(r, over)), over.pos)
	case UnionMoving:
		if len(over.list()) == 0 && base.Len() > 0 {
			m.ignored(over)
		}
		return m.unionMoving(base, m.items(base), m.items(m.newValue(r, over)), over.pos)
	}
	right := m.items(m.newValue(r, over))
	m.added(right, over.pos)
	return m.replaced(base, m.items(base), right, over.pos)
}

// listRule returns how the list at the current path is merged.
func (m *merger) listRule(r *Rule) (mode ListMode, key string) {
	if r.List == ByKey && r.Key == "" {
		return m.opt.Rules.of(m.path, m.met)
	}
	return r.List, r.Key
}

// repeats reports whether all entries of a list have the key, and two have the same value for it.
func repeats(items []tree.Item, key string, w view) bool {
	seen := make(map[tree.ScalarKey]bool, len(items))
	again := false
	for _, it := range items {
		if !hasKey(it, key) {
			return false
		}
		k, _ := entryKey(it.Value, key, w)
		again = again || seen[k]
		seen[k] = true
	}
	return again
}

// hasKey reports whether the key identifies an entry.
func hasKey(it tree.Item, key string) bool {
	if it.Value.Kind() != tree.MapKind {
		return false
	}
	k, ok := it.Value.Lookup(key)
	return ok && k.Kind() == tree.ScalarKind && !k.IsNull()
}

// replaced replaces the base's items with the override's. Common items at the beginning and the end
// stay the base's, so that a file changes no more than it must.
func (m *merger) replaced(
	base tree.Value, left, right []tree.Item, pos source.Pos,
) (tree.Value, bool) {
	same := func(a, b tree.Item) bool { return edit.Identical(a.Value, b.Value) }
	head := 0
	for head < len(left) && head < len(right) && same(left[head], right[head]) {
		right[head] = left[head]
		head++
	}
	if head == len(left) && head == len(right) {
		return base, false
	}
	l, r := len(left)-1, len(right)-1
	for l >= head && r >= head && same(left[l], right[r]) {
		right[r] = left[l]
		l, r = l-1, r-1
	}
	v := listFrom(base, right)
	m.changed(base, v, pos)
	return v, true
}

// union adds the items that the base does not have.
func (m *merger) union(
	base tree.Value, left, right []tree.Item, pos source.Pos,
) (tree.Value, bool) {
	have := make(map[string]bool, len(left))
	for _, it := range left {
		have[fingerprint(it.Value, appendIdentity)] = true
	}
	n := len(left)
	for _, it := range right {
		if f := fingerprint(it.Value, appendIdentity); !have[f] {
			have[f] = true
			left = append(left, it)
		}
	}
	if len(left) == n {
		return base, false
	}
	m.added(left[n:], pos)
	v := listFrom(base, left)
	m.changed(base, v, pos)
	return v, true
}

// unionMoving unites lists so that the override's items keep their order: first the items that only
// the base has, each once, then those of the override. The dialect decides which scalars are equal.
func (m *merger) unionMoving(
	base tree.Value, left, right []tree.Item, pos source.Pos,
) (tree.Value, bool) {
	if len(right) == 0 {
		return base, false
	}
	identity := appendIdentity
	if d := m.opt.Dialect; d != nil && d.AppendIdentity != nil {
		identity = d.AppendIdentity
	}
	have := make(map[string]bool, len(right))
	for _, it := range right {
		have[fingerprint(it.Value, identity)] = true
	}
	// Of equal items in the base, the last one stays.
	var kept []tree.Item
	for _, it := range slices.Backward(left) {
		if f := fingerprint(it.Value, identity); !have[f] {
			have[f] = true
			kept = append(kept, it)
		}
	}
	slices.Reverse(kept)
	m.added(right, pos)
	return m.replaced(base, left, append(kept, right...), pos)
}

// name is the value that identifies an entry of a list, or null if it has none.
type name struct {
	value tree.Value
	text  []byte // if it was parsed and has no tag
}

// nameAll appends the names of the entries of a list to m.names.
func (m *merger) nameAll(left []tree.Item, key string, nameOf func(tree.Value) (tree.Value, bool)) {
	for i := range left {
		v, ok := lookupIn(left[i].Value, key)
		if nameOf != nil && (!ok || v.IsNull()) {
			v, ok = nameOf(left[i].Value)
		}
		if !ok || v.Kind() != tree.ScalarKind {
			v = tree.Null
		}
		var text []byte
		if t, n, ok := v.Syntax(); ok && !t.HasTag(n) {
			text = t.Text(n)
		}
		m.names = append(m.names, name{v, text})
	}
}

// isNull reports whether the name is null. For most texts, the first byte shows that they are not.
func (x *name) isNull() bool {
	if len(x.text) > 0 && x.text[0] != '~' && x.text[0]|0x20 != 'n' {
		return false
	}
	return x.value.IsNull()
}

// is reports whether the name is id.
func (x *name) is(id *word) bool {
	if x.text != nil && id.isText && string(x.text) != id.text {
		return false
	}
	return id.is(x.value)
}

// lookupIn returns the value of a key. In a parsed mapping, most keys already differ in length.
func lookupIn(v tree.Value, key string) (tree.Value, bool) {
	t, n, ok := v.Syntax()
	if !ok || t.Kind(n) != yaml.Mapping || t.Merges(n) ||
		t.Schema().Resolve([]byte(key)).Kind != yaml.String {
		return v.Lookup(key)
	}
	found := tree.Value{}
	ok = false
	for k, value := range t.Pairs(n) {
		plain := t.Kind(k) == yaml.Scalar && t.Style(k) == yaml.Plain && !t.HasTag(k) &&
			!t.Explicit(k)
		if plain && string(t.Raw(k)) == key || !plain && tree.FromSyntax(t, k).IsString(key) {
			found, ok = tree.FromSyntax(t, value), true // the last of equal keys wins
		}
	}
	return found, ok
}

// keyed reports whether every entry of both lists is a mapping with the key, so that they can be
// merged by it. If not, it also returns the first that is not.
func (m *merger) keyed(
	left []tree.Item, names []name, over *patch, key string,
) (lacks tree.Item, ok bool) {
	for i := range over.list() {
		if o := &over.entries[i]; o.entryID(key).value.IsNull() {
			return o.item, false
		}
	}
	for i := range left {
		if names[i].isNull() {
			return left[i], false
		}
	}
	return tree.Item{}, true
}

// unkeyed replaces the base's list with the override's, since the entry lacks has no key to merge
// by.
func (m *merger) unkeyed(
	r *Rule, base tree.Value, left []tree.Item, over *patch, lacks tree.Item, key string,
) (tree.Value, bool) {
	var removes *patchEntry
	mappings := slices.ContainsFunc(left, isMapping)
	for i := range over.list() {
		o := &over.entries[i]
		mappings = mappings || isMapping(o.item)
		if o.remove && removes == nil {
			removes = o
		}
	}
	if removes != nil {
		d := diag.Errorf(ItemSpan(removes.item), CodeDirective,
			"%s cannot tell which entry you mean, because an entry of the list has no key "+
				"`%s`", keyRemove, key).
			WithRelated(ItemSpan(lacks), "this entry has none").
			WithHint("%s", m.keyHint(false))
		d.Path = m.path.String()
		m.problems = append(m.problems, d)
		return base, false
	}
	right := m.items(m.newValue(r, over))
	if mappings {
		m.replacedWhole(lacks, key, left, right, over)
	}
	m.added(right, over.pos)
	return m.replaced(base, left, right, over.pos)
}

// listFrom returns the list that replaces base.
func listFrom(base tree.Value, items []tree.Item) tree.Value {
	return tree.Of(tree.NewArray(items, base.Start())).WithOrigin(base.Origin())
}

// byKey merges the entries of the override into those of the base with the same key, and adds the
// others.
func (m *merger) byKey(
	r *Rule, base tree.Value, left []tree.Item, over *patch, at matching,
) (tree.Value, bool) {
	left, changed, removed := m.entriesByKey(r, base, left, over, at)
	if !changed {
		return base, false
	}
	if removed {
		left = slices.DeleteFunc(left, func(it tree.Item) bool { return it.Value == NoValue })
	}
	return listFrom(base, left), true
}

// entriesByKey is byKey for items. Of removed ones, the value is NoValue.
func (m *merger) entriesByKey(
	r *Rule, base tree.Value, left []tree.Item, over *patch, at matching,
) (_ []tree.Item, changed, removed bool) {
	if len(over.list()) > 8 { // so that the cost stays linear
		at.index = make(map[tree.ScalarKey][]int, len(left))
	}
	vacant := map[tree.ScalarKey]vacancy(nil)
	for j := range over.list() {
		o := &over.entries[j]
		id := o.entryID(at.key)
		if id.value.IsNull() {
			continue // only if entries must have the key; already reported
		}
		m.enterEntry(at.key, id.value)
		room := len(m.room)
		m.room = at.of(m.room, left, id)
		here := m.room[room:]
		switch {
		case o.remove:
			if len(here) == 0 {
				m.missEntry(o, &at, left, "there is no entry `%s` to remove")
			} else {
				if vacant == nil {
					vacant = map[tree.ScalarKey]vacancy{}
				}
				k, _ := id.value.ScalarKey()
				vacant[k] = vacancy{here[0], left[here[0]].Value}
			}
			for _, i := range here {
				m.hit(o)
				m.changed(left[i].Value, NoValue, o.pos)
				left[i].Value, removed, changed = NoValue, true, true
			}
		case len(here) == 0:
			m.missEntry(o, &at, left, "there is no entry `%s` to override")
			v := m.sets(NoValue, m.newValue(r, o.patch), o.pos)
			m.changed(NoValue, v, o.pos)
			changed = true
			if vacant != nil {
				k, _ := id.value.ScalarKey()
				if old, ok := vacant[k]; ok { // removed and added again: it keeps its position
					if edit.Identical(old.value, v) {
						v = old.value
					}
					left[old.at].Value = v
					break
				}
			}
			left = append(left, tree.Item{Value: v, Pos: o.pos})
		default:
			m.hit(o)
			for _, i := range here {
				v, ch := m.mergeItem(r, base, left[i], o.patch)
				left[i].Value, changed = v, changed || ch
			}
		}
		m.room = m.room[:room]
		m.leave()
	}
	return left, changed, removed
}

// matching finds the entries of a list by their key. It searches for a few entries one by one, and
// builds an index for many.
type matching struct {
	key    string
	nameOf func(tree.Value) (tree.Value, bool) // see rule
	// names of the entries that the list had at first; those of others are looked up
	names []name
	index map[tree.ScalarKey][]int
	known int // the number of entries in the index
}

// name returns the value that identifies an entry.
func (x *matching) name(entry tree.Value) (tree.Value, bool) {
	v, ok := entry.Lookup(x.key)
	if x.nameOf != nil && (!ok || v.IsNull()) {
		return x.nameOf(entry)
	}
	return v, ok
}

// of appends to room the entries of the list whose key is id. Entries may have been added or
// removed since.
func (x *matching) of(room []int, left []tree.Item, id *word) []int {
	if x.index != nil {
		for ; x.known < len(left); x.known++ {
			v, ok := x.name(left[x.known].Value)
			if !ok {
				continue
			}
			if k, ok := id.view.of(v).ScalarKey(); ok {
				x.index[k] = append(x.index[k], x.known)
			}
		}
		k, _ := id.value.ScalarKey()
		for _, i := range x.index[k] {
			if left[i].Value != NoValue {
				room = append(room, i)
			}
		}
	} else {
		for i := range left {
			if left[i].Value == NoValue {
				continue
			}
			if i < len(x.names) {
				if x.names[i].is(id) {
					room = append(room, i)
				}
			} else if v, ok := x.name(left[i].Value); ok && id.is(v) { // added later
				room = append(room, i)
			}
		}
	}
	return room
}

// vacancy is the position of an entry that the same override has removed.
type vacancy struct {
	at    int
	value tree.Value
}

// entryKey returns the value that identifies an entry of a list.
func entryKey(entry tree.Value, key string, w view) (tree.ScalarKey, bool) {
	v, ok := entry.Lookup(key)
	if !ok {
		return tree.ScalarKey{}, false
	}
	return w.of(v).ScalarKey()
}
