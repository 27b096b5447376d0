package suggest

import (
	"regexp"
	"slices"
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
	"weft/internal/origin/diff"
)

// probe is an empty data value with marks.
type probe struct {
	*search
	info  tree.LeafInfo
	old   []tree.Item // the items of a list today
	item  tree.Value  // an item of a list, or of a map with markKey; or the value itself
	kind  tree.Kind   // of the data value
	docs  []tree.Doc  // what one item gives
	twice []tree.Doc  // what two items give
}

func (p *probe) isList() bool { return p.kind == tree.ArrayKind }

// value returns the data value with so many items.
func (p *probe) value(n int) tree.Value {
	items := slices.Clip(p.old)
	for range n {
		items = append(items, tree.Item{Value: p.item})
	}
	switch p.kind {
	case tree.ArrayKind:
		return tree.Of(tree.NewArray(items, p.item.Start()))
	case tree.MapKind:
		items[len(items)-1].Key = tree.String(markKey)
		return tree.Of(tree.NewMap(items, p.item.Start()))
	}
	return p.item
}

// newProbe returns a data value with marks: with what its schema says about items, or what other items have,
// or else with texts.
func (s *search) newProbe(info tree.LeafInfo) *probe {
	v, _ := tree.At(s.values, info.Path)
	names := make([]string, len(info.Path))
	for i, step := range info.Path {
		names[i] = step.Key
	}
	t := s.schemaOf()
	if t != nil {
		t = t.At(names)
	}
	p, m := &probe{search: s, info: info, kind: v.Kind()}, &marker{}
	switch {
	case v.IsNull() && t != nil && t.Kind() != "any":
		p.item = m.of(t, 0)
	case v.Kind() == tree.MapKind && t != nil && t.Rest() != nil:
		p.item = m.of(t.Rest(), 0)
	case v.Kind() == tree.ArrayKind && t != nil && t.Item() != nil:
		p.item = m.of(t.Item(), 0)
	case v.Kind() == tree.ArrayKind && v.Len() > 0:
		p.item = m.like(elements(v)[0])
	default:
		p.item = m.text()
	}
	if p.isList() {
		p.old = v.Entries()
	}
	return p
}

// offer gives the changes that the marks explain their options.
func (p *probe) offer(open []*choice) {
	var items []tree.Value
	var explained []*choice
	for _, c := range open {
		found := p.explain(c)
		if found == nil {
			continue
		}
		explained = append(explained, c)
		for _, v := range found {
			if !slices.ContainsFunc(items, func(x tree.Value) bool { return edit.Equal(x, v) }) {
				items = append(items, v)
			}
		}
	}
	if len(items) == 0 || p.kind == tree.ScalarKind && len(items) > 1 {
		return
	}
	v := p.valueOf(items)
	for _, c := range explained {
		c.options = append(c.options, p.valueOptions(p.info.Values, p.info.Path, &v)...)
	}
}

// valueOf returns the data value with the items that were found.
func (p *probe) valueOf(items []tree.Value) tree.Value {
	switch p.kind {
	case tree.ArrayKind:
		list := slices.Clip(p.old)
		for _, v := range items {
			list = append(list, tree.Item{Value: v})
		}
		return tree.Of(tree.NewArray(list, items[0].Start()))
	case tree.MapKind:
		var list []tree.Item
		for _, m := range items {
			list = append(list, m.Entries()...)
		}
		return tree.Of(tree.NewMap(list, items[0].Start()))
	}
	return items[0]
}

// explain returns the items that give a change.
func (p *probe) explain(c *choice) []tree.Value {
	x := &c.change
	switch {
	case len(x.Path) == 0 && x.Object.A < 0:
		return p.ofDocument(p.edited[x.Object.B].Value)
	case len(x.Path) == 0 || x.Object.A < 0:
		return nil
	}
	before := p.search.docs[x.Object.A].Value
	object := selector.ObjectOf(before)
	doc, ok := documentOf(p.docs, object)
	if !ok {
		return nil
	}
	if x.Op == diff.Added {
		around, _ := tree.At(doc, x.Path[:len(x.Path)-1].Steps())
		return p.ofItem(around, x.Path[len(x.Path)-1], x.After)
	}
	old, _ := tree.At(before, x.Path.Steps())
	one, ok := tree.At(doc, x.Path.Steps())
	if !ok || edit.Equal(old, one) {
		return nil
	}
	two := one
	if doc, ok := documentOf(p.twice, object); ok {
		two, _ = tree.At(doc, x.Path.Steps())
	}
	return p.inText(old.Text(), one.Text(), two.Text(), x.After.Text())
}

