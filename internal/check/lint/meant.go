package lint

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// This file finds YAML that does not mean what its author probably thinks: an example in a schema
// looks like a default, null looks like a removal, and some files and expressions are meant for other
// tools.

// arrayExamples finds lists of a schema whose item looks like a default. But the item only gives the
// type of all items, and the default is an empty list.
func (f *file) arrayExamples() {
	settled := map[yaml.NodeID]bool{} // nodes whose default is not derived from the item
	for _, a := range f.annotations {
		switch a.Name {
		case "schema/default", "schema/type", "schema/examples":
			settled[a.Owner] = true
		}
	}
	f.eachMapping(func(n yaml.NodeID) {
		for key, value := range f.Tree.Pairs(n) {
			if settled[key] || f.Tree.Kind(value) != yaml.Sequence || f.Tree.Next(value) != value+2 ||
				settled[value+1] || !f.looksSet(value+1) {
				continue
			}
			name := f.Tree.Text(key)
			f.report(f.Tree.Span(value+1), codeSchemaArrayExample, "this item is an example that gives the type "+
				"of the items; by default '%s' is empty", name).
				WithHint("to make it the default, write `#@schema/default [%s]` above the key; otherwise "+
					"leave it empty", starlarkOf(f.Tree, value+1))
		}
	})
}

// looksSet reports whether a scalar is more than the name of a type: not empty, 0 or false.
func (f *file) looksSet(n yaml.NodeID) bool {
	if f.Tree.Kind(n) != yaml.Scalar || f.computed(n) {
		return false
	}
	switch text := string(f.Tree.Text(n)); text {
	case "", "0", "0.0", "false", "string", "str", "int", "value", "null", "~":
		return false
	default:
		return !isPlaceholder(text)
	}
}

// computed reports whether code next to a node is its value.
func (f *file) computed(n yaml.NodeID) bool {
	return slices.ContainsFunc(f.Marks, func(m compile.Mark) bool { return m.Owner == n && isValueMark(m) })
}

func isValueMark(m compile.Mark) bool { return m.Kind == compile.ValueMark }

// starlarkOf returns a scalar as code.
func starlarkOf(t *yaml.Tree, n yaml.NodeID) string {
	text := string(t.Text(n))
	c := yaml.Composer{Tree: t}
	if v, _ := c.Scalar(n); v.Kind == yaml.String {
		return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
	}
	return text
}

// nulls finds keys of overlays that are set to null, where a removal is probably meant.
func (f *file) nulls() {
	annotated := map[yaml.NodeID]bool{}
	overlays := map[yaml.NodeID]bool{}
	for _, a := range f.annotations {
		if strings.HasPrefix(a.Name, "overlay/") {
			annotated[a.Owner] = true
			overlays[a.Owner] = a.Name == "overlay/match" || overlays[a.Owner]
		}
	}
	for doc := range f.Tree.Documents() {
		if !overlays[doc] {
			continue
		}
		for n := doc; n < f.Tree.Next(doc); n++ {
			if f.Tree.Kind(n) != yaml.Mapping {
				continue
			}
			for key, value := range f.Tree.Pairs(n) {
				if f.Tree.Kind(key) == yaml.Scalar && !annotated[key] && isNullWord(f.Tree, value) {
					f.report(f.Tree.Span(value), codeOverlayNull, "this sets '%s' to null", f.Tree.Text(key)).
						WithHint("to remove the key, write `#@overlay/remove` above it; to set it to null, write " +
							"`#@overlay/replace` above it")
				}
			}
		}
	}
}

// isNullWord reports whether null is written out: an empty value does not count.
func isNullWord(t *yaml.Tree, n yaml.NodeID) bool {
	if t.Kind(n) != yaml.Scalar || t.Style(n) != yaml.Plain || t.HasTag(n) {
		return false
	}
	switch string(t.Text(n)) {
	case "null", "Null", "NULL", "~":
		return true
	}
	return false
}

