package yaml

import (
	"sync/atomic"

	"weft/internal/lang/source"
)

// Watch records the first scalar with two meanings that code has read: see IsAmbiguous. Trees
// shared by several runs share their Watch.
type Watch struct {
	first atomic.Pointer[source.Span]
}

// Read returns that scalar, if there is one.
func (w *Watch) Read() (source.Span, bool) {
	if at := w.first.Load(); at != nil {
		return *at, true
	}
	return source.Span{}, false
}

// Watch makes the tree record reads in w. Call it before anyone else has the tree.
func (t *Tree) Watch(w *Watch) { t.watch = w }

// IsWatched reports whether the tree records reads.
func (t *Tree) IsWatched() bool { return t.watch != nil }

// Read records that code reads node n and everything in it.
func (t *Tree) Read(n NodeID) {
	if t.watch == nil || t.watch.first.Load() != nil || !t.HasAmbiguous(n) {
		return
	}
	at := t.Span(n)
	t.watch.first.CompareAndSwap(nil, &at)
}
