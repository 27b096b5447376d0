package feature

import (
	"cmp"
	"context"
	"slices"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/lang/script"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// Folding returns what can be folded: documents, collections, blocks of code, and comments of several
// lines.
func Folding(
	_ context.Context, doc *workspace.TextDocument, _ protocol.FoldingRangeParams,
) ([]protocol.FoldingRange, error) {
	f := folder{doc: doc, a: doc.Analysis(), ranges: []protocol.FoldingRange{}}
	if f.a.Tree != nil {
		f.documents()
		f.comments()
		f.blocks()
	} else if f.a.Code != nil {
		f.code()
	}
	slices.SortFunc(f.ranges, func(a, b protocol.FoldingRange) int {
		return cmp.Or(cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(b.EndLine, a.EndLine))
	})
	return slices.CompactFunc(f.ranges, func(a, b protocol.FoldingRange) bool {
		return a.StartLine == b.StartLine // a client folds only one of them
	}), nil
}

type folder struct {
	doc    *workspace.TextDocument
	a      *compile.Analysis
	ranges []protocol.FoldingRange
}

// add adds lines, counted from 1.
func (f *folder) add(start, end int, kind string) {
	if end > start {
		f.ranges = append(f.ranges, protocol.FoldingRange{StartLine: start - 1, EndLine: end - 1, Kind: kind})
	}
}

func (f *folder) documents() {
	t := f.a.Tree
	for doc := range t.Documents() {
		if t.Explicit(doc) {
			f.add(t.Line(doc), f.lastLine(t.Root(doc)), "")
		}
		f.node(t.Root(doc))
	}
}

// lastLine returns the last line of a node.
func (f *folder) lastLine(n yaml.NodeID) int {
	span := f.a.Tree.Span(n)
	return f.doc.File().Line(max(span.Offset(), span.End()-1))
}

// node adds the collections below a node, each from the line of its key.
func (f *folder) node(n yaml.NodeID) {
	t := f.a.Tree
	switch t.Kind(n) {
	case yaml.Mapping:
		for key, value := range t.Pairs(n) {
			f.add(t.Line(key), f.lastLine(value), "")
			f.node(value)
		}
	case yaml.Sequence:
		for item := range t.Items(n) {
			f.add(t.Line(item), f.lastLine(item), "")
			f.node(item)
		}
	}
}

// comments adds comments of several lines that are not code.
func (f *folder) comments() {
	t := f.a.Tree
	marks := map[int]bool{}
	for _, m := range f.a.Marks {
		marks[m.At.Offset()] = true
	}
	first, last := 0, -1 // no comment yet: the first line does not continue one
	for _, c := range t.Comments() {
		at := t.CommentSpan(c).Offset()
		line := f.doc.File().Line(at)
		if c.Trailing() || marks[at] {
			continue
		}
		if line != last+1 {
			f.add(first, last, protocol.FoldComment)
			first = line
		}
		last = line
	}
	f.add(first, last, protocol.FoldComment)
}

// blocks adds blocks of code in comments: each up to the line before its end or its next branch.
func (f *folder) blocks() {
	var open []int // the first lines of open blocks
	for _, m := range f.a.Blocks() {
		line := f.doc.File().Line(m.Off)
		switch {
		case m.Begins():
			open = append(open, line)
		case len(open) == 0:
		case m.Kind == script.Branches && !m.One:
			f.add(open[len(open)-1], line-1, "")
			open[len(open)-1] = line
		case m.Kind == script.Ends:
			f.add(open[len(open)-1], line, "")
			open = open[:len(open)-1]
		}
	}
}

// code adds the statements of a script that have a body.
func (f *folder) code() {
	syntax.Walk(f.a.Code, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.DefStmt, *syntax.IfStmt, *syntax.ForStmt, *syntax.WhileStmt,
			*syntax.ListExpr, *syntax.DictExpr, *syntax.CallExpr:
			start, end := n.Span()
			f.add(int(start.Line), int(end.Line), "")
		}
		return true
	})
}
