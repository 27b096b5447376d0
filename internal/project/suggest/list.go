package suggest

import (
	"slices"

	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
)

// mergeKeys are keys that identify the items of a list, the best first.
var mergeKeys = []string{
	"name", "key", "id", "mountPath", "containerPort", "port", "host", "path", "topologyKey", "ip", "kind",
}

// list writes what turns one list into another, item by item. It returns false if that cannot be said without
// the list as a whole.
func (w *writer) list(indent int, key, before, after tree.Value) bool {
	if w.coarse || before.Len() == 0 || after.Len() == 0 {
		return false
	}
	a, b := slices.Collect(before.Elements()), slices.Collect(after.Elements())
	l := listing{writer: w, before: a, after: b}
	if !l.identify() || !l.align() {
		return false
	}
	w.line(indent, opening(key))
	l.write(indent)
	return true
}

// listing is two lists whose items are paired.
type listing struct {
	*writer
	before, after []tree.Value
	key           string // what identifies items, or "" if their values do
	index         bool   // their position identifies them
	from          []int  // for each item after, the one before, or -1
}

// identify finds out what identifies items.
func (l *listing) identify() bool {
	for _, key := range mergeKeys {
		if distinct(l.before, key) && distinct(l.after, key) {
			l.key = key
			return true
		}
	}
	if scalars(l.before) && scalars(l.after) {
		return true
	}
	// Otherwise only items that stay where they are can be named.
	l.index = len(l.before) <= len(l.after)
	return l.index
}

// distinct reports whether all items are maps with different scalars at a key.
func distinct(items []tree.Value, key string) bool {
	seen := map[tree.ScalarKey]bool{}
	for _, v := range items {
		id, ok := v.Lookup(key)
		k, scalar := id.ScalarKey()
		if !ok || !scalar || id.IsNull() || seen[k] {
			return false
		}
		seen[k] = true
	}
	return true
}

// scalars reports whether all items are different scalars.
func scalars(items []tree.Value) bool {
	seen := map[tree.ScalarKey]bool{}
	for _, v := range items {
		k, ok := v.ScalarKey()
		if !ok || v.IsNull() || seen[k] {
			return false
		}
		seen[k] = true
	}
	return true
}

// id returns what identifies an item.
func (l *listing) id(v tree.Value) tree.Value {
	if l.key == "" {
		return v
	}
	id, _ := v.Lookup(l.key)
	return id
}

// align pairs items. It returns false if some of them have moved.
func (l *listing) align() bool {
	l.from = slices.Repeat([]int{-1}, len(l.after))
	if l.index {
		for i := range l.before {
			l.from[i] = i
		}
		return true
	}
	places := map[tree.ScalarKey]int{}
	for i, v := range l.before {
		k, _ := l.id(v).ScalarKey()
		places[k] = i
	}
	last := -1
	for j, v := range l.after {
		k, _ := l.id(v).ScalarKey()
		i, ok := places[k]
		if !ok {
			continue
		}
		if i < last {
			return false
		}
		l.from[j], last = i, i
	}
	if l.key == "" {
		l.pairReplaced()
	}
	return slices.ContainsFunc(l.from, func(i int) bool { return i >= 0 }) // otherwise it is another list
}

// pairReplaced pairs a scalar that is gone with a new one in the same place.
func (l *listing) pairReplaced() {
	kept := map[int]bool{}
	for _, i := range l.from {
		kept[i] = true
	}
	next := 0 // the first item before that may be paired
	for j, i := range l.from {
		switch {
		case i >= 0:
			next = i + 1
		case next < len(l.before) && !kept[next]:
			l.from[j] = next
			next++
		}
	}
}

// write writes the items that differ.
func (l *listing) write(indent int) {
	kept := map[int]bool{}
	for _, i := range l.from {
		kept[i] = true
	}
	for i, v := range l.before {
		if !kept[i] {
			l.line(indent, "#@overlay/match "+l.matcher(i, v))
			l.line(indent, "#@overlay/remove")
			l.item(indent, l.named(v))
		}
	}
	for j, now := range l.after {
		i := l.from[j]
		switch {
		case i >= 0:
			if was := l.before[i]; !edit.Equal(was, now) {
				l.changed(indent, i, now)
			}
		case !slices.ContainsFunc(l.from[j:], func(i int) bool { return i >= 0 }):
			l.line(indent, "#@overlay/append")
			l.item(indent, now)
		case j == 0:
			first := slices.IndexFunc(l.from, func(i int) bool { return i >= 0 })
			l.line(indent, "#@overlay/match by="+l.equals(l.before[l.from[first]]))
			l.line(indent, "#@overlay/insert before=True")
			l.item(indent, now)
		default:
			l.line(indent, "#@overlay/match by="+l.equals(l.after[j-1]))
			l.line(indent, "#@overlay/insert after=True")
			l.item(indent, now)
		}
	}
}

// changed writes what turns an item into another one.
func (l *listing) changed(indent, i int, now tree.Value) {
	was := l.before[i]
	l.line(indent, "#@overlay/match "+l.matcher(i, was))
	if was.Kind() != tree.MapKind || now.Kind() != tree.MapKind || was.Len() == 0 || now.Len() == 0 {
		if now.Kind() != tree.ScalarKind {
			l.line(indent, "#@overlay/replace")
		}
		l.item(indent, now)
		return
	}
	inner := writer{coarse: l.coarse, path: append(slices.Clip(l.path), l.place(i))}
	if l.key != "" {
		inner.entry(0, tree.String(l.key), l.id(was))
	}
	inner.maps(0, was, now)
	l.byIndex = append(l.byIndex, inner.byIndex...)
	dashed := false
	for _, text := range inner.lines { // the dash is before the first line that is no annotation
		switch {
		case text == "":
			l.lines = append(l.lines, "")
		case !dashed && text[0] != '#':
			l.line(indent, "- "+text)
			dashed = true
		case dashed:
			l.line(indent, "  "+text)
		default:
			// Annotations of the first key follow the dash.
			l.line(indent, "-")
			l.line(indent, "  "+text)
			dashed = true
		}
	}
}

// place returns a step to an item, for people.
func (l *listing) place(i int) string {
	if l.key != "" {
		return "[" + l.key + "=" + l.id(l.before[i]).Text() + "]"
	}
	return "[]"
}

// matcher returns the arguments of a match for an item that the overlay names.
func (l *listing) matcher(i int, v tree.Value) string {
	if l.key != "" {
		return `by="` + l.key + `"`
	}
	return "by=" + l.matches(i, v)
}

// matches returns a matcher for an item, whatever the overlay has in its place.
func (l *listing) matches(i int, v tree.Value) string {
	if !l.index {
		return l.equals(v)
	}
	if by := onlyOne(l.before, i); by != "" {
		return by
	}
	l.byIndex = append(l.byIndex, joined(l.path))
	return "overlay.index(" + literal(number(i)) + ")"
}

// equals returns a matcher for an item by what identifies it.
func (l *listing) equals(v tree.Value) string {
	if l.key == "" {
		return "overlay.subset(" + literal(v) + ")"
	}
	return "overlay.subset({" + literal(tree.String(l.key)) + ": " + literal(l.id(v)) + "})"
}

// named returns the part of an item that a match needs.
func (l *listing) named(v tree.Value) tree.Value {
	if l.key == "" {
		return tree.Value{}
	}
	return tree.Of(tree.NewMap([]tree.Item{{Key: tree.String(l.key), Value: l.id(v)}}, v.Start()))
}
