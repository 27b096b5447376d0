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
	doc int
	way []tree.Step
	now tree.Value
}

// repeats collects the places of each edit.
type repeats struct {
	order  []string // the edits, as the text of an overlay
	places map[string][]place
}

// repeated writes overlays for edits that are the same in several places, and returns the documents with
// them. It takes only those places that a pattern names exactly.
func (s *search) repeated(
	o *newText, b *strings.Builder, values []tree.Value, partner map[int]int,
) []tree.Value {
	r := repeats{places: map[string][]place{}}
	for doc, v := range values {
		if i, ok := partner[doc]; ok {
			r.compare(doc, nil, v, s.edited[i].Value)
		}
	}
	values = slices.Clone(values)
	for _, text := range r.order {
		list := r.places[text]
		pattern := patternOf(values, list)
		if pattern == "" {
			continue
		}
		o.repeats = true
		o.expects = max(o.expects, len(list))
		separate(b)
		b.WriteString("#@overlay/match by=" + scopeOf(values, list) + "\n---\n")
		fmt.Fprintf(b, "#@overlay/match by=overlay.path(%s), expects=%d\n%s\n", literal(tree.String(pattern)),
			len(list), text)
		for _, p := range list {
			values[p.doc] = with(values[p.doc], p.way, &p.now)
		}
	}
	return values
}

// compare finds the places where two values differ: the innermost maps and lists with all of an edit, or
// scalars.
func (r *repeats) compare(doc int, way []tree.Step, was, now tree.Value) {
	way = slices.Clip(way)
	switch {
	case edit.Equal(was, now):
	case hasSameKeys(was, now):
		for _, it := range was.Entries() {
			v, _ := find(now, it.Key)
			r.compare(doc, append(way, tree.Step{Key: tree.KeyText(it.Key), Index: -1}), it.Value, v)
		}
	case hasSameItems(was, now):
		for i, it := range was.Entries() {
			r.compare(doc, append(way, tree.Step{Index: i}), it.Value, now.Entries()[i].Value)
		}
	case len(way) > 0:
		w := writer{}
		w.value(0, tree.String("_"), was, now)
		text := strings.Join(w.lines, "\n")
		if r.places[text] == nil {
			r.order = append(r.order, text)
		}
		r.places[text] = append(r.places[text], place{doc, way, now})
	}
}

// hasSameKeys reports whether two values are maps with the same keys.
func hasSameKeys(a, b tree.Value) bool {
	if a.Kind() != tree.MapKind || b.Kind() != tree.MapKind || a.Len() != b.Len() {
		return false
	}
	return !slices.ContainsFunc(a.Entries(), func(it tree.Item) bool {
		_, ok := find(b, it.Key)
		return !ok
	})
}

// hasSameItems reports whether two values are lists of maps with the same items, which may differ below.
func hasSameItems(a, b tree.Value) bool {
	if a.Kind() != tree.ArrayKind || b.Kind() != tree.ArrayKind || a.Len() != b.Len() {
		return false
	}
	l := listing{before: elements(a), after: elements(b)}
	if !l.identify() || l.key == "" {
		return false
	}
	for i := range l.before {
		if !edit.Equal(l.id(l.before[i]), l.id(l.after[i])) {
			return false
		}
	}
	return true
}

// patternOf returns the pattern that matches these places of the documents, and no others: their path if it
// is the same but for items of lists, or else its end, as short as people write it. It returns "" if there is
// none, or if an overlay without patterns says it as well: one place in each of some documents that a matcher
// selects.
func patternOf(values []tree.Value, list []place) string {
	if len(list) < 2 {
		return ""
	}
	scope := docsOf(list)
	_, selected := matcherOf(values, scope)
	first := steps(list[0].way)
	tail := len(first)
	same := true
	for _, p := range list[1:] {
		other := steps(p.way)
		n := 0
		for n < min(tail, len(other)) && first[len(first)-1-n] == other[len(other)-1-n] {
			n++
		}
		tail, same = n, same && stepsText(p.way) == stepsText(list[0].way)
	}
	if same && selected {
		return ""
	}
	if !selected {
		scope = nil
		for i := range values {
			scope = append(scope, i)
		}
	}
	ways := []string{strings.Join(first, ".")}
	for n := 2; n <= tail; n++ {
		ways = append(ways, "**."+strings.Join(first[len(first)-n:], "."))
	}
	ways = append(ways, "**."+first[len(first)-1])
	i := slices.IndexFunc(ways, func(pattern string) bool { return isExact(values, scope, list, pattern) })
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

// docsOf returns the documents with places.
func docsOf(list []place) (docs []int) {
	for _, p := range list {
		if !slices.Contains(docs, p.doc) {
			docs = append(docs, p.doc)
		}
	}
	return docs
}

// scopeOf returns the matcher of the documents with places, or one of all documents.
func scopeOf(values []tree.Value, list []place) string {
	docs := docsOf(list)
	m, ok := matcherOf(values, docs)
	switch {
	case !ok:
		return `overlay.all, expects="1+"`
	case len(docs) > 1:
		return fmt.Sprintf("%s, expects=%d", m, len(docs))
	}
	return m.String()
}
