package feature

import (
	"fmt"

	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/workspace"
)

// atRunTime calls f with the expressions that read a data value in a traced evaluation without naming it:
// with getattr, in loops, or as part of a larger value.
func (w *indexedDoc) atRunTime(
	reads *workspace.RunTimeReads, v index.Value, f func(*index.Source, index.Range),
) {
	for _, r := range reads.Of(v.Library, v.Path) {
		src := w.all.Source(r.Path)
		if src == nil {
			continue
		}
		if at, ok := reads.In(src.File.Text, r); ok && !w.shows(src, at, v) {
			f(src, at)
		}
	}
}

// readCount is the number of places that read a data value.
type readCount struct{ all, atRunTime int }

// readsOf counts the places that read a data value of the project by its name, and those that have read it
// without in the last traced evaluation. It does not wait for one.
func (w *indexedDoc) readsOf(path []string) (n readCount) {
	v := index.Value{Path: indexSteps(path)}
	w.all.Reads(v, func(*index.Source, *index.Read, bool) { n.all++ })
	if view := w.doc.View(); view != nil {
		w.atRunTime(view.KnownReads(), v, func(*index.Source, index.Range) { n.atRunTime++ })
	}
	n.all += n.atRunTime
	return n
}

// atRunTimeText returns what follows a number of reads, for people: ", 1 at run time".
func (n readCount) atRunTimeText() string {
	switch n.atRunTime {
	case 0:
		return ""
	case n.all:
		return " at run time"
	}
	return fmt.Sprintf(", %d at run time", n.atRunTime)
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
