package suggest

import (
	"fmt"
	"slices"
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// This file writes an edit that is the same in several places once, with overlay.path.

// place is a node that was edited, and everything around it was not.
type place struct {
	doc   int
	way   []tree.Step
	names string // the way as an overlay without patterns says it: items by what identifies them
	now   tree.Value
}

// repeats collects the places of each edit.
type repeats struct {
	byPosition bool     // items that nothing identifies are compared with those at the same position
	order      []string // the edits, as the text of an overlay
	places     map[string][]place
}

// repeated writes overlays for edits that are the same in several places, and returns the documents with
// them. It takes only those places that a pattern names exactly.
func (s *search) repeated(
	o *newText, b *strings.Builder, values []tree.Value, partner map[int]int,
) []tree.Value {
	values = slices.Clone(values)
	for _, byPosition := range []bool{true, false} {
		r := repeats{byPosition: byPosition, places: map[string][]place{}}
		for doc, v := range values {
			if i, ok := partner[doc]; ok {
				r.compare(doc, nil, "", v, s.edited[i].Value)
			}
		}
		r.write(o, b, s.overlayCensus(values))
	}
	return values
}

// write writes the overlays of a comparison, and makes their edits in the documents.
func (r *repeats) write(o *newText, b *strings.Builder, all *census) {
	for _, text := range r.order {
		list := r.places[text]
		pattern := all.patternOf(list)
		if pattern == "" {
			continue
		}
		o.repeats = true
		o.expects = max(o.expects, len(list))
		o.begin(b, part{}, nil)
		b.WriteString("#@overlay/match by=" + all.scopeOf(list) + "\n---\n")
		fmt.Fprintf(b, "#@overlay/match by=overlay.path(%s), expects=%d\n%s\n", literal(tree.String(pattern)),
			len(list), text)
		for _, p := range list {
			all.replace(p.doc, with(all.docs[p.doc], p.way, &p.now))
		}
	}
}

// compare finds the places where two values differ: the innermost maps and lists with all of an edit, or
// scalars.
func (r *repeats) compare(doc int, way []tree.Step, names string, was, now tree.Value) {
	way = slices.Clip(way)
	if edit.Equal(was, now) {
		return
	}
	switch id := r.namesOf(was, now); {
	case hasSameKeys(was, now):
		find := finder(now)
		for _, it := range was.Entries() {
			v, _ := find(it.Key)
			key := tree.KeyText(it.Key)
			r.compare(doc, append(way, tree.Step{Key: key, Index: -1}), fmt.Sprintf("%s.%q", names, key), it.Value, v)
		}
	case id != nil:
		items := elements(now)
		for i, it := range was.Entries() {
			r.compare(doc, append(way, tree.Step{Index: i}), names+"["+id[i]+"]", it.Value, items[i])
		}
	case len(way) > 0:
		w := writer{}
		w.value(0, tree.String("_"), was, now)
		text := strings.Join(w.lines, "\n")
		if r.places[text] == nil {
			r.order = append(r.order, text)
		}
		r.places[text] = append(r.places[text], place{doc, way, names, now})
	}
}

// hasSameKeys reports whether two values are maps with the same keys.
func hasSameKeys(a, b tree.Value) bool {
	if a.Kind() != tree.MapKind || b.Kind() != tree.MapKind || a.Len() != b.Len() {
		return false
	}
	find := finder(b)
	return !slices.ContainsFunc(a.Entries(), func(it tree.Item) bool {
		_, ok := find(it.Key)
		return !ok
	})
}

// namesOf returns what identifies the items of two lists of maps with the same items, which may differ below: a key
// or their position. It returns nil for other lists.
func (r *repeats) namesOf(a, b tree.Value) (names []string) {
	if a.Kind() != tree.ArrayKind || b.Kind() != tree.ArrayKind || a.Len() != b.Len() {
		return nil
	}
	l := listing{before: elements(a), after: elements(b)}
	hasKey := l.identify() && l.key != ""
	for i := range l.before {
		was, now := l.before[i], l.after[i]
		switch {
		case hasKey && edit.Equal(l.id(was), l.id(now)):
			names = append(names, literal(l.id(was)))
		case r.byPosition && !hasKey && hasSameKeys(was, now):
			names = append(names, literal(number(i)))
		default:
			return nil
		}
	}
	return names
}

// patternOf returns the pattern that matches these places of the documents, and no others: their path if it
// is the same but for items of lists, or else its end, as short as people write it. It returns "" if there is
// none, or if an overlay without patterns says it as well: one place in each of some documents that a matcher
// selects.
func (c *census) patternOf(list []place) string {
	if len(list) < 2 {
		return ""
	}
	scope := docsOf(list)
	_, selected := c.matcherOf(scope)
	first := steps(list[0].way)
	tail := len(first)
	same := true
	for _, p := range list[1:] {
		other := steps(p.way)
		n := 0
		for n < min(tail, len(other)) && first[len(first)-1-n] == other[len(other)-1-n] {
			n++
		}
		tail, same = n, same && p.names == list[0].names
	}
	if same && selected {
		return ""
	}
	if !selected {
		scope = nil
		for i := range c.docs {
			scope = append(scope, i)
		}
	}
	ways := []string{strings.Join(first, ".")}
	for n := 2; n <= tail; n++ {
		ways = append(ways, "**."+strings.Join(first[len(first)-n:], "."))
	}
	ways = append(ways, "**."+first[len(first)-1])
	i := slices.IndexFunc(ways, func(pattern string) bool { return isExact(c.docs, scope, list, pattern) })
	if tail == 0 || i < 0 {
		return ""
	}
	return ways[i]
}

// steps returns a path without the numbers of items: each step is a key with a star for each list below it.
func steps(way []tree.Step) (list []string) {
	for _, x := range way {
		if n := len(list); x.Index >= 0 && n > 0 {
			list[n-1] += "[*]"
			continue
		}
		list = append(list, path.Path{path.ToKey(tree.String(x.Key))}.String())
	}
	return list
}

// isExact reports whether a pattern matches places of documents, and nothing else in them.
func isExact(values []tree.Value, docs []int, list []place, text string) bool {
	pattern, err := path.Parse("", text)
	if err != nil {
		return false
	}
	wanted := map[string]bool{}
	for _, p := range list {
		wanted[fmt.Sprint(p.doc, " ", stepsText(p.way))] = true
	}
	found := 0
	for _, doc := range docs {
		for _, hit := range pattern.Find(values[doc]) {
			if !wanted[fmt.Sprint(doc, " ", stepsText(hit.Path.Steps()))] {
				return false
			}
			found++
		}
	}
	return found == len(list)
}

// docsOf returns the documents with places, which are in their order.
func docsOf(list []place) (docs []int) {
	for _, p := range list {
		if n := len(docs); n == 0 || docs[n-1] != p.doc {
			docs = append(docs, p.doc)
		}
	}
	return docs
}

// scopeOf returns the matcher of the documents with places, or one of all documents.
func (c *census) scopeOf(list []place) string {
	docs := docsOf(list)
	m, ok := c.matcherOf(docs)
	switch {
	case !ok:
		return `overlay.all, expects="1+"`
	case len(docs) > 1:
		return fmt.Sprintf("%s, expects=%d", m, len(docs))
	}
	return m.String()
}
