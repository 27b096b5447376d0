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

// AnyDepth returns the hint for a path with `**` that is written as a key.
func AnyDepth(path string) string {
	return fmt.Sprintf("to match at any depth, write `_:` as the key and `#@overlay/match by=overlay.path(%q), "+
		"expects=\"1+\"` above it", path)
}

// checkReaches returns an error if overlay.path cannot be used on p.
func (p *Plan) checkReaches() *diag.Diagnostic {
	isPlaceholder := p.Key.IsString && p.Key.Text == "_"
	switch {
	case p.Kind == tree.DocumentNode:
		return wrong("overlay.path matches nodes in documents, but this is a document").
			WithHint("match documents with overlay.all or overlay.subset, and write `by=overlay.path(...)` " +
				"above `_:` below the `---`")
	case p.Kind == tree.MapItem && !isPlaceholder:
		return wrong("expected the key of an item with overlay.path to be `_`, but was %q", p.Key.Text).
			WithHint("write `_:`: what is changed keeps its key")
	case p.Op == OpInsert, p.OrAdd:
		return cannotReach(p)
	}
	return nil
}

// cannotReach reports an action that overlay.path does not support.
func cannotReach(p *Plan) *diag.Diagnostic {
	what := "@" + p.Op.String()
	if p.OrAdd {
		what = "or_add=True"
	}
	return wrong("overlay.path cannot be used with %s: the matches may be in different places", what).
		WithHint("merge, replace, remove or assert what the path matches; to add items, match the list " +
			"with overlay.path and write them below `_:`")
}

// reachesByNote reports whether an annotation matches by overlay.path.
func reachesByNote(note *tree.Annotation) bool {
	if note == nil {
		return false
	}
	for _, kv := range note.Kwargs {
		if m, ok := kv[1].(*Matcher); ok && m.kind == MatchPath {
			return true
		}
	}
	return false
}

// combinedPath reports that overlay.path is an operand of m.
func combinedPath(m *Matcher) error {
	d := wrong("overlay.path cannot be an argument of %s: it finds nodes by itself", m.Name())
	if m.kind == MatchOr {
		return d.WithHint("overlay.path takes several paths: write overlay.path(\"...\", \"...\")")
	}
	return d.WithHint("choose items in the path, as in containers[name=web] or containers[name=~^aws-]")
}

// byHint returns a hint for a `by` that is a path and not the name of a key, or "". left is what
// has no such key.
func byHint(name string, left Cell) string {
	if strings.Contains(name, "**") {
		return AnyDepth(name)
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
