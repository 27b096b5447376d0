package feature

import (
	"context"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/lang/script"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// Selections returns the ranges around each place, from the smallest to the whole document: parts of
// expressions, scalars, entries, collections, documents.
func Selections(
	_ context.Context, doc *workspace.TextDocument, p protocol.SelectionRangeParams,
) ([]*protocol.SelectionRange, error) {
	s := selectionFinder{doc: doc, a: doc.Analysis()}
	list := make([]*protocol.SelectionRange, len(p.Positions))
	for i, pos := range p.Positions {
		list[i] = s.around(doc.Mapper().Offset(pos))
	}
	return list, nil
}

type selectionFinder struct {
	doc *workspace.TextDocument
	a   *compile.Analysis
}

// around returns the ranges around an offset.
func (s *selectionFinder) around(off int) *protocol.SelectionRange {
	ranges := []index.Range{{Start: 0, End: len(s.doc.File().Data())}}
	add := func(r index.Range) {
		if r.Holds(off) && r.End > r.Start {
			ranges = append(ranges, r)
		}
	}
	s.nodes(off, add)
	s.marks(add)
	s.code(off, add)
	// The largest comes first. Ranges that are not inside the previous one are left out.
	slices.SortStableFunc(ranges, func(a, b index.Range) int {
		return (b.End - b.Start) - (a.End - a.Start)
	})
	var selection *protocol.SelectionRange
	last := ranges[0]
	for i, r := range ranges {
		if i > 0 && (r == last || r.Start < last.Start || r.End > last.End) {
			continue
		}
		last = r
		selection = &protocol.SelectionRange{Range: s.doc.Mapper().Range(r.Start, r.End), Parent: selection}
	}
	return selection
}

// nodes adds the nodes of YAML around an offset.
func (s *selectionFinder) nodes(off int, add func(index.Range)) {
	t := s.a.Tree
	if t == nil {
		return
	}
	for doc := range t.Documents() {
		root := t.Root(doc)
		from, to := t.Start(doc).Offset(), max(s.end(root), s.marksEnd(doc, doc+1))
		if from <= off && off <= to {
			add(index.Range{Start: from, End: to})
			s.node(root, off, add)
		}
	}
}

func (s *selectionFinder) node(n yaml.NodeID, off int, add func(index.Range)) {
	t := s.a.Tree
	span := t.Span(n)
	add(index.Range{Start: span.Offset(), End: s.end(n)})
	switch t.Kind(n) {
	case yaml.Mapping:
		for key, value := range t.Pairs(n) {
			entry := index.Range{
				Start: t.Span(key).Offset(), End: max(t.Span(key).End(), s.marksEnd(key, value), s.end(value)),
			}
			if !entry.Holds(off) {
				continue
			}
			add(entry)
			s.node(key, off, add)
			s.node(value, off, add)
		}
	case yaml.Sequence:
		for item := range t.Items(n) {
			entry := index.Range{Start: t.Start(item).Offset(), End: s.end(item)}
			if entry.Holds(off) {
				add(entry)
				s.node(item, off, add)
			}
		}
	}
}

// end returns the end of a node, including code in a comment that computes its value.
func (s *selectionFinder) end(n yaml.NodeID) int {
	return max(s.a.Tree.ContentEnd(n), s.marksEnd(n, s.a.Tree.Next(n)))
}

// marksEnd returns the end of the last value in a comment of nodes, or 0.
func (s *selectionFinder) marksEnd(from, to yaml.NodeID) (end int) {
	for _, m := range s.a.Marks {
		if m.Kind == compile.ValueMark && from <= m.Owner && m.Owner < to {
			end = max(end, m.At.End())
		}
	}
	return end
}

// marks adds the comments that are code around an offset, with and without their `#@`.
func (s *selectionFinder) marks(add func(index.Range)) {
	for _, m := range s.a.Marks {
		add(index.Range{Start: m.At.Offset(), End: m.At.End()})
	}
}

// code adds the expressions and statements around an offset.
func (s *selectionFinder) code(off int, add func(index.Range)) {
	if s.a.Code == nil {
		return
	}
	f := s.doc.File()
	line := int32(f.Line(off))
	syntax.Walk(s.a.Code, func(n syntax.Node) bool {
		if n == nil || !s.isAuthored(n) {
			return true // it may contain code that the author wrote
		}
		start, end := script.Extent(n)
		if start.Line > line || end.Line < line || start.Line < 1 {
			return true
		}
		add(index.Range{Start: script.Span(f, start).Offset(), End: script.Span(f, end).Offset()})
		return true
	})
}

// isAuthored reports whether code is in the document. Other code was added by the compiler.
func (s *selectionFinder) isAuthored(n syntax.Node) bool {
	stands := func(pos syntax.Position, text string) bool {
		off := script.Span(s.doc.File(), pos).Offset()
		return text != "" && strings.HasPrefix(string(s.doc.File().Data()[off:min(
			off+len(text), len(s.doc.File().Data()))]), text)
	}
	switch n := n.(type) {
	case *syntax.File:
		return false
	case *syntax.Ident:
		return stands(n.NamePos, n.Name)
	case *syntax.Literal:
		return stands(n.TokenPos, n.Raw)
	case *syntax.ExprStmt:
		return s.isAuthored(n.X)
	case *syntax.CallExpr:
		return s.isAuthored(n.Fn)
	}
	return true
}
