package schemas

import (
	"strings"

	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Markdown returns a table of the data values that a schema declares. Paths are those that weft's commands
// take; [*] is each item of a list, and * each arbitrary key.
func Markdown(t *schema.Type) string {
	var b strings.Builder
	b.WriteString("| Key | Type | Default | Description | Validation |\n|---|---|---|---|---|\n")
	w := &markdown{&b}
	if t.Kind() != "map" {
		w.row(t, t.DefaultValue(), "")
	}
	w.below(t, t.DefaultValue(), nil)
	return b.String()
}

// markdown writes a table.
type markdown struct{ b *strings.Builder }

// below writes what is in a map or a list at a path.
func (w *markdown) below(t *schema.Type, def tree.Value, at []string) {
	for _, f := range t.Fields() {
		_, v := entryOf(def, f)
		w.value(f.Type, v, append(at, path.Path{path.ToKey(tree.String(f.Key))}.String()))
	}
	if rest := t.Rest(); rest != nil {
		w.value(rest, rest.DefaultValue(), append(at, "*"))
	}
	if item := t.Item(); item != nil && (len(item.Fields()) > 0 || item.Rest() != nil || item.Item() != nil) {
		last := at[:max(len(at)-1, 0)]
		name := "[*]"
		if len(at) > 0 {
			name = at[len(at)-1] + name
		}
		w.below(item, item.DefaultValue(), append(last[:len(last):len(last)], name))
	}
}

// value writes a value, and what is in it. A map with declared keys gets a row only if there is more to say
// about it.
func (w *markdown) value(t *schema.Type, def tree.Value, at []string) {
	at = at[:len(at):len(at)]
	if len(t.Fields()) == 0 || isNeeded(t, def) || isAbsent(def) || t.Title() != "" || t.Description() != "" ||
		t.Rest() != nil || t.Nullable() {
		w.row(t, def, strings.Join(at, "."))
	}
	if !t.IsSecret() {
		w.below(t, def, at)
	}
}

// row writes one value.
func (w *markdown) row(t *schema.Type, def tree.Value, key string) {
	shown := ""
	switch {
	case isNeeded(t, def):
		shown = "*required*"
	case isAbsent(def):
		shown = "*computed*"
	case isHidden(t, def):
		shown = "*secret*"
	case t.Kind() != "map" || t.Rest() != nil || def.IsNull():
		shown = code(briefly(def))
	}
	about := []string{}
	if t.Title() != "" {
		about = append(about, "**"+inCell(t.Title())+"**")
	}
	if t.Description() != "" {
		about = append(about, inCell(t.Description()))
	}
	if notice, ok := t.Deprecation(); ok {
		about = append(about, strings.TrimSuffix("*Deprecated*: "+inCell(notice), ": "))
	}
	if key == "" {
		key = "(all)"
	} else {
		key = code(key)
	}
	kind := typeName(t)
	if isNeeded(t, def) {
		kind = strings.TrimSuffix(kind, " or null")
	}
	cells := []string{key, kind, shown, strings.Join(about, "<br>"), inCell(strings.Join(t.Rules(), "; "))}
	w.b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// typeName returns the name of a type for people.
func typeName(t *schema.Type) string {
	name := t.Kind()
	switch {
	case t.Item() != nil:
		name = "list of " + plural(t.Item().Kind())
	case t.Rest() != nil:
		name = "map of " + plural(t.Rest().Kind())
	}
	if t.Nullable() && t.Kind() != "any" {
		name += " or null"
	}
	return name
}

// plural returns the name of a type for several values.
func plural(kind string) string {
	switch kind {
	case "any":
		return "anything"
	case "array":
		return "lists"
	}
	return diag.Plural(2, kind)
}

// briefly returns a value as JSON, or its beginning.
func briefly(v tree.Value) string {
	const longest = 60
	var w yaml.JSONWriter
	var p tree.Printer
	p.Write(&w, v)
	text := []rune(string(w.Bytes()))
	if len(text) > longest {
		return string(text[:longest-1]) + "…"
	}
	return string(text)
}

// inCell returns a text for a cell of a table. Markdown still works in it, but HTML tags are shown as text.
func inCell(s string) string {
	s = strings.Join(strings.Fields(oneLine(strings.ReplaceAll(s, "\n", " "))), " ")
	return cellReplacer().Replace(s)
}

func cellReplacer() *strings.Replacer {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", ">", "&gt;")
}

// code returns a text in backquotes, for a cell.
func code(s string) string {
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	s = strings.ReplaceAll(oneLine(s), "|", `\|`)
	if len(fence) > 1 || s == "" {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}
