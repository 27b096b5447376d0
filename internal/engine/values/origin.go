package values

import (
	"slices"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// setBy returns the value of a document with the document itself as its setter, for the value as a
// whole.
func setBy(origins *tree.Origins, by tree.Setter, doc tree.Doc) tree.Value {
	if origins == nil {
		return doc.Value
	}
	var at source.Span
	if doc.Pos.IsValid() {
		at = doc.Pos.To(doc.Pos.Offset() + 1)
	}
	s := tree.Setting{By: by, At: at, Source: at, From: doc.Value.Origin()}
	return origins.Set(computedBy(origins, doc.Value, s), s)
}

// computedBy returns v with its document as the setter of everything in it that code has computed.
func computedBy(origins *tree.Origins, v tree.Value, s tree.Setting) tree.Value {
	if _, _, constant := v.Syntax(); constant {
		return v
	}
	items := func(all []tree.Item) ([]tree.Item, bool) {
		out, changed := all, false
		for i, it := range all {
			was := it.Value
			it.Value = computedBy(origins, it.Value, s)
			if from, ok := origins.Of(was.Origin()); ok && from.By == tree.ByTemplate {
				setting := s
				setting.From = was.Origin()
				if setting.At = from.At; !setting.At.IsValid() {
					setting.At = it.Pos.To(it.Pos.Offset() + 1)
				}
				it.Value = origins.Set(it.Value, setting)
			}
			if it.Value != was {
				if !changed {
					out, changed = slices.Clone(all), true
				}
				out[i] = it
			}
		}
		return out, changed
	}
	switch x := v.Starlark().(type) {
	case *tree.Map:
		if out, changed := items(x.Entries()); changed {
			return tree.Of(tree.NewMap(out, x.Pos)).WithOrigin(v.Origin())
		}
	case *tree.Array:
		if out, changed := items(x.Entries()); changed {
			return tree.Of(tree.NewArray(out, x.Pos)).WithOrigin(v.Origin())
		}
	}
	return v
}
