package feature

import (
	"context"

	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/workspace"
)

// atRunTime adds expressions that read data values in the last traced evaluation without naming them:
// with getattr, in loops, or as parts of larger values.
func (w *indexedDoc) atRunTime(
	ctx context.Context, view *workspace.View, values []index.Value, found *locations,
) {
	reads := view.RunTimeReads(ctx, w.snap)
	for _, v := range values {
		for _, r := range reads.Of(v.Library, v.Path) {
			src := w.all.Source(r.Path)
			if src == nil {
				continue
			}
			if at, ok := reads.In(src.File.Text, r); ok && !w.shows(src, at, v) {
				found.add(src, at)
			}
		}
	}
}

// shows reports whether an expression contains the name of a data value.
func (w *indexedDoc) shows(src *index.Source, at index.Range, v index.Value) bool {
	for i := range src.File.Reads {
		r := &src.File.Reads[i]
		if r.Whole || r.Dynamic || r.At.Start < at.Start || r.At.End > at.End {
			continue
		}
		for _, of := range w.all.ValuesOf(src, r) {
			if of.Matches(v) {
				return true
			}
		}
	}
	return false
}
