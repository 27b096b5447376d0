package krm

import (
	"strconv"
	"strings"

	"weft"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// diagnosed returns errors and warnings as results of a function.
func diagnosed(l *list, diagnostics []weft.Diagnostic) (results []tree.Value) {
	for _, d := range diagnostics {
		results = append(results, l.result(d))
	}
	return results
}

// appended returns the results of earlier functions, followed by more.
func (l *list) appended(more []tree.Value) []tree.Value {
	var all []tree.Value
	if earlier, _ := l.root.Lookup("results"); earlier.Kind() == tree.ArrayKind {
		for v := range earlier.Elements() {
			all = append(all, v)
		}
	}
	return append(all, more...)
}

// result returns a diagnostic as a result: which resource it is about, which field of it, and which
// file. Information without a field, such as lines, is in the tags. Lines of items and of the
// configuration are left out: weft created that text, and users have no file with these lines.
func (l *list) result(d weft.Diagnostic) tree.Value {
	message, path := d.Message, d.Path
	if d.Hint != "" {
		message += "\nhint: " + d.Hint
	}
	ref, file := resourceRef(l.itemFor(d)), fields{}
	tags := fields{}.add("code", d.Code)
	switch config, _ := l.root.Lookup("functionConfig"); d.Place.File {
	case "":
	case l.tree.File().Shown():
		ref = resourceRef(config)
	case valuesName:
		ref, path = resourceRef(config), inValues(config, path)
	default:
		if it := l.names[d.Place.File]; it != nil {
			file = it.file()
			break
		}
		file = file.add("path", d.Place.File)
		tags = tags.add("line", strconv.Itoa(d.Line)).add("column", strconv.Itoa(d.Column))
	}
	return fields{}.add("message", message).add("severity", string(d.Severity)).
		addMap("resourceRef", ref).addMap("field", fields{}.add("path", path)).
		addMap("file", file).addMap("tags", tags).value()
}

// inValues returns where the functionConfig sets the data value at path.
func inValues(config tree.Value, path string) string {
	if config.TextAt("kind") == kindConfigMap {
		return "data.values" // the data values are one text
	}
	return strings.TrimSuffix("spec.values."+path, ".")
}

// itemFor returns the item that a diagnostic points at, or mentions first; null if there is none.
func (l *list) itemFor(d weft.Diagnostic) tree.Value {
	if it := l.names[d.Place.File]; it != nil {
		return it.value
	}
	for _, r := range d.Related {
		if it := l.names[r.Place.File]; it != nil {
			return it.value
		}
	}
	return tree.Value{}
}

func resourceRef(v tree.Value) fields {
	id := ref(v)
	return fields{}.add("apiVersion", id.apiVersion).add("kind", id.kind).
		add("namespace", id.namespace).add("name", id.name)
}

// file returns the file that an item was read from, if the caller says so.
func (it *item) file() fields {
	path := it.annotation("internal.config.kubernetes.io/path", "config.kubernetes.io/path")
	if path == "" {
		return nil
	}
	f := fields{}.add("path", path)
	index := it.annotation("internal.config.kubernetes.io/index", "config.kubernetes.io/index")
	if n, err := strconv.Atoi(index); err == nil && n > 0 {
		f = append(f, tree.Item{Key: tree.String("index"), Value: number(n)})
	}
	return f
}

// annotation returns the first of several annotations that an item has.
func (it *item) annotation(names ...string) string {
	meta, _ := it.value.Lookup("metadata")
	annotations, _ := meta.Lookup("annotations")
	for _, name := range names {
		if text := annotations.TextAt(name); text != "" {
			return text
		}
	}
	return ""
}

// fields are the fields of a map under construction. Empty ones are left out.
type fields []tree.Item

func (f fields) add(key, text string) fields {
	if text == "" {
		return f
	}
	return append(f, tree.Item{Key: tree.String(key), Value: tree.String(text)})
}

func (f fields) addMap(key string, m fields) fields {
	if len(m) == 0 {
		return f
	}
	return append(f, tree.Item{Key: tree.String(key), Value: m.value()})
}

func (f fields) value() tree.Value { return tree.Of(tree.NewMap(f, source.Pos{})) }
