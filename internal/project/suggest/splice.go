package suggest

import (
	"bytes"
	"slices"

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
}

// setAt returns a YAML text with another value at a spot; nil removes what is there. Everything else stays
// byte for byte.
func setAt(text []byte, place spot, v *tree.Value, opt yaml.Options) ([]byte, error) {
	trees, docs, err := parse(text, place.file, opt)
	if err != nil {
		return nil, err
	}
	doc, way, ok := place.find(docs)
	if !ok {
		return nil, diag.Failf(CodeNone, "there is no value at offset %d of '%s'", place.offset, place.file)
	}
	if len(docs) == 0 { // a file without values: all of it stays, as comments
		if v == nil {
			return text, nil
		}
		return append(slices.Clip(edit.Closed(text, opt)), block(with(tree.Value{}, way, v))...), nil
	}
	if old, ok := tree.At(docs[doc], way); ok && v != nil {
		now, err := grafted(old, *v)
		if err != nil {
			return nil, err
		}
		v = &now
	}
	docs[doc] = with(docs[doc], way, v)
	pieces, err := edit.Text(trees, docs, opt)
	if err != nil {
		return nil, err
	}
	return bytes.Join(pieces, nil), nil
}

// find returns the document of a spot, and the path in it.
func (p spot) find(docs []tree.Value) (doc int, way []tree.Step, ok bool) {
	switch {
	case p.offset < 0:
		return 0, p.path, true
	case p.root:
		doc = slices.IndexFunc(docs, func(v tree.Value) bool { return v.Start().Offset() == p.offset })
		return doc, p.path, doc >= 0
	}
	doc, way, ok = locate(docs, p.offset)
	return doc, slices.Concat(way, p.path), ok
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

// locate returns the path to the item that begins at an offset.
func locate(docs []tree.Value, offset int) (doc int, way []tree.Step, ok bool) {
	var in func(v tree.Value, at []tree.Step) bool
	in = func(v tree.Value, at []tree.Step) bool {
		if v.Kind() == tree.ScalarKind {
			return false
		}
		at = slices.Clip(at)
		for i, it := range v.Entries() {
			step := tree.Step{Index: i}
			if v.Kind() == tree.MapKind {
				step = tree.Step{Key: tree.KeyText(it.Key), Index: -1}
			}
			next := append(at, step)
			if it.Pos.Offset() == offset {
				way = next
				return true
			}
			if in(it.Value, next) {
				return true
			}
		}
		return false
	}
	for i, v := range docs {
		if in(v, nil) {
			return i, way, true
		}
	}
	return 0, nil, false
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
