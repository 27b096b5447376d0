package overlay

import (
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// view is a draft as those see it that explain: they read it, and cannot change it.
type view struct {
	of  *draft
	opt *Options
}

func (d view) docs() bool  { return d.of.docs }
func (d view) array() bool { return d.of.array }
func (d view) len() int    { return d.of.n }

// first and next walk the entries in their order, until none.
func (d view) first() int32       { return d.of.head }
func (d view) next(i int32) int32 { return d.of.entries[i].next }

// find returns the first entry with a key, or none.
func (d view) find(k key) int32 { return d.of.find(k) }

func (d view) key(i int32) tree.Value { return d.of.entries[i].Key }
func (d view) cell(i int32) cell      { return d.of.entries[i].cell() }
func (d view) file(i int32) int       { return int(d.of.entries[i].file) }

// before returns what entry i was until it got the key of an overlay's item.
func (d view) before(i int32) (tree.Item, bool) {
	it, ok := d.of.replaced[i]
	return it, ok
}

// kind returns what the entries are.
func (d view) kind() tree.NodeKind {
	switch {
	case d.of.docs:
		return tree.DocumentNode
	case d.of.array:
		return tree.ArrayItem
	}
	return tree.MapItem
}

// span returns where entry i comes from.
func (d view) span(i int32) source.Span {
	x := &d.of.entries[i]
	if d.of.docs {
		return d.opt.documentSpan(x.Pos)
	}
	return d.opt.itemSpan(x.Item)
}

// valueSpan returns where entry i is, or its value if another file has set that.
func (d view) valueSpan(i int32) source.Span {
	x := &d.of.entries[i]
	if d.of.docs || x.child != nil {
		return d.span(i)
	}
	return d.opt.valueSpan(x.Item)
}

// start returns where the collection is: its first item, or the brackets of an empty one.
func (d view) start() source.Span {
	switch {
	case d.of.docs && d.of.listStart.IsValid():
		return d.opt.documentSpan(d.of.listStart)
	case d.of.head == none:
		return d.of.span
	}
	return d.span(d.of.head)
}

// position returns the place of entry i in the order, from 0.
func (d view) position(i int32) int { return d.of.position(i) }

// whole returns the collection itself.
func (d view) whole() cell { return cell{d: d.of} }