// documentOf returns the document with a name.
func documentOf(docs []tree.Doc, name selector.Object) (tree.Value, bool) {
	i := slices.IndexFunc(docs, func(d tree.Doc) bool { return selector.ObjectOf(d.Value) == name })
	if i < 0 {
		return tree.Value{}, false
	}
	return docs[i].Value, true
}

// ofDocument returns the items that give a new document.
func (p *probe) ofDocument(now tree.Value) []tree.Value {
	for _, d := range p.docs {
		sol := solution{}
		if _, old := documentOf(p.search.docs, selector.ObjectOf(d.Value)); !old && unify(d.Value, now, sol) {
			return p.itemsOf(sol)
		}
	}
	return nil
}

// ofItem returns the items that give a new item of a list or a map, which has one with marks.
func (p *probe) ofItem(around tree.Value, at path.Segment, now tree.Value) []tree.Value {
	if around.Kind() == tree.ScalarKind {
		return nil
	}
	for _, it := range around.Entries() {
		sol := solution{}
		if at.Kind == path.Key && !unify(it.Key, at.Key, sol) ||
			len(sol) == 0 && !markPattern.Get().MatchString(block(it.Value)) {
			continue
		}
		isOne := it.Value.Kind() == tree.ArrayKind && it.Value.Len() == 1
		if p.isList() && isOne && now.Kind() == tree.ArrayKind {
			if list := p.each(elements(it.Value)[0], elements(now)); list != nil {
				return list
			}
		}
		if unify(it.Value, now, sol) {
			return p.itemsOf(sol)
		}
	}
	return nil
}

// each returns the items that give the items of a printed list.
func (p *probe) each(pattern tree.Value, list []tree.Value) (found []tree.Value) {
	for _, v := range list {
		sol := solution{}
		if !unify(pattern, v, sol) {
			return nil
		}
		found = append(found, p.itemsOf(sol)...)
	}
	return found
}

// itemsOf returns the item with what marks stand for.
func (p *probe) itemsOf(sol solution) []tree.Value {
	v, ok := sol.in(p.item)
	if !ok {
		return nil
	}
	if p.kind != tree.MapKind {
		return []tree.Value{v}
	}
	key, ok := sol["0"]
	if !ok {
		return nil
	}
	return []tree.Value{tree.Of(tree.NewMap([]tree.Item{{Key: key, Value: v}}, v.Start()))}
}

// maxItems is how many new items of a list are looked for in a text.
const maxItems = 16

// inText returns the items that give a text, where one gives another text, and two a third one.
func (p *probe) inText(was, one, two, now string) []tree.Value {
	start, end := around(was, one)
	if len(now) < start+end || now[:start] != was[:start] || now[len(now)-end:] != was[len(was)-end:] ||
		start+end != len(was) {
		return nil
	}
	piece := newMarked(one[start : len(one)-end])
	if piece == nil {
		return nil
	}
	middle := now[start : len(now)-end]
	pair, n := two[min(start, len(two)):], len(one)-start-end
	pair = pair[:max(len(pair)-end, 0)]
	between := ""
	if len(pair) >= 2*n {
		between = pair[n : len(pair)-n]
	}
	most := 1
	if p.isList() && len(pair) >= 2*n {
		most = maxItems
	}
	for k := most; k > 0; k-- {
		rest := strings.Repeat(regexp.QuoteMeta(between)+piece.text, k-1)
		re, err := regexp.Compile(`(?s)\A` + piece.text + rest + `\z`)
		if err != nil {
			return nil
		}
		found := re.FindStringSubmatch(middle)
		if found == nil {
			continue
		}
		var items []tree.Value
		for i := range k {
			sol, isGood := solution{}, true
			for j, number := range piece.numbers {
				isGood = isGood && sol.set(number, tree.String(found[1+i*len(piece.numbers)+j]))
			}
			if isGood {
				items = append(items, p.itemsOf(sol)...)
			}
		}
		if len(items) == k {
			return items
		}
	}
	return nil
}

// around returns how much two texts have in common at their beginning and, of the rest, at their end.
func around(a, b string) (start, end int) {
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return start, end
}
