package schema

import (
	"slices"
	"strconv"

	"weft/internal/lang/diag"
	fieldpath "weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// node is a document, a map item or an array item, of a schema or of data values.
type node struct {
	key   tree.Value // for a map item
	value tree.Value
	pos   source.Pos
	notes *tree.Annotations
	what  tree.NodeKind
}

func documentNode(d tree.Doc) node {
	return node{value: d.Value, pos: d.Pos, notes: d.Annotations, what: tree.DocumentNode}
}

// itemNode returns an item of a collection at outer. Values created by Starlark have no place; such
// an item gets the place outer.
func itemNode(it *tree.Item, what tree.NodeKind, outer source.Pos) node {
	n := node{key: it.Key, value: it.Value, pos: it.Pos, notes: it.Annotations, what: what}
	if !n.pos.IsValid() {
		n.pos = outer
	}
	return n
}

// span returns the beginning of the node: its key, the `-`, the `---`.
func (n *node) span() source.Span {
	if !n.pos.IsValid() {
		return source.Span{}
	}
	size := 1
	switch n.what {
	case tree.DocumentNode:
		size = len("---")
	case tree.MapItem:
		size = max(1, len(tree.KeyText(n.key)))
	}
	return n.pos.To(n.pos.Offset() + size)
}

// valueSpan returns the span of the node's value if it is written on the line of the node, and
// otherwise that of the node. A value may come from elsewhere: an alias has the value of its anchor.
func (n *node) valueSpan() source.Span {
	t, id, ok := n.value.Syntax()
	if !ok || !n.pos.IsValid() || n.value.Kind() != tree.ScalarKind {
		return n.span()
	}
	f, at := t.File(), t.Span(id)
	if at.Len == 0 || f.Pos(n.pos.Offset()) != n.pos || at.Offset() < n.pos.Offset() ||
		f.Line(at.Offset()) != f.Line(n.pos.Offset()) {
		return n.span()
	}
	return at
}

// Locator finds where the values of a document were set. It remembers what it has read, so that each of many
// values in one map or list takes no longer if there are more.
type Locator struct {
	node
	items []tree.Item
	first map[string]int   // the first item with each key
	below map[int]*Locator // by the number of the item
}

// NewLocator returns a locator for the values of a document.
func NewLocator(doc tree.Doc) *Locator { return &Locator{node: documentNode(doc)} }

// Locate returns where a value was set: the key or item that holds it, and the value itself if that is
// written on the same line. A value that is not there is where the map or list is that would hold it.
func (l *Locator) Locate(at fieldpath.Path) (key, value source.Span) {
	for _, s := range at {
		next := l.item(s)
		if next == nil {
			break
		}
		l = next
	}
	return l.span(), l.valueSpan()
}

// item returns the locator of an item, or nil if there is none.
func (l *Locator) item(s fieldpath.Segment) *Locator {
	if l.below == nil {
		l.items, l.below = l.value.Entries(), map[int]*Locator{}
	}
	i, what := s.Index, tree.ArrayItem
	if s.Kind != fieldpath.Item {
		if l.first == nil {
			l.first = make(map[string]int, len(l.items))
			for i, it := range slices.Backward(l.items) {
				l.first[tree.KeyText(it.Key)] = i
			}
		}
		var ok bool
		if i, ok = l.first[tree.KeyText(s.Key)]; !ok {
			return nil
		}
		what = tree.MapItem
	}
	if i < 0 || i >= len(l.items) {
		return nil
	}
	if l.below[i] == nil {
		l.below[i] = &Locator{node: itemNode(&l.items[i], what, l.pos)}
	}
	return l.below[i]
}

// annotated adds the node to a diagnostic about its annotation.
func (n *node) annotated(d *diag.Diagnostic) *diag.Diagnostic {
	return relate(d, n.span(), "it belongs to this "+n.what.String())
}

// noteSpan returns an annotation: `#@schema/nullable`.
func noteSpan(a *tree.Annotation) source.Span {
	if !a.Pos.IsValid() {
		return source.Span{}
	}
	return a.Pos.To(a.Pos.Offset() + len("#@") + len(a.Name))
}

// relate adds the place where something was declared, if it is known.
func relate(d *diag.Diagnostic, at source.Span, what string) *diag.Diagnostic {
	if at.IsValid() {
		d.WithRelated(at, "%s", what)
	}
	return d
}

// path is the path from the document to a value. It is formatted only for messages.
type path []step

// step is one key or index.
type step struct {
	key   tree.Value
	index int // index of an array item; -1 in a map
}

func (p path) String() string {
	if len(p) == 0 {
		return "(document)"
	}
	var b []byte
	for _, s := range p {
		if s.index >= 0 {
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(s.index), 10)
			b = append(b, ']')
			continue
		}
		if len(b) > 0 {
			b = append(b, '.')
		}
		b = append(b, tree.KeyText(s.key)...)
	}
	return string(b)
}
