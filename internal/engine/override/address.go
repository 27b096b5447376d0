package override

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// This file changes entries of a list that have no name: by index, or by their content. Such an entry
// of an override never replaces the list; other entries beside it are merged by name, or added.

// target says which entries of a list an entry of an override changes.
type target struct {
	at     source.Span
	index  int               // the index of $at; negative numbers count from the end
	byWhat selector.Selector // the selector of $match, or zero
	text   string            // what is written, for messages
}

// dropped says which scalars $remove-items removes.
type dropped struct {
	at    tree.Item
	wants selector.Scalar
	text  string
}

// of returns the indexes of the entries that the target selects.
func (t *target) of(left []tree.Item) (list []int) {
	if t.byWhat.IsZero() {
		i := t.index
		if i < 0 {
			i += len(left)
		}
		if i >= 0 && i < len(left) && left[i].Value != NoValue {
			list = append(list, i)
		}
		return list
	}
	for i := range left {
		if left[i].Value != NoValue && left[i].Value.Kind() == tree.MapKind && t.byWhat.Holds(left[i].Value) {
			list = append(list, i)
		}
	}
	return list
}

// near describes what the list has instead.
func (t *target) near(left []tree.Item) string {
	if t.byWhat.IsZero() {
		if len(left) == 0 {
			return "the list is empty"
		}
		return "the list has " + counted(len(left)) + ": " + keyAt + " is 0 to " +
			strconv.Itoa(len(left)-1) + ", or -1 for the last"
	}
	var entries []selector.Selectable
	for _, it := range left {
		if it.Value != NoValue && it.Value.Kind() == tree.MapKind {
			entries = append(entries, selector.Selectable{Value: it.Value})
		}
	}
	return t.byWhat.Near(entries)
}

func counted(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return strconv.Itoa(n) + " entries"
}

// targetOf reads $at or $match of a mapping. It is nil if it has neither.
func targetOf(v tree.Value) (*target, error) {
	if at, ok := v.Lookup(keyAt); ok {
		t := &target{at: KeySpan(v, keyAt), text: keyAt + ": " + Brief(at, 40)}
		val, _ := at.Scalar()
		if at.Kind() != tree.ScalarKind || val.Kind != yaml.Int || val.Int() != int64(int32(val.Int())) {
			return nil, diag.Errorf(t.at, CodeDirective, "%s takes the index of an entry, from 0, but found %s",
				keyAt, Brief(at, 40))
		}
		t.index = int(val.Int())
		return t, nil
	}
	match, ok := v.Lookup(keyMatch)
	if !ok {
		return nil, nil
	}
	s, err := selector.FromMapping(keyMatch, match)
	if err != nil {
		return nil, err
	}
	return &target{at: KeySpan(v, keyMatch), byWhat: s, text: keyMatch + " " + s.String()}, nil
}

// dropsOf reads $remove-items of a mapping. It is nil if it has none.
func dropsOf(v tree.Value) ([]dropped, error) {
	items, ok := v.Lookup(keyRemoveItems)
	if !ok {
		return nil, nil
	}
	entries := []tree.Item{{Value: items, Pos: items.Start()}}
	if items.Kind() == tree.ArrayKind {
		entries = items.Entries()
	}
	var list []dropped
	for _, it := range entries {
		wants, err := selector.FromScalars(keyRemoveItems, it.Value)
		if err != nil {
			return nil, err
		}
		list = append(list, dropped{at: it, wants: wants, text: Brief(it.Value, 40)})
	}
	if list == nil {
		return nil, diag.Errorf(KeySpan(v, keyRemoveItems), CodeDirective, "%s names nothing to remove",
			keyRemoveItems)
	}
	return list, nil
}

// isAddressed reports whether an entry of the list says which entries it changes.
func (p *patch) isAddressed() bool {
	return p.drops != nil ||
		slices.ContainsFunc(p.list(), func(e patchEntry) bool { return e.target != nil || e.drops != nil })
}

// addressed merges a list of an override whose entries say which entries of the base they change.
func (m *merger) addressed(r *Rule, base tree.Value, over *patch) (tree.Value, bool) {
	left := m.items(base)
	n := len(left)
	changed := m.dropItems(left[:n], over)
	rest := &patch{value: over.value, pos: over.pos, kind: tree.ArrayKind, view: over.view, listed: true}
	if over.kind == tree.ArrayKind {
		for i := range over.list() {
			switch o := &over.entries[i]; {
			case o.drops != nil:
				changed = m.dropItems(left[:n], o.patch) || changed
			case o.target != nil:
				changed = m.toTargets(r.forEntry(), base, left[:n], o) || changed
			default:
				rest.entries = append(rest.entries, *o)
			}
		}
	}
	left, more := m.toOthers(r, base, left, rest)
	if !changed && !more {
		return base, false
	}
	left = slices.DeleteFunc(left, func(it tree.Item) bool { return it.Value == NoValue })
	return listFrom(base, left), true
}

