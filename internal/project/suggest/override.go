package suggest

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// overrideFor returns the override that turns documents into the edited ones. It can neither add nor remove
// documents, and needs a name for each.
func (s *search) overrideFor(docs []tree.Doc, how level) (newText, error) {
	d := s.difference(docs)
	values := make([]tree.Value, len(docs))
	for i, doc := range docs {
		values[i] = doc.Value
	}
	o := newText{changes: d.Changes, expects: 1}
	var texts []string
	all := newCensus(values)
	for _, x := range d.Objects() {
		if x.A < 0 || x.B < 0 {
			return o, diag.Failf(CodeNone, "an override can neither add nor remove %s", x.Name)
		}
		before, after := values[x.A], s.edited[x.B].Value
		m, _ := all.matcherOf([]int{x.A})
		if m.index >= 0 || before.Kind() != tree.MapKind || after.Kind() != tree.MapKind {
			return o, diag.Failf(CodeNone, "nothing but its position tells %s apart", x.Name)
		}
		o.objects++
		body := patch(before, after, how)
		if len(m.conditions) > 0 {
			chosen := tree.Item{Key: tree.String("$select"), Value: m.selection()}
			body = tree.Of(tree.NewMap(slices.Concat([]tree.Item{chosen}, body.Entries()), body.Start()))
		}
		texts = append(texts, block(body))
	}
	o.text = strings.Join(texts, "---\n")
	return o, nil
}

// selection returns a matcher as an override writes it.
func (m matcher) selection() tree.Value {
	var items []tree.Item
	for _, c := range m.conditions {
		var way path.Path
		for _, key := range c.path {
			way = append(way, path.ToKey(tree.String(key)))
		}
		items = append(items, tree.Item{Key: tree.String(way.String()), Value: c.value})
	}
	return tree.Of(tree.NewMap(items, m.conditions[0].value.Start()))
}

// patch returns what an override has to contain to turn one map into another.
func patch(before, after tree.Value, how level) tree.Value {
	var items []tree.Item
	was, is := finder(before), finder(after)
	for _, it := range before.Entries() {
		now, ok := is(it.Key)
		switch {
		case !ok:
			items = append(items, tree.Item{Key: it.Key})
		case edit.Equal(it.Value, now):
		case it.Value.Kind() == tree.MapKind && now.Kind() == tree.MapKind:
			items = append(items, tree.Item{Key: it.Key, Value: patchMap(it.Value, now, how)})
		case it.Value.Kind() == tree.ArrayKind && now.Kind() == tree.ArrayKind && isMerged(it.Value, now):
			items = append(items, tree.Item{Key: it.Key, Value: patchList(it.Value, now, how)})
		default:
			items = append(items, tree.Item{Key: it.Key, Value: now})
		}
	}
	for _, it := range after.Entries() {
		if _, ok := was(it.Key); !ok {
			items = append(items, it)
		}
	}
	return tree.Of(tree.NewMap(items, before.Start()))
}

// patchMap returns what turns one map into another: key by key, or as a whole if a list in it cannot be
// changed otherwise.
func patchMap(before, after tree.Value, how level) tree.Value {
	whole := after.Len() == 0
	if how != precise {
		find := finder(after)
		for _, it := range before.Entries() {
			now, ok := find(it.Key)
			whole = whole || ok && it.Value.Kind() == tree.ArrayKind && !edit.Equal(it.Value, now) &&
				isMerged(it.Value, now)
		}
	}
	if !whole {
		return patch(before, after, how)
	}
	replace := tree.Item{Key: tree.String("$replace"), Value: yes()}
	return tree.Of(tree.NewMap(slices.Concat([]tree.Item{replace}, after.Entries()), before.Start()))
}

// isMerged reports whether overrides merge two lists by the names of their items.
func isMerged(before, after tree.Value) bool {
	named := func(v tree.Value) bool {
		for x := range v.Elements() {
			if _, ok := x.Lookup("name"); !ok {
				return false
			}
		}
		return v.Len() > 0
	}
	return after.Kind() == tree.ArrayKind && named(before) && named(after)
}

// patchList returns what turns one list of named items into another.
func patchList(before, after tree.Value, how level) tree.Value {
	var items []tree.Item
	name := func(v tree.Value) tree.Item {
		id, _ := v.Lookup("name")
		return tree.Item{Key: tree.String("name"), Value: id}
	}
	other := func(list, of tree.Value) (tree.Value, bool) {
		for v := range list.Elements() {
			if edit.Equal(name(v).Value, name(of).Value) {
				return v, true
			}
		}
		return tree.Value{}, false
	}
	for v := range before.Elements() {
		if _, ok := other(after, v); !ok {
			remove := tree.Item{Key: tree.String("$remove"), Value: yes()}
			items = append(items, tree.Item{Value: tree.Of(tree.NewMap([]tree.Item{name(v), remove}, v.Start()))})
		}
	}
	for v := range after.Elements() {
		was, ok := other(before, v)
		switch {
		case !ok:
			items = append(items, tree.Item{Value: v})
		case !edit.Equal(was, v):
			body := patch(was, v, how)
			entries := slices.Concat([]tree.Item{name(v)}, body.Entries())
			items = append(items, tree.Item{Value: tree.Of(tree.NewMap(entries, v.Start()))})
		}
	}
	return tree.Of(tree.NewArray(items, before.Start()))
}
