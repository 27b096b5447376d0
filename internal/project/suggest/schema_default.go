package suggest

import (
	"bytes"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// This file writes defaults of schemas that are the argument of an annotation, such as those of lists:
// #@schema/default ["a", "b"].

const defaultMark = "@schema/default "

// annotatedDefaultIn returns which of the settings is that of a default in an annotation, or -1.
func annotatedDefaultIn(list []setting, t *yaml.Tree, found places) int {
	if !bytes.Contains(t.Source(), []byte(defaultMark)) {
		return -1
	}
	return slices.IndexFunc(list, func(x setting) bool {
		_, _, ok := annotatedDefault(x, t, found)
		return ok
	})
}

// redefaulted returns a text with another default of a value. It is false if that is not written out, but
// computed.
func redefaulted(text []byte, x setting, t *yaml.Tree, found places) (now []byte, ok bool) {
	from, to, ok := annotatedDefault(x, t, found)
	if !ok || x.value == nil {
		return nil, false
	}
	e, err := (&syntax.FileOptions{}).ParseExpr("", text[from:to], 0)
	if err != nil || !isWrittenOut(e) {
		return nil, false
	}
	return slices.Concat(text[:from], []byte(starlarkOf(*x.value)), text[to:]), true
}

// annotatedDefault returns where the argument of the annotation of an item is.
func annotatedDefault(x setting, t *yaml.Tree, found places) (from, to int, ok bool) {
	doc, way, ok := x.at.in(found)
	if !ok || x.at.offset < 0 || x.at.root || len(way) == 0 {
		return 0, 0, false
	}
	docs := slices.Collect(t.Documents())
	entry := entryOfWay(t, t.Root(docs[doc]), way)
	for _, c := range t.Comments() {
		if c.Owner() == entry && entry != 0 && bytes.HasPrefix(t.CommentText(c), []byte(defaultMark)) {
			span := t.CommentSpan(c)
			text := t.Source()[span.Offset():span.End()]
			from = bytes.Index(text, []byte(defaultMark)) + len(defaultMark)
			return span.Offset() + from, span.Offset() + len(bytes.TrimRight(text, " \t\r\n")), true
		}
	}
	return 0, 0, false
}

// entryOfWay returns the entry of a map or a list at a path, or 0.
func entryOfWay(t *yaml.Tree, at yaml.NodeID, way []tree.Step) (entry yaml.NodeID) {
	for _, step := range way {
		entry = 0
		switch t.Kind(at) {
		case yaml.Mapping:
			for key, value := range t.Pairs(at) {
				if step.Index < 0 && string(t.Text(key)) == step.Key {
					entry, at = key, value
					break
				}
			}
		case yaml.Sequence:
			if items := slices.Collect(t.Items(at)); step.Index >= 0 && step.Index < len(items) {
				entry, at = items[step.Index], items[step.Index]
			}
		}
		if entry == 0 {
			return 0
		}
	}
	return entry
}

// isWrittenOut reports whether an expression has only literals, lists and dicts.
func isWrittenOut(e syntax.Expr) bool {
	isGood := true
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case nil, *syntax.Literal, *syntax.ParenExpr:
		case *syntax.ListExpr, *syntax.TupleExpr, *syntax.DictExpr, *syntax.DictEntry:
		case *syntax.UnaryExpr:
			isGood = isGood && n.Op == syntax.MINUS
		case *syntax.Ident:
			isGood = isGood && slices.Contains([]string{"True", "False", "None"}, n.Name)
		default:
			isGood = false
		}
		return isGood
	})
	return isGood
}

// starlarkOf returns a value as Starlark.
func starlarkOf(v tree.Value) string {
	var parts []string
	switch v.Kind() {
	case tree.MapKind:
		for _, it := range v.Entries() {
			parts = append(parts, literal(it.Key)+": "+starlarkOf(it.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case tree.ArrayKind:
		for _, it := range v.Entries() {
			parts = append(parts, starlarkOf(it.Value))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return literal(v)
}
