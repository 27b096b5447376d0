package schemas

import (
	"strings"

	"weft/internal/engine/schema"
	"weft/internal/lang/tree"
)

// Skeleton returns a file of data values with all defaults of a schema, and what the schema says about
// them in comments. Used as it is, the file changes nothing: values that must be set are commented out,
// and so are the defaults of secrets.
func Skeleton(t *schema.Type) string {
	w := &skeleton{}
	w.about(t, "", t.DefaultValue())
	if len(t.Fields()) == 0 {
		if w.b.Len() > 0 {
			w.b.WriteString("\n")
		}
		w.shape(t, "")
		w.b.WriteString(strings.TrimLeft(inYAML(t.DefaultValue(), -2), " \n") + "\n")
		return w.b.String()
	}
	w.fields(t, t.DefaultValue(), "")
	return w.b.String()
}

// skeleton writes values to fill in.
type skeleton struct{ b strings.Builder }

// fields writes the keys of a map whose default is def.
func (w *skeleton) fields(t *schema.Type, def tree.Value, margin string) {
	for _, f := range t.Fields() {
		key, v := entryOf(def, f)
		if margin == "" && w.b.Len() > 0 {
			w.b.WriteString("\n")
		}
		w.about(f.Type, margin, v)
		switch {
		case isHidden(f.Type, v):
			w.commented(margin, keyText(key)+`: ""`)
		case isNeeded(f.Type, v) || isAbsent(v):
			w.commented(margin, keyText(key)+":"+inYAML(exampleOf(f.Type), 0))
		case v.Kind() == tree.MapKind && len(f.Type.Fields()) > 0 && f.Type.Rest() == nil:
			w.nested(f.Type, key, v, margin)
		default:
			w.shape(f.Type, margin)
			w.b.WriteString(margin + keyText(key) + ":" + inYAML(v, len(margin)) + "\n")
		}
	}
}

// nested writes a map. If everything in it is commented out, so is its key: alone, the key would set null.
func (w *skeleton) nested(t *schema.Type, key, def tree.Value, margin string) {
	below := &skeleton{}
	below.fields(t, def, margin+"  ")
	text := below.b.String()
	if below.isComment() {
		w.b.WriteString(margin + "# " + keyText(key) + ":\n" + text)
		return
	}
	w.b.WriteString(margin + keyText(key) + ":\n" + text)
}

// isComment reports whether all lines are comments.
func (w *skeleton) isComment() bool {
	for line := range strings.Lines(w.b.String()) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

// entryOf returns the key of a field, and its default in the map around it.
func entryOf(def tree.Value, f schema.Field) (key, v tree.Value) {
	for _, it := range def.Entries() {
		if tree.KeyText(it.Key) == f.Key {
			return it.Key, it.Value
		}
	}
	return tree.String(f.Key), f.Type.DefaultValue()
}

// isNeeded reports whether a value must be set.
func isNeeded(t *schema.Type, def tree.Value) bool {
	return !t.IsComputed() && (isAbsent(def) || t.IsRequired() && def.Kind() == tree.ScalarKind)
}

// isAbsent reports whether there is no default: the value must be set, or is computed.
func isAbsent(def tree.Value) bool { return def == tree.Value{} }

// isHidden reports whether a default is secret, and not empty.
func isHidden(t *schema.Type, def tree.Value) bool {
	return t.IsSecret() && !def.Empty() && def.Text() != ""
}

// exampleOf returns a value of the type, with all keys.
func exampleOf(t *schema.Type) tree.Value {
	if list := t.Examples(); len(list) > 0 {
		return list[0].Value
	}
	if len(t.Fields()) > 0 {
		var items []tree.Item
		for _, f := range t.Fields() {
			items = append(items, tree.Item{Key: tree.String(f.Key), Value: exampleOf(f.Type)})
		}
		return mapOf(items...)
	}
	if v := t.DefaultValue(); !isAbsent(v) && !v.IsNull() {
		return v
	}
	switch t.Kind() {
	case "map":
		return emptyMap()
	case "array":
		return arrayOf(exampleOf(t.Item()))
	case "any":
		return tree.Null
	}
	kinds := map[string]kind{"integer": intKind, "float": floatKind, "boolean": boolKind}
	if k, ok := kinds[t.Kind()]; ok {
		return (&node{kind: k}).example()
	}
	return tree.String("")
}

// shape writes what an item of a list, the value of an arbitrary key, or a map that is null looks like.
func (w *skeleton) shape(t *schema.Type, margin string) {
	switch {
	case t.IsSecret():
	case t.Item() != nil && (t.Item().Kind() == "map" || t.Item().Kind() == "array"):
		w.commented(margin, "Each item:\n-"+strings.TrimPrefix(inYAML(exampleOf(t.Item()), 0), "\n "))
	case t.Rest() != nil:
		w.commented(margin, "Each key:\nKEY:"+inYAML(exampleOf(t.Rest()), 0))
	case t.Nullable() && len(t.Fields()) > 0:
		w.commented(margin, "With a value:"+strings.ReplaceAll(inYAML(exampleOf(t), 0), "\n  ", "\n"))
	}
}

// about writes what the schema says about a value whose default is def.
func (w *skeleton) about(t *schema.Type, margin string, def tree.Value) {
	var lines []string
	for _, text := range []string{t.Title(), t.Description()} {
		if text != "" {
			lines = append(lines, folded(text, 78-len(margin))...)
		}
	}
	kind := typeName(t)
	switch {
	case isNeeded(t, def):
		kind = "required: " + strings.TrimSuffix(kind, " or null")
	case isAbsent(def):
		kind = "computed: " + kind
	}
	if rules := t.Rules(); len(rules) > 0 {
		kind += "; " + strings.Join(rules, "; ")
	}
	if kind != "map" {
		lines = append(lines, folded("("+kind+")", 78-len(margin))...)
	}
	if notice, ok := t.Deprecation(); ok {
		lines = append(lines, folded(strings.TrimSuffix("Deprecated: "+notice, ": "), 78-len(margin))...)
	}
	for _, x := range t.Examples() {
		if !t.IsSecret() {
			text := strings.TrimSuffix("Example: "+briefly(x.Value)+" ("+x.Description+")", " ()")
			lines = append(lines, folded(text, 78-len(margin))...)
		}
	}
	w.commented(margin, strings.Join(lines, "\n"))
}

// commented writes lines as comments.
func (w *skeleton) commented(margin, text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		w.b.WriteString(strings.TrimRight(margin+"# "+oneLine(line), " ") + "\n")
	}
}
