package suggest

import (
	"slices"

	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/unified"
)

// mergeKeys are keys that identify the items of a list, the best first.
var mergeKeys = []string{
	"name", "key", "id", "mountPath", "containerPort", "port", "host", "path", "topologyKey", "ip", "kind",
}

// list writes what turns one list into another, item by item. It returns false if the list as a whole says it
// better.
func (w *writer) list(indent int, key, before, after tree.Value) bool {
	if w.coarse || before.Len() == 0 || after.Len() == 0 {
		return false
	}
	best, must := w.itemByItem(indent, before, after)
	if best == nil {
		return false
	}
	whole := writer{}
	whole.line(indent, "#@overlay/replace")
	whole.entry(indent, key, after)
	// With items that have moved or are found by their position, fewer lines win.
	n := 1 + len(best.lines)
	if !must && (n > len(whole.lines) || n == len(whole.lines) && best.byIndex != nil) {
		return false
	}
	w.line(indent, opening(key))
	w.lines = append(w.lines, best.lines...)
	w.byIndex = append(w.byIndex, best.byIndex...)
	return true
}

// itemByItem returns what turns the items of one list into those of another in the fewest lines. must is true
// if no item has moved, and what they have identifies them all: then the rest of the list follows its source.
func (w *writer) itemByItem(indent int, before, after tree.Value) (best *writer, must bool) {
	a, b := elements(before), elements(after)
	for _, last := range []bool{false, true} {
		inner := &writer{path: w.path, inside: w.inside}
		l := listing{writer: inner, before: a, after: b}
		if !l.identify() {
			if !l.positions(indent) {
				return nil, false
			}
			return inner, false
		}
		if !l.align(last) {
			return nil, false
		}
		l.write(indent)
		if must = !l.moved; must {
			return inner, must
		}
		if best == nil || len(inner.lines) < len(best.lines) {
			best = inner
		}
	}
	return best, false
}

func elements(list tree.Value) []tree.Value { return slices.Collect(list.Elements()) }

// listing is two lists whose items are paired.
type listing struct {
	*writer
	before, after []tree.Value
	key           string // what identifies items, or "" if their values do
	from          []int  // for each item after, the one before, or -1
	moved         bool   // some have moved: they are removed, and inserted where they are now
}

