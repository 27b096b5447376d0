package suggest

import (
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// writer writes the body of an overlay: what turns one value into another.
type writer struct {
	lines []string

	coarse bool          // lists are replaced as a whole
	inside *yaml.Options // texts may be changed inside; how they are read

	// byIndex are the paths of lists whose items are found by their index, which breaks if items are added
	// before them.
	byIndex []string
	path    []string
}

// line writes a line at a depth. Text of several lines is indented as a whole.
func (w *writer) line(indent int, text string) {
	prefix := strings.Repeat(" ", indent)
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if l != "" {
			l = prefix + l
		}
		w.lines = append(w.lines, l)
	}
}

// entry writes a key with a value.
func (w *writer) entry(indent int, key, v tree.Value) {
	w.line(indent, block(tree.Of(tree.NewMap([]tree.Item{{Key: key, Value: v}}, v.Start()))))
}

// item writes an item of a list.
func (w *writer) item(indent int, v tree.Value) {
	w.line(indent, block(tree.Of(tree.NewArray([]tree.Item{{Value: v}}, v.Start()))))
}

// block returns a value as YAML, with numbers and quotes as in the edited documents.
func block(v tree.Value) string { return string(edit.Block(v)) }

// maps writes what turns one map into another, key by key.
func (w *writer) maps(indent int, before, after tree.Value) {
	was, is := finder(before), finder(after)
	for _, it := range before.Entries() {
		now, ok := is(it.Key)
		switch {
		case !ok:
			w.line(indent, "#@overlay/remove")
			w.entry(indent, it.Key, tree.Value{})
		case !edit.Equal(it.Value, now):
			w.path = append(w.path, tree.KeyText(it.Key))
			w.value(indent, it.Key, it.Value, now)
			w.path = w.path[:len(w.path)-1]
		}
	}
	for _, it := range after.Entries() {
		if _, ok := was(it.Key); !ok {
			w.line(indent, "#@overlay/match missing_ok=True")
			w.entry(indent, it.Key, it.Value)
		}
	}
}

// finder returns a function that finds the value of a key in a map, with an index: a map may have many keys.
func finder(v tree.Value) func(key tree.Value) (tree.Value, bool) {
	var items []tree.Item
	var index map[tree.ScalarKey]int // made on first use
	return func(key tree.Value) (tree.Value, bool) {
		if index == nil {
			items = entriesOf(v)
			index = tree.IndexKeys(items)
		}
		k, _ := key.ScalarKey()
		i, ok := index[k]
		if !ok {
			return tree.Value{}, false
		}
		return items[i].Value, true
	}
}

// value writes what turns the value of a key into another one.
func (w *writer) value(indent int, key, before, after tree.Value) {
	same := before.Kind() == after.Kind()
	switch {
	case w.insideText(indent, key, before, after):
	case after.Kind() == tree.ScalarKind:
		w.entry(indent, key, after)
	case same && after.Kind() == tree.MapKind && after.Len() > 0 && before.Len() > 0:
		w.line(indent, opening(key))
		w.maps(indent+2, before, after)
	case same && after.Kind() == tree.ArrayKind && w.list(indent, key, before, after):
	default:
		w.line(indent, "#@overlay/replace")
		w.entry(indent, key, after)
	}
}

// opening returns a key whose value follows in the next lines.
func opening(key tree.Value) string {
	one := tree.NewMap([]tree.Item{{Key: key, Value: tree.String("x")}}, key.Start())
	return strings.TrimSuffix(block(tree.Of(one)), " x\n")
}
