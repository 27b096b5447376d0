package feature

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"weft/internal/check/jsonschema"
	"weft/internal/engine"
	"weft/internal/engine/schema"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/workspace"
)

// dataValue shows a data value: its type, its description in the schema, its value in each
// environment, and where it is set.
func (h *hover) dataValue(t *target) {
	p, v := h.doc.Project(), h.doc.View()
	if v == nil {
		return
	}
	if h.libraryValue(t.value) {
		return
	}
	values := v.Values(h.ctx, h.doc.Snapshot())
	if values == nil {
		return
	}
	path, typ := declaredPath(values.Type, t.value)
	if typ == nil && !values.Declared {
		path = t.value
	}
	if len(path) < len(t.value) {
		return // a method, or an error that is a diagnostic
	}
	h.parts = append(h.parts, "`"+pathText(path)+"`"+typeText(typ, values.Declared))
	if typ != nil {
		h.described(typ)
	}
	secret := isSecret(values.Type, path)
	if text := inEnvironments(p, v, path, secret); text != "" {
		h.parts = append(h.parts, text)
	}
	if text := settingPlaces(values, typ, path); text != "" {
		h.parts = append(h.parts, text)
	}
	if typ != nil {
		h.rules(typ, secret)
	}
	h.readBy(path)
	if t.key {
		h.readers(path)
	}
}

// libraryValue shows how a library declares a data value. It returns false if the
// document does not belong to a library.
func (h *hover) libraryValue(path []string) bool {
	all, here, err := h.doc.Index(h.ctx, false)
	if err != nil {
		all, here = h.doc.IndexAlone(false)
	}
	if all.Root(here) == "" {
		return false
	}
	h.declarations(all, index.Value{Library: all.Root(here), Path: indexSteps(path)})
	return true
}

// declarations shows where a library declares a data value.
func (h *hover) declarations(all *index.Index, of index.Value) {
	all.Declared(of.Library, func(v index.Value, src *index.Source, k *index.Key) {
		if !v.Matches(of) {
			return
		}
		f := src.File.Text
		last := f.Line(k.At.Start)
		first := last
		for first > 1 && bytes.HasPrefix(bytes.TrimSpace(f.Text(first-1)), []byte("#@schema/")) {
			first--
		}
		text := ""
		for n := first; n <= last; n++ {
			text += strings.TrimSpace(string(f.Text(n))) + "\n"
		}
		if strings.Contains(text, "schema/secret") || strings.Contains(text, "```") {
			return
		}
		at := jsonschema.Code(fmt.Sprintf("%s:%d", src.Path, last))
		h.add("`%s`: %s\n```yaml\n%s```", pathText(keyPath(of.Path)), at, text)
	})
}

// declaredPath returns the longest beginning of a path that a schema declares, and its type. The rest is
// a method of the value.
func declaredPath(typ *schema.Type, path []string) ([]string, *schema.Type) {
	for n := len(path); n > 0; n-- {
		if t := typ.At(path[:n]); t != nil {
			return path[:n], t
		}
		if above := typ.At(path[:n-1]); above != nil && above.Kind() == "any" && n > 1 {
			return path[:n], nil
		}
	}
	return nil, nil
}

// pathText returns a path as people write it.
func pathText(path []string) string {
	var b strings.Builder
	for _, key := range path {
		switch {
		case key == "":
			b.WriteString("[]")
		case b.Len() > 0:
			b.WriteString("." + key)
		default:
			b.WriteString(key)
		}
	}
	return b.String()
}

// typeText returns a type, for people.
func typeText(t *schema.Type, declared bool) string {
	switch {
	case t == nil && !declared:
		return ": not declared in a schema"
	case t == nil:
		return ""
	}
	text := ": " + t.Kind()
	if either := t.Alternatives(); either != "" {
		text = ": " + either
	} else if item := t.Item(); item != nil {
		text += " of " + item.Kind()
	} else if rest := t.Rest(); rest != nil {
		text += " with arbitrary keys, of " + rest.Kind()
	}
	if t.Nullable() && t.Kind() != "any" {
		text += ", may be null"
	}
	if t.IsSecret() {
		text += ", secret"
	}
	return text
}

// described shows the description of a value in a schema.
func (h *hover) described(t *schema.Type) {
	if t.Title() != "" {
		h.add("**%s**", t.Title())
	}
	if t.Description() != "" {
		h.add("%s", t.Description())
	}
	if notice, ok := t.Deprecation(); ok {
		h.add("Deprecated: %s", notice)
	}
}

