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

// insideText writes what turns a text that contains YAML or JSON into another one: as an overlay of the
// document in it, with @overlay/inside. It returns false if that does not give the text byte for byte, or
// takes more lines than the text.
func (w *writer) insideText(indent int, key, before, after tree.Value) bool {
	body, format := w.insideBody(before, after)
	if body == nil {
		return false
	}
	whole := &writer{}
	if whole.entry(indent, key, after); len(body.lines) > len(whole.lines)-1 {
		return false
	}
	w.line(indent, `#@overlay/inside "`+format+`"`)
	w.line(indent, opening(key))
	for _, text := range body.lines {
		w.line(indent+2, text)
	}
	w.byIndex = append(w.byIndex, body.byIndex...)
	return true
}

// insideItem is insideText for an item of a list.
func (l *listing) insideItem(indent int, was, now tree.Value) bool {
	body, format := l.insideBody(was, now)
	if body == nil {
		return false
	}
	whole := &writer{}
	if whole.item(indent, now); len(body.lines) > len(whole.lines) {
		return false
	}
	l.line(indent, `#@overlay/inside "`+format+`"`)
	l.dashed(indent, body.lines)
	l.byIndex = append(l.byIndex, body.byIndex...)
	return true
}

// insideBody returns what turns the document in one text into that of another, and its format. It is nil if
// that does not give the text byte for byte.
func (w *writer) insideBody(before, after tree.Value) (body *writer, format string) {
	if w.inside == nil || !isText(before) || !isText(after) {
		return nil, ""
	}
	was, trees, ok := embedded(before.Text(), *w.inside)
	if !ok {
		return nil, ""
	}
	now, _, ok := embedded(after.Text(), *w.inside)
	if !ok || edit.Equal(was, now) {
		return nil, ""
	}
	both, err := grafted(was, now, true)
	if err != nil {
		return nil, ""
	}
	pieces, err := edit.Text(trees, []tree.Value{both}, *w.inside)
	if err != nil || string(bytes.Join(pieces, nil)) != after.Text() {
		return nil, ""
	}
	format = "yaml"
	if json.Valid([]byte(before.Text())) {
		format = "json"
	}
	body = &writer{inside: w.inside, path: slices.Clone(w.path)}
	body.maps(0, was, now)
	return body, format
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