// otherSyntax matches expressions of other template languages in strings: those of shells around
// data values, and those of Helm.
var otherSyntax = lazy.Regexp{
	Text: `\$\{\{? *(data\.values\.[A-Za-z_][\w.]*) *\}?\}|` +
		`\{\{-? *\.(?:Values|Release|Chart)\.[A-Za-z_][\w.]* *-?\}\}`,
}

// otherTemplates finds expressions of other template languages, which are text.
func (f *file) otherTemplates() {
	data := f.File.Data()
	if !bytes.Contains(data, []byte("${")) && !bytes.Contains(data, []byte("{{")) &&
		!bytes.Contains(data, []byte("(@=")) {
		return
	}
	f.eachNode(func(n yaml.NodeID) {
		if f.Tree.Kind(n) != yaml.Scalar || bytes.IndexByte(f.Tree.Text(n), '\n') >= 0 {
			return // a text of several lines is usually a file for another program
		}
		m := otherSyntax.Get().FindSubmatchIndex(f.Tree.Text(n))
		if m == nil || m[2] < 0 && f.Kind != compile.PlainYAML { // who writes `#@` means `{{` for others
			f.codeInPlain(n)
			return
		}
		text := string(f.Tree.Text(n))
		at := f.Tree.Offsets(n)
		value := "data.values.…"
		if m[2] >= 0 {
			value = text[m[2]:m[3]]
		}
		hint := "write `#@ " + value + "` as the value"
		if m[0] > 0 || m[1] < len(text) {
			hint = "write `(@= " + value + " @)` in the string, and `#@yaml/text-templated-strings` above the key"
		}
		f.report(f.File.Span(at(m[0]), at(m[1]-1)+1), codeTemplateOtherSyntax, "`%s` is text: weft does not "+
			"evaluate it", text[m[0]:m[1]]).WithHint("%s", hint)
	})
}

// codeInPlain finds `(@= x @)` in a file without annotations, where it is only text. Code that reads
// data values is left out, because rendering warns about it.
func (f *file) codeInPlain(n yaml.NodeID) {
	text := f.Tree.Text(n)
	open := bytes.Index(text, []byte("(@="))
	if f.Kind != compile.PlainYAML || open < 0 || bytes.Contains(text, []byte("data.values")) {
		return
	}
	end := bytes.Index(text[open:], []byte("@)"))
	if end < 0 {
		return
	}
	at := f.Tree.Offsets(n)
	f.report(f.File.Span(at(open), at(open+end+1)+1), codeTemplateOtherSyntax, "`%s` is text: weft does not "+
		"evaluate it", text[open:open+end+2]).
		WithHint("to make it code put `#@yaml/text-templated-strings` on a line above the key")
}

// toolFiles finds files that configure other tools and are printed like manifests.
func (f *file) toolFiles() {
	if f.Kind != compile.PlainYAML || f.Tree.Len() < 2 || len(f.Errors) > 0 {
		return
	}
	tool := ""
	switch base := path.Base(f.File.Name()); {
	case base == "Chart.yaml" || base == "Chart.yml":
		tool = "Helm"
	case strings.HasPrefix(base, "kustomization.y"), f.hasVersion("kustomize.config.k8s.io/"):
		tool = "kustomize"
	default:
		return
	}
	f.report(f.start(), codeOutputToolFile, "this file is for %s, and is printed with the other documents",
		tool).
		WithHint("leave it out: `exclude: ['**/%[1]s']` in weft.yml, or --file-mark '%[1]s:exclude=true'",
			path.Base(f.File.Name()))
}

// hasVersion reports whether the first document has an apiVersion of a group.
func (f *file) hasVersion(group string) bool {
	root := f.Tree.Root(f.Tree.First())
	if f.Tree.Kind(root) != yaml.Mapping {
		return false
	}
	for key, value := range f.Tree.Pairs(root) {
		if f.Tree.IsString(key, "apiVersion") {
			return f.Tree.Kind(value) == yaml.Scalar && bytes.HasPrefix(f.Tree.Text(value), []byte(group))
		}
	}
	return false
}

// start returns the first byte of the first document.
func (f *file) start() source.Span {
	at := f.Tree.Start(f.Tree.Root(f.Tree.First()))
	return at.To(at.Offset() + 1)
}