// rules shows the default of a value, its validations and its examples.
func (h *hover) rules(t *schema.Type, secret bool) {
	var lines []string
	switch {
	case t.IsComputed():
		lines = append(lines, "Computed, unless it is set")
	case t.IsRequired() && t.DefaultValue().IsNull():
		lines = append(lines, "Required")
	case t.Kind() != "map" && !secret:
		lines = append(lines, "Default: `"+short(t.DefaultValue())+"`")
	}
	for _, r := range t.Rules() {
		lines = append(lines, "Must be: "+r)
	}
	for _, x := range t.Examples() {
		if !secret {
			lines = append(lines, "Example: `"+short(x.Value)+"` "+x.Description)
		}
	}
	if lines != nil {
		h.parts = append(h.parts, strings.Join(lines, "  \n"))
	}
}

// readers shows how often code reads a value.
func (h *hover) readers(path []string) {
	w, err := newIndexedDoc(h.ctx, h.doc, false)
	if err != nil {
		return
	}
	if n := w.readsOf(path); n.all > 0 {
		h.add("Read in %s%s", places(n.all), n.atRunTimeText())
	} else {
		h.add("Read nowhere by its name")
	}
}

// isSecret reports whether a value, or a map that contains it, is secret.
func isSecret(typ *schema.Type, path []string) bool {
	for n := range len(path) + 1 {
		if t := typ.At(path[:n]); t != nil && t.IsSecret() {
			return true
		}
	}
	return false
}

// inEnvironments returns the value in the active environment, and in the others that are known.
func inEnvironments(p *workspace.Configuration, active *workspace.View, path []string, secret bool) string {
	var parts []string
	for _, v := range p.Views() {
		values := v.KnownValues()
		if values == nil {
			continue
		}
		at, ok := valueAt(values.Value, path)
		if !ok {
			continue
		}
		text := "`" + short(at) + "`"
		if secret {
			text = "(secret)"
		}
		switch {
		case v.Env == "":
			text = "Value: " + text
		case v == active:
			text = "**" + v.Env + "** " + text
		default:
			text = v.Env + " " + text
		}
		parts = append(parts, values.Files.Concealed(text))
	}
	return strings.Join(parts, " · ")
}

// valueAt returns the value at a path of keys.
func valueAt(v tree.Value, path []string) (tree.Value, bool) {
	for _, key := range path {
		if key == "" || v.Kind() != tree.MapKind {
			return tree.Value{}, false
		}
		var ok bool
		if v, ok = v.Lookup(key); !ok {
			return tree.Value{}, false
		}
	}
	return v, true
}

// valuesAt returns the values at a path, in which "" is any item of a list or of a map.
func valuesAt(v tree.Value, path []string) []tree.Value {
	if len(path) == 0 {
		return []tree.Value{v}
	}
	if path[0] != "" {
		at, ok := valueAt(v, path[:1])
		if !ok {
			return nil
		}
		return valuesAt(at, path[1:])
	}
	var list []tree.Value
	if k := v.Kind(); k == tree.ArrayKind || k == tree.MapKind {
		for _, it := range v.Entries() {
			list = append(list, valuesAt(it.Value, path[1:])...)
		}
	}
	return list
}

// settingPlaces returns where a value is set, the place that wins first.
func settingPlaces(values *engine.DataValuesOf, typ *schema.Type, path []string) string {
	var list []string
	for _, l := range slices.Backward(values.Layers) {
		if at, ok := itemAt(l.Value, path); ok {
			list = append(list, where(values.Files, at))
		}
	}
	if typ != nil && typ.Place().IsValid() {
		list = append(list, where(values.Files, typ.Place().Pos))
	}
	switch len(list) {
	case 0:
		return ""
	case 1:
		return "Set in " + list[0]
	}
	return "Set in " + list[0] + " over " + strings.Join(list[1:], ", ")
}

// itemAt returns where a document sets what is at a path.
func itemAt(v tree.Value, path []string) (source.Pos, bool) {
	var at source.Pos
	for _, key := range path {
		if v.Kind() != tree.MapKind || key == "" {
			return at, false
		}
		i := slices.IndexFunc(v.Entries(), func(it tree.Item) bool { return it.Key.IsString(key) })
		if i < 0 {
			return at, false
		}
		it := v.Entries()[i]
		at, v = it.Pos, it.Value
	}
	return at, at.IsValid()
}

// where returns a place, for people.
func where(files *source.Set, at source.Pos) string {
	f := files.File(at)
	if f == nil {
		return "?"
	}
	return "`" + files.Concealed(f.WhereLine(at.Offset())) + "`"
}

// short returns a value on one line, cut if it is long.
func short(v tree.Value) string {
	const maxBytes = 80
	var w yaml.JSONWriter
	var p tree.Printer
	p.Write(&w, v)
	text := []rune(strings.ReplaceAll(string(w.Bytes()), "`", "'"))
	if len(text) > maxBytes {
		return string(text[:maxBytes]) + "…"
	}
	return string(text)
}
