package suggest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// spot is a place in a file: an item at an offset, or below it, or a path in its first document.
type spot struct {
	file   string
	path   []tree.Step // from the item at the offset, or from the root
	offset int         // of the item, or -1 for the root
	root   bool        // the offset is that of a document
	beside bool        // the path begins at the map around the item at the offset
	prune  bool        // maps and lists that become empty are removed, too

	anchored bool // aliases and merge keys repeat it: only its text changes

	document int // if it is not 0, the value is a new document; this tells several apart
}

// key returns a text that identifies a spot.
func (p spot) key() string {
	return fmt.Sprintf("%s\x00%s\x00%d %d %t %t %t", p.file, stepsText(p.path), p.offset, p.document, p.root, p.beside,
		p.anchored)
}

// setting is another value at a spot; nil removes what is there.
type setting struct {
	at        spot
	value     *tree.Value
	newQuotes bool // strings have the quotes of the new value, not of the old one
}

// setAt returns a YAML text with another value at a spot; nil removes what is there. Everything else stays
// byte for byte.
func setAt(text []byte, place spot, v *tree.Value, opt yaml.Options) ([]byte, error) {
	return setAll(text, []setting{{at: place, value: v}}, opt)
}

// setAll returns a YAML text with other values at the spots of one file, and with new documents at its end.
// The last item of a list comes first: the others keep their position.
func setAll(text []byte, list []setting, opt yaml.Options) (now []byte, err error) {
	var added []byte
	var rest []setting
	for _, x := range list {
		if x.at.document == 0 {
			rest = append(rest, x)
		} else {
			added = append(append(added, "---\n"...), block(*x.value)...)
		}
	}
	if len(rest) > 0 {
		if text, err = setEach(text, rest, opt); err != nil {
			return nil, err
		}
	}
	if added != nil {
		text = edit.Append(text, string(added), opt)
	}
	return text, nil
}

// setEach is setAll without new documents.
func setEach(text []byte, list []setting, opt yaml.Options) ([]byte, error) {
	trees, docs, err := parse(text, list[0].at.file, opt)
	if err != nil {
		return nil, err
	}
	isEmpty := len(docs) == 0
	if isEmpty {
		docs = []tree.Value{tree.Of(tree.NewMap(nil, source.Pos{}))}
	}
	offsets := map[int]bool{}
	for _, x := range list {
		offsets[x.at.offset] = true
	}
	found := locate(docs, offsets)
	if i := annotatedDefaultIn(list, trees[0], found); i >= 0 && len(list) > 1 {
		return setOneByOne(text, list, opt)
	} else if i >= 0 {
		now, ok := redefaulted(text, list[i], trees[0], found)
		if !ok {
			return nil, diag.Failf(CodeNone, "a default in '%s' is computed", list[i].at.file)
		}
		return now, nil
	}
	var removed []int
	for i, x := range list {
		doc, way, ok := x.at.in(found)
		if !ok {
			return nil, diag.Failf(CodeNone, "there is no value at offset %d of '%s'", x.at.offset, x.at.file)
		}
		if old, found := tree.At(docs[doc], way); found && x.value != nil {
			if moved, ok := reordered(text, old, *x.value); ok {
				return setEach(moved, list, opt) // its items have their new order now
			}
		}
		if x.at.anchored {
			now, ok := respelled(text, docs[doc], way, *x.value)
			if !ok {
				return nil, diag.Failf(CodeNone, "'%s' is not a scalar on one line", stepsText(way))
			}
			return setAll(now, slices.Delete(slices.Clone(list), i, i+1), opt)
		}
		if x.value == nil && len(way) == 0 {
			removed = append(removed, doc)
			continue
		}
		if x.value == nil && x.at.prune {
			way = pruned(docs[doc], way)
		}
		v, err := graftedAt(docs[doc], way, x)
		if err != nil {
			return nil, err
		}
		docs[doc] = with(docs[doc], way, v)
	}
	if isEmpty { // a file without values: all of it stays, as comments
		if !slices.ContainsFunc(list, func(x setting) bool { return x.value != nil }) {
			return text, nil
		}
		return edit.Append(text, block(docs[0]), opt), nil
	}
	pieces, err := edit.Text(trees, docs, opt)
	if err != nil {
		return nil, err
	}
	return withoutDocuments(bytes.Join(pieces, nil), removed, list[0].at.file, opt)
}