// toTargets applies an entry of an override to the entries that it selects.
func (m *merger) toTargets(r *Rule, base tree.Value, left []tree.Item, o *patchEntry) (changed bool) {
	found := o.target.of(left)
	if len(found) == 0 {
		m.missTarget(o.target, o.remove, o.target.near(left))
		return false
	}
	m.found[o.target.at.Pos] = true
	for _, i := range found {
		m.path = append(m.path, Index(i))
		old := left[i].Value
		switch {
		case o.remove:
			m.changed(old, NoValue, o.pos)
			left[i].Value, changed = NoValue, true
		case old.Kind() != tree.MapKind && !o.replace:
			d := diag.Errorf(o.target.at, CodeDirective, "entry %d is %s: it has no keys to change", i,
				described(old)).
				WithHint("write %s: true to replace it with a mapping; a list of scalars is replaced as a "+
					"whole, and %s removes some", keyReplace, keyRemoveItems)
			d.Path = m.path.String()
			m.problems = append(m.problems, d)
		default:
			v, ch := m.mergeItem(r, base, left[i], o.patch)
			left[i].Value, changed = v, changed || ch
		}
		m.leave()
	}
	return changed
}

// toOthers merges the entries of an override that have a name with those of the same name, and adds the
// others.
func (m *merger) toOthers(
	r *Rule, base tree.Value, left []tree.Item, rest *patch,
) ([]tree.Item, bool) {
	if len(rest.entries) == 0 {
		return left, false
	}
	_, key := m.listRule(r)
	names := len(m.names)
	m.nameAll(left, key, nil)
	left, changed, _ := m.entriesByKey(r.forEntry(), base, left, rest, matching{
		key: key, names: m.names[names:len(m.names):len(m.names)],
	})
	m.names = m.names[:names]
	for i := range rest.entries {
		if o := &rest.entries[i]; o.entryID(key).value.IsNull() {
			v := m.sets(NoValue, m.newValue(r.forEntry(), o.patch), o.pos)
			m.path = append(m.path, Index(len(left)))
			m.changed(NoValue, v, o.pos)
			m.leave()
			left, changed = append(left, tree.Item{Value: v, Pos: o.pos}), true
		}
	}
	return left, changed
}

// dropItems removes the scalars that $remove-items names.
func (m *merger) dropItems(left []tree.Item, over *patch) (changed bool) {
	for k := range over.drops {
		d := &over.drops[k]
		found := false
		for i := range left {
			if left[i].Value == NoValue || !d.wants.Matches(left[i].Value) {
				continue
			}
			found = true
			m.path = append(m.path, Index(i))
			m.changed(left[i].Value, NoValue, d.at.Pos)
			m.leave()
			left[i].Value, changed = NoValue, true
		}
		if found {
			m.found[d.at.Pos] = true
			continue
		}
		m.missItem(d, left)
	}
	return changed
}

// missTarget records that no entry of a list is selected by an entry of an override.
func (m *merger) missTarget(t *target, removes bool, hint string) {
	if m.missed == nil {
		return
	}
	if old, ok := m.missed[t.at.Pos]; ok && old.hint != "" {
		return
	}
	m.missed[t.at.Pos] = missed{
		at: t.at, path: m.path.String(), what: "there is no entry with " + t.text + " in any document",
		removes: removes, must: !removes, hint: hint,
	}
}

// missItem records that a list does not have a scalar to remove.
func (m *merger) missItem(d *dropped, left []tree.Item) {
	if m.missed == nil {
		return
	}
	if old, ok := m.missed[d.at.Pos]; ok && old.near != "" {
		return
	}
	var have []string
	for _, it := range left {
		if it.Value != NoValue && it.Value.Kind() == tree.ScalarKind {
			have = append(have, it.Value.Written())
		}
	}
	m.missed[d.at.Pos] = missed{
		at: ItemSpan(d.at), path: m.path.String(),
		what:    "there is no item `" + d.text + "` to remove in any document",
		removes: true, near: diag.Nearest(strings.Trim(d.text, `"'`), have),
	}
}

// missTargets records that an override selects entries of a list that it adds itself. It reports
// whether the entry selects any.
func (m *merger) missTargets(entry tree.Value) bool {
	if m.view != nil || entry.Kind() != tree.MapKind {
		return false
	}
	t, _ := targetOf(entry) // checked before
	if t != nil {
		m.missTarget(t, directive(entry, keyRemove), "")
	}
	return t != nil
}

// missDrops records that there is no list to remove scalars from. It reports whether v removes any.
func (m *merger) missDrops(v tree.Value) bool {
	if m.view != nil || v.Kind() != tree.MapKind {
		return false
	}
	drops, _ := dropsOf(v) // checked before
	for i := range drops {
		m.missItem(&drops[i], nil)
	}
	return drops != nil
}
