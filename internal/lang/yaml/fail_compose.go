package yaml

import (
	"bytes"
	"errors"
	"strings"

	"weft/internal/lang/diag"
)

// This file is diagnosis of what a tree means: scalars that do not fit their tags, ambiguous words,
// merge keys whose values are not mappings.

// badTag reports scalar n, whose text does not fit its tag.
func (t *Tree) badTag(n NodeID, err error) *diag.Diagnostic {
	d := diag.Errorf(t.Span(n), CodeValue, "%s", err)
	pr := &t.props[t.nodes[n].ref]
	tag := shown(t.text[pr.tag:pr.tagEnd])
	bad, ok := errors.AsType[*TagError](err)
	if !ok {
		return d.WithHint(
			"write the data in base64, or remove the tag %s to keep the text as it is",
			tag,
		)
	}
	want := map[string]string{
		"!!int": "a whole number", "!!float": "a number", "!!bool": "true or false",
		"!!null": "null, or nothing at all",
	}[bad.Tag]
	return d.WithHint("write %s, or remove the tag %s", want, tag)
}

// strictHint returns a hint how to write text, a plain scalar that means v, without ambiguity.
func strictHint(text []byte, v Value) string {
	if len(text) > maxShown || bytes.IndexByte(text, '\n') >= 0 {
		return "put the text in quotes"
	}
	as := `"` + string(text) + `"`
	if bytes.ContainsAny(text, `"\`) {
		as = inQuotes(text)
	}
	if old := Compat.Resolve(text); v.Kind == Int && old.Kind == Int {
		v = old // the number that people mean when they write 0644
	}
	switch v.Kind {
	case Null:
		return "leave it empty for null, or write " + as + " for the text"
	case Bool:
		return "write " + string(AppendValue(nil, v, nil, 0)) + " for the boolean, or " +
			"" + as + " for the text"
	case Int, Uint, Float:
		number := AppendValue(nil, v, nil, 0)
		if v.Kind == Float && jsonNumber(number) == Int {
			number = append(number, ".0"...)
		}
		if StrictProblem(number, v) != "" { // infinity; quoted and tagged scalars are never ambiguous
			number = append([]byte(tagNames[v.Kind]+" "), text...)
		}
		return "write " + string(number) + " for the number, or " + as + " for the text"
	}
	return "put the text in quotes: " + as
}

// firstOf returns the text, or "..." if it is long.
func firstOf(text []byte) string {
	if len(text) > maxShown {
		return "..."
	}
	return string(text)
}

// badMerge reports the value of a merge key, which is not a mapping.
func (t *Tree) badMerge(value NodeID) *diag.Diagnostic {
	target := t.Target(value)
	nd := &t.nodes[target]
	at := t.Span(value)
	text := t.text[nd.off:nd.end]
	if nd.kind == Scalar && len(text) == 0 {
		if rest, ok := bytes.CutPrefix(bytes.TrimLeft(t.text[nd.end:], " "), []byte("#@ ")); ok {
			code, _, _ := bytes.Cut(rest, []byte("\n"))
			return diag.Errorf(at, CodeMerge,
				"a merge key `<<` needs a mapping, but found code, which runs later").
				WithHint("write `_: #@ template.replace(%s)`, after `#@ load(\"@ytt:template\", "+
					"\"template\")`", firstOf(bytes.TrimSpace(code)))
		}
		return diag.Errorf(at, CodeMerge, "map merge requires a mapping after `<<`, found nothing").
			WithHint("write an alias after it, as in `<<: *name`, or remove the key")
	}
	d := diag.Errorf(at, CodeMerge, "map merge requires a mapping after `<<`, found a %s", nd.kind)
	if target != value {
		d.WithRelated(
			t.Span(target),
			"this is what the alias %s stands for",
			shown(t.text[t.nodes[value].off:t.nodes[value].end]),
		)
	}
	switch {
	case nd.kind == Sequence:
		d.WithHint("%s", t.mergesHint(target))
	case nd.style == Plain && len(text) <= maxShown && t.hasAnchor(text):
		d.WithHint("write `<<: *%s`, with a star, to merge the value of the anchor &%s", text, text)
	default:
		d.WithHint("write an alias of a mapping after it; if the key is meant to be the text " +
			"`<<`, put it in quotes: '<<'")
	}
	return d
}

// mergesHint returns a hint how to merge the items of sequence n. In a list the first mapping wins,
// but of several merge keys the last wins, so the order is reversed.
func (t *Tree) mergesHint(n NodeID) string {
	const rule = "; where they have the same key, the last wins"
	var lines []string
	for item := n + 1; item < t.nodes[n].next; item = t.nodes[item].next {
		if t.nodes[item].kind != Alias || len(lines) == 3 || len(t.AliasName(item)) > maxShown {
			return "write a line `<<: *name` for each mapping" + rule
		}
		lines = append([]string{"`<<: *" + string(t.AliasName(item)) + "`"}, lines...)
	}
	switch len(lines) {
	case 0:
		return "write an alias after it, as in `<<: *name`, or remove the key"
	case 1:
		return "write " + lines[0] + ", without a list"
	}
	return "write a line for each mapping: " + strings.Join(lines, ", ") + rule
}

// hasAnchor reports whether the tree has an anchor with this name.
func (t *Tree) hasAnchor(name []byte) bool {
	for i := range t.props {
		if pr := &t.props[i]; pr.anchor != pr.anchorEnd &&
			bytes.Equal(t.text[pr.anchor:pr.anchorEnd], name) {
			return true
		}
	}
	return false
}