// identify finds out what identifies items. It returns false if only their position does.
func (l *listing) identify() bool {
	for _, key := range mergeKeys {
		if distinct(l.before, key) && distinct(l.after, key) {
			l.key = key
			return true
		}
	}
	return scalars(l.before) && scalars(l.after)
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

// align pairs items. Those that have moved are not paired. If there are several ways to say which have moved,
// last chooses another one. It returns false if no item stays.
func (l *listing) align(last bool) bool {
	l.from = slices.Repeat([]int{-1}, len(l.after))
	places := map[tree.ScalarKey]int{}
	for i, v := range l.before {
		k, _ := l.id(v).ScalarKey()
		places[k] = i
	}
	var was, is []int
	for j, v := range l.after {
		k, _ := l.id(v).ScalarKey()
		if i, ok := places[k]; ok {
			was, is = append(was, i), append(is, j)
		}
	}
	stay := increasing(was, last)
	for _, k := range stay {
		l.from[is[k]] = was[k]
	}
	l.moved = len(stay) < len(was)
	if l.key == "" {
		l.pairReplaced(setOf(was), setOf(is))
	} else {
		l.pairRenamed(setOf(was), setOf(is))
	}
	return slices.ContainsFunc(l.from, func(i int) bool { return i >= 0 }) // otherwise it is another list
}

// increasing returns the indexes of a longest increasing subsequence of a list; with last, of its
// mirror image, which may be another one.
func increasing(list []int, last bool) []int {
	if !last {
		return unified.Increasing(list)
	}
	mirror := slices.Clone(list)
	slices.Reverse(mirror)
	for i := range mirror {
		mirror[i] = -mirror[i]
	}
	stay := unified.Increasing(mirror)
	for i := range stay {
		stay[i] = len(list) - 1 - stay[i]
	}
	slices.Reverse(stay)
	return stay
}

// pairReplaced pairs a scalar that is gone with a new one in the same place. Those that have moved, was before
// and is after, are neither.
func (l *listing) pairReplaced(was, is map[int]bool) {
	next := 0 // the first item before that may be paired
	for j, i := range l.from {
		switch {
		case i >= 0:
			next = i + 1
		case next < len(l.before) && !was[next] && !is[j]:
			l.from[j] = next
			next++
		}
	}
}

// pairRenamed pairs an item that is gone with a new one in the same place that differs only in what identifies
// it. Items are not paired if their name is still there: was has those before, is has those after.
func (l *listing) pairRenamed(was, is map[int]bool) {
	if len(l.before) != len(l.after) {
		return
	}
	way := keys(l.key)
	for j, i := range l.from {
		if i < 0 && !was[j] && !is[j] && edit.Equal(with(l.before[j], way, nil), with(l.after[j], way, nil)) {
			l.from[j] = j
		}
	}
}

func setOf(list []int) map[int]bool {
	set := map[int]bool{}
	for _, i := range list {
		set[i] = true
	}
	return set
}

// write writes the items that differ.
func (l *listing) write(indent int) {
	kept := setOf(l.from)
	for i, v := range l.before {
		if !kept[i] {
			l.line(indent, "#@overlay/match "+l.matcher(v))
			l.line(indent, "#@overlay/remove")
			l.item(indent, l.named(v))
		}
	}
	for j, now := range l.after {
		i := l.from[j]
		switch {
		case i >= 0:
			if was := l.before[i]; !edit.Equal(was, now) {
				by := l.matcher(was)
				if !edit.Equal(l.id(was), l.id(now)) {
					by = "by=" + l.equals(was)
				}
				l.changed(indent, by, l.place(was), was, now)
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

// changed writes what turns an item into another one. by are the arguments of its match.
func (l *listing) changed(indent int, by, place string, was, now tree.Value) {
	l.line(indent, "#@overlay/match "+by)
	if l.insideItem(indent, was, now) {
		return
	}
	if was.Kind() != tree.MapKind || now.Kind() != tree.MapKind || was.Len() == 0 || now.Len() == 0 {
		if now.Kind() != tree.ScalarKind {
			l.line(indent, "#@overlay/replace")
		}
		l.item(indent, now)
		return
	}
	inner := writer{path: append(slices.Clip(l.path), place), inside: l.inside}
	if l.key != "" && edit.Equal(l.id(was), l.id(now)) {
		inner.entry(0, tree.String(l.key), l.id(was))
	}
	inner.maps(0, was, now)
	l.byIndex = append(l.byIndex, inner.byIndex...)
	l.dashed(indent, inner.lines)
}

// dashed writes the lines of an item, with a dash before the first line that is not an annotation.
func (w *writer) dashed(indent int, lines []string) {
	dashed := false
	for _, text := range lines {
		switch {
		case text == "":
			w.lines = append(w.lines, "")
		case !dashed && text[0] != '#':
			w.line(indent, "- "+text)
			dashed = true
		case dashed:
			w.line(indent, "  "+text)
		default:
			// Annotations of the first key follow the dash.
			w.line(indent, "-")
			w.line(indent, "  "+text)
			dashed = true
		}
	}
}

// place returns a step to an item, for people.
func (l *listing) place(v tree.Value) string {
	if l.key != "" {
		return "[" + l.key + "=" + l.id(v).Text() + "]"
	}
	return "[]"
}

// matcher returns the arguments of a match for an item that the overlay names.
func (l *listing) matcher(v tree.Value) string {
	if l.key != "" {
		return `by="` + l.key + `"`
	}
	return "by=" + l.equals(v)
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
