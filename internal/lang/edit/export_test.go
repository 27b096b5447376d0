package edit

import (
	"slices"
	"strings"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// zone is a part of the text whose comments may go.
type zone struct{ from, to int }

// LostComments are the comments that are in no value that is removed or replaced, and yet are not
// in the text.
func LostComments(t *yaml.Tree, docs []tree.Doc, text string) (lost []string) {
	for n := yaml.NodeID(0); int(n) < t.Len(); n++ {
		if t.Kind(n) == yaml.Alias || t.Kind(n) != yaml.Document && t.Explicit(n) {
			return nil // what aliases stand for is written out, and the like
		}
	}
	e := newEditor(t, 0, len(t.File().Data()), yaml.Options{})
	var zones []zone
	for i, doc := range slices.Collect(t.Documents()) {
		zones = append(zones, zonesOf(e, t.Root(doc), docs[i].Value, e.rootSlot(doc))...)
	}
	for _, c := range t.Comments() {
		at := t.CommentSpan(c)
		if slices.ContainsFunc(
			zones,
			func(z zone) bool { return z.from <= at.Offset() && at.Offset() < z.to },
		) {
			continue
		}
		if c := "#" + strings.TrimRight(string(t.CommentText(c)), " \t"); !strings.Contains(
			text,
			c,
		) {
			lost = append(lost, c)
		}
	}
	return lost
}

func zonesOf(e *Editor, n yaml.NodeID, v tree.Value, s slot) []zone {
	t := e.t
	isMap := t.Kind(n) == yaml.Mapping
	if e.same(n, v) {
		return nil
	}
	if !(isMap && v.Kind() == tree.MapKind || t.Kind(n) == yaml.Sequence && v.Kind() == tree.ArrayKind) {
		return []zone{valueZone(e, n, s)}
	}
	children := slices.Clone(e.children(n))
	e.slab = e.slab[:0]
	var zones []zone
	kept := 0
	for i := range children {
		c := &children[i]
		at := slices.IndexFunc(itemsOf(v), func(it tree.Item) bool { return e.matches(n, c, it) })
		if at >= 0 {
			kept++
			zones = append(zones, zonesOf(e, c.last, itemsOf(v)[at].Value, e.slotOf(n, c))...)
			continue
		}
		z := zone{e.lineStart(e.start(c)), e.nextLine(e.end(c))}
		if t.Style(n) == yaml.Flow {
			after, _ := e.comma(c)
			if z = (zone{e.start(c), after}); e.lineDone(after) {
				z.to = e.lineEnd(after)
			}
		}
		for from := e.lineStart(e.start(c)); from > e.bom && e.firstOnLine(e.start(c)); {
			from = e.lineStart(from - 1)
			if !e.isComment(from, 0, far) {
				break
			}
			z.from = from
		}
		if t.Style(n) != yaml.Flow {
			for z.to < len(e.src) && e.isComment(z.to, e.column(n)+1, far) {
				z.to = e.nextLine(z.to)
			}
		}
		zones = append(zones, z)
	}
	if kept == 0 {
		return []zone{valueZone(e, n, s)}
	}
	return zones
}

// valueZone is where comments belong to a value.
func valueZone(e *Editor, n yaml.NodeID, s slot) zone {
	o := e.old(n, s)
	z := zone{o.start, o.end}
	if o.block {
		z.from = s.after
		if head := e.lineEnd(s.after); o.start > head {
			z.from = head
		}
		z.to = e.nextLine(o.end)
		for z.to < len(e.src) && e.isComment(z.to, e.slotColumn(s)+1, far) {
			z.to = e.nextLine(z.to)
		}
	} else if o.first < o.rest {
		z.from = o.rest
	}
	return z
}

// CheckedBytes returns how many bytes were parsed to check the new value of the only document of t.
func CheckedBytes(t *yaml.Tree, v tree.Value) (int, error) {
	e := newEditor(t, 0, len(t.File().Data()), yaml.Options{})
	err := e.Set(t.First(), v)
	return len(e.scratch), err
}
