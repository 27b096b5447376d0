package selector

import (
	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Line describes one line of a file of documents.
type Line struct {
	Object string // the name of the document, or "" if it has none
	N      int    // the number of the document in the file, from 1
	Path   string // the path to the value on the line; "" for the whole document
}

// AtLine returns what is on a line of a file. It returns false if the line is not in a document.
func AtLine(f *source.File, syntax yaml.Options, line int) (at Line, ok bool, err error) {
	t, err := yaml.Parse(f, syntax)
	if err != nil {
		return at, false, err
	}
	var root tree.Value
	n := 0
	for doc := range t.Documents() {
		start := t.Start(doc)
		if n > 0 && f.Line(start.Offset()) > line {
			break
		}
		n++
		root, ok = tree.FromSyntax(t, t.Root(doc)), true
	}
	if !ok || line < 1 || line > f.Lines() {
		return at, false, nil
	}
	return Line{Object: ObjectOf(root).String(), N: n, Path: pathAt(f, root, line).String()}, true, nil
}

// pathAt returns the path to the innermost value that begins on a line or before it.
func pathAt(f *source.File, v tree.Value, line int) (way path.Path) {
	for v.Kind() != tree.ScalarKind {
		isMap, found := v.Kind() == tree.MapKind, false
		var next path.Segment
		var value tree.Value
		for i, it := range v.Entries() {
			if f.Line(it.Pos.Offset()) > line {
				break
			}
			value, found = it.Value, true
			if next = path.ToItem(i, i); isMap {
				next = path.ToKey(it.Key)
			}
		}
		if !found {
			break
		}
		way, v = append(way, next), value
	}
	return way
}
