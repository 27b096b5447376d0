package engine

import (
	"slices"

	"weft/internal/engine/eval"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// followValues returns the documents of a chart in which scalars that are a value of a values template have
// its origin: the data values that the template has read. So the way of a data value can be followed through
// the chart.
func (e *evaluation) followValues(out *eval.Output, vals []followed) []tree.Doc {
	f := out.File.Input.File
	rendered := e.generated[f]
	if rendered == nil || rendered.Value == nil || len(vals) == 0 {
		return out.Docs
	}
	w := valueFollower{file: f, rendered: rendered, values: vals}
	docs := slices.Clone(out.Docs)
	for i := range docs {
		docs[i].Value = w.follow(docs[i].Value)
	}
	return docs
}

// valueFollower follows values through the text of one document.
type valueFollower struct {
	file     *source.File
	rendered *GeneratedDocument
	values   []followed // of the values files, the weakest first
}

// followed is the values of a file, with origins.
type followed struct {
	value tree.Value
	plain bool // the file is not a template
	known bool // see valuesIn; a file whose values are not known may set any of them
}

func (w *valueFollower) follow(v tree.Value) tree.Value {
	if v.Kind() == tree.ScalarKind {
		return v
	}
	items := v.Entries()
	changed := false
	for i, it := range items {
		now := w.follow(it.Value)
		if it.Value.Kind() == tree.ScalarKind {
			now = w.scalar(it)
		}
		if now.Kind() == tree.ScalarKind && now.Origin() == it.Value.Origin() {
			continue
		}
		if !changed {
			items, changed = slices.Clone(items), true
		}
		items[i].Value = now
	}
	if !changed {
		return v
	}
	if v.Kind() == tree.ArrayKind {
		return tree.Of(tree.NewArray(items, v.Start()))
	}
	return tree.Of(tree.NewMap(items, v.Start()))
}

// scalar returns the value of an item with its origin. A value of a plain file must be the same: a chart may
// compute another one from it.
func (w *valueFollower) scalar(it tree.Item) tree.Value {
	at := it.Value.Span()
	if !w.file.Holds(at.Pos) {
		return it.Value
	}
	path := w.rendered.Value(w.file.Line(at.Offset()))
	if path == nil {
		return it.Value
	}
	for _, v := range slices.Backward(w.values) {
		if !v.known {
			break
		}
		if from, ok := valueAtPath(v.value, path); ok {
			if from.Kind() == tree.ScalarKind && (!v.plain || tree.SameScalar(from, it.Value)) {
				return it.Value.WithOrigin(from.Origin())
			}
			break
		}
	}
	return it.Value
}
