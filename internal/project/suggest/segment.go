package suggest

import (
	"slices"
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// This file is about lists of data values that are a part of something: items of a longer list, or a text
// that code has joined.

// segment is the items of a printed list that are a list of data values.
type segment struct {
	info     tree.LeafInfo // the list of data values
	from, to int           // the items
}

// segmentOf returns the items of a printed list that are all items of one list of data values.
func (s *search) segmentOf(doc int, way path.Path, was tree.Value) (g segment, ok bool) {
	for i := range was.Entries() {
		n := s.nodeAt(doc, append(slices.Clip(way), path.ToItem(i, i)))
		if n == nil {
			return g, false
		}
		history := s.history(n)
		info, copied := s.handedOn(history[len(history)-1])
		last := len(info.Path) - 1
		switch {
		case !copied || last < 1 || info.Path[last].Index < 0:
			continue
		case ok && slices.Equal(info.Path[:last], g.info.Path) && info.Path[last].Index == i-g.from:
			g.to = i + 1
		case !ok && info.Path[last].Index == 0:
			info.Path = info.Path[:last]
			g, ok = segment{info, i, i + 1}, true
		default:
			return g, false
		}
	}
	v, found := tree.At(s.values, g.info.Path)
	return g, ok && found && v.Kind() == tree.ArrayKind && v.Len() == g.to-g.from
}

// now returns the new list of data values for a list that was edited, and whether that explains the edit: the
// items before and after the segment are the same for equal.
func (g segment) now(was, now tree.Value, equal func(i, j int) bool) (tree.Value, bool) {
	after := was.Len() - g.to
	if now.Len() < g.from+after {
		return tree.Value{}, false
	}
	for i := range g.from {
		if !equal(i, i) {
			return tree.Value{}, false
		}
	}
	for i := range after {
		if !equal(g.to+i, now.Len()-after+i) {
			return tree.Value{}, false
		}
	}
	return tree.Of(tree.NewArray(now.Entries()[g.from:now.Len()-after], was.Start())), true
}

// segmentOptions returns the ways to give a list other items that has the items of a list of data values, and
// others before or after them.
func (s *search) segmentOptions(c *choice, way path.Path, now tree.Value) []option {
	old, ok := before(way)
	if !ok {
		return nil
	}
	was, _ := tree.At(s.docs[c.change.Object.A].Value, old.Steps())
	if was.Kind() != tree.ArrayKind || now.Kind() != tree.ArrayKind {
		return nil
	}
	g, ok := s.segmentOf(c.change.Object.A, old, was)
	if !ok {
		return nil
	}
	before, after := elements(was), elements(now)
	v, ok := g.now(was, now, func(i, j int) bool {
		return edit.Equal(before[i], after[j])
	})
	if !ok {
		return nil
	}
	return s.valueOptions(g.info.Values, g.info.Path, &v)
}

// separators are what code joins texts with, if the text does not show it.
var separators = []string{",", ", ", " ", ";", "|", ":", "\n"}

// joins returns what a list of texts becomes where a text has them with a separator between them, and only
// these were edited.
func joins(was, now string, list tree.Value) (found []tree.Value) {
	var items []string
	for v := range list.Elements() {
		if v.Kind() != tree.ScalarKind || v.Text() == "" {
			return nil
		}
		items = append(items, v.Text())
	}
	if len(items) == 0 {
		return nil
	}
	if len(was) > len(now) && slices.ContainsFunc(separators, func(sep string) bool {
		return strings.Replace(was, strings.Join(items, sep), "", 1) == now
	}) {
		found = append(found, tree.Of(tree.NewArray(nil, list.Start())))
	}
	for _, sep := range separators {
		all := strings.Join(items, sep)
		for _, part := range parts(was, now, tree.String(all)) {
			if sep != "\n" && breaksLine(all, part.Text()) {
				continue
			}
			var entries []tree.Item
			for text := range strings.SplitSeq(part.Text(), sep) {
				entries = append(entries, tree.Item{Value: alike(list.Entries()[0].Value, text)})
			}
			found = append(found, tree.Of(tree.NewArray(entries, list.Start())))
		}
		if len(items) > 1 && found != nil {
			break
		}
	}
	// More than one item shows what the separator is.
	slices.SortStableFunc(found, func(a, b tree.Value) int { return b.Len() - a.Len() })
	return found
}
