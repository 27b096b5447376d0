package yaml

import (
	"sync/atomic"

	"weft/internal/lang/source"
)

// Watch notes whether code has read a scalar with two meanings: see IsAmbiguous. Trees that are
// shared by many runs share theirs too.
type Watch struct {
	first atomic.Pointer[source.Span]
}

// Read returns the first such scalar that was read, if there is one.
func (w *Watch) Read() (source.Span, bool) {
	if at := w.first.Load(); at != nil {
		return *at, true
	}
	return source.Span{}, false
}

// Watch makes the tree tell w what is read of it. No one may have the tree yet.
func (t *Tree) Watch(w *Watch) { t.watch = w }

// IsWatched reports whether the tree tells what is read of it.
func (t *Tree) IsWatched() bool { return t.watch != nil }

// Read notes that code reads node n, with all that is in it.
func (t *Tree) Read(n NodeID) {
	if t.watch == nil || t.watch.first.Load() != nil || !t.HasAmbiguous(n) {
		return
	}
	at := t.Span(n)
	t.watch.first.CompareAndSwap(nil, &at)
}
