package compile

import (
	"bytes"
	"fmt"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// lintForeign warns about `{{ .Values.x }}`: in YAML it is a map with a map as its key, which is
// never intended. It reports whether the file contains `{{`.
func (u *Unit) lintForeign() (braces bool) {
	if !bytes.Contains(u.File.Data(), []byte("{{")) {
		return false
	}
	var first source.Span
	count := 0
	for _, t := range u.Trees {
		for n := range yaml.NodeID(t.Len()) {
			if !isForeign(t, n) {
				continue
			}
			if count++; count == 1 {
				first = t.Span(n)
			}
		}
	}
	if count == 0 {
		return true
	}
	more := ""
	switch {
	case count == 2:
		more = ", here and in another place in the file"
	case count > 2:
		more = fmt.Sprintf(", here and in %d other places in the file", count-1)
	}
	u.Warnings = append(
		u.Warnings,
		diag.Warningf(first, CodeForeign, "`{{ ... }}` is read as a map within a map%s", more).
			WithHint("this looks like a template for another program (Helm, Jinja): render it with "+
				"that program first, or put the text in quotes"),
	)
	return true
}

// isForeign reports whether n is a flow mapping `{{ ... }}` that contains only keys.
func isForeign(t *yaml.Tree, n yaml.NodeID) bool {
	if t.Kind(n) != yaml.Mapping || t.Next(n) == n+1 || t.Kind(n+1) != yaml.Mapping ||
		!bytes.HasPrefix(t.Raw(n), []byte("{{")) ||
		!bytes.HasSuffix(t.Raw(n), []byte("}}")) {
		return false
	}
	inner := n + 1
	value := t.Next(inner)
	if t.Next(inner) == inner+1 || !isEmpty(t, value) || t.Next(value) != t.Next(n) {
		return false
	}
	for _, value := range t.Pairs(inner) {
		if !isEmpty(t, value) {
			return false
		}
	}
	return true
}

// isEmpty reports whether node n has no text.
func isEmpty(t *yaml.Tree, n yaml.NodeID) bool {
	return t.Kind(n) == yaml.Scalar && len(t.Raw(n)) == 0
}
