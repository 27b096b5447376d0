package overlay

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// This file has the wording of messages about matchers and annotations.

// describe returns a Starlark value for a message: the value itself if it is short, and its type.
func describe(x starlark.Value) string {
	switch s := x.String(); {
	case x == starlark.None:
		return "None"
	case len(s) > 40:
		return diag.Article(x.Type())
	default:
		return fmt.Sprintf("%s (%s)", s, x.Type())
	}
}

// Literal returns a scalar in Starlark syntax.
func Literal(v tree.Value) string {
	s := v.Starlark().String()
	const maxBytes = 60
	if len(s) > maxBytes {
		return "..."
	}
	return s
}

// Nearest returns the name that s is most likely a misspelling of, or "". Names of one or two
// letters are too short to compare, and long texts are not names and would take long.
func Nearest(s string, names []string) string {
	const longest = 100
	if len(s) < 3 || len(s) > longest {
		return ""
	}
	return diag.Nearest(s,
		slices.DeleteFunc(slices.Clone(names), func(n string) bool { return len(n) > 2*longest }))
}

// AnyDepth is the hint for `**`, written to match keys at any depth.
const AnyDepth = "overlays have no pattern for a key at any depth: write the keys that lead to " +
	"it, one below the other, with `#@overlay/match by=overlay.all, expects=\"1+\"` above the " +
	"items of lists"

// byHint returns a hint for a `by` that is a path and not the name of a key, or "". left is what
// has no such key.
func byHint(name string, left Cell) string {
	if strings.Contains(name, "**") {
		return AnyDepth
	}
	keys := strings.Split(name, ".")
	if _, ok := left.Lookup(KeyOf(tree.String(keys[0]))); !ok || len(keys) < 2 ||
		slices.Contains(keys, "") {
		return ""
	}
	var path strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&path, "[%s]", starlark.String(k))
	}
	return fmt.Sprintf("a key is not a path: write `by=lambda index, left, right: left%[1]s == "+
		"right%[1]s`", path.String())
}