// setOneByOne is setEach for values that are not all in the tree. The last one comes first: others keep their
// place.
func setOneByOne(text []byte, list []setting, opt yaml.Options) (now []byte, err error) {
	list = slices.SortedStableFunc(slices.Values(list), func(a, b setting) int { return b.at.offset - a.at.offset })
	for _, x := range list {
		if text, err = setEach(text, []setting{x}, opt); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// respelled returns a text with another scalar in place of one; ok is false if one of them has several lines.
func respelled(text []byte, in tree.Value, way []tree.Step, to tree.Value) (now []byte, ok bool) {
	old, _ := tree.At(in, way)
	at := old.Span()
	is := strings.TrimSuffix(block(to), "\n")
	if old.Kind() != tree.ScalarKind || to.Kind() != tree.ScalarKind || strings.Contains(is, "\n") ||
		bytes.Contains(text[at.Offset():at.End()], []byte("\n")) {
		return nil, false
	}
	return slices.Concat(text[:at.Offset()], []byte(is), text[at.End():]), true
}

// pruned returns the path of what has to be removed, so that no empty map or list stays where it was.
func pruned(in tree.Value, way []tree.Step) []tree.Step {
	for len(way) > 1 {
		around, ok := tree.At(in, way[:len(way)-1])
		if !ok || around.Len() > 1 {
			break
		}
		way = way[:len(way)-1]
	}
	return way
}

// graftedAt returns the value of a setting for a path, with what stays of the old one.
func graftedAt(in tree.Value, way []tree.Step, x setting) (*tree.Value, error) {
	old, ok := tree.At(in, way)
	if !ok || x.value == nil {
		return x.value, nil
	}
	now, err := grafted(old, *x.value, x.newQuotes)
	return &now, err
}

// find returns the document of a spot, and the path in it.
func (p spot) find(docs []tree.Value) (doc int, way []tree.Step, ok bool) {
	return p.in(locate(docs, map[int]bool{p.offset: true}))
}

// in is like find if the spot's offset is among those that were located.
func (p spot) in(found places) (doc int, way []tree.Step, ok bool) {
	switch {
	case p.offset < 0:
		return 0, p.path, true
	case p.root:
		doc, ok = found.roots[p.offset]
		return doc, p.path, ok
	}
	at, ok := found.items[p.offset]
	if ok && p.beside {
		at.way = at.way[:len(at.way)-1]
	}
	return at.doc, slices.Concat(at.way, p.path), ok
}

// withoutDocuments returns the text of a file without some of its documents, if it has others.
func withoutDocuments(text []byte, removed []int, name string, opt yaml.Options) ([]byte, error) {
	if len(removed) == 0 {
		return text, nil
	}
	trees, _, err := parse(text, name, opt)
	if err != nil {
		return nil, err
	}
	all := slices.Collect(trees[0].Documents())
	if len(removed) >= len(all) {
		return nil, diag.Failf(CodeNone, "'%s' has no other document", name)
	}
	var kept []byte
	isRemoved, from := setOf(removed), 0
	for i := range all {
		to := len(text)
		if i+1 < len(all) {
			to = trees[0].Begin(all[i+1]).Offset()
		}
		if i == 0 {
			from = trees[0].Begin(all[0]).Offset()
			kept = append(kept, text[:from]...)
		}
		if !isRemoved[i] {
			kept = append(kept, text[from:to]...)
		}
		from = to
	}
	return kept, nil
}

// parse returns the syntax trees of a file, and the values of its documents.
func parse(text []byte, name string, opt yaml.Options) ([]*yaml.Tree, []tree.Value, error) {
	f, err := new(source.Set).Add(name, text)
	if err != nil {
		return nil, nil, err
	}
	t, err := yaml.Parse(f, opt)
	if err != nil {
		return nil, nil, err
	}
	if list := t.Check(false); list != nil {
		return nil, nil, list
	}
	var docs []tree.Value
	for doc := range t.Documents() {
		docs = append(docs, tree.FromSyntax(t, t.Root(doc)))
	}
	return []*yaml.Tree{t}, docs, nil
}

// located is the document of an item, and the path to it.
type located struct {
	doc int
	way []tree.Step
}

// places are items and documents by their offsets.
type places struct {
	items map[int]located
	roots map[int]int
}

// locate returns the items and documents that begin at offsets.
func locate(docs []tree.Value, offsets map[int]bool) places {
	found, roots := map[int]located{}, map[int]int{}
	var in func(doc int, v tree.Value, at []tree.Step)
	in = func(doc int, v tree.Value, at []tree.Step) {
		if v.Kind() == tree.ScalarKind || len(found) == len(offsets) {
			return
		}
		at = slices.Clip(at)
		for i, it := range v.Entries() {
			step := tree.Step{Index: i}
			if v.Kind() == tree.MapKind {
				step = tree.Step{Key: tree.KeyText(it.Key), Index: -1}
			}
			next := append(at, step)
			offset := it.Pos.Offset()
			if _, ok := found[offset]; !ok && offsets[offset] {
				found[offset] = located{doc, next}
			}
			in(doc, it.Value, next)
		}
	}
	for i, v := range slices.Backward(docs) { // the first of several that are empty
		roots[v.Start().Offset()] = i
	}
	for i, v := range docs {
		in(i, v, nil)
	}
	return places{found, roots}
}

// with returns a value with another one at a path; nil removes the item there. Maps on the way are made.
func with(v tree.Value, way []tree.Step, to *tree.Value) tree.Value {
	if len(way) == 0 {
		if to == nil {
			return tree.Value{}
		}
		return *to
	}
	step, last := way[0], len(way) == 1
	var items []tree.Item
	if isMap := v.Kind() == tree.MapKind; isMap || step.Index >= 0 && v.Kind() == tree.ArrayKind {
		items = slices.Clone(v.Entries())
	}
	i := step.In(v)
	switch {
	case i < 0 && to == nil, i < 0 && step.Index >= 0:
		return v
	case i < 0:
		items = append(items, tree.Item{Key: tree.String(step.Key), Value: with(tree.Value{}, way[1:], to)})
	case last && to == nil:
		items = slices.Delete(items, i, i+1)
	default:
		items[i].Value = with(items[i].Value, way[1:], to)
	}
	if step.Index >= 0 {
		return tree.Of(tree.NewArray(items, v.Start()))
	}
	return tree.Of(tree.NewMap(items, v.Start()))
}
