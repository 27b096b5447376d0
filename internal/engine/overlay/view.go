package overlay

import (
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// View is a read-only view of a draft, for package explain.
type View struct {
	of  *draft
	opt *Options
}

func (d View) Docs() bool  { return d.of.docs }
func (d View) Array() bool { return d.of.array }
func (d View) Len() int    { return d.of.n }

// First and Next iterate over the entries in order; None ends the iteration.
func (d View) First() int32       { return d.of.head }
func (d View) Next(i int32) int32 { return d.of.entries[i].next }

// Find returns the first entry with a key, or None.
func (d View) Find(k Key) int32 { return d.of.find(k) }

func (d View) Key(i int32) tree.Value { return d.of.entries[i].Key }
func (d View) Cell(i int32) Cell      { return d.of.entries[i].cell() }
func (d View) File(i int32) int       { return int(d.of.entries[i].file) }

// Before returns entry i as it was before it got the key of an overlay's item.
func (d View) Before(i int32) (tree.Item, bool) {
	it, ok := d.of.replaced[i]
	return it, ok
}

// Kind returns the kind of the entries.
func (d View) Kind() tree.NodeKind {
	switch {
	case d.of.docs:
		return tree.DocumentNode
	case d.of.array:
		return tree.ArrayItem
	}
	return tree.MapItem
}

// Span returns the span of entry i.
func (d View) Span(i int32) source.Span {
	x := &d.of.entries[i]
	if d.of.docs {
		return d.opt.DocumentSpan(x.Pos)
	}
	return d.opt.ItemSpan(x.Item)
}

// ValueSpan returns the span of entry i, or of its value if another file has set it.
func (d View) ValueSpan(i int32) source.Span {
	x := &d.of.entries[i]
	if d.of.docs || x.child != nil {
		return d.Span(i)
	}
	return d.opt.valueSpan(x.Item)
}

// Start returns the span of the first item, or of the brackets of an empty collection.
func (d View) Start() source.Span {
	switch {
	case d.of.docs && d.of.listStart.IsValid():
		return d.opt.DocumentSpan(d.of.listStart)
	case d.of.head == None:
		return d.of.span
	}
	return d.Span(d.of.head)
}

// Position returns the position of entry i, from 0.
func (d View) Position(i int32) int { return d.of.position(i) }

// Whole returns the collection itself.
func (d View) Whole() Cell { return Cell{d: d.of} }
