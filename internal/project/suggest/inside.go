package suggest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// insideText writes what turns a text that contains YAML or JSON into another one: as an overlay of the document in
// it, with @overlay/inside. It returns false if that does not give the text byte for byte, or takes more lines
// than the text.
func (w *writer) insideText(indent int, key, before, after tree.Value) bool {
	if w.inside == nil || !isText(before) || !isText(after) {
		return false
	}
	was, trees, ok := embedded(before.Text(), *w.inside)
	if !ok {
		return false
	}
	now, _, ok := embedded(after.Text(), *w.inside)
	if !ok || edit.Equal(was, now) {
		return false
	}
	both, err := grafted(was, now)
	if err != nil {
		return false
	}
	pieces, err := edit.Text(trees, []tree.Value{both}, *w.inside)
	if err != nil || string(bytes.Join(pieces, nil)) != after.Text() {
		return false
	}
	format := "yaml"
	if json.Valid([]byte(before.Text())) {
		format = "json"
	}
	inner := &writer{inside: w.inside, path: slices.Clone(w.path)}
	inner.line(indent, `#@overlay/inside "`+format+`"`)
	inner.line(indent, opening(key))
	inner.maps(indent+2, was, now)
	whole := &writer{}
	if whole.entry(indent, key, after); len(inner.lines) > len(whole.lines)+1 {
		return false
	}
	w.lines, w.byIndex = append(w.lines, inner.lines...), append(w.byIndex, inner.byIndex...)
	return true
}

// isText reports whether a value is a string that may have a document in it.
func isText(v tree.Value) bool {
	return v.Kind() == tree.ScalarKind && v.IsString(v.Text()) && strings.ContainsAny(v.Text(), "\n{")
}

// embedded returns the document of a text, if it is one map with entries.
func embedded(text string, opt yaml.Options) (tree.Value, []*yaml.Tree, bool) {
	trees, docs, err := parse([]byte(text), "", opt)
	if err != nil || len(docs) != 1 || docs[0].Kind() != tree.MapKind || docs[0].Len() == 0 {
		return tree.Value{}, nil, false
	}
	return docs[0], trees, true
}
