package keep

import (
	"bytes"

	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// brackets writes a collection that replaces one in brackets over several lines: it edits the
// written text, with its comments and lines. If there is none, or its text does not mean the same
// here, it changes nothing and returns false.
func (p *printer) brackets(v tree.Value, origin entry, note []byte, col int) bool {
	if !origin.ok() {
		return false
	}
	pt, n := origin.p, origin.value()
	t := pt.t
	if t.Kind(n) != kindOf(v) || t.Style(n) != yaml.Flow {
		return false
	}
	span := t.Span(n)
	text := pt.text[span.Offset():span.End()]
	if !isBracketed(text) || !pt.isSelfContained(n) {
		return false
	}
	edited, ok := p.edited(entry{pt, n}, text, v)
	if !ok {
		return false
	}
	by := 0
	if t.Kind(origin.n) != yaml.Document {
		by = col - origin.column()
	}
	p.dst = appendMoved(append(p.dst, ' '), edited, by, pt.returns)
	p.dst = append(append(p.dst, note...), '\n')
	return true
}

// isBracketed reports whether text is something in brackets on several lines.
func isBracketed(text []byte) bool {
	return len(text) > 0 && (text[0] == '[' || text[0] == '{') && bytes.IndexByte(text, '\n') >= 0
}

// isSelfContained reports whether the text of node n means the same without its context, in every
// version of YAML, and contains no comments that only weft reads.
func (p *part) isSelfContained(n yaml.NodeID) bool {
	span, end := p.t.Span(n), p.t.Next(n)
	return !p.hasDropped(span.Offset(), span.End()) && !p.t.Directed() && !p.t.IsCut(end-1) &&
		!between(p.anchors, n, end) && !between(p.aliases, n, end)
}

// edited returns the text of collection n with the value v. It returns false if that is impossible.
func (p *printer) edited(origin entry, text []byte, v tree.Value) ([]byte, bool) {
	f, err := new(source.Set).Add("brackets", bytes.Clone(text))
	if err != nil {
		return nil, false
	}
	opt := p.files.YAML
	opt.Workers = 1
	t, err := yaml.Parse(f, opt)
	if err != nil || t.Check(false) != nil {
		return nil, false
	}
	if root := t.Root(t.First()); t.Next(root)-root == origin.p.t.Next(origin.n)-origin.n {
		v = copied{origin, t, root}.value(v)
	}
	parts, err := edit.Text([]*yaml.Tree{t}, []tree.Value{v}, opt)
	if err != nil || len(parts) != 1 || !isBracketed(parts[0]) {
		return nil, false
	}
	out := bytes.TrimRight(parts[0], "\r\n")
	return out, bytes.HasSuffix(out, []byte("]")) || bytes.HasSuffix(out, []byte("}"))
}

// copied is a collection that was parsed a second time on its own: its nodes have other numbers,
// but the same order.
type copied struct {
	from entry
	tree *yaml.Tree
	root yaml.NodeID
}

// value returns v with the nodes of the copy in place of those of the collection, to show what is
// unchanged.
func (c copied) value(v tree.Value) tree.Value {
	first, end := c.from.n, c.from.p.t.Next(c.from.n)
	if t, n, ok := v.Syntax(); ok {
		if t == c.from.p.t && first <= n && n < end {
			return tree.FromSyntax(c.tree, n-first+c.root)
		}
		return v
	}
	switch x := v.Starlark().(type) {
	case *tree.Map:
		return tree.Of(tree.NewMap(c.items(x.Entries()), c.pos(x.Pos)))
	case *tree.Array:
		return tree.Of(tree.NewArray(c.items(x.Entries()), c.pos(x.Pos)))
	}
	return v
}

func (c copied) items(list []tree.Item) []tree.Item {
	out := make([]tree.Item, len(list))
	for i, it := range list {
		out[i] = tree.Item{Key: c.value(it.Key), Value: c.value(it.Value), Pos: c.pos(it.Pos)}
	}
	return out
}

// pos returns a position in the copy; the zero Pos if at is outside of the collection.
func (c copied) pos(at source.Pos) source.Pos {
	span := c.from.p.t.Span(c.from.n)
	if at.Compare(span.Pos) < 0 || at.Compare(c.from.p.t.File().Pos(span.End())) >= 0 {
		return source.Pos{}
	}
	return c.tree.File().Pos(at.Offset() - span.Offset())
}
