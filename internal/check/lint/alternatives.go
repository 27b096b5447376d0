package lint

import (
	"go.starlark.net/syntax"

	"weft/internal/lang/script"
)

// checkAnyOf finds alternatives of a schema that overlap: the first one that fits a value decides its type,
// so another one that takes the same values has no effect, or only on values that the first refuses. It
// looks at alternatives that are written as literals, and leaves out lists that share only the empty list.
func (f *file) checkAnyOf(a *annotation) {
	for i, x := range a.args {
		kind := exampleKind(x)
		if kind == "" {
			continue
		}
		for _, before := range a.args[:i] {
			first := exampleKind(before)
			if !takes(first, kind) {
				continue
			}
			message := "this alternative is never chosen: an earlier one takes " + plural(first)
			if first == "[map]" {
				message = "an earlier alternative takes lists of maps, too: an item with keys of neither fits both"
			}
			from, to := script.Extent(x)
			f.report(f.File.Span(a.offset(from), a.offset(to)), codeSchemaAnyOfOverlap, "%s", message).
				WithHint("%s", overlapHint(first, kind))
			break
		}
	}
}

// exampleKind returns the kind of values that an example stands for, or "". Lists have those of their items,
// in brackets.
func exampleKind(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return exampleKind(e.X)
	case *syntax.UnaryExpr:
		if e.Op == syntax.MINUS {
			return exampleKind(e.X)
		}
	case *syntax.Ident:
		if e.Name == "True" || e.Name == "False" {
			return "boolean"
		}
	case *syntax.Literal:
		switch e.Token {
		case syntax.STRING:
			return "string"
		case syntax.INT:
			return "integer"
		case syntax.FLOAT:
			return "float"
		}
	case *syntax.DictExpr:
		return "map"
	case *syntax.ListExpr:
		if len(e.List) == 1 {
			if item := exampleKind(e.List[0]); item != "" {
				return "[" + item + "]"
			}
		}
	}
	return ""
}

// takes reports whether values of a kind fit an example of another kind. An integer is a float, too. Lists of
// maps count as one kind: keys that are missing get their defaults, so most maps fit both.
func takes(first, kind string) bool {
	return first == kind || first == "float" && kind == "integer" || first == "[float]" && kind == "[integer]"
}

// plural names the values of a kind.
func plural(kind string) string {
	switch kind {
	case "[string]", "[integer]", "[float]", "[boolean]":
		return "lists of " + plural(kind[1:len(kind)-1])
	case "float":
		return "all numbers"
	}
	if kind[0] == '[' {
		return "the same lists"
	}
	return kind + "s"
}

// overlapHint returns what to write instead of an alternative.
func overlapHint(first, kind string) string {
	switch {
	case first == "[map]":
		return "tell the maps apart by one of their keys, with `#@schema/one-of` on the item of one list"
	case first != kind:
		return "put the integer first"
	case kind == "string" || kind == "integer":
		return "examples give types; to allow only some values, write `#@schema/validation one_of=[…]`"
	}
	return "remove it"
}
